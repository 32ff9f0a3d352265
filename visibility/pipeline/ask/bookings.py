"""Has the calls of a run booked in the ledger before they are made, several at once."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from uuid import UUID, uuid4

from visibility.engines.protocol import EngineError
from visibility.pipeline.provider_calls import SPEND_CAP, Booked

BATCH = 100


@dataclass(frozen=True, slots=True)
class Booking:
    """A call that is to be made: of which engine, for which answer. `id` is what the ledger calls it by."""

    engine: str
    answer: UUID
    id: UUID = field(default_factory=uuid4)


Book = Callable[[Sequence[Booking]], Booked]


def book_nothing(bookings: Sequence[Booking]) -> Booked:
    """Allow every call, and keep no account of it."""
    return Booked({booking.id for booking in bookings})


class Bookings:
    """The calls of a run that are booked, or wait for it. For one event loop.

    A call is open from its booking until what came of it is stored. While an engine was refused and calls are open,
    which may turn out cheaper than what they reserve, it is not asked for again.
    """

    def __init__(self) -> None:
        self._waiting: asyncio.Queue[tuple[Booking, asyncio.Future[bool]]] = asyncio.Queue()
        self._refusals: dict[str, str] = {}
        self._open = 0

    async def book(self, engine: str, answer: UUID) -> UUID | None:
        """Have a call booked: its id, or None where it may not be made now."""
        booking, booked = Booking(engine, answer), asyncio.get_running_loop().create_future()
        self._open += 1
        self._waiting.put_nowait((booking, booked))
        if await booked:
            return booking.id
        self._open -= 1
        return None

    def settled(self, calls: int) -> None:
        """What came of so many calls is stored: there may be room again."""
        self._open -= calls
        self._refusals.clear()

    def is_refused(self, engine: str) -> bool:
        """Whether no call of the engine may be made for now."""
        return engine in self._refusals

    def why_never(self, engine: str) -> EngineError | None:
        """Why no call of the engine will be made any more: refused, and nothing is open that could change that."""
        if self._open or engine not in self._refusals:
            return None
        return EngineError(SPEND_CAP, self._refusals[engine], retryable=False)

    async def run(self, book: Callable[[Sequence[Booking]], Awaitable[Booked]]) -> None:
        """Book what waits, until cancelled."""
        while True:
            batch = [await self._waiting.get()]
            while len(batch) < BATCH and not self._waiting.empty():
                batch.append(self._waiting.get_nowait())
            result = await book([booking for booking, _ in batch])
            for booking, booked in batch:
                is_accepted = booking.id in result.accepted
                if not is_accepted:
                    self._refusals[booking.engine] = result.refusal
                if not booked.done():
                    booked.set_result(is_accepted)
