"""What an engine is told about itself: which provider, which model, what it may spend, how fast it may go."""

import hashlib
from dataclasses import dataclass, field
from decimal import Decimal
from enum import StrEnum

from visibility.engines.presets import PRESETS, Preset

MAX_BODY_BYTES = 8_000_000
"""Of a provider's response, decompressed: the longest answers that were recorded have half a megabyte."""
ANSWER_TIMEOUT = 280.0
"""Seconds that a provider may be silent: searching models say nothing until they have finished."""


class LocaleHandling(StrEnum):
    """How a prompt's locale reaches the provider."""

    SEARCH = "search"
    """Its country goes to the provider's search tool where that takes one; the question itself is not touched."""
    INSTRUCTION = "instruction"
    """As `search`, and a system message names the locale, for models that do not search."""
    IGNORE = "ignore"


@dataclass(frozen=True, slots=True)
class Prices:
    """What an operator pays, in US dollars: for a million tokens in and out, and for a thousand searches."""

    input_million: Decimal = Decimal(0)
    output_million: Decimal = Decimal(0)
    thousand_searches: Decimal = Decimal(0)


@dataclass(frozen=True, slots=True, kw_only=True)
class EngineSpec:
    """One configured engine. The key is handed in and never shown: not by repr, not in an error, not in a log.

    `max_searches` bounds the searches of one call where the provider takes a bound. `concurrency`,
    `requests_per_minute` and `max_samples` are maxima; None is no bound. `timeout` is in seconds of silence.
    """

    name: str
    preset: str
    model: str
    base_url: str = ""
    api_key: str = field(default="", repr=False)
    search: bool = False
    locale_handling: LocaleHandling = LocaleHandling.SEARCH
    max_output_tokens: int = 8192
    max_searches: int = 5
    prices: Prices | None = None
    concurrency: int = 8
    requests_per_minute: int | None = None
    max_samples: int | None = None
    timeout: float = ANSWER_TIMEOUT
    max_body_bytes: int = MAX_BODY_BYTES

    @property
    def provider(self) -> Preset:
        """The preset; KeyError for a name that is none."""
        return PRESETS[self.preset]

    @property
    def address(self) -> str:
        """Where the provider is reached."""
        return self.base_url or self.provider.base_url

    @property
    def account(self) -> str:
        """What stands for the provider's address and the key, and cannot be turned back into either."""
        return hashlib.sha256(f"{self.address}\0{self.api_key}".encode()).hexdigest()[:32]

    def country(self, locale: str) -> str:
        """The country of a BCP 47 locale for the search tool ("de-AT" is AT), empty where none is to be told."""
        if self.locale_handling == LocaleHandling.IGNORE or not (self.search and self.provider.takes_country):
            return ""
        regions = [part for part in locale.replace("_", "-").split("-")[1:] if len(part) == 2 and part.isalpha()]
        return regions[0].upper() if regions else ""

    def instruction(self, locale: str) -> str:
        """The system message about the asker's locale, empty where none is to be sent."""
        if self.locale_handling != LocaleHandling.INSTRUCTION or not locale:
            return ""
        return f"The person who asks has the locale {locale}. Answer as for a person with that language and country."
