"""The monitor of slow change: looks at every measured day, with one error for thirty looks."""

from dataclasses import dataclass

import numpy as np

from visibility.metrics.change import family_contrast
from visibility.metrics.changes.confirming import Contrasts, interval
from visibility.metrics.changes.series import Series
from visibility.metrics.development import MIN_POOLED
from visibility.metrics.table import Flags, Floats, Integers
from visibility.metrics.verdicts import adjust, p_values

LATER = (5, 7, 10, 14, 20, 28)
"""How many of the latest days are held against those before them: as many ways to split the days in two."""
EARLIER = 28
"""At most so many days before them."""
MIN_DAYS = MIN_POOLED + LATER[0]
LEVEL = 0.001
"""The smallest p of the splits at which the monitor is raised."""


@dataclass(frozen=True, slots=True)
class Watch:
    """What the monitor says of each figure: whether it is raised, the place in the series of the day on which the
    change began, and the change since then, with an interval that holds over all looks and splits."""

    is_raised: Flags
    began: Integers
    delta: Floats
    low: Floats
    high: Floats


def watch(series: Series, own: Flags, contrasts: Contrasts = family_contrast) -> Watch | None:
    """Look at the latest days; None where there are fewer than eight.

    The last w days, w = 5 to 28, are held against up to 28 before them: a t-test over topics of each topic's mean
    difference, so that no topic's own wandering counts as evidence against another. The split with the smallest p
    speaks; its p is adjusted over the family as that of a pair of days is.
    """
    size = series.size
    if size < MIN_DAYS:
        return None
    splits = [size - later for later in LATER if size - later >= MIN_POOLED]
    compared = [
        contrasts(series.pair(series.pooled(max(0, split - EARLIER), split), series.pooled(split, size)))
        for split in splits
    ]
    p = np.stack([p_values(contrast) for contrast in compared])
    best = np.where(np.isnan(p), np.inf, p).argmin(axis=0)
    smallest = np.take_along_axis(p, best[None], axis=0)
    with np.errstate(invalid="ignore"):
        is_raised = adjust(smallest, own)[0] <= LEVEL
    figures = (
        np.stack(values)
        for values in zip(*((contrast.delta, *interval(contrast, LEVEL)) for contrast in compared), strict=True)
    )
    delta, low, high = (np.take_along_axis(values, best[None], axis=0)[0] for values in figures)
    return Watch(is_raised, np.array(splits)[best], delta, low, high)
