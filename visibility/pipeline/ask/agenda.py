"""The questions that an engine is still to be asked: in their order, those put off as soon as their time has come."""

import heapq
import random
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import count

from visibility.engines.protocol import EngineError
from visibility.pipeline.ask.items import Pending

STRIKES = 3
"""So often a question may fail before it is given up."""
REFUSALS = 10
"""So often the provider may refuse a question for being asked too fast: that says more about the others."""
MAX_CHARGED = 2
"""So often the provider may charge a question without an answer: once more may help, oftener only costs."""
MAX_DELAY = 120.0


@dataclass(slots=True)
class Item:
    """A question with what became of it up to now."""

    pending: Pending
    calls: int = 0
    strikes: int = 0
    refusals: int = 0
    charged: int = 0
    latency_ms: int = 0
    charged_error: EngineError | None = None

    @property
    def exhausted(self) -> bool:
        """Whether the question has been asked often enough."""
        return self.strikes >= STRIKES or self.refusals >= REFUSALS


class Agenda:
    """Not a list of tasks: a question that was put off holds no place, and twenty thousand cost little."""

    def __init__(self, pending: Iterable[Pending]) -> None:
        self._fresh = deque(Item(pending_answer, charged=pending_answer.charged) for pending_answer in pending)
        self._later: list[tuple[float, int, Item]] = []
        self._order = count()

    def __len__(self) -> int:
        return len(self._fresh) + len(self._later)

    def wait(self, now: float) -> float | None:
        """Seconds until a question's time has come, 0 for now; None where there is none."""
        if self._fresh:
            return 0.0
        return max(self._later[0][0] - now, 0.0) if self._later else None

    def pop(self, now: float) -> Item:
        """The next question whose time has come."""
        if self._later and self._later[0][0] <= now:
            return heapq.heappop(self._later)[2]
        return self._fresh.popleft()

    def put_off(self, item: Item, until: float) -> None:
        """Ask it again, not before `until`."""
        heapq.heappush(self._later, (until, next(self._order), item))

    def drain(self) -> Iterator[Item]:
        """All that is left, in the order in which it would have been asked."""
        while self._later:
            yield heapq.heappop(self._later)[2]
        while self._fresh:
            yield self._fresh.popleft()


def delay(error: EngineError, strikes: int) -> float:
    """What the engine asks for, else one, two, four seconds; spread, so that retries do not come as one wave."""
    pause = error.retry_after if error.retry_after is not None else 2.0 ** (strikes - 1)
    return min(max(pause, 0.0) * random.uniform(1.0, 1.25), MAX_DELAY)  # noqa: S311 -- no secret
