"""Starting audits: one at a time of each site, paid for when it starts."""

from dataclasses import dataclass
from functools import partial
from uuid import UUID

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from apikeys.caller import Caller
from apikeys.errors import ErrorCode, ServiceError, invalid
from brands.models import Brand
from brands.services.access import editable_brand
from visibility.audit.fetch.failures import FetchError
from visibility.audit.fetch.urls import checked_url
from visibility.jobs.kinds import AUDIT
from visibility.jobs.queue import enqueue
from visibility.models import Audit, Run
from visibility.resources.scans import StartedAudit
from visibility.services.scans.starting import active_run, reserve_run
from visibility.services.scans.status import run_resource

MAX_PAGES = 50


@dataclass(frozen=True, slots=True)
class StartedAuditRun:
    """What came of a request to audit: the new run, or the one that is active; and what this request reserved."""

    run: Run
    started: bool
    credits_spent: int


def start_audit(
    caller: Caller, *, brand_id: UUID, trigger: Run.Trigger, max_pages: int = MAX_PAGES
) -> StartedAuditRun:
    """Start an audit of the brand's site, or return the one that is active, which costs nothing.

    A credit for each page is reserved; pages that are not fetched are given back at the end. Raises not_found,
    read_only_collaborator, invalid_arguments, quota_exceeded, and conflict where the brand's domain is no address of
    the public web; then nothing is started or spent.
    """
    if not 1 <= max_pages <= MAX_PAGES:
        raise invalid("max_pages", f"An audit looks at 1 to {MAX_PAGES} pages.")
    with transaction.atomic():
        brand = editable_brand(caller, brand_id, lock=True)
        active = active_run(brand, Run.Kind.AUDIT)
        if active:
            return StartedAuditRun(active, False, 0)
        home_url = _home_url(brand)
        run = reserve_run(caller, brand, Run.Kind.AUDIT, trigger, timezone.now(), total=max_pages)
        Audit.objects.create(run=run, home_url=home_url, max_pages=max_pages, user_agent=settings.AUDIT_USER_AGENT)
        transaction.on_commit(partial(enqueue, AUDIT, run.pk))
    return StartedAuditRun(run, True, run.credits_reserved)


def started_audit_resource(audit: StartedAuditRun) -> StartedAudit:
    """What came of a request to audit, as every door shows it."""
    return StartedAudit(
        run=run_resource(audit.run),
        started=audit.started,
        reason=None if audit.started else "already_active",
        credits_spent=audit.credits_spent,
    )


def _home_url(brand: Brand) -> str:
    """Where the audit looks first. Raises conflict."""
    url = f"https://{brand.domain}/"
    try:
        checked_url(url, local_hosts=settings.AUDIT_LOCAL_HOSTS, own_hosts=settings.ALLOWED_HOSTS)
    except FetchError as error:
        raise ServiceError(
            ErrorCode.CONFLICT,
            f"The domain of this site, {brand.domain!a}, cannot be audited. {error.detail} Change the domain, "
            "then start again.",
        ) from error
    return url
