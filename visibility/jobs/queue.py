"""Tells workers that a run, or a generation to build or clear away, is due.

A message only wakes a worker and the row decides, so that a lost or a doubled message does no harm.
"""

import logging
from datetime import datetime, timedelta
from uuid import UUID

from celery import current_app
from django.db.models import F, Q
from django.utils import timezone

from brands.querysets import BrandScopedQuerySet
from visibility.jobs.claim import due
from visibility.jobs.generations import due_generations
from visibility.models import Generation, Run

logger = logging.getLogger(__name__)

RUN_SCAN = "visibility.tasks.run_scan"
WORK_ON_GENERATION = "visibility.tasks.work_on_generation"
WINDOW = 40
"""At most this many of each are announced and not yet claimed, so that the queue stays short whatever waits."""
ANNOUNCE_AGAIN_SECONDS = 60
"""What nobody claimed by then is announced again: the message may have died with a worker."""


def enqueue(run_id: UUID) -> None:
    """Announce the run. A broker that does not answer is logged: the row is due, so a later tick announces it."""
    _send(RUN_SCAN, Run.objects.filter(pk=run_id), run_id)


def enqueue_generation(generation_id: UUID) -> None:
    """Announce the generation, as `enqueue` does a run."""
    _send(WORK_ON_GENERATION, Generation.objects.filter(pk=generation_id), generation_id)


def postpone(run_id: UUID) -> None:
    """Take back the announcement: the worker that got it is busy, so a later tick announces the run again."""
    Run.objects.filter(pk=run_id, status=Run.Status.QUEUED).update(dispatched_at=None)


def postpone_generation(generation_id: UUID) -> None:
    """As `postpone`, for a generation."""
    Generation.objects.filter(pk=generation_id, worker="").update(dispatched_at=None)


def announce_due() -> int:
    """Announce runs and generations that are due, longest waiting first, up to the window of each; returns how many.

    Runs come first: somebody waits for them.
    """
    now = timezone.now()
    runs = _unannounced(Run.objects.filter(due(now)), now)
    for run_id in runs:
        enqueue(run_id)
    generations = _unannounced(Generation.objects.filter(due_generations(now)), now)
    for generation_id in generations:
        enqueue_generation(generation_id)
    return len(runs) + len(generations)


def _send(task: str, row: BrandScopedQuerySet, key: UUID) -> None:
    try:
        current_app.send_task(task, args=[str(key)], retry=False)
    except Exception:  # brokers raise errors of many families, and none of them may undo a started scan
        logger.exception("%s of %s could not be announced; the next tick tries again", task, key)
        return
    row.update(dispatched_at=timezone.now())


def _unannounced(waiting: BrandScopedQuerySet, now: datetime) -> list[UUID]:
    """Due rows that were not announced of late, or only before the lease or the delay that is now over."""
    silent = (
        Q(dispatched_at=None)
        | Q(dispatched_at__lt=now - timedelta(seconds=ANNOUNCE_AGAIN_SECONDS))
        | Q(dispatched_at__lt=F("lease_until"))
    )
    room = max(WINDOW - waiting.exclude(silent).count(), 0)
    return list(waiting.filter(silent).order_by("not_before", "pk").values_list("pk", flat=True)[:room])
