"""Who works on a generation: one conditional UPDATE claims it, and every later write is fenced by it, as for runs."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import F, Q
from django.db.models.functions import Least
from django.utils import timezone

from brands.querysets import BrandScopedQuerySet
from visibility.detection.detector import DETECTOR_VERSION
from visibility.jobs.claim import LeaseLost, backoff, lease_end
from visibility.models import Generation

MOST_ATTEMPTS = 100
"""Where the count stops; a generation is never given up, and waits ever longer to the limit of the backoff."""


def due_generations(now: datetime) -> Q:
    """Generations to build (with this detector) or to clear away that nobody works on and whose time has come."""
    to_do = Q(state=Generation.State.BUILDING, detector=int(DETECTOR_VERSION)) | Q(state=Generation.State.RETIRED)
    free = Q(lease_until=None) | Q(lease_until__lt=now)
    return to_do & free & Q(not_before__lte=now)


def claim_generation(generation_id: UUID, worker: str) -> Generation | None:
    """Make `worker` (unique for each call) the one that works on the generation; None when it is not due."""
    now = timezone.now()
    claimed = Generation.objects.filter(due_generations(now), pk=generation_id).update(
        worker=worker, lease_until=lease_end(now), attempt=Least(F("attempt") + 1, MOST_ATTEMPTS)
    )
    if not claimed:
        return None
    held: Generation | None = _held(generation_id, worker).select_related("brand").first()
    return held


def renew_generation(generation_id: UUID, worker: str) -> bool:
    """Prolong the lease; False when the worker no longer holds it."""
    return bool(_held(generation_id, worker).update(lease_until=lease_end(timezone.now())))


@contextmanager
def fenced_generation(generation_id: UUID, worker: str) -> Iterator[None]:
    """A transaction that the worker may write in, as `visibility.jobs.claim.fenced`. Raises LeaseLost."""
    with transaction.atomic():
        if not renew_generation(generation_id, worker):
            raise LeaseLost(str(generation_id))
        yield


def put_back(generation: Generation, worker: str) -> None:
    """Let others have their turn: the generation is due again at once, and its failures are forgotten."""
    _let_go(generation, worker, not_before=timezone.now(), attempt=0, error_message="")


def put_off(generation: Generation, worker: str, *, reason: str) -> None:
    """Try again after a failure: later each time without a turn that ended well."""
    _let_go(generation, worker, not_before=timezone.now() + backoff(generation.attempt), error_message=reason)


def _let_go(generation: Generation, worker: str, **fields: Any) -> None:
    _held(generation.pk, worker).update(worker="", lease_until=None, dispatched_at=None, **fields)


def _held(generation_id: UUID, worker: str) -> BrandScopedQuerySet:
    return Generation.objects.filter(pk=generation_id, worker=worker)
