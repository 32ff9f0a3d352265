"""What an engine is: it answers one question once, or raises an error that says whether asking again can help."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Protocol

WHOLE_ENDS = frozenset(
    {"stop", "stop_sequence", "end_turn", "eos", "eos_token", "complete", "completed"}
    | {"tool_calls", "tool_use", "function_call"}
)
"""The reasons, in lower case, for which a whole answer ends, in any protocol. Every other one cut it short."""
LIMITS = frozenset({"length", "max_tokens", "max_output_tokens", "model_context_window_exceeded"})
"""The reasons that say that the output was used up."""
NO_ADDRESS, NO_CHUNKS, NO_SOURCES = "citation:no address", "grounding:no chunks", "marks:no sources"
LOST_SOURCES = frozenset({NO_ADDRESS, NO_CHUNKS, NO_SOURCES})
"""The unknown parts that say that an answer cites sources which its body does not name."""


@dataclass(frozen=True, slots=True)
class Question:
    """One wording to ask. `language` (BCP 47) and `country` (two letters) are the asker's; empty: not stated."""

    text: str
    language: str = ""
    country: str = ""


@dataclass(frozen=True, slots=True)
class Source:
    """A page as the engine names it; `start` and `end` are offsets of characters in the answer's text.

    `domain` is the site behind a redirect, where the engine names it apart from the title.
    """

    url: str
    title: str = ""
    start: int | None = None
    end: int | None = None
    domain: str = ""


@dataclass(frozen=True, slots=True)
class Prices:
    """What an operator pays, in US dollars: for a million tokens in and out, and for a thousand searches."""

    input_million: Decimal = Decimal(0)
    output_million: Decimal = Decimal(0)
    thousand_searches: Decimal = Decimal(0)


@dataclass(frozen=True, slots=True, kw_only=True)
class EngineSettings:
    """How to reach one engine, and the bounds of one answer. The key is never shown, not even by repr.

    An empty `base_url` is the preset's own. `timeout` is in seconds without a byte.
    """

    name: str
    preset: str
    model: str
    base_url: str = ""
    api_key: str = field(default="", repr=False)
    search: bool = False
    max_output_tokens: int = 8192
    max_searches: int = 5
    prices: Prices | None = None
    timeout: float = 280


@dataclass(frozen=True, slots=True)
class Bill:
    """What the provider charges for one call, answer or not. `cost` is in US dollars.

    `cost_source`: configured (prices of the operator), reported (by the provider), computed (tokens and searches by
    a price list), unknown: then `cost` is None. `usage` counts tokens and searches by name.
    """

    cost: Decimal | None = None
    cost_source: str = "unknown"
    usage: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Reply:
    """One answer. Only a refused one may be without text, or an `absent` one: the body says that no AI answer was
    shown, as result pages without an overview do.

    `ended_by` is the provider's reason for the end, empty where it states none. `country` is that of the body, else
    the one that the search was given; empty: neither. `unknown_parts` names the parts of the body that no reader here
    knows. `raw` is the body, or a line for each of several turns.
    """

    text: str
    sources: Sequence[Source] = ()
    searched: bool | None = None
    searches: Sequence[str] = ()
    ended_by: str = ""
    refused: bool = False
    absent: bool = False
    served_model: str = ""
    country: str = ""
    unknown_parts: Sequence[str] = ()
    bill: Bill = Bill()
    raw: bytes = b""

    @property
    def truncated(self) -> bool:
        """Whether the answer ended before its end."""
        return bool(self.ended_by) and self.ended_by.lower() not in WHOLE_ENDS

    @property
    def at_limit(self) -> bool:
        """Whether the output tokens were used up."""
        return self.ended_by.lower() in LIMITS


class EngineError(Exception):
    """An engine gave no answer. `message` is for people and contains no key.

    `code`: auth, quota, unknown_model, invalid_request (asking again is useless); rate_limited, server_error,
    timeout, unreachable, bad_body, too_large, empty_answer, unreadable_answer. `retry_after`: seconds that the
    provider asks to wait. `bill` is the cost of the failed call: None for no cost, an empty bill for an unknown one.
    """

    def __init__(self, code: str, message: str, *, can_retry: bool, bill: Bill | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.can_retry = can_retry
        self.retry_after: float | None = None
        self.bill = bill


class Engine(Protocol):
    """Asks one system. Made inside of the running loop, which it belongs to."""

    name: str

    async def ask(self, question: Question) -> Reply:
        """Ask once. Raises EngineError."""
        ...

    async def close(self) -> None:
        """Close connections; safe to repeat."""
        ...
