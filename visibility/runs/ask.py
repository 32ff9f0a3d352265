"""Asking: one loop for each run, which books questions, asks them side by side, and stores the answers.

No transaction is open while an engine is asked. If it is killed, the next asker goes on from the rows.
"""

import asyncio
import contextvars
import logging
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import ParamSpec, TypeVar
from uuid import UUID

from django.conf import settings
from django.db import close_old_connections
from django.utils import timezone

from visibility import engines
from visibility.engines import Bill, EngineError, Question
from visibility.models import Answer, ProviderCall, Run, RunEngine
from visibility.models.prompts import country_of, language_of, market_of
from visibility.runs.book import BATCH, Booked, adopt, book
from visibility.runs.engines import Reached, open_engine, reach
from visibility.runs.spending import GiveUp
from visibility.runs.store import Result, give_up, store

LOOK_EVERY = 0.5
"""Seconds between two looks for what may be asked now, and whether the run was cancelled."""
GATHER = 0.02
"""Seconds in which further answers are awaited, to store them together."""

P = ParamSpec("P")
T = TypeVar("T")
Flight = asyncio.Task[Result]
_threads = ThreadPoolExecutor(4, thread_name_prefix="ask")

logger = logging.getLogger(__name__)


async def ask(run_id: UUID, after_store: Callable[[UUID], None]) -> None:
    """Ask what is pending of a run until nothing is, or it is cancelled.

    `after_store` is called in a thread when answers were stored, one call at a time. When the task is cancelled,
    nothing more is asked, and what is under way is awaited for WORKER_GRACE_SECONDS and stored.
    """
    asked = await in_thread(_begin, run_id)
    if not asked:
        return
    scan = _Scan(run_id, asked, after_store)
    work = asyncio.create_task(scan.work())
    try:
        await asyncio.shield(work)  # a step that has begun is finished
    except asyncio.CancelledError:
        scan.last_moment = time.monotonic() + settings.WORKER_GRACE_SECONDS
        await work
        raise
    finally:
        await scan.close()


