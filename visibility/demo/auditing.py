"""The audit of the demo brand's site, which this machine serves itself."""

import time

from django.conf import settings

from apikeys.caller import Caller
from brands.models import Brand
from visibility.measured.audits import finished_audits
from visibility.models import Run
from visibility.services.audits.starting import start_audit

WAIT_SECONDS = 120.0
POLL_SECONDS = 0.5


def is_audited(brand: Brand) -> bool:
    """Whether there is a finished audit of the brand's site."""
    return finished_audits(Run.objects.filter(brand=brand)).exists()


def audit_demo(caller: Caller, brand: Brand) -> Run | None:
    """Audit the demo's site and wait until that has ended: the finished audit.

    None where the site is not served (`serve --demo` serves it), or where the audit failed or takes longer than two
    minutes: then its page tells. Raises what `start_audit` raises.
    """
    if brand.domain not in settings.AUDIT_LOCAL_HOSTS:
        return None
    started = start_audit(caller, brand_id=brand.pk, trigger=Run.Trigger.OPERATOR)
    deadline = time.monotonic() + WAIT_SECONDS
    while time.monotonic() < deadline:
        if not Run.objects.filter(pk=started.run.pk, status__in=Run.ACTIVE).exists():
            break
        time.sleep(POLL_SECONDS)
    return finished_audits(Run.objects.filter(pk=started.run.pk)).first()
