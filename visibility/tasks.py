"""What workers do. Messages carry an id only; the rows say what is to be done."""

import logging
import os
import signal
import socket
import uuid
from collections.abc import Callable
from contextlib import ExitStack
from functools import partial, wraps
from threading import BoundedSemaphore
from typing import Any

from celery import shared_task
from django.conf import settings
from django.core.cache import cache
from django.db import Error
from django.utils import timezone

from apikeys.db.outages import DATABASE
from apikeys.operators import system_caller
from visibility.jobs.kinds import AUDIT, EVIDENCE, GENERATION, RUN, JobKind
from visibility.jobs.patience import DamagedDatabase, unless_away
from visibility.jobs.queue import announce_due, postpone
from visibility.jobs.stopping import stopping
from visibility.pipeline.evidence.making import make_evidence as make
from visibility.pipeline.evidence.planning import plan_evidence
from visibility.pipeline.finishing import settle_abandoned
from visibility.pipeline.generations.planning import plan_outdated
from visibility.pipeline.generations.runner import work_on
from visibility.pipeline.overdue import judge_overdue
from visibility.pipeline.provider_calls import settle_abandoned_calls
from visibility.pipeline.retention import purge_daily, purge_raw_bodies
from visibility.pipeline.runner import execute
from visibility.services.health import HEARTBEAT_KEY
from visibility.services.scans.endings import end_left_over
from visibility.services.scans.schedule import fire_due

logger = logging.getLogger(__name__)

HEARTBEAT_SECONDS = 60
EVIDENCE_SECONDS = 15
"""So often outdated evidence is looked for: with thousands of brands that takes a third of a second."""
SCHEDULER = system_caller("scheduler")

# Each worker process has threads for audits and threads for scans, so that neither waits for the other's; one more
# stays free of both, so that ticks are never kept waiting by long ones.
_audits = BoundedSemaphore(settings.AUDIT_SLOTS)
_slots = BoundedSemaphore(max(settings.WORKER_THREADS - settings.AUDIT_SLOTS - 1, 1))
# Analysing answers computes without a pause: a second one in the same process would only slow both down.
_computing = BoundedSemaphore(1)


def _task(name: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """A task that leaves what it could not do to a later one while the database is away.

    Where the database is damaged it ends its worker. The supervisor starts another: it finds the file restored, or
    ends as well.
    """

    def declare(function: Callable[..., None]) -> Callable[..., None]:
        @wraps(function)
        def task(*args: str) -> None:
            try:
                unless_away(partial(function, *args), None)
            except DamagedDatabase as damage:
                logger.critical("%s This worker ends.", damage)
                os.kill(os.getpid(), signal.SIGTERM)

        return shared_task(name=name)(task)

    return declare


@_task(RUN.task)
def run_scan(run_id: str) -> None:
    """Carry out a run if it is due and this process has a thread to spare, else leave it to a later tick."""
    _unless_stopping(RUN, run_id, _slots)


@_task(AUDIT.task)
def run_audit(run_id: str) -> None:
    """Carry out an audit if it is due and a thread for audits is to spare, else leave it to a later tick."""
    _unless_stopping(AUDIT, run_id, _audits)


@_task(GENERATION.task)
def work_on_generation(generation_id: str) -> None:
    """Build or clear away a generation for one turn, if this process has a thread to spare and does none already."""
    _if_free(GENERATION, generation_id, work_on, _computing, _slots)


@_task(EVIDENCE.task)
def make_evidence(job_id: str) -> None:
    """Make the evidence of a brand anew, if this process has a thread to spare and computes nothing else."""
    _if_free(EVIDENCE, job_id, make, _computing, _slots)


def _unless_stopping(kind: JobKind[Any], run_id: str, place: BoundedSemaphore) -> None:
    if stopping.is_set():
        postpone(kind, uuid.UUID(run_id))
        return
    _if_free(kind, run_id, execute, place)


def _if_free(kind: JobKind[Any], key: str, work: Callable[[uuid.UUID, str], None], *places: BoundedSemaphore) -> None:
    """Work on the job while holding each of the places; where one is taken, leave the job to a later tick."""
    with ExitStack() as stack:
        for place in places:
            if not place.acquire(blocking=False):
                postpone(kind, uuid.UUID(key))
                return
            stack.callback(place.release)
        work(uuid.UUID(key), _worker())


def _worker() -> str:
    """A name of its own for each call."""
    return f"{socket.gethostname()[:24]}:{os.getpid()}:{uuid.uuid4().hex[:16]}"


@_task("visibility.tasks.tick")
def tick() -> None:
    """Show that a worker lives, announce what is due, end what is at work for nobody, start what the cadences ask
    for, notice new names, outdated evidence and proofs whose time is over, tidy up.

    Announcing comes first: trouble with the schedule must not keep the runs of dead workers waiting.
    """
    _show_life()
    announce_due()
    settle_abandoned()
    end_left_over(SCHEDULER)
    settle_abandoned_calls()
    fire_due(SCHEDULER)
    plan_outdated()
    judge_overdue()
    _plan_evidence()
    purge_raw_bodies()
    _purge_daily()
    DATABASE.works()


def _plan_evidence() -> None:
    """Of several schedulers the first does it; while the cache is silent each does."""
    try:
        is_first = cache.add("evidence-looked-for", True, EVIDENCE_SECONDS)
    except Exception:  # each cache has errors of its own
        is_first = True
    if is_first:
        plan_evidence()


def _purge_daily() -> None:
    try:
        purge_daily()
    except Error:
        raise
    except Exception:  # of the cache, which says whether it was done today
        logger.warning("The cache is silent, so that nothing is purged for now", exc_info=True)


def _show_life() -> None:
    try:
        cache.set(HEARTBEAT_KEY, timezone.now().isoformat(), HEARTBEAT_SECONDS)
    except Exception:  # each cache has errors of its own, and none may keep scans from being started
        logger.exception("The cache did not take the sign of life")
