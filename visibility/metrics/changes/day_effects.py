"""How large the luck of a day is, by what neighbouring days differ beyond what chance does to each topic."""

from dataclasses import dataclass, replace

import numpy as np

from visibility.metrics.change import family_contrast
from visibility.metrics.changes.confirming import Contrasts
from visibility.metrics.changes.series import Series
from visibility.metrics.day_effects import PRIOR, PRIOR_FREEDOM, UNKNOWN, DayEffects
from visibility.metrics.pairs import Counts
from visibility.metrics.table import Flags, Floats, Integers

PRIOR_PAIRS = 10
"""Below so many pairs of neighbouring days the usual stands alone; from then on it counts as so many of them."""
FREEDOM_A_PAIR = 0.2
"""A median tells a third of what a mean does, and neighbouring pairs share a day."""
MEDIAN = 0.4549364
"""The median of the square of a standard normal variable."""
LATEST = 30
"""Pairs of days that are looked at: engines change."""
CHANGE = 4**2
"""Differences of more than four standard deviations are changes and none of the day's luck."""


@dataclass(frozen=True, slots=True)
class Neighbours:
    """Of each two neighbouring days the square of the difference, and the variance that topics explain of it, both as
    they would be at a rate of 50 %. Shaped [pair of days, metric, engine, subject], axes of repetitions behind the
    first. NaN where either day has no figure."""

    squares: Floats
    explained: Floats


def with_day_effects(series: Series) -> Series:
    """The series with what its own days tell of their luck."""
    if series.size <= PRIOR_PAIRS:
        return replace(series, day_effects=UNKNOWN)
    latest = replace(series, days=series.days[-LATEST - 1 :], dates=series.dates[-LATEST - 1 :])
    return replace(series, day_effects=estimate(neighbours(latest)))


def neighbours(series: Series, contrasts: Contrasts = family_contrast) -> Neighbours:
    """Hold each day of the series against the next, engine by engine."""
    answers, mentioned, cited = (
        np.stack([getattr(day, name) for day in series.days]) for name in ("answers", "mentioned", "cited")
    )
    by_engine = replace(series, averaged=np.zeros_like(series.averaged), day_effects=None)
    before, now = (Counts(answers[part], mentioned[part], cited[part]) for part in (slice(-1), slice(1, None)))
    contrast = contrasts(by_engine.pair(before, now))
    known = ~np.isnan(contrast.delta) & ~np.isnan(contrast.variance)
    middle = _mean(contrast.room - np.abs(contrast.delta) / 2, known)
    scale = 4 * middle * (1 - middle)
    known &= scale > 0
    with np.errstate(divide="ignore", invalid="ignore"):
        return Neighbours(*(np.where(known, part / scale, np.nan) for part in (contrast.delta**2, contrast.variance)))


def estimate(known: Neighbours) -> DayEffects:
    """The larger of what a subject's own days tell and what those of all subjects of the engine do, both by the
    median of the squared differences, less what topics explain.

    A change that lasts is in one of the differences, by which a median hardly moves; those that are plainly changes
    are left out. So a fall does not hide behind the variance that it makes itself. A brand's figures rest on its own
    days alone: whoever judges them anew finds the same.
    """
    number, middle = _median(known.squares)
    usual = np.where(known.squares <= CHANGE * np.maximum(middle / MEDIAN, known.explained), known.squares, np.nan)
    number, middle = _median(usual)
    explained = _mean(known.explained, ~np.isnan(usual))
    own = (middle / MEDIAN - explained) / 2
    pooled = _mean(own, number >= PRIOR_PAIRS, axis=-1)
    measured = np.maximum(np.fmax(own, pooled), 0.0)
    part = np.where(number >= PRIOR_PAIRS, number / (number + PRIOR_PAIRS), 0.0)
    variance = np.where(part > 0, part * measured, 0.0) + (1 - part) * PRIOR**2
    with np.errstate(invalid="ignore"):
        certainty = np.where(part > 0, variance / (variance + explained / 2), 0.0)
    return DayEffects(variance[0], (PRIOR_FREEDOM + FREEDOM_A_PAIR * number * certainty**2)[0])


def _mean(values: Floats, known: Flags, axis: int = 0) -> Floats:
    """The mean of the known values along an axis, which stays; NaN without any."""
    number = np.count_nonzero(known, axis=axis, keepdims=True)
    with np.errstate(invalid="ignore"):
        mean: Floats = np.where(known, values, 0.0).sum(axis=axis, keepdims=True) / number
    return mean


def _median(values: Floats) -> tuple[Integers, Floats]:
    """How many values along the first axis are known, and the median of these."""
    number = np.count_nonzero(~np.isnan(values), axis=0, keepdims=True)
    ordered = np.sort(values, axis=0)
    low, high = (np.take_along_axis(ordered, np.maximum(place, 0), 0) for place in ((number - 1) // 2, number // 2))
    return number, (low + high) / 2
