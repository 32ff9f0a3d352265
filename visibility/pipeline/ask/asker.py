"""Asks one engine its questions, as fast as its account allows and no faster."""

import asyncio
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from uuid import UUID

from django.utils import timezone

from visibility.engines.protocol import Engine, EngineAnswer, EngineError
from visibility.pipeline.ask.account import DOWN, Account, Call, Part
from visibility.pipeline.ask.agenda import MAX_CHARGED, Agenda, Item, delay
from visibility.pipeline.ask.bookings import Bookings
from visibility.pipeline.ask.calling import ask_once
from visibility.pipeline.ask.items import AskResult, Pending

DEFINITE = frozenset({"auth", "quota_exhausted", "model_not_found"})
"""What the provider says of one question and means of all: the engine is not asked any further."""

Wake = Callable[[], None]
Results = asyncio.Queue[AskResult | None]


class Asker:
    """One engine in one run. `wake_all` tells every asker of the run that something has changed."""

    def __init__(
        self,
        engine: Engine,
        pending: Sequence[Pending],
        account: Account,
        bookings: Bookings,
        results: Results,
        *,
        patience: float,
        wake_all: Wake,
    ) -> None:
        self.part = Part(engine)
        self._engine = engine
        self._agenda = Agenda(pending)
        self._account = account
        self._bookings = bookings
        self._results = results
        self._patience = patience
        self._wake_all = wake_all
        self._changed = asyncio.Event()
        self._under_way = 0
        self._stopped: EngineError | None = None
        self._halted = False

    @property
    def waiting(self) -> int:
        """Questions that wait to be asked."""
        return 0 if self._halted else len(self._agenda)

    def wake(self) -> None:
        """Look again whether a question can be asked."""
        self._changed.set()

    def halt(self) -> None:
        """Begin no further call; what waits stays pending."""
        self._halted = True
        self.wake()

    async def run(self) -> None:
        """Ask all questions and hand over what comes of each; ends when nothing waits and nothing is under way."""
        with suppress(Exception):  # whatever fails here fails again, and is told, at the first question
            await self._engine.prepare()
        async with asyncio.TaskGroup() as calls:
            while (item := await self._next()) is not None:
                calls.create_task(self._ask(item, self._begin()))

    async def _next(self) -> Item | None:
        """The next question, once it may be asked."""
        while True:
            self._changed.clear()
            now = time.monotonic()
            if self._halted:
                return None
            reason = self._stopped or self._why_not(now)
            if reason:
                await self._give_up(reason)
            if not self._agenda and not self._under_way:
                return None
            wait = self._wait(now)
            if wait == 0:
                return self._agenda.pop(now)
            await self._change(wait)

    def _wait(self, now: float) -> float | None:
        """Seconds until the next question may be asked, 0 for now; None: not before something changes."""
        due, free = self._agenda.wait(now), self._account.wait(self.part, now)
        if due is None or free is None or self._bookings.is_refused(self._engine.name):
            return None
        return max(due, free)

    def _why_not(self, now: float) -> EngineError | None:
        """The reason for which no further question is asked, or None."""
        if refused := self._bookings.why_never(self._engine.name):
            return refused
        since = self._account.troubled_since
        if since is not None and now - since > self._patience and self._account.latest_error:
            error = self._account.latest_error
            message = f"Not asked: the provider gave no answer for {now - since:.0f} seconds. {error.message}"
            return EngineError(error.code, message, retryable=False)
        return None

    async def _change(self, seconds: float | None) -> None:
        try:
            async with asyncio.timeout(seconds):
                await self._changed.wait()
        except TimeoutError:
            return

    def _begin(self) -> Call:
        """Take what the call needs, in the same breath in which it was found to be there."""
        self._under_way += 1
        return self._account.begin(self.part, time.monotonic())

    async def _ask(self, item: Item, call: Call) -> None:
        try:
            booked = await self._bookings.book(self._engine.name, item.pending.answer_id)
            if booked is None:
                self._agenda.put_off(item, time.monotonic())
            else:
                outcome = await ask_once(self._engine, item.pending.question)
                await self._settle(item, call, booked, outcome)
        finally:
            # Only now: while answers cannot be stored no further ones are asked for.
            self._under_way -= 1
            self._account.leave(call)
            self._wake_all()

    async def _settle(self, item: Item, call: Call, booked: UUID, outcome: EngineAnswer | EngineError) -> None:
        now = time.monotonic()
        item.calls += 1
        item.latency_ms = round(1000 * (now - call.began))
        if isinstance(outcome, EngineAnswer):
            self._account.end(call, None, now)
            await self._hand_over(item, outcome, booked)
            return
        self._account.end(call, outcome, now)
        if outcome.bill:
            item.charged += 1
            item.charged_error = outcome
        if outcome.code in DEFINITE:
            self._stopped = outcome
        await self._hand_over(item, outcome, booked, again=self._ask_again(item, outcome, now))

    def _ask_again(self, item: Item, error: EngineError, now: float) -> bool:
        """Put the question off if another attempt can help."""
        if not error.retryable or self._stopped or item.charged >= MAX_CHARGED:
            return False
        if error.code in DOWN and self._account.breaker.is_open:
            # The provider is down: that is not the question's fault, and it waits with the others.
            self._agenda.put_off(item, now)
            return True
        if error.code == "rate_limited":
            item.refusals += 1
        else:
            item.strikes += 1
        if item.exhausted:
            return False
        self._agenda.put_off(item, now if error.code == "rate_limited" else now + delay(error, item.strikes))
        return True

    async def _give_up(self, reason: EngineError) -> None:
        for item in self._agenda.drain():
            await self._hand_over(item, _not_again(item, reason))

    async def _hand_over(
        self, item: Item, outcome: EngineAnswer | EngineError, call: UUID | None = None, *, again: bool = False
    ) -> None:
        pending = item.pending
        await self._results.put(
            AskResult(pending.answer_id, item.calls, item.latency_ms, timezone.now(), outcome, call, again)
        )


def _not_again(item: Item, reason: EngineError) -> EngineError:
    """Why a question is given up, which costs nothing. One that was charged was asked: its own error comes first."""
    if item.charged_error is None:
        return EngineError(reason.code, reason.message, retryable=False)
    error = item.charged_error
    return EngineError(error.code, f"{error.message} Not asked again: {reason.message}", retryable=False)
