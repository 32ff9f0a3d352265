"""Carries out one run from its claim to its end. Each stage goes on from what is stored."""

import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from types import MappingProxyType
from uuid import UUID

from asgiref.sync import async_to_sync
from django.conf import settings
from django.db import transaction

from visibility.jobs.heartbeat import Heartbeat
from visibility.jobs.holding import lease_state_now
from visibility.jobs.kinds import AUDIT, RUN, JobKind
from visibility.jobs.lease import LeaseLost, LeaseState, fenced, hold_brand
from visibility.jobs.stopping import Stopping, stopping
from visibility.jobs.turns import Turn, take_turn, take_turns
from visibility.measured.generations import tracked_names_in
from visibility.measured.names import TrackedNames
from visibility.models import Run
from visibility.pipeline.ask.engines import engines_of
from visibility.pipeline.ask.items import pending_by_engine
from visibility.pipeline.ask.session import ask_all
from visibility.pipeline.ask.storing import store_answers
from visibility.pipeline.ask.terms import terms_of
from visibility.pipeline.audit.running import audit_site
from visibility.pipeline.circumstances import Circumstances
from visibility.pipeline.detect.detecting import Superseded, analyse, analyse_early
from visibility.pipeline.finishing import end_cancelled, finish, give_up
from visibility.pipeline.generations.planning import plan_generation
from visibility.pipeline.judge.judging import judge_names
from visibility.pipeline.provider_calls import settle_lost, size_of

logger = logging.getLogger(__name__)

_CarryOut = Callable[[Run, str, Heartbeat, Circumstances], None]


def execute(run_id: UUID, worker: str, circumstances: Circumstances | None = None) -> None:
    """Carry out the run as far as it goes; returns at once when it is not due or another worker holds it.

    `worker` is unique for each call. A failure puts the run back into the queue for a later attempt. Without
    `circumstances` it is carried out here and now.
    """
    kind = Run.objects.filter(pk=run_id).values_list("kind", flat=True).first()
    if kind is None:
        return
    job, carry_out = _WORK[kind]
    work = partial(_unless_exhausted, carry_out, circumstances or Circumstances())
    if take_turn(job, run_id, worker, work) is Turn.LOST:
        end_cancelled(run_id, worker)


def execute_together(run_ids: Sequence[UUID], worker: str) -> None:
    """Analyse and score runs of one brand whose answers are all there: those that are due, in this order, as if there
    had been no scan between them. What it cannot bring to their end is left to `execute`, one by one.

    `worker` is unique for each call.
    """
    take_turns(RUN, run_ids, worker, _analyse_together)


def _analyse_together(runs: Sequence[Run], worker: str) -> None:
    fresh_runs = []
    for run in runs:
        if run.attempt > settings.SCAN_MAX_ATTEMPTS:
            give_up(run, worker)
        else:
            fresh_runs.append(run)
            _judge(run, worker)
    if fresh_runs:
        _end(fresh_runs, worker, Circumstances())


def _unless_exhausted(
    carry_out: _CarryOut, circumstances: Circumstances, run: Run, worker: str, heartbeat: Heartbeat
) -> bool:
    """Do what is left of the run, or end it where that broke off too often; it is at its end then."""
    if run.attempt > settings.SCAN_MAX_ATTEMPTS:
        give_up(run, worker)
    else:
        carry_out(run, worker, heartbeat, circumstances)
    return True


def _scan(run: Run, worker: str, heartbeat: Heartbeat, circumstances: Circumstances) -> None:
    """Ask what was not asked, analyse what was not analysed, and score."""
    with fenced(RUN, run.pk, worker):
        settle_lost(run.pk)
    _ask(run, worker, heartbeat)
    _judge(run, worker)
    _end([run], worker, circumstances)


def _judge(run: Run, worker: str) -> None:
    if run.brand.judges_names:
        judge_names(run, worker, _current_names(run))


def _end(runs: Sequence[Run], worker: str, circumstances: Circumstances) -> None:
    """Analyse what was not analysed of these runs of one brand, and score."""
    while not finish(runs, worker, _detect(runs, worker), circumstances):
        logger.info("Run %s is analysed for the generation that is current now", runs[0].pk)


def _ask(run: Run, worker: str, heartbeat: Heartbeat) -> None:
    pending = pending_by_engine(run)
    if not pending:
        return
    store = partial(store_answers, run.pk, worker)
    state = partial(lease_state_now, RUN, run.pk, worker, heartbeat)
    ahead = _analyse_early(run, worker)
    longest = max(size_of(answer.question.text) for of_engine in pending.values() for answer in of_engine)
    ended_as = async_to_sync(ask_all)(
        pending, engines_of(run.brand), store, state, terms_of(run, worker, longest), lambda: next(ahead, 0) > 0
    )
    if ended_as is LeaseState.CANCELLED:
        raise LeaseLost(str(run.pk))
    if ended_as is LeaseState.STOPPING:
        raise Stopping


def _analyse_early(run: Run, worker: str) -> Iterator[int]:
    """Analyse answers as they come: while engines are asked there is time for it.

    Not where names are to be judged before. What stands in its way is met again, and dealt with, by whoever analyses
    the rest.
    """
    if run.brand.judges_names:
        return
    try:
        yield from analyse_early(_current_names(run), run, partial(fenced, RUN, run.pk, worker))
    except (LeaseLost, Superseded):
        logger.info("Run %s is no longer analysed while it asks", run.pk)


def _detect(runs: Sequence[Run], worker: str) -> TrackedNames:
    """Analyse the runs' answers for the names that the brand's figures are made of, and return these."""
    while True:
        tracked = _current_names(runs[0])
        try:
            for run in runs:
                for _ in analyse(tracked, run, partial(fenced, RUN, run.pk, worker)):
                    if stopping.is_set():
                        raise Stopping
        except Superseded:
            continue
        return tracked


def _current_names(run: Run) -> TrackedNames:
    with transaction.atomic():
        return tracked_names_in(plan_generation(hold_brand(run.brand)))


_WORK: Mapping[str, tuple[JobKind[Run], _CarryOut]] = MappingProxyType(
    {
        Run.Kind.VISIBILITY: (RUN, _scan),
        Run.Kind.COMPARISON: (RUN, _scan),
        Run.Kind.AUDIT: (AUDIT, audit_site),
    }
)
"""By kind of run: the job that it is, and what carries it out."""
