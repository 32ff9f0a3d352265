"""Who works on a job. The row decides: one conditional UPDATE claims it, and every later write is fenced by it."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime, timedelta
from enum import Enum, auto
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db import transaction
from django.db.models import F, Q, QuerySet
from django.db.models.functions import Least
from django.utils import timezone

from apikeys.errors import ServiceError
from brands.models import Brand
from brands.services.access import lock_brand
from visibility.jobs.kinds import Job, JobKind

BACKOFF_SECONDS = 5
MAX_BACKOFF_SECONDS = 300

NO_LEASE: Mapping[str, Any] = {"worker": "", "lease_until": None}
"""The fields of a job that nobody holds."""


class LeaseLost(Exception):
    """The job belongs to another worker, was cancelled, or is gone: stop without writing."""


class LeaseState(Enum):
    """What a job's worker has to do about it."""

    WORKING = auto()
    CANCELLED = auto()
    STOPPING = auto()
    """The worker is asked to end; another will go on."""
    LOST = auto()


def waiting(kind: JobKind[Any]) -> Q:
    """Jobs that wait for a worker."""
    return Q(**{f"{kind.state}__in": kind.waiting}, lease_until=None)


def due(kind: JobKind[Any], now: datetime) -> Q:
    """Jobs that nobody works on and whose time has come: waiting ones, and those whose lease is over."""
    abandoned = Q(**{f"{kind.state}__in": kind.working}, lease_until__lt=now)
    return (waiting(kind) | abandoned) & Q(not_before__lte=now) & kind.due_if()


def lease_end(now: datetime) -> datetime:
    """Until when a lease that is taken or prolonged now holds."""
    return now + timedelta(seconds=settings.SCAN_LEASE_SECONDS)


def claim(kind: JobKind[Job], key: UUID, worker: str) -> Job | None:
    """Make `worker` (unique for each call) the one that works on the job; None when it is not due."""
    now = timezone.now()
    attempt = F("attempt") + 1
    claimed = kind.model._default_manager.filter(due(kind, now), pk=key).update(
        worker=worker,
        lease_until=lease_end(now),
        attempt=attempt if kind.max_attempts is None else Least(attempt, kind.max_attempts),
        **kind.on_claim(now),
    )
    return _held(kind, key, worker, kind.drained).select_related("brand").first() if claimed else None


def lease_state(kind: JobKind[Any], key: UUID, worker: str) -> LeaseState:
    """What the row says that the worker has to do."""
    state = _held(kind, key, worker, kind.drained).values_list(kind.state, flat=True).first()
    if state is None:
        return LeaseState.LOST
    return LeaseState.CANCELLED if state in kind.cancelled else LeaseState.WORKING


def renew(kind: JobKind[Any], key: UUID, worker: str, states: Sequence[str] | None = None) -> bool:
    """Prolong the lease; False when the worker no longer holds the job in one of the states (those of a held one)."""
    rows = _held(kind, key, worker, kind.drained if states is None else states)
    return bool(rows.update(lease_until=lease_end(timezone.now())))


@contextmanager
def fenced(kind: JobKind[Any], key: UUID, worker: str, states: Sequence[str] | None = None) -> Iterator[None]:
    """A transaction that the worker may write in: it prolongs the lease and keeps the row until the end.

    Raises LeaseLost, and writes nothing, when the worker no longer holds the job in one of the states (those that are
    worked on).
    """
    with transaction.atomic():
        if not renew(kind, key, worker, kind.working if states is None else states):
            raise LeaseLost(str(key))
        yield


def hold_brand(brand: Brand) -> Brand:
    """The brand, afresh and locked; raises LeaseLost when it was deleted, and with it what was to be done.

    Whoever needs both locks the brand before its jobs.
    """
    try:
        return lock_brand(brand)
    except ServiceError as gone:
        raise LeaseLost(str(brand.pk)) from gone


def backoff(attempt: int) -> timedelta:
    """How long to wait after a failure: twice as long each time without progress."""
    return timedelta(seconds=min(BACKOFF_SECONDS * 2 ** max(attempt - 1, 0), MAX_BACKOFF_SECONDS))


def release(kind: JobKind[Job], job: Job, worker: str, *, reason: str) -> None:
    """Have the job tried again later after a failure: twice as late each time without progress."""
    later = timezone.now() + backoff(job.attempt)
    _let_go(kind, job, worker, not_before=later, error_message=reason, **kind.on_failure)


def hand_over(kind: JobKind[Job], job: Job, worker: str) -> None:
    """Leave the job to another worker, to go on with at once: this one is asked to end, which is no failure."""
    _let_go(kind, job, worker, not_before=timezone.now(), attempt=F("attempt") - 1)


def put_back(kind: JobKind[Job], job: Job, worker: str) -> None:
    """Let others have their turn: the job is due again at once, and its failures are forgotten."""
    _let_go(kind, job, worker, not_before=timezone.now(), attempt=0, error_message="")


def _let_go(kind: JobKind[Job], job: Job, worker: str, **fields: Any) -> None:
    rows = _held(kind, job.pk, worker, kind.working)
    rows.update(dispatched_at=None, **NO_LEASE, **kind.on_waiting, **fields)


def _held(kind: JobKind[Job], key: UUID, worker: str, states: Sequence[str]) -> QuerySet[Job]:
    return kind.model._default_manager.filter(pk=key, worker=worker, **{f"{kind.state}__in": states})