async def in_thread(function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Run a function that uses the database in a thread, with a live connection that is closed afterwards, in the
    context of the caller (its job, for the log)."""

    def work() -> T:
        close_old_connections()
        try:
            return function(*args, **kwargs)
        finally:
            close_old_connections()

    return await asyncio.get_running_loop().run_in_executor(_threads, contextvars.copy_context().run, work)


def _begin(run_id: UUID) -> list[tuple[Reached, UUID]]:
    """The engines of an active run, which is running from now on; an engine that cannot be reached fails."""
    run = Run.objects.active().filter(pk=run_id).first()
    if run is None:
        return []
    adopt(run_id)
    _write_markets(run)
    Run.objects.active().filter(pk=run_id, status=Run.Status.QUEUED).update(
        status=Run.Status.RUNNING, started_at=timezone.now()
    )
    asked = []
    for row in RunEngine.objects.filter(run=run_id).select_related("engine"):
        reached = reach(row.engine)
        if reached is None:
            reason = f"The provider's key of {row.engine} is not in the environment of the worker any more."
            give_up(run_id, row.engine, row.surface, GiveUp("auth", reason))
        else:
            asked.append((reached, run.brand_id))
    return asked


def _write_markets(run: Run) -> None:
    """Write what a scan is asked for that a process of the release before planned, which knew no markets."""
    planned = run.answers.filter(market="")
    for locale in planned.order_by().values_list("version__locale", flat=True).distinct():
        if market := market_of(locale, run.brand.region):
            planned.filter(version__locale=locale).update(market=market)


class _Scan:
    """One run while it is being asked in this process."""

    def __init__(self, run_id: UUID, asked: list[tuple[Reached, UUID]], after_store: Callable[[UUID], None]) -> None:
        self.run_id = run_id
        self.after_store = after_store
        self.engines = [(reached, open_engine(reached, brand_id)) for reached, brand_id in asked]
        self.flying: dict[Flight, Reached] = {}
        self.landed: asyncio.Queue[Flight] = asyncio.Queue()
        self.stored = asyncio.Event()
        self.storing = asyncio.create_task(self._store())
        self.afterwards: asyncio.Future[None] | None = None
        self.last_moment: float | None = None

    async def work(self) -> None:
        """Book and ask in turns; what comes is stored meanwhile."""
        while True:
            self.stored.clear()
            if self._is_ending():
                more = []
            else:
                more = [await self._take_off(reached, engine) for reached, engine in self.engines]
            if any(more):
                continue  # a full batch was booked: there may be room for another
            if self._is_awaited():
                await self._until_stored(LOOK_EVERY)
            elif self._is_ending() or await in_thread(_is_over, self.run_id):
                return
            else:
                await asyncio.sleep(LOOK_EVERY)

    async def close(self) -> None:
        """Cancel what is under way and close the engines."""
        for task in (self.storing, *self.flying):
            task.cancel()
        if self.afterwards is not None:
            await asyncio.wait([self.afterwards])
        await asyncio.gather(*(engine.close() for _, engine in self.engines), return_exceptions=True)

    def _is_ending(self) -> bool:
        """Whether the worker has to end: nothing more is asked."""
        return self.last_moment is not None

    def _is_awaited(self) -> bool:
        """Whether something is under way, or only what has come when it is too late for the rest."""
        is_late = self.last_moment is not None and time.monotonic() > self.last_moment
        return any(flight.done() or not is_late for flight in self.flying)

    async def _take_off(self, reached: Reached, engine: engines.Engine) -> bool:
        """Book and begin to ask; returns whether a whole batch was booked."""
        booked: Booked = await in_thread(book, self.run_id, reached)
        if booked.give_up:
            await in_thread(give_up, self.run_id, reached.engine, reached.surface, booked.give_up)
        questions = await in_thread(_questions, booked.calls) if booked.calls else {}
        for call in booked.calls:
            flight = asyncio.create_task(_ask_call(engine, call, questions.get(call.answer or 0)))
            self.flying[flight] = reached
            flight.add_done_callback(self.landed.put_nowait)
        return len(booked.calls) == BATCH

    async def _until_stored(self, seconds: float) -> None:
        """Wait until answers were stored; a failure to store them is one of the whole run."""
        waiting = asyncio.ensure_future(self.stored.wait())
        await asyncio.wait({waiting, self.storing}, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
        waiting.cancel()
        if self.storing.done():
            self.storing.result()

    async def _store(self) -> None:
        """Store answers as they come, whatever else is going on: a kill loses those that are paid and not stored."""
        while True:
            landed = [await self.landed.get()]
            await asyncio.sleep(GATHER)
            while not self.landed.empty():
                landed.append(self.landed.get_nowait())
            by_engine: dict[str, tuple[Reached, list[Result]]] = {}
            for flight in landed:
                reached = self.flying[flight]
                by_engine.setdefault(reached.engine.name, (reached, []))[1].append(flight.result())
            for reached, results in by_engine.values():
                for start in range(0, len(results), BATCH):
                    await in_thread(store, self.run_id, reached, results[start : start + BATCH])
            for flight in landed:
                del self.flying[flight]
            self.stored.set()
            if self.afterwards is None or self.afterwards.done():
                self.afterwards = asyncio.ensure_future(in_thread(self.after_store, self.run_id))


def _is_over(run_id: UUID) -> bool:
    """Whether nothing of the run is left to ask, or nothing may be."""
    return not Run.objects.active().filter(pk=run_id, answers__state=Answer.State.PENDING).exists()


def _questions(calls: Sequence[ProviderCall]) -> dict[int, Question]:
    """What to ask for each answer, for the market that it was planned for."""
    rows = Answer.objects.filter(pk__in=[call.answer for call in calls]).values_list("pk", "version__text", "market")
    return {pk: Question(text, language_of(market), country_of(market)) for pk, text, market in rows}


async def _ask_call(engine: engines.Engine, call: ProviderCall, question: Question | None) -> Result:
    """One call as a result, whatever happens: an error of ours fails this answer only."""
    begun = time.monotonic()
    reply: engines.Reply | EngineError
    try:
        if question is None:
            raise EngineError("invalid_request", "The question was deleted before it was asked.", can_retry=False)
        reply = await engine.ask(question)
    except EngineError as error:
        reply = error
    except Exception:
        logger.exception("Engine %s failed in a way that it should not", call.engine)
        # What the provider charges for it, nobody knows.
        reply = EngineError("internal_error", "The answer could not be read.", can_retry=True, bill=Bill())
    return Result(call, reply, round(1000 * (time.monotonic() - begun)))
