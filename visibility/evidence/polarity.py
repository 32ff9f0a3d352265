"""How a theme is spoken of, and whether more and more: by stars and dates; by the words of its sentences where none
tell. Pure."""

import math
from collections.abc import Sequence
from datetime import date
from statistics import fmean
from typing import Literal

import numpy as np

from visibility.evidence.types import Polarity
from visibility.evidence.valence import valence
from visibility.metrics.intervals import wilson

MIN_STARRED = 3
MIN_ESTIMATED = 8
"""So many reviews a theme needs for an estimate by its words."""
CUT = 0.15
"""Beyond this, from -1 to 1, the mean of sentences is good or bad."""
GOOD_STARS, BAD_STARS = 3.75, 2.75
MIN_DATED = 8


def polarity(stars: Sequence[float], sentences: Sequence[str]) -> tuple[Polarity | None, bool]:
    """How a theme is spoken of, and whether that is estimated from words.

    `stars` are those of the reviews that speak of it, `sentences` what each says. Stars are preferred; without at
    least three, an estimate where eight reviews have rated words in their sentence; none otherwise.
    """
    if len(stars) >= MIN_STARRED:
        return _class(fmean(stars), BAD_STARS, GOOD_STARS), False
    values = [value for sentence in sentences if (value := valence(sentence)) is not None]
    if len(sentences) < MIN_ESTIMATED or not values:
        return None, False
    return _class(math.fsum(values) / len(sentences), -CUT, CUT), True


def _class(value: float, low: float, high: float) -> Polarity:
    if value >= high:
        return Polarity.POSITIVE
    return Polarity.NEGATIVE if value <= low else Polarity.MIXED


def trend(
    speaking: Sequence[date | None], every: Sequence[date | None]
) -> Literal["rising", "steady", "falling"] | None:
    """Whether the later half of the dated reviews speaks of a theme more often than the earlier one, beyond chance.

    None with fewer than eight dated reviews on either side, or all of one day.
    """
    days = sorted(day for day in every if day is not None)
    if len(days) < 2 * MIN_DATED:
        return None
    middle = days[len(days) // 2]
    early, late = sum(day < middle for day in days), sum(day >= middle for day in days)
    if min(early, late) < MIN_DATED:
        return None
    before = sum(day is not None and day < middle for day in speaking)
    after = sum(day is not None and day >= middle for day in speaking)
    low, high = _difference(before, early, after, late)
    return "rising" if low > 0 else "falling" if high < 0 else "steady"


def _difference(before: int, early: int, after: int, late: int) -> tuple[float, float]:
    """Newcombe's interval of the difference of two shares (1998, method 10), 95 %."""
    shares = np.array([before / early, after / late])
    low, high = wilson(np.array([before, after]), np.array([early, late]))
    gap = shares[1] - shares[0]
    return (
        float(gap - math.hypot(shares[1] - low[1], high[0] - shares[0])),
        float(gap + math.hypot(high[1] - shares[1], shares[0] - low[0])),
    )
