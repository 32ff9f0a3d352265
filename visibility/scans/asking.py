"""Asks the pending answers of a run: engines side by side, each within its concurrency, stored as they arrive."""

import asyncio
import logging
import random
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from asgiref.sync import sync_to_async
from django.utils import timezone

from visibility.engines.protocol import Engine, EngineAnswer, EngineError, Question
from visibility.models import Answer, PromptVersion, Run
from visibility.scans.claim import LeaseLost

logger = logging.getLogger(__name__)

ATTEMPTS = 3
ANSWER_SECONDS = 300.0
MAX_DELAY_SECONDS = 120.0
BATCH = 50
"""At most this many answers are stored at once, and twice as many wait to be stored."""


@dataclass(frozen=True, slots=True)
class Asked:
    """What came of one pending answer: an answer, or the error of the last attempt."""

    answer_id: UUID
    attempts: int
    latency_ms: int
    answered_at: datetime
    outcome: EngineAnswer | EngineError


@dataclass(frozen=True, slots=True)
class Pending:
    """One answer to ask for."""

    answer_id: UUID
    question: Question


Store = Callable[[Sequence[Asked]], None]


def pending_by_engine(run: Run) -> dict[str, list[Pending]]:
    """The answers that are still to be asked for, in their order, by engine."""
    rows = list(
        Answer.objects.filter(run=run, state=Answer.State.PENDING)
        .order_by("position")
        .values_list("pk", "engine", "version_id")
    )
    versions = PromptVersion.objects.in_bulk({version for _, _, version in rows})
    questions = {pk: Question(version.text, version.locale) for pk, version in versions.items()}
    pending: dict[str, list[Pending]] = defaultdict(list)
    for answer_id, engine, version in rows:
        pending[engine].append(Pending(answer_id, questions[version]))
    return dict(pending)


async def ask_all(
    pending: Mapping[str, Sequence[Pending]],
    engines: Iterable[Engine],
    store: Store,
    lost: Callable[[], bool],
) -> None:
    """Ask everything and hand the results to `store` in batches while further ones are on their way.

    `store` runs in the thread that called; what it raises ends the asking. Raises LeaseLost soon after `lost`. The
    engines' connections are closed in the end, however it comes.
    """
    by_name = {engine.name: engine for engine in engines}
    results: asyncio.Queue[Asked | None] = asyncio.Queue(maxsize=2 * BATCH)
    try:
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(_store_as_they_arrive(results, store))
            watch = tasks.create_task(_watch(lost))
            async with asyncio.TaskGroup() as asking:
                for name, items in pending.items():
                    _start_engine(asking, by_name.get(name), items, results)
            await results.put(None)
            watch.cancel()
    except BaseExceptionGroup as group:
        # One failure ends the run's turn: the first says why, a lost lease before all others.
        failures = list(_leaves(group))
        raise next((each for each in failures if isinstance(each, LeaseLost)), failures[0]) from None
    finally:
        await asyncio.gather(*(engine.aclose() for engine in by_name.values()), return_exceptions=True)


def _start_engine(
    asking: asyncio.TaskGroup, engine: Engine | None, items: Sequence[Pending], results: asyncio.Queue[Asked | None]
) -> None:
    remaining = iter(items)
    for _ in range(min(engine.concurrency if engine else 1, len(items))):
        asking.create_task(_ask_in_turn(engine, remaining, results))


async def _ask_in_turn(
    engine: Engine | None, remaining: Iterable[Pending], results: asyncio.Queue[Asked | None]
) -> None:
    for item in remaining:
        await results.put(await _ask(engine, item))


async def _ask(engine: Engine | None, item: Pending) -> Asked:
    """Ask until there is an answer, an error that no retry can help, or three attempts."""
    for attempt in range(1, ATTEMPTS + 1):
        started = time.perf_counter()
        outcome = await _ask_once(engine, item.question)
        latency_ms = round(1000 * (time.perf_counter() - started))
        if isinstance(outcome, EngineAnswer) or not outcome.retryable or attempt == ATTEMPTS:
            break
        await asyncio.sleep(_delay(outcome, attempt))
    return Asked(item.answer_id, attempt, latency_ms, timezone.now(), outcome)


async def _ask_once(engine: Engine | None, question: Question) -> EngineAnswer | EngineError:
    if engine is None:
        message = "The brand no longer has this engine."
        return EngineError("engine_unavailable", message, retryable=False)
    try:
        async with asyncio.timeout(ANSWER_SECONDS):
            answer = await engine.ask(question)
    except EngineError as error:
        return error
    except TimeoutError:
        message = f"No answer came within {ANSWER_SECONDS:.0f} seconds."
        return EngineError("timeout", message, retryable=True)
    except Exception as error:  # an engine that breaks costs its answer, never the run
        logger.exception("Engine %s broke", engine.name)
        return EngineError("engine_fault", f"The engine broke with {type(error).__name__}.", retryable=False)
    if not answer.text.strip():
        return EngineError("empty_answer", "The engine answered without any text.", retryable=True)
    return answer


def _delay(error: EngineError, attempt: int) -> float:
    """What the engine asks for, else one, two, four seconds; spread, so that retries do not come as one wave."""
    wanted = error.retry_after if error.retry_after is not None else 2.0 ** (attempt - 1)
    return min(max(wanted, 0.0) * random.uniform(1.0, 1.25), MAX_DELAY_SECONDS)  # noqa: S311 -- no secret


async def _store_as_they_arrive(results: asyncio.Queue[Asked | None], store: Store) -> None:
    """Store what has arrived while the batch before was being stored, until the end mark."""
    ended = False
    while not ended:
        batch = [await results.get()]
        while len(batch) < BATCH and not results.empty():
            batch.append(results.get_nowait())
        ended = batch[-1] is None
        arrived = [asked for asked in batch if asked is not None]
        if arrived:
            await sync_to_async(store)(arrived)


async def _watch(lost: Callable[[], bool]) -> None:
    while not lost():
        await asyncio.sleep(0.5)
    raise LeaseLost


def _leaves(group: BaseExceptionGroup[BaseException]) -> Iterable[BaseException]:
    for each in group.exceptions:
        if isinstance(each, BaseExceptionGroup):
            yield from _leaves(each)
        else:
            yield each
