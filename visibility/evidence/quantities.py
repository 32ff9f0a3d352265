"""The quantities of a text: numbers in whatever way they are written, with what they measure or count."""

import re
from collections.abc import Iterator
from decimal import Decimal
from functools import cache
from typing import NamedTuple

from visibility.evidence.vocabulary import is_telling, root, roots, table

MONEY = frozenset(("dollar", "euro", "pound"))
MOST_COUNTED = 3
"""Words behind a number that may say what it counts ("7,000 local convenience shops")."""
NEAR = 50
"""Characters on each side of a number that say what it is a number of."""
_QUANTITY = re.compile(
    r"(?<![\w.,/:#'’])(?<!-in-)(?P<money>[$€£]\s?)?"
    r"(?P<number>\d{1,3}(?:[.,'’\u00a0\u202f]\d{3}){1,5}(?:[.,]\d{1,6})?|\d{1,12}(?:[.,]\d{1,6})?)"
    r"(?![\w.,]{0,20}\d|[:/]\d|-in-\d|\.[^\W\d_])(?P<after>\s?\+?\s?(?:[%€£$]|-?[^\W\d_]{1,20})?)"
)
_YEAR = re.compile(r"(?:18|19|20)\d\d")
_CAPITAL_BEFORE = re.compile(r"(?<![.:!?*|] )\b[A-ZÀ-ÖØ-Þ][\w-]{0,30}\s\Z")
_MIXED = re.compile(r"\b[^\W\d_][\w-]{0,30}\d\w{0,30}")
_BEHIND = re.compile(rf"[. +-]{{0,3}}((?:[^\W\d_]{{1,40}}[\s'’-]{{0,2}}){{1,{MOST_COUNTED}}})")
_BOUND = re.compile(
    r"\b(?:over|more than|less than|up to|at least|at most|about|around|nearly|almost|roughly|approximately|some"
    r"|under|from|bis zu|über|jusqu'à|hasta)\s*\Z|[>~<≈≥≤]\s*\Z"
)


class Quantity(NamedTuple):
    """A number. `values`: what it can mean (1.299 is 1299 and 1.299), thousands and millions multiplied out; `unit`:
    in one form for all spellings; `counted`: roots of the words behind; `near`: those of the words around it;
    `is_bound`: it is a bound or an estimate."""

    values: frozenset[Decimal]
    unit: str
    counted: frozenset[str]
    near: frozenset[str]
    is_bound: bool

    def is_of_same_kind(self, other: "Quantity") -> bool:
        """Whether both measure in the same unit, or count the same."""
        if self.unit or other.unit:
            return self.unit == other.unit
        return not self.counted.isdisjoint(other.counted)


def quantities(text: str) -> Iterator[Quantity]:
    """The quantities of a sentence; no years, times, dates, versions or numbers of names."""
    for match in _QUANTITY.finditer(text):
        after = _after(match)
        scale = _listed("scales").get(after, "1")
        found = _BEHIND.match(text, match.end() if scale != "1" else match.end("number"))
        words = re.findall(r"[^\W\d_]+", found[1].casefold()) if found else []
        is_year = _YEAR.fullmatch(match["number"]) and not match["money"] and scale == "1"
        if is_year or after in ("st", "nd", "rd", "th"):
            continue
        written = ((match["money"] or "").strip(), after, *words[:1])
        unit = next((_listed("units")[name] for name in written if name in _listed("units")), "")
        if not unit and (not words or _is_of_name(text, match)):
            continue
        counted = frozenset(root(word) for word in words if is_telling(word) and word not in _listed("units"))
        before = text[max(0, match.start() - NEAR) : match.start()]
        near = roots(before) | roots(text[match.end() if unit else match.end("number") :][:NEAR])
        is_bound = _BOUND.search(before.casefold()) is not None or "+" in match["after"]
        values = frozenset(value * Decimal(scale) for value in _readings(match["number"]))
        yield Quantity(values, unit, counted, near, is_bound)


def model_numbers(text: str) -> frozenset[str]:
    """The numbers, and words with digits, that belong to names ("Forerunner 265", "X20")."""
    numbers = {match["number"] for match in _QUANTITY.finditer(text) if _is_of_name(text, match)}
    return frozenset(map(str.casefold, numbers | set(_MIXED.findall(text))))


def _after(match: re.Match[str]) -> str:
    return match["after"].strip(" +-").casefold()


def _is_of_name(text: str, match: re.Match[str]) -> bool:
    """Whether a number is next to a capitalised word, as in the names of models."""
    if match["money"] or _after(match) in _listed("units"):
        return False
    before = _CAPITAL_BEFORE.search(text, max(0, match.start() - 40), match.start())
    return match["after"].strip(" +-")[:1].isupper() or (before is not None and before.start() > 0)


def _readings(written: str) -> list[Decimal]:
    """The values that a written number can have."""
    digits = re.sub(r"['’\u00a0\u202f]", "", written)
    last = max(digits.rfind("."), digits.rfind(","))
    whole, rest = re.sub(r"[.,]", "", digits[: max(last, 0)]), digits[last + 1 :]
    if last < 0 or digits.count(digits[last]) > 1:
        return [Decimal(whole + rest)]
    return [Decimal(f"{whole}.{rest}"), *([Decimal(whole + rest)] if len(rest) == 3 else [])]


@cache
def _listed(name: str) -> dict[str, str]:
    """How units or scales are written, with the one form of each."""
    return {written: one for one, several in table(name).items() for written in several.split()}
