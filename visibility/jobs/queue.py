"""Tells workers that a job is due.

A message only wakes a worker and the row decides, so that a lost or a doubled message does no harm.
"""

import logging
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from celery import current_app
from django.db.models import F, Q
from django.utils import timezone

from visibility.jobs.kinds import KINDS, JobKind
from visibility.jobs.lease import due, waiting

logger = logging.getLogger(__name__)

WINDOW = 40
"""At most this many of each kind are announced and not yet claimed, so that the queue stays short whatever waits."""
ANNOUNCE_AGAIN_SECONDS = 60
"""What nobody claimed by then is announced again: the message may have died with a worker."""


def enqueue(kind: JobKind[Any], key: UUID) -> None:
    """Announce the job. A broker that does not answer is logged: the row is due, so a later tick announces it."""
    try:
        current_app.send_task(kind.task, args=[str(key)], retry=False)
    except Exception:  # brokers raise errors of many families, and none of them may undo a started scan
        logger.exception("%s of %s could not be announced; the next tick tries again", kind.task, key)
        return
    kind.model._default_manager.filter(pk=key).update(dispatched_at=timezone.now())


def postpone(kind: JobKind[Any], key: UUID) -> None:
    """Take back the announcement: the worker that got it is busy, so a later tick announces the job again."""
    kind.model._default_manager.filter(waiting(kind), pk=key).update(dispatched_at=None)


def announce_due() -> int:
    """Announce jobs that are due, longest waiting first, up to the window of each kind; returns how many."""
    now = timezone.now()
    announced = 0
    for kind in KINDS:
        keys = _unannounced(kind, now)
        for key in keys:
            enqueue(kind, key)
        announced += len(keys)
    return announced


def _unannounced(kind: JobKind[Any], now: datetime) -> list[UUID]:
    """Due jobs that were not announced of late, or only before the lease or the delay that is now over."""
    jobs = kind.model._default_manager.filter(due(kind, now))
    silent = (
        Q(dispatched_at=None)
        | Q(dispatched_at__lt=now - timedelta(seconds=ANNOUNCE_AGAIN_SECONDS))
        | Q(dispatched_at__lt=F("lease_until"))
    )
    room = max(WINDOW - jobs.exclude(silent).count(), 0)
    return list(jobs.filter(silent).order_by("not_before", "pk").values_list("pk", flat=True)[:room])
