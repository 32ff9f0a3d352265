"""Who works on a run. The row decides: one conditional UPDATE claims it, and every later write is fenced by it."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime, timedelta
from enum import Enum, auto
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db import transaction
from django.db.models import F, Q
from django.db.models.functions import Coalesce
from django.utils import timezone

from apikeys.errors import ServiceError
from brands.models import Brand
from brands.querysets import BrandScopedQuerySet
from brands.services.access import lock_brand
from visibility.models import Run

BACKOFF_SECONDS = 5
MAX_BACKOFF_SECONDS = 300


WORKED_ON = (Run.Status.RUNNING,)
DRAINED = (Run.Status.RUNNING, Run.Status.CANCELLED)
"""A cancelled run stays with its worker until the answers that were under way are stored and it is settled."""


class LeaseLost(Exception):
    """The run belongs to another worker, was cancelled, or is gone: stop without writing."""


class Standing(Enum):
    """How a run stands with its worker."""

    WORKING = auto()
    CANCELLED = auto()
    STOPPING = auto()
    """The worker is asked to end; another will go on."""
    LOST = auto()


def due(now: datetime) -> Q:
    """Runs that nobody works on and that may start: waiting ones whose time has come, and expired leases."""
    return Q(status=Run.Status.QUEUED, not_before__lte=now) | Q(status=Run.Status.RUNNING, lease_until__lt=now)


def lease_end(now: datetime) -> datetime:
    """Until when a lease that is taken or prolonged now holds."""
    return now + timedelta(seconds=settings.SCAN_LEASE_SECONDS)


def claim(run_id: UUID, worker: str) -> Run | None:
    """Make `worker` (unique for each call) the one that works on the run; None when it is not due."""
    now = timezone.now()
    claimed = Run.objects.filter(due(now), pk=run_id).update(
        status=Run.Status.RUNNING,
        worker=worker,
        lease_until=lease_end(now),
        attempt=F("attempt") + 1,
        # An imported run keeps the time of its first answer.
        started_at=Coalesce("started_at", now),
    )
    if not claimed:
        return None
    run: Run | None = Run.objects.select_related("brand").filter(pk=run_id, worker=worker).first()
    return run


def backoff(attempt: int) -> timedelta:
    """How long to wait after a failure: twice as long each time without progress."""
    return timedelta(seconds=min(BACKOFF_SECONDS * 2 ** max(attempt - 1, 0), MAX_BACKOFF_SECONDS))


def standing_of(run_id: UUID, worker: str) -> Standing:
    """How the run stands with the worker by its row."""
    status = _held(run_id, worker, DRAINED).values_list("status", flat=True).first()
    if status is None:
        return Standing.LOST
    return Standing.CANCELLED if status == Run.Status.CANCELLED else Standing.WORKING


def renew(run_id: UUID, worker: str, statuses: Sequence[str] = DRAINED) -> bool:
    """Prolong the lease; False when the worker no longer holds it."""
    return bool(_held(run_id, worker, statuses).update(lease_until=lease_end(timezone.now())))


@contextmanager
def fenced(run_id: UUID, worker: str, statuses: Sequence[str] = WORKED_ON) -> Iterator[None]:
    """A transaction that the worker may write in: it prolongs the lease and keeps the row until the end.

    Raises LeaseLost, and writes nothing, when the worker no longer holds the run, or it has another status.
    """
    with transaction.atomic():
        if not renew(run_id, worker, statuses):
            raise LeaseLost(str(run_id))
        yield


def hold_brand(brand: Brand) -> Brand:
    """The brand, afresh and locked; raises LeaseLost when it was deleted, and with it what was to be done."""
    try:
        return lock_brand(brand)
    except ServiceError as gone:
        raise LeaseLost(str(brand.pk)) from gone


def release(run: Run, worker: str, *, code: str, message: str) -> None:
    """Put the run back after a failure, to be tried again later: twice as late each time without progress."""
    _put_back(run, worker, not_before=timezone.now() + backoff(run.attempt), error_code=code, error_message=message)


def hand_over(run: Run, worker: str) -> None:
    """Put the run back for another worker to go on with at once: this one is asked to end, which is no failure."""
    _put_back(run, worker, not_before=timezone.now(), attempt=F("attempt") - 1)


def _put_back(run: Run, worker: str, **changes: Any) -> None:
    _held(run.pk, worker, WORKED_ON).update(
        status=Run.Status.QUEUED, worker="", lease_until=None, dispatched_at=None, **changes
    )


def _held(run_id: UUID, worker: str, statuses: Sequence[str]) -> BrandScopedQuerySet:
    return Run.objects.filter(pk=run_id, worker=worker, status__in=statuses)
