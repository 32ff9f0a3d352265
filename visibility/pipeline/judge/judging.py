"""Has an engine decide names that nothing else tells of: once for each answer and name, before a run is analysed.

A row is stored before the engine is asked, with the call in the ledger, and its verdict when it came: a worker that
dies in between leaves a name undecided, and nobody asks a second time. What is analysed later, for other names or by
another detector, reads the stored verdicts and asks nothing.
"""

import asyncio
import logging
from collections.abc import Mapping, Sequence
from contextlib import suppress
from itertools import islice
from uuid import UUID

from asgiref.sync import async_to_sync
from django.db import transaction
from django.utils import timezone

from apikeys.errors import ServiceError
from apikeys.models import Usage
from apikeys.services.usage import spend
from apikeys.text.storable import storable
from visibility.detection.names.verdicts import JUDGE
from visibility.engines.protocol import Engine, EngineAnswer, EngineError, Question
from visibility.engines.registry import build
from visibility.jobs.kinds import RUN
from visibility.jobs.lease import LeaseLost, fenced
from visibility.jobs.stopping import Stopping, stopping
from visibility.measured.names import TrackedNames
from visibility.models import EngineConfig, NameJudgement, ProviderCall, Run
from visibility.pipeline.ask.calling import ask_once
from visibility.pipeline.ask.engines import has_key, spec_of
from visibility.pipeline.judge.tasks import OpenTask, open_tasks
from visibility.pipeline.provider_calls import (
    Settlement,
    Tariff,
    book,
    caps_held,
    new_call,
    settle_calls,
    size_of,
)
from visibility.writers.judging import question_of, read_verdict

logger = logging.getLogger(__name__)

MAX_JUDGED = 200
"""Names of answers that are judged in one run."""
AT_ONCE = 5

_Outcome = EngineAnswer | EngineError


def judging_engine() -> EngineConfig | None:
    """The engine that decides names for brands that want it: the one that writes, where its key is there."""
    config: EngineConfig | None = EngineConfig.objects.filter(writes=True).first()
    return config if config and has_key(config) else None


def judge_names(run: Run, worker: str, tracked: TrackedNames) -> None:
    """Have the open names of the run's answers decided, within its caps and the credits of the brand's owner. For
    brands that want it.

    Stops, and leaves the rest to the detector, where the engine fails or nothing may be spent any more. Raises
    LeaseLost, and Stopping.
    """
    config = judging_engine()
    if config is None:
        logger.warning("Names of brand %s are not judged: no engine that writes has its key.", run.brand_id)
        return
    left = MAX_JUDGED - NameJudgement.objects.filter(answer__run=run).count()
    tasks = islice(open_tasks(run, tracked), max(left, 0))
    tariff = Tariff(config.name, config.provider, config.model, spec_of(config))
    engine = build(spec_of(config))
    with suppress(Exception):  # whatever fails here fails again, and is told, at the first question
        async_to_sync(engine.prepare)()
    while batch := list(islice(tasks, AT_ONCE)):
        if stopping.is_set():
            raise Stopping
        if not _judge(run, worker, engine, tariff, batch):
            break


def _judge(run: Run, worker: str, engine: Engine, tariff: Tariff, batch: Sequence[OpenTask]) -> bool:
    """Ask for a batch and store what came; whether it is worth going on."""
    questions = {task.key: question_of(task.task) for task in batch}
    try:
        rows, is_all = _claimed(run, worker, tariff, questions)
    except ServiceError as refusal:
        logger.info("Names of run %s are judged no more: %s", run.pk, refusal.message)
        return False
    outcomes = async_to_sync(_ask)(engine, [questions[row.answer_id, row.name, row.domain] for row in rows])
    for row, outcome in zip(rows, outcomes, strict=True):
        _fill_in(row, outcome)
    settlements = [
        Settlement(row.pk, outcome, credits=int(isinstance(outcome, EngineAnswer)))
        for row, outcome in zip(rows, outcomes, strict=True)
    ]
    try:
        with fenced(RUN, run.pk, worker):
            NameJudgement.objects.bulk_update(rows, _FILLED_IN)
            settle_calls(settlements)
    except LeaseLost:
        settle_calls(settlements)
        raise
    return is_all and (not rows or any(isinstance(outcome, EngineAnswer) for outcome in outcomes))


def _claimed(
    run: Run, worker: str, tariff: Tariff, questions: Mapping[tuple[UUID, str, str], str]
) -> tuple[list[NameJudgement], bool]:
    """The rows of those questions that nobody has asked and the caps allow, stored and booked, with a credit taken
    for each; and whether the caps allow all. Raises quota_exceeded, and then nothing is stored.
    """
    now = timezone.now()
    rows = [
        NameJudgement(answer_id=answer, name=name, domain=domain, rule=JUDGE, engine=tariff.engine, asked_at=now)
        for answer, name, domain in questions
    ]
    payer = run.credits_account or run.brand.owner
    with transaction.atomic():
        caps = caps_held(payer.pk, run.pk)
        with fenced(RUN, run.pk, worker):
            NameJudgement.objects.bulk_create(rows, ignore_conflicts=True)
            ours = NameJudgement.objects.filter(pk__in=[row.pk for row in rows])
            own = set(ours.values_list("pk", flat=True))
            calls = [
                new_call(
                    tariff,
                    ProviderCall.Purpose.JUDGE,
                    tariff.at_most(size_of(questions[row.answer_id, row.name, row.domain])),
                    account=payer.pk,
                    brand=run.brand,
                    run=run,
                    key=row.pk,
                    answer=row.answer_id,
                    credits=1,
                )
                for row in rows
                if row.pk in own
            ]
            booked = book(calls, caps)
            ours.exclude(pk__in=booked.accepted).delete()
            if booked.accepted:
                spend(payer, Usage.Kind.CREDITS, len(booked.accepted))
    return [row for row in rows if row.pk in booked.accepted], not booked.refusal


async def _ask(engine: Engine, questions: Sequence[str]) -> list[_Outcome]:
    try:
        return list(await asyncio.gather(*(ask_once(engine, Question(text)) for text in questions)))
    finally:
        await engine.aclose()


_FILLED_IN = ("meant", "error_code")


def _fill_in(row: NameJudgement, outcome: _Outcome) -> None:
    if isinstance(outcome, EngineAnswer):
        row.meant = None if outcome.truncated or outcome.refused else read_verdict(outcome.text)
        row.error_code = "" if row.meant is not None else "no_verdict"
    else:
        row.error_code = storable(outcome.code)[:40]
