"""The monitor of slow change: looks at every measured day, with one error for thirty looks."""

from dataclasses import dataclass

import numpy as np

from visibility.metrics.change import family_contrast
from visibility.metrics.changes.confirming import Contrasts, interval
from visibility.metrics.changes.series import Series
from visibility.metrics.contrasts import Contrast
from visibility.metrics.development import MIN_POOLED
from visibility.metrics.table import Flags, Floats, Integers
from visibility.metrics.verdicts import adjust, p_values

LATER = (5, 7, 10, 14, 20, 28)
"""How many of the latest days are held against those before them: as many ways to split the days in two."""
EARLIER = 28
"""At most so many days before them."""
MIN_DAYS = MIN_POOLED + LATER[0]
LEVEL = 0.0007
"""The smallest p of the splits at which the monitor is raised. `python -m tests.simulate months` shows that within 30
looks at nothing it then is in fewer than 5 % of cases, from the first look on or later."""


@dataclass(frozen=True, slots=True)
class Trace:
    """Of each figure: the place in the series of the day from which on it differs most clearly from the days before,
    and by how much, with an interval at the monitor's own level, 99.93 %."""

    began: Integers
    delta: Floats
    low: Floats
    high: Floats


def watch(series: Series, own: Flags, contrasts: Contrasts = family_contrast) -> Flags:
    """Look at the latest days: of which figures the monitor is raised. Of none where there are fewer than eight days.

    The last w days, w = 5 to 28, are held against up to 28 before them: a t-test over topics of each topic's mean
    difference, so that no topic's own wandering counts as evidence against another. The split with the smallest p
    speaks; its p is adjusted over the family as that of a pair of days is.
    """
    if series.size < MIN_DAYS:
        return np.zeros(own.shape, dtype=bool)
    splits = [series.size - later for later in LATER if series.size - later >= MIN_POOLED]
    p = np.stack([p_values(_split(series, split, contrasts)) for split in splits])
    with np.errstate(invalid="ignore"):
        is_raised: Flags = adjust(np.fmin.reduce(p, axis=0)[None], own)[0] <= LEVEL
    return is_raised


def trace(series: Series, contrasts: Contrasts = family_contrast) -> Trace:
    """Where the changes that the monitor is raised for began: of all splits the one with the smallest p. A sudden
    change is found on its day, a slow one about its middle."""
    splits = np.arange(MIN_POOLED, series.size - MIN_POOLED + 1)
    compared = [_split(series, int(split), contrasts) for split in splits]
    p = np.stack([p_values(contrast) for contrast in compared])
    best = np.where(np.isnan(p), np.inf, p).argmin(axis=0)
    figures = zip(*((contrast.delta, *interval(contrast, LEVEL)) for contrast in compared), strict=True)
    chosen = (np.take_along_axis(np.stack(values), best[None], axis=0)[0] for values in figures)
    return Trace(splits[best], *chosen)


def _split(series: Series, split: int, contrasts: Contrasts) -> Contrast:
    """The days from `split` on against those before it."""
    earlier, later = series.pooled(max(0, split - EARLIER), split), series.pooled(split, series.size)
    return contrasts(series.pair(earlier, later))
