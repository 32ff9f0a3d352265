"""The quantities of a text: numbers in whatever way they are written, with what they count or measure."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from functools import cache

from visibility.audit.checks.matching import readings
from visibility.detection.text.languages import is_german
from visibility.evidence.page_words.page_words import LANGUAGES
from visibility.evidence.positioning.stems import stem

MONEY = ("dollar", "euro", "pound")
"""Units of prices, which two products can share."""
MAX_COUNTED = 3
"""Words behind a number that may say what it counts ("7,000 local convenience shops")."""
_QUANTITY = re.compile(
    r"(?<![\w.,/:#'’])(?<!-in-)(?P<money>[$€£]\s?)?(?P<number>\d{1,3}(?:[.,'’\u00a0\u202f]\d{3})+(?:[.,]\d+)?|\d+(?:[.,]\d+)?)"
    r"(?![\w.,]*\d|[:/]\d|-in-\d|\.[^\W\d_])(?P<after>\s?\+?\s?(?:[%€£$]|-?[^\W\d_]+)?)"
)
_YEAR = re.compile(r"(?:18|19|20)\d\d")
_BEFORE = re.compile(r"(?<![.:!?*|] )\b[A-ZÀ-ÖØ-Þ][\w-]*\s$")
"""A word with a capital right before a number, and not because a sentence begins."""
_WORD = re.compile(r"[^\W\d_]+")


@dataclass(frozen=True, slots=True)
class Quantity:
    """`values`: what the number can mean (1.299 is 1299 and 1.299), thousands and millions multiplied out; `unit`:
    the measure in one form for all spellings and languages, empty for none; `counted`: stems of the words behind."""

    values: frozenset[Decimal]
    unit: str
    counted: frozenset[str]
    start: int
    end: int

    def same_kind(self, other: "Quantity") -> bool:
        """Whether both measure in the same unit or count the same."""
        if self.unit or other.unit:
            return self.unit == other.unit
        return bool(self.counted & other.counted)


def quantities(text: str) -> Iterator[Quantity]:
    """The quantities of a text; no years, times, dates, versions or numbers of names."""
    units, scales, hours = _units(), _scales(), _hours()
    for match in _QUANTITY.finditer(text):
        after = match["after"].strip(" +-").casefold()
        scale = scales.get(after, Decimal(1))
        words = _behind(text, match, scaled=after in scales)
        if after in hours or (_YEAR.fullmatch(match["number"]) and not match["money"] and scale == 1):
            continue
        named = ((match["money"] or "").strip(), after, words[0] if words else "")
        unit = next((units[name] for name in named if name in units), "")
        if not unit and (not words or _is_of_name(text, match)):
            continue
        values = frozenset(value * scale for value in readings(match["number"]))
        if values:
            yield Quantity(values, unit, frozenset(map(stem, words)), match.start(), match.end())


def model_numbers(text: str) -> Iterator[str]:
    """The numbers of a text that belong to names ("Forerunner 265")."""
    for match in _QUANTITY.finditer(text):
        if _is_of_name(text, match) and match["after"].strip(" +-").casefold() not in _units():
            yield match["number"]


def _is_of_name(text: str, match: re.Match[str]) -> bool:
    """Whether a number stands beside a word with a capital, as in the names of models; in German nouns have one."""
    if match["money"]:
        return False
    before = _BEFORE.search(text[: match.start()])
    behind = match["after"].strip(" +-")[:1].isupper() and not is_german(text)
    return behind or (before is not None and before.start() > 0)


def _behind(text: str, match: re.Match[str], *, scaled: bool) -> list[str]:
    """The words right behind a number, in small letters, up to the next sign."""
    start = match.end() if scaled else match.end("number")
    words = []
    behind = text[start : start + 80].lstrip(". +-")
    for word in re.split(r"[^\w\s'’-]", behind, maxsplit=1)[0].split()[:MAX_COUNTED]:
        plain = re.split("['’]", word.strip("-'’"))[-1].casefold()
        if not _WORD.fullmatch(plain):
            break
        words.append(plain)
    return words


def _by_spelling(table: str) -> dict[str, str]:
    return {
        spelling: name
        for words in LANGUAGES.values()
        for name, spellings in getattr(words.quantities, table).items()
        for spelling in spellings
    }


@cache
def _units() -> dict[str, str]:
    return _by_spelling("units")


@cache
def _scales() -> dict[str, Decimal]:
    return {spelling: Decimal(name) for spelling, name in _by_spelling("scales").items()}


@cache
def _hours() -> frozenset[str]:
    return frozenset(hour for words in LANGUAGES.values() for hour in words.quantities.hours)
