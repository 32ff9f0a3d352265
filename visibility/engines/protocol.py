"""What an engine is: it answers one question once, or raises an error that says whether a retry can help."""

import math
from dataclasses import dataclass, field, replace
from decimal import Decimal
from typing import Any, Protocol, Self


@dataclass(frozen=True, slots=True)
class Question:
    """One wording to ask. `locale` is BCP 47, empty where not stated."""

    text: str
    locale: str = ""


@dataclass(frozen=True, slots=True)
class Source:
    """A source as the engine named it; `start` and `end` are character offsets into the answer's text."""

    url: str
    title: str = ""
    start: int | None = None
    end: int | None = None

    def as_json(self) -> dict[str, Any]:
        """The form that is stored with the answer."""
        return {"url": self.url, "title": self.title, "start": self.start, "end": self.end}


@dataclass(frozen=True, slots=True)
class Bill:
    """What the provider charges for one call, whether or not it gave an answer. `cost` is in US dollars.

    `cost_source`: configured (prices of the operator), reported (by the provider), computed (tokens and searches by
    the price list), unknown: then `cost` is None.
    """

    usage: dict[str, Any] = field(default_factory=dict)
    cost: Decimal | None = None
    cost_source: str = "unknown"
    served_model: str = ""


@dataclass(frozen=True, slots=True)
class EngineAnswer:
    """One answer. `raw` is the body in UTF-8, or the bodies of an answer in several turns by lines.

    `refused`: the model declined to answer, or the provider's filter held the answer back; only then may the text be
    empty. `usage`, `cost`, `cost_source` and `served_model` are those of its `Bill`.
    """

    text: str
    sources: tuple[Source, ...] = ()
    searched: bool | None = None
    searches: tuple[str, ...] = ()
    truncated: bool = False
    refused: bool = False
    served_model: str = ""
    usage: dict[str, Any] = field(default_factory=dict)
    cost: Decimal | None = None
    cost_source: str = "unknown"
    raw: bytes = b""

    @property
    def bill(self) -> Bill:
        """What the provider charges for it."""
        return Bill(self.usage, self.cost, self.cost_source, self.served_model)

    def with_bill(self, bill: Bill) -> Self:
        """The same answer, with what the provider charges for it."""
        return replace(
            self,
            usage=bill.usage,
            cost=bill.cost,
            cost_source=bill.cost_source,
            served_model=bill.served_model,
        )


class EngineError(Exception):
    """An engine gave no answer. `retryable` says whether asking again can help, `retry_after` when (seconds).

    `bill` is what the provider charges for the call all the same; None where it charges nothing.
    """

    def __init__(
        self, code: str, message: str, *, retryable: bool, retry_after: float | None = None, bill: Bill | None = None
    ) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.retryable = retryable
        self.retry_after = retry_after
        self.bill = bill

    @property
    def retry_after(self) -> float | None:
        """Seconds to wait before asking again, finite and not negative; None where nothing (usable) was said."""
        return self._retry_after

    @retry_after.setter
    def retry_after(self, seconds: float | None) -> None:
        # Nothing compares with "nan": who waits for it waits for ever.
        self._retry_after = max(seconds, 0.0) if seconds is not None and math.isfinite(seconds) else None


class Engine(Protocol):
    """Asks one system. Implementations hold no database access; what they need is handed to them.

    `concurrency` is how many questions may be under way at once, `requests_per_minute` how many may be begun (None:
    as many as are answered), `max_samples` how often one wording may be asked in a run (None: as often as the brand
    wants). Engines of one `account`, the digest of a provider's address and key, have those two limits together, in
    all workers; without one an engine is limited in each run by itself. Subclass it: what a class leaves out has the
    default given here.
    """

    name: str
    concurrency: int
    requests_per_minute: int | None = None
    max_samples: int | None = None
    account: str = ""

    async def prepare(self) -> None:
        """Do beforehand what would delay the first question: what is asked next is asked at once. Safe to repeat."""
        return None

    async def ask(self, question: Question) -> EngineAnswer:
        """Ask once. Raises EngineError."""
        ...

    async def aclose(self) -> None:
        """Let go of connections once the asking is over, in the loop that asked; safe to repeat."""
        return None
