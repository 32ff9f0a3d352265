"""Starting site audits."""

import secrets
from uuid import UUID

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext

from apikeys.accounts.caller import Caller
from apikeys.accounts.usage import spend
from apikeys.errors import invalid
from apikeys.models import Usage
from brands.access import editable_brand
from brands.later import defer_for_run
from visibility.models import Audit, Run
from visibility.models.runs import RunTrigger
from visibility.runs.services import Started, StartReason

MOST_PAGES = 50


@transaction.atomic
def start_audit(caller: Caller, *, brand_id: UUID, trigger: RunTrigger, max_pages: int = MOST_PAGES) -> Started:
    """Audit the brand's site, or return the audit that is active, which costs nothing. A page is a credit.

    Raises not_found, read_only_collaborator, invalid_arguments, quota_exceeded; then nothing is started or spent.
    """
    if not 1 <= max_pages <= MOST_PAGES:
        raise invalid("maxPages", gettext("Give a number of pages from 1 to {most}.").format(most=MOST_PAGES))
    brand = editable_brand(caller, brand_id, lock=True)
    now = timezone.now()
    if active := Run.objects.active().filter(brand=brand, kind=Run.Kind.AUDIT).first():
        return Started(active, False, StartReason.ACTIVE, now, 0)
    run = Run.objects.create(
        brand=brand,
        kind=Run.Kind.AUDIT,
        trigger=trigger,
        actor=caller.actor,
        day=now.date(),
        created_at=now,
        total=max_pages,
        credits_reserved=max_pages,
        credits_month=spend(brand.owner, Usage.Kind.CREDITS, max_pages),
        payer=brand.owner,
    )
    Audit.objects.create(run=run, max_pages=max_pages, unused_path=secrets.token_hex(16))
    defer_for_run("audit", run.pk)
    return Started(run, True, None, now, max_pages)
