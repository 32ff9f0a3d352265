"""What a run may spend: in money and in credits, with the calls that are under way."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal

from visibility.engines.protocol import EngineError
from visibility.measured.charges import NOTHING

SPEND_CAP = "spend_cap"


@dataclass(slots=True)
class Budget:
    """Caps of a run, and what counts towards them; None caps nothing.

    `spent` is in US dollars, `answered` in answers, one credit each. `prices` is what a call of each engine is
    expected to cost, where that is known; it gives way to the mean of the run's own calls: `known` is their sum and
    number. Where a price is `guessed` the first call goes alone: many at once could cost many times the cap.
    """

    max_cost: Decimal | None = None
    max_answers: int | None = None
    spent: Decimal = NOTHING
    answered: int = 0
    prices: Mapping[str, Decimal] = field(default_factory=dict)
    known: dict[str, tuple[Decimal, int]] = field(default_factory=dict)
    guessed: frozenset[str] = frozenset()
    _under_way: Counter[str] = field(default_factory=Counter)
    _tried: set[str] = field(default_factory=set)

    def allows(self, engine: str) -> bool:
        """Whether one more call would stay within the caps if all that are under way cost what is expected."""
        if self.max_answers is not None and self.answered + self._under_way.total() >= self.max_answers:
            return False
        if self.max_cost is None:
            return True
        if engine in self.guessed and self._under_way[engine] and engine not in self._tried | self.known.keys():
            return False
        expected = sum((self.expected(name) * calls for name, calls in self._under_way.items()), NOTHING)
        return self.spent + expected + self.expected(engine) <= self.max_cost

    @property
    def idle(self) -> bool:
        """Whether nothing is under way that could turn out cheaper than expected."""
        return not self._under_way.total()

    def begin(self, engine: str) -> None:
        """A call begins."""
        self._under_way[engine] += 1

    def end(self, engine: str) -> None:
        """A call has ended, however."""
        self._under_way[engine] -= 1
        self._tried.add(engine)

    def pay(self, engine: str, cost: Decimal | None) -> None:
        """An answer came, for a credit and its cost."""
        self.answered += 1
        self.charge(engine, cost)

    def charge(self, engine: str, cost: Decimal | None) -> None:
        """The provider charged a call, be it for an answer or for none; an unknown cost counts as expected."""
        self.spent += self.expected(engine) if cost is None else cost
        if cost is not None:
            total, calls = self.known.get(engine, (NOTHING, 0))
            self.known[engine] = (total + cost, calls + 1)

    def expected(self, engine: str) -> Decimal:
        """What a call of the engine costs as far as is known; nothing where nothing is."""
        total, calls = self.known.get(engine, (NOTHING, 0))
        return total / calls if calls else self.prices.get(engine, NOTHING)

    def refusal(self) -> EngineError:
        """Why a question was not asked."""
        cap = f"{self.max_answers} credits" if self.max_cost is None else f"${self.max_cost}"
        if self.max_cost is not None and self.max_answers is not None:
            cap += f" or {self.max_answers} credits"
        message = f"Not asked: one scan may take {cap}. Ask fewer prompts, engines or samples, or raise the cap."
        return EngineError(SPEND_CAP, message, retryable=False)
