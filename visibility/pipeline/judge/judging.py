"""Has an engine decide names that nothing else tells of: once for each answer and name, before a run is analysed.

A row is stored before the engine is asked, and its verdict when it came: a worker that dies in between leaves a name
undecided, and nobody asks a second time. What is analysed later, for other names or by another detector, reads the
stored verdicts and asks nothing.
"""

import asyncio
import logging
from collections.abc import Iterator, Sequence
from itertools import islice

from asgiref.sync import async_to_sync
from django.utils import timezone

from apikeys.errors import ServiceError
from apikeys.models import Usage
from apikeys.services.usage import give_back, spend
from apikeys.text.storable import storable
from visibility.detection.names.verdicts import JUDGE
from visibility.engines.protocol import Engine, EngineAnswer, EngineError, Question
from visibility.engines.registry import build
from visibility.jobs.kinds import RUN
from visibility.jobs.lease import fenced
from visibility.jobs.stopping import Stopping, stopping
from visibility.measured.names import TrackedNames
from visibility.models import EngineConfig, NameJudgement, Run
from visibility.pipeline.ask.budget import Budget
from visibility.pipeline.ask.calling import ask_once
from visibility.pipeline.ask.engines import has_key, spec_of
from visibility.pipeline.ask.storing import bill_fields
from visibility.pipeline.ask.terms import budget_of
from visibility.pipeline.judge.tasks import OpenTask, open_tasks
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
    judged = NameJudgement.objects.filter(answer__run=run)
    left = MAX_JUDGED - judged.count()
    tasks = islice(open_tasks(run, tracked), max(left, 0))
    budget = budget_of(run, [*run.engines, config.name])
    engine = build(spec_of(config))
    while batch := list(islice(tasks, AT_ONCE)):
        if stopping.is_set():
            raise Stopping
        if not _judge(run, worker, engine, batch, budget):
            break


def _judge(run: Run, worker: str, engine: Engine, batch: Sequence[OpenTask], budget: Budget) -> bool:
    """Ask for a batch and store what came; whether it is worth going on."""
    allowed_tasks = list(_allowed(batch, budget, engine.name))
    try:
        rows = _claimed(run, worker, engine.name, allowed_tasks)
    except ServiceError as refusal:
        logger.info("Names of run %s are judged no more: %s", run.pk, refusal.message)
        return False
    tasks = {task.key: task for task in allowed_tasks}
    asked_tasks = [tasks[row.answer_id, row.name, row.domain] for row in rows]
    outcomes = async_to_sync(_ask)(engine, [question_of(task.task) for task in asked_tasks])
    for row, outcome in zip(rows, outcomes, strict=True):
        _fill_in(row, outcome)
        _pay(budget, engine.name, outcome)
    for _ in range(len(allowed_tasks)):
        budget.end(engine.name)
    unanswered = sum(not row.answered for row in rows)
    with fenced(RUN, run.pk, worker):
        NameJudgement.objects.bulk_update(rows, _FILLED_IN)
        if rows and unanswered:
            give_back(run.brand.owner, Usage.Kind.CREDITS, rows[0].asked_at.date().replace(day=1), unanswered)
    return len(allowed_tasks) == len(batch) and (not rows or unanswered < len(rows))


def _allowed(batch: Sequence[OpenTask], budget: Budget, engine: str) -> Iterator[OpenTask]:
    """As many of the batch as the caps of the run allow, begun in the budget."""
    for task in batch:
        if not budget.allows(engine):
            return
        budget.begin(engine)
        yield task


def _claimed(run: Run, worker: str, engine: str, tasks: Sequence[OpenTask]) -> list[NameJudgement]:
    """The rows of those tasks that nobody has asked for, stored, with a credit taken for each.

    Raises quota_exceeded, and then nothing is stored.
    """
    now = timezone.now()
    rows = [
        NameJudgement(
            answer_id=task.answer,
            name=task.task.name,
            domain=task.task.domain,
            rule=JUDGE,
            engine=engine,
            asked_at=now,
        )
        for task in tasks
    ]
    with fenced(RUN, run.pk, worker):
        NameJudgement.objects.bulk_create(rows, ignore_conflicts=True)
        own = set(NameJudgement.objects.filter(pk__in=[row.pk for row in rows]).values_list("pk", flat=True))
        if own:
            spend(run.brand.owner, Usage.Kind.CREDITS, len(own))
    return [row for row in rows if row.pk in own]


async def _ask(engine: Engine, questions: Sequence[str]) -> list[_Outcome]:
    try:
        return list(await asyncio.gather(*(ask_once(engine, Question(text)) for text in questions)))
    finally:
        await engine.aclose()


_FILLED_IN = (
    "meant", "error_code", "answered", "charged", "served_model", "usage", "cost", "cost_source",
)  # fmt: skip


def _fill_in(row: NameJudgement, outcome: _Outcome) -> None:
    bill = outcome.bill
    if isinstance(outcome, EngineAnswer):
        row.answered = True
        row.meant = None if outcome.truncated or outcome.refused else read_verdict(outcome.text)
        row.error_code = "" if row.meant is not None else "no_verdict"
    else:
        row.error_code = storable(outcome.code)[:40]
    if bill is not None:
        row.charged = True
        for name, value in bill_fields(bill).items():
            setattr(row, name, value)


def _pay(budget: Budget, engine: str, outcome: _Outcome) -> None:
    if isinstance(outcome, EngineAnswer):
        budget.pay(engine, outcome.cost)
    elif outcome.bill is not None:
        budget.charge(engine, outcome.bill.cost)
