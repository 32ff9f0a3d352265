"""The two audits of the demo brand's site on its simulated days: each asks a server, which this process runs, for the
site as it was on that day."""

from collections.abc import Mapping
from datetime import datetime
from uuid import uuid4

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from brands.models import Brand
from brands.services.access import lock_brand
from visibility.demo.content import DOMAIN
from visibility.demo.days import DAYS, SEEDER, Clock, day_of, moment_of
from visibility.demo.serving import served
from visibility.demo.website import Edition
from visibility.models import Audit, Run
from visibility.pipeline.circumstances import Circumstances
from visibility.pipeline.runner import execute
from visibility.services.audits.starting import MAX_PAGES

AUDITS: Mapping[int, Edition] = {41: Edition.EARLIER, 60: Edition.NOW}
"""By the simulated day on whose evening it is made: which edition of the site stood then."""
HOUR = 18


def audit_site_on(brand: Brand, number: int) -> None:
    """Make the audit of that simulated day, if one is due then and not there yet; one that broke off is gone on
    with. It costs no credits."""
    edition = AUDITS.get(number)
    if edition is None:
        return
    moment = moment_of(brand, number, HOUR)
    run = _run(brand, moment)
    if run.is_active:
        # Both editions tell the same day of review, as their texts do: of the last day, whichever month it is in.
        with served(edition, day_of(brand, DAYS)) as place:
            execute(run.pk, f"audit-{uuid4().hex}", Circumstances(Clock(moment), {DOMAIN: place}))


@transaction.atomic
def _run(brand: Brand, moment: datetime) -> Run:
    brand = lock_brand(brand)
    runs = Run.objects.filter(brand=brand, kind=Run.Kind.AUDIT, actor=SEEDER)
    there: Run | None = runs.filter(created_at=moment).first()
    if there:
        return there
    run: Run = Run.objects.create(
        brand=brand,
        kind=Run.Kind.AUDIT,
        trigger=Run.Trigger.OPERATOR,
        actor=SEEDER,
        created_at=moment,
        started_at=moment,
        total=MAX_PAGES,
        # Announced already: the worker of a service that runs has another edition of the site to ask.
        dispatched_at=timezone.now(),
    )
    Audit.objects.create(
        run=run, home_url=f"https://{DOMAIN}/", max_pages=MAX_PAGES, user_agent=settings.AUDIT_USER_AGENT
    )
    return run
