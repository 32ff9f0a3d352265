"""How large the luck of a day is, by how much neighbouring days differ beyond the chance of each topic."""

from dataclasses import dataclass, replace

import numpy as np

from visibility.metrics.contrasts import Contrasts, family_contrast
from visibility.metrics.counts import Flags, Floats, Integers
from visibility.metrics.intervals import PRIOR_LUCK
from visibility.metrics.series import PRIOR_FREEDOM, UNKNOWN_LUCK, Luck, Series, Side

PRIOR_PAIRS = 10
"""Below so many pairs of neighbouring days only the prior counts; from then on it counts as so many of them."""
FREEDOM_A_PAIR = 0.2
"""A median has a third of the information of a mean, and neighbouring pairs share a day."""
MEDIAN = 0.4549364
"""The median of the square of a standard normal variable."""
LATEST = 30
"""Only so many of the latest pairs of days count, as engines change."""
CHANGE = 4**2
"""Squared differences of more than four standard deviations are changes, not the luck of a day."""


@dataclass(frozen=True, slots=True)
class Neighbours:
    """Of each two neighbouring days the squared difference and the variance that topics explain of it, both as at a
    rate of one half. Shaped [pair of days, ..., metric, subject, engine]; NaN where either day has no figure."""

    squares: Floats
    explained: Floats


def with_luck(series: Series) -> Series:
    """The series with the luck of days as estimated from its own latest days."""
    if series.size <= PRIOR_PAIRS:
        return replace(series, luck=UNKNOWN_LUCK)
    return series.until(series.size, estimate_luck(neighbours(replace(series, days=series.days[-LATEST - 1 :]))))


def neighbours(series: Series, contrasts: Contrasts = family_contrast) -> Neighbours:
    """Each day of the series against the next, engine by engine."""
    by_engine = replace(series, averaged=np.zeros_like(series.averaged), luck=None)
    parts = [np.stack([getattr(day, name) for day in series.days]) for name in ("answers", "mentioned", "cited")]
    sourced = np.stack([day.of_citations.answers for day in series.days])
    before, after = (
        Side(parts[0][days], parts[1][days], parts[2][days], 1.0, sourced[days]) for days in (np.s_[:-1], np.s_[1:])
    )
    contrast = contrasts(by_engine.pair(before, after))
    known = ~np.isnan(contrast.delta) & ~np.isnan(contrast.variance)
    middle = _mean(contrast.room - np.abs(contrast.delta) / 2, known)
    scale = 4 * middle * (1 - middle)
    known &= scale > 0
    with np.errstate(divide="ignore", invalid="ignore"):
        return Neighbours(*(np.where(known, part / scale, np.nan) for part in (contrast.delta**2, contrast.variance)))


def estimate_luck(known: Neighbours) -> Luck:
    """The larger of a subject's own estimate and the mean over subjects: the median of the squared differences
    ÷ .4549 (a robust variance: Rousseeuw and Croux 1993), less what topics explain, halved. Mixed with the prior,
    which counts as ten pairs of days.

    A change that lasts is in one of the differences, by which a median hardly moves; those that are plainly changes
    are left out. So a fall does not hide behind the variance that it makes itself.
    """
    _, middle = _median(known.squares)
    usual = np.where(known.squares <= CHANGE * np.maximum(middle / MEDIAN, known.explained), known.squares, np.nan)
    number, middle = _median(usual)
    explained = _mean(known.explained, ~np.isnan(usual))
    own = (middle / MEDIAN - explained) / 2
    pooled = _mean(own, number >= PRIOR_PAIRS, axis=-2)
    measured = np.maximum(np.fmax(own, pooled), 0.0)
    part = np.where(number >= PRIOR_PAIRS, number / (number + PRIOR_PAIRS), 0.0)
    variance = np.where(part > 0, part * measured, 0.0) + (1 - part) * PRIOR_LUCK**2
    with np.errstate(invalid="ignore"):
        certainty = np.where(part > 0, variance / (variance + explained / 2), 0.0)
    return Luck(variance[0], (PRIOR_FREEDOM + FREEDOM_A_PAIR * number * certainty**2)[0])


def _mean(values: Floats, known: Flags, axis: int = 0) -> Floats:
    """The mean of the known values along an axis, which stays; NaN without any."""
    number = np.count_nonzero(known, axis=axis, keepdims=True)
    with np.errstate(invalid="ignore"):
        mean: Floats = np.where(known, values, 0.0).sum(axis=axis, keepdims=True) / number
    return mean


def _median(values: Floats) -> tuple[Integers, Floats]:
    """How many values along the first axis are known, and their median."""
    number = np.count_nonzero(~np.isnan(values), axis=0, keepdims=True)
    ordered = np.sort(values, axis=0)
    low, high = (np.take_along_axis(ordered, np.maximum(place, 0), 0) for place in ((number - 1) // 2, number // 2))
    return np.asarray(number), (low + high) / 2
