"""Changes to report: moves that the next day confirms, and those that raise the monitor of slow change."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from visibility.metrics.contrasts import Contrasts, family_contrast
from visibility.metrics.counts import Flags, Floats, Integers
from visibility.metrics.multiplicity import ALPHA
from visibility.metrics.series import Pair, Series, Side, stacked
from visibility.metrics.units import Contrast, Units
from visibility.metrics.verdicts import adjust, interval

MIN_POOLED, MAX_POOLED = 3, 7
"""How many days before a move are pooled to confirm it."""
CONFIRMING = 0.01
"""The adjusted p at which a day shows a move. At 5 % two days of one direction would make a false confirmation within
30 looks in more than 5 % of cases where topics wander for days on end; at 1 % they do not, by the simulation."""
LATER = (5, 7, 10, 14, 20, 28)
"""So many of the latest days the monitor compares with those before them."""
EARLIER = 28
"""At most so many days before them."""
MIN_DAYS = MIN_POOLED + LATER[0]
RAISING = 0.0007
"""The adjusted smallest p of the splits at which the monitor is raised: within 30 looks at nothing in fewer than 5 %
of cases, by the simulation."""

Signs = NDArray[np.int8]


@dataclass(frozen=True, slots=True)
class Trace:
    """Of each figure the place of the day from which on it differs most clearly from the days before, and by how
    much, with an interval at the monitor's own level, 99.93 %."""

    began: Integers
    delta: Floats
    low: Floats
    high: Floats


def confirm(series: Series, own: Flags, contrasts: Contrasts = family_contrast) -> Integers:
    """Of each figure the day (its place in the series) on which a confirmed move began, -1 without one.

    A move on day d is confirmed when d, the day after it and the latest day each show it in one direction against the
    up to 7 days before d, and all days since d together (5 %); the earliest such d is when it began.

    It is news for 7 measured days. Twice as many are looked through, for the first days after an older move would
    else show it once more."""
    latest = series.size - 1
    began = np.full(own.shape, -1, dtype=np.int64)
    moves = range(max(MIN_POOLED, latest - 2 * MAX_POOLED), latest)
    if not moves:
        return began
    earlier = [before(series, day) for day in moves]
    shown_now = _signs(series.pair(stacked(earlier), stacked([series.days[latest]] * len(moves))), own, contrasts)
    for day, now in zip(reversed(moves), reversed(shown_now), strict=True):
        if now.any():
            after = now if day + 1 == latest else signs(series, day + 1, day, own, contrasts)
            move = signs(series, day, day, own, contrasts) if after.any() else after
            shown = (move != 0) & (move == after) & (move == now)
            if shown.any():
                since = contrasts(series.pair(before(series, day), series.pooled(day, series.size)))
                shown &= (since.p <= ALPHA) & (np.sign(since.delta) == move)
            began = np.where(shown, day, began)
    return np.where(began >= latest - MAX_POOLED, began, -1)


def signs(series: Series, day: int, move: int, own: Flags, contrasts: Contrasts = family_contrast) -> Signs:
    """The direction in which a day shows that the figures moved on the day `move`; 0 where it shows none."""
    if move < MIN_POOLED:
        return np.zeros(own.shape, dtype=np.int8)
    return _signs(series.pair(before(series, move), series.days[day]), own, contrasts)


def _signs(pair: Pair, own: Flags, contrasts: Contrasts) -> Signs:
    contrast = guarded(contrasts(pair))
    with np.errstate(invalid="ignore"):
        shows = adjust(contrast.p, own) <= CONFIRMING
        return np.where(shows, np.sign(contrast.delta), 0).astype(np.int8)


def before(series: Series, day: int) -> Side:
    """The up to 7 days before a day, pooled."""
    return series.pooled(max(0, day - MAX_POOLED), day)


def is_raised(series: Series, own: Flags, contrasts: Contrasts = family_contrast) -> Flags:
    """Of which figures the monitor is raised; of none before there are eight days.

    The last 5 to 28 days are compared with up to 28 before them by a t-test over each topic's mean difference, so
    that no topic's own wandering counts as evidence against another. The split with the smallest p counts.
    """
    if series.size < MIN_DAYS:
        return np.zeros(own.shape, dtype=bool)
    splits = [series.size - later for later in LATER if series.size - later >= MIN_POOLED]
    smallest = np.fmin.reduce(_split(series, splits, contrasts).p, axis=0)
    with np.errstate(invalid="ignore"):
        raised: Flags = adjust(smallest, own) <= RAISING
    return raised


def trace(series: Series, contrasts: Contrasts = family_contrast) -> Trace:
    """Where the change that raised the monitor began: the split with the smallest p. That is the day of a sudden
    change, and about the middle of a slow one."""
    splits = range(MIN_POOLED, series.size - MIN_POOLED + 1)
    compared = _split(series, splits, contrasts)
    best = np.where(np.isnan(compared.p), np.inf, compared.p).argmin(axis=0)
    columns = (compared.delta, *interval(compared, RAISING))
    chosen = (np.take_along_axis(values, best[None], axis=0)[0] for values in columns)
    return Trace(np.array(splits)[best], *chosen)


def guarded(contrast: Contrast) -> Contrast:
    """The contrast for levels below 5 %, which few units never reach by an exact test: where that rejects at 5 %, the
    other tests decide."""
    return replace(contrast, exact=np.where(contrast.exact <= ALPHA, 0.0, contrast.exact))


def is_back(series: Series, began: int, contrasts: Contrasts = family_contrast) -> Flags:
    """Which figures the latest two days show to be back where they were before the day `began`.

    Each of the two lies beyond chance (1 %) back from the first days of the change, up to 7, and is more than half of
    the way back and not beyond chance (5 %) off the days before it. The latter alone would not do: wide chance hides
    differences.
    """
    earlier, first = before(series, began), series.pooled(began, min(began + MAX_POOLED, series.size - 2))
    change = contrasts(series.pair(earlier, first)).delta
    back = ~np.isnan(change)
    for day in series.days[-2:]:
        move, off = (guarded(contrasts(series.pair(side, day))) for side in (first, earlier))
        with np.errstate(invalid="ignore"):
            returns = (move.p <= CONFIRMING) & (move.delta * change < 0)
            same_way = off.delta * np.sign(change)
            near = (2 * same_way < np.abs(change)) & ~((off.p <= ALPHA) & (same_way > 0))
        back = back & returns & near
    return back


def _split(series: Series, splits: Sequence[int], contrasts: Contrasts) -> Contrast:
    """The days from each of the `splits` on against those before it, [split, ...]. Over single answers nothing tells
    a lasting change from the wandering of a prompt or two, so that there the exact test never rejects."""
    earlier = stacked([series.pooled(max(0, split - EARLIER), split) for split in splits])
    later = stacked([series.pooled(split, series.size) for split in splits])
    contrast = guarded(contrasts(series.pair(earlier, later)))
    by_answers = contrast.units == list(Units).index(Units.ANSWERS)
    return replace(contrast, exact=np.where(by_answers, 1.0, contrast.exact))
