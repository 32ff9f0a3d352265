"""What an engine is: it answers one question once, or raises an error that says whether a retry can help."""

from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any, Protocol


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
class EngineAnswer:
    """One answer. `cost` is in US dollars; `raw` is the body, or the bodies of an answer in several turns by lines.

    `cost_source`: configured (prices of the operator), reported (by the provider), computed (tokens and searches by
    the price list), unknown.
    """

    text: str
    sources: tuple[Source, ...] = ()
    searched: bool | None = None
    searches: tuple[str, ...] = ()
    truncated: bool = False
    served_model: str = ""
    usage: dict[str, Any] = field(default_factory=dict)
    cost: Decimal | None = None
    cost_source: str = "unknown"
    raw: bytes = b""


class EngineError(Exception):
    """An engine gave no answer. `retryable` says whether asking again can help, `retry_after` when (seconds)."""

    def __init__(self, code: str, message: str, *, retryable: bool, retry_after: float | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.retryable = retryable
        self.retry_after = retry_after


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
