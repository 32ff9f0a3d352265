"""Tells workers that a run is due.

A message only wakes a worker and the row decides, so that a lost or a doubled message does no harm.
"""

import logging
from datetime import datetime, timedelta
from uuid import UUID

from celery import current_app
from django.db.models import F, Q
from django.utils import timezone

from visibility.models import Run
from visibility.scans.claim import due

logger = logging.getLogger(__name__)

RUN_SCAN = "visibility.tasks.run_scan"
WINDOW = 40
"""At most this many runs are announced and not yet claimed, so that the queue stays short whatever waits."""
ANNOUNCE_AGAIN_SECONDS = 60
"""A run that nobody claimed by then is announced again: its message may have died with a worker."""


def enqueue(run_id: UUID) -> None:
    """Announce the run. A broker that does not answer is logged: the row is due, so a later tick announces it."""
    try:
        current_app.send_task(RUN_SCAN, args=[str(run_id)], retry=False)
    except Exception:  # brokers raise errors of many families, and none of them may undo a started scan
        logger.exception("Run %s could not be announced; the next tick tries again", run_id)
        return
    Run.objects.filter(pk=run_id).update(dispatched_at=timezone.now())


def postpone(run_id: UUID) -> None:
    """Take back the announcement: the worker that got it is busy, so a later tick announces the run again."""
    Run.objects.filter(pk=run_id, status=Run.Status.QUEUED).update(dispatched_at=None)


def announce_due() -> int:
    """Announce runs that are due, longest waiting first, up to the window. Returns how many."""
    now = timezone.now()
    recently = now - timedelta(seconds=ANNOUNCE_AGAIN_SECONDS)
    waiting = Run.objects.filter(due(now)).exclude(_unannounced(recently)).count()
    silent = Run.objects.filter(due(now) & _unannounced(recently)).order_by("not_before", "pk")
    run_ids = list(silent.values_list("pk", flat=True)[: max(WINDOW - waiting, 0)])
    for run_id in run_ids:
        enqueue(run_id)
    return len(run_ids)


def _unannounced(recently: datetime) -> Q:
    """Not announced of late, or announced before the lease that has now expired or the delay that is now over."""
    return (
        Q(dispatched_at=None)
        | Q(dispatched_at__lt=recently)
        | Q(status=Run.Status.RUNNING, dispatched_at__lt=F("lease_until"))
    )
