"""The numbers of a text, each with what it counts or measures."""

import re
from collections.abc import Iterator
from decimal import Decimal
from typing import NamedTuple

from visibility.evidence.words import stem

MONEY = frozenset("$€£")
_QUANTITY = re.compile(
    r"(?<![\w.,/:#'’])(?P<money>[$€£]\s?)?"
    r"(?P<number>\d{1,3}(?:[.,'’\u00a0\u202f]\d{3}){1,5}(?:[.,]\d{1,6})?|\d{1,12}(?:[.,]\d{1,6})?)"
    r"(?![\w.,]{0,20}\d|[:/]\d|\.[^\W\d_])\s?\+?[\s-]?(?P<after>[%€£$]|[^\W\d_]{1,20})?"
)
_YEAR = re.compile(r"(?:18|19|20)\d\d")
_NAME_BEFORE = re.compile(r"(?<=[^.:!?*|] )\b[A-ZÀ-ÖØ-Þ][\w-]{0,30}\s\Z")
_BOUND = re.compile(
    r"\b(?:over|more than|less than|up to|at least|at most|about|around|nearly|almost|roughly|approximately|some"
    r"|under|from|bis zu|über|jusqu'à|hasta)\s*\Z|[>~<≈≥≤]\s*\Z"
)


class Quantity(NamedTuple):
    """A number: what it can mean (1.299 is 1299 and 1.299), and its `unit`, a sign or the stem of the word behind it.
    `is_bound`: it is a bound or an estimate."""

    values: frozenset[Decimal]
    unit: str
    is_bound: bool


def quantities(text: str) -> Iterator[Quantity]:
    """The numbers of a text that count or measure something; no years, times, versions or numbers of models."""
    for match in _QUANTITY.finditer(text):
        after = match["after"] or ""
        unit = (match["money"] or "").strip() or stem(after)
        is_year = _YEAR.fullmatch(match["number"]) and unit not in MONEY
        before = text[max(0, match.start() - 40) : match.start()]
        is_of_name = unit not in MONEY and _NAME_BEFORE.search(before)
        if not unit or is_year or is_of_name or unit in ("st", "nd", "rd", "th"):
            continue
        is_bound = _BOUND.search(before.casefold()) is not None or "+" in match[0]
        yield Quantity(frozenset(_values(match["number"])), unit, is_bound)


def _values(written: str) -> list[Decimal]:
    """The values that a written number can have."""
    digits = re.sub(r"['’\u00a0\u202f]", "", written)
    last = max(digits.rfind("."), digits.rfind(","))
    whole, rest = re.sub(r"[.,]", "", digits[: max(last, 0)]), digits[last + 1 :]
    if last < 0 or digits.count(digits[last]) > 1:
        return [Decimal(whole + rest)]
    return [Decimal(f"{whole}.{rest}"), *([Decimal(whole + rest)] if len(rest) == 3 else [])]
