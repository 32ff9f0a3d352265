"""What ends in scans when an account does."""

from collections.abc import Mapping
from contextlib import suppress

from django.db.models import QuerySet

from apikeys.caller import Caller
from apikeys.errors import ServiceError
from apikeys.models import User
from visibility.models import Run
from visibility.services.scans.starting import cancel_scan

OWNER_GONE = "The account that owns the brand was deactivated."
RUNS_PER_TICK = 100


def end_runs(caller: Caller, user: User) -> Mapping[str, int]:
    """Cancel every scan and audit that waits or works for the brands of an account that is held: a part of its
    deactivation. Answers that are under way were paid for, and are stored."""
    runs = _of_inactive_owners().filter(brand__owner=user)
    for run in runs:
        cancel_scan(caller, run=run, reason=OWNER_GONE)
    return {"scans and audits cancelled": len(runs)}


def end_left_over(caller: Caller) -> None:
    """Cancel, some at a time, what waits or works for a deactivated owner all the same: begun in the moment of the
    deactivation, which may also have gone past the service."""
    for run in _of_inactive_owners().order_by("created_at")[:RUNS_PER_TICK]:
        with suppress(ServiceError):  # it has ended meanwhile
            cancel_scan(caller, run=run, reason=OWNER_GONE)


def _of_inactive_owners() -> QuerySet[Run]:
    """Imports ask nobody and wait until their owner comes back."""
    runs = Run.objects.filter(status__in=Run.ACTIVE, brand__owner__is_active=False)
    return runs.exclude(trigger=Run.Trigger.IMPORT)
