"""Confirmed moves: the day that moved and the next one, each held against the pooled days before the move."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from visibility.metrics.change import family_contrast
from visibility.metrics.changes.series import Series
from visibility.metrics.contrasts import Contrast
from visibility.metrics.development import MAX_POOLED, MIN_POOLED
from visibility.metrics.distributions import stdtrit
from visibility.metrics.pairs import Counts, Pair
from visibility.metrics.table import Flags, Floats, Integers
from visibility.metrics.verdicts import adjust, p_values

LEVEL = 0.01
"""The p at which a day shows a move. Two days of one direction at 5 % each would make a false confirmation within 30
looks in more than 5 % of cases where topics wander for days on end. At 1 % it is less than that in each case that
`python -m tests.simulate months` tries."""

Signs = NDArray[np.int8]
Contrasts = Callable[[Pair], Contrast]
"""What compares: the whole family, or the part of it that a simulation draws."""


@dataclass(frozen=True, slots=True)
class Moves:
    """What the latest days say of each figure: the day (its place in the series) on which a confirmed move began, -1
    without; whether the latest day shows a move that waits for the next; whether the day before it showed one that
    the latest does not."""

    began: Integers
    is_open: Flags
    is_refuted: Flags


def confirm(series: Series, own: Flags, contrasts: Contrasts = family_contrast) -> Moves:
    """Look for moves in the last days of the series.

    A move on day d is confirmed when d, the day after it and the latest day each show it in one direction against the
    up to 7 days before d; the earliest such d is when it began. It is news for 7 measured days; by then the days that
    are pooled are those after it. Twice as many are looked through, for the first days after an older move would
    else show it once more.
    """
    latest = series.size - 1
    waiting = signs(series, latest, latest, own, contrasts)
    began = np.full(waiting.shape, -1, dtype=np.int64)
    refuted = np.zeros(waiting.shape, dtype=bool)
    for day in range(latest - 1, max(MIN_POOLED, latest - 2 * MAX_POOLED) - 1, -1):
        now = signs(series, latest, day, own, contrasts)
        after = now if day + 1 == latest else signs(series, day + 1, day, own, contrasts) if now.any() else now
        move = signs(series, day, day, own, contrasts) if after.any() or day + 1 == latest else after
        began = np.where((move != 0) & (move == after) & (move == now), day, began)
        if day == latest - 1:
            refuted = (move != 0) & (after != move)
    began = np.where(began >= latest - MAX_POOLED, began, -1)
    return Moves(began, (waiting != 0) & (began < 0), refuted & (began < 0))


def since(series: Series, day: int, contrasts: Contrasts = family_contrast) -> tuple[Floats, Floats, Floats]:
    """The change of the days from `day` on against the pooled days before it, with its 95 % interval."""
    contrast = contrasts(series.pair(_before(series, day), series.pooled(day, series.size)))
    return contrast.delta, *interval(contrast, 0.05)


def interval(contrast: Contrast, level: float) -> tuple[Floats, Floats]:
    """The interval of a difference that leaves out the truth in `level` of cases."""
    with np.errstate(invalid="ignore"):
        half = stdtrit(contrast.freedom, 1 - level / 2) * np.sqrt(
            np.where(contrast.variance > 0, contrast.variance, np.nan)
        )
        return np.maximum(contrast.delta - half, -1), np.minimum(contrast.delta + half, 1)


def signs(series: Series, day: int, move: int, own: Flags, contrasts: Contrasts) -> Signs:
    """Which way a day shows that the figures moved on the day `move`, 0 where it shows nothing."""
    if move < MIN_POOLED:
        return np.zeros(own.shape, dtype=np.int8)
    contrast = contrasts(series.pair(_before(series, move), series.days[day]))
    with np.errstate(invalid="ignore"):
        shows = adjust(p_values(contrast)[None], own)[0] <= LEVEL
        return np.where(shows, np.sign(contrast.delta), 0).astype(np.int8)


def _before(series: Series, day: int) -> Counts:
    return series.pooled(max(0, day - MAX_POOLED), day)
