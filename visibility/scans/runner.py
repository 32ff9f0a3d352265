"""Carries out one run from its claim to its end. Each stage goes on from what is stored."""

import logging
from functools import partial
from uuid import UUID

from asgiref.sync import async_to_sync
from django.conf import settings
from django.db import connection

from brands.models import Brand
from visibility.models import Run
from visibility.scans.asking import ask_all, pending_by_engine
from visibility.scans.claim import LeaseLost, claim, fenced, release
from visibility.scans.detecting import detect_answers
from visibility.scans.engines import engines_of
from visibility.scans.finishing import finish, give_up
from visibility.scans.heartbeat import Heartbeat
from visibility.scans.names import lexicon_of
from visibility.scans.sampling import answers_behind
from visibility.scans.storing import store_answers

logger = logging.getLogger(__name__)


def execute(run_id: UUID, worker: str) -> None:
    """Carry out the run as far as it goes; returns at once when it is not due or another worker holds it.

    `worker` is unique for each call. A failure puts the run back into the queue for a later attempt.
    """
    run = claim(run_id, worker)
    if run is None:
        return
    try:
        with Heartbeat(run.pk, worker) as heartbeat:
            _carry_out(run, worker, heartbeat)
    except (LeaseLost, Brand.DoesNotExist):
        logger.info("Run %s was cancelled, removed or taken over", run_id)
    except Exception as error:
        logger.exception("Run %s broke off in attempt %s", run_id, run.attempt)
        if not connection.in_atomic_block:
            # The connection may be what broke; the next statement opens another.
            connection.close()
        message = f"The last attempt broke off with {type(error).__name__}."
        release(run, worker, code="broken_off", message=message)


def _carry_out(run: Run, worker: str, heartbeat: Heartbeat) -> None:
    if run.attempt > settings.SCAN_MAX_ATTEMPTS:
        give_up(run, worker)
        return
    _ask(run, worker, heartbeat)
    finished = False
    while not finished:
        _detect(run, worker)
        finished = finish(run, worker)


def _ask(run: Run, worker: str, heartbeat: Heartbeat) -> None:
    pending = pending_by_engine(run)
    if pending:
        store = partial(store_answers, run.pk, worker)
        async_to_sync(ask_all)(pending, engines_of(run.brand), store, heartbeat.lost.is_set)


def _detect(run: Run, worker: str) -> None:
    """Look through the answers behind the scores: all by the same detector, for the same names."""
    run.brand.refresh_from_db()
    lexicon = lexicon_of(run.brand)
    for answers in answers_behind(run):
        detect_answers(lexicon, answers, partial(fenced, run.pk, worker))
