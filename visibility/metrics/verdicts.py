"""Verdicts on many differences at once, under control of false alarms, and the smallest change that would show.

Arrays are shaped [..., metric, subject, line]: the last three axes are one family.
"""

from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray
from scipy.special import chdtri, ndtri, stdtr, stdtrit

from visibility.metrics.contrasts import Contrast
from visibility.metrics.counts import Flags, Floats

ALPHA = 0.05
"""Where nothing changed: the chance of a false alarm of the brand's own score, and of any in the rest."""
DETECTABLE = 0.1
"""The largest change that a test may fail to show and still be called noise: 10 points."""
MIN_PROMPTS = 10
POWER = 0.8
MAX_PART = 0.9
"""Beyond this part of what can change t-tests no longer behave as computed, so that no size is given."""
MIN_FREEDOM = 7.0
"""Below so many degrees of freedom (some eight topics) the variance is too uncertain to give a size."""


class Verdict(StrEnum):
    """The verdict on a difference."""

    MOVED = "moved"
    WITHIN_NOISE = "within_noise"
    CANNOT_DETECT = "cannot_detect"
    NOT_COMPARABLE = "not_comparable"


@dataclass(frozen=True, slots=True)
class Judgement:
    """Verdicts with their reasons, as parts of 1; NaN where unknown. `low` to `high` is the 95 %
    interval of the single difference, `minimum` the smallest change that would have been called `moved` with 80 %
    power, given the rest of the family."""

    verdict: NDArray[np.str_]
    low: Floats
    high: Floats
    minimum: Floats
    p: Floats
    adjusted: Floats


def judge(contrast: Contrast, own: Flags) -> Judgement:
    """Two-sided t-tests; `own` flags the figures that are tests of their own, the rest share one false discovery
    rate.

    A difference that was measured and cannot be tested (fewer than 10 prompts, one topic, topics that do not differ
    at all) stays in the family with p = 1."""
    p = p_values(contrast)
    adjusted = adjust(p, own)
    return judgement(contrast, p, adjusted, _levels(p, adjusted <= ALPHA, own))


def judgement(contrast: Contrast, p: Floats, adjusted: Floats, level: Floats) -> Judgement:
    """The verdicts, given the adjusted p and the p that each difference must not exceed (`level`)."""
    delta, is_testable = contrast.delta, _testable(contrast)
    low, high = interval(contrast)
    with np.errstate(invalid="ignore"):
        moved = is_testable & (adjusted <= ALPHA)
        # A difference that is the same in every topic has no known error, so no size can be given.
        sized = (contrast.prompts >= MIN_PROMPTS) & ((contrast.variance > 0) | (delta == 0))
        minimum = np.where(sized, smallest_visible(contrast, level), np.nan)
        blind = ~(is_testable & (minimum <= DETECTABLE))
    verdict = np.select(
        [np.isnan(delta), moved, blind],
        [Verdict.NOT_COMPARABLE.value, Verdict.MOVED.value, Verdict.CANNOT_DETECT.value],
        Verdict.WITHIN_NOISE.value,
    )
    return Judgement(verdict, low, high, minimum, p, adjusted)


def p_values(contrast: Contrast) -> Floats:
    """The p of each difference: 1 where it cannot be tested, NaN where it was not measured."""
    with np.errstate(invalid="ignore", divide="ignore"):
        p = 2 * stdtr(contrast.freedom, -np.abs(contrast.delta) / _error(contrast))
    return np.where(_testable(contrast), p, np.where(np.isnan(contrast.delta), np.nan, 1.0))


def interval(contrast: Contrast, level: float = ALPHA) -> tuple[Floats, Floats]:
    """The interval of a difference that leaves out the truth in `level` of cases; NaN where topics do not differ."""
    with np.errstate(invalid="ignore"):
        half = stdtrit(contrast.freedom, 1 - level / 2) * _error(contrast)
    return np.maximum(contrast.delta - half, -1.0), np.minimum(contrast.delta + half, 1.0)


def adjust(p: Floats, own: Flags) -> Floats:
    """p adjusted for its family: a figure that is its own test stays as it is, the rest share Benjamini and
    Hochberg's false discovery rate. Where nothing changed that is also the chance of any `moved` among them."""
    rest = np.where(own, np.nan, p)
    shared = benjamini_hochberg(rest.reshape(*p.shape[:-3], -1)).reshape(p.shape)
    return np.where(own, p, shared)


def benjamini_hochberg(p: Floats) -> Floats:
    """Adjusted p along the last axis, the smallest false discovery rate at which each is rejected (Benjamini and
    Hochberg 1995). NaN is no test."""
    order = np.argsort(p, axis=-1)
    tests = np.count_nonzero(~np.isnan(p), axis=-1, keepdims=True)
    stepped = np.take_along_axis(p, order, axis=-1) * tests / np.arange(1, p.shape[-1] + 1)
    smallest = np.fmin.accumulate(stepped[..., ::-1], axis=-1)[..., ::-1]
    adjusted = np.empty_like(p)
    np.put_along_axis(adjusted, order, np.minimum(smallest, 1.0), axis=-1)
    return np.where(np.isnan(p), np.nan, adjusted)


def holm(p: Floats) -> Floats:
    """Adjusted p along the last axis, under control of any false alarm at all (Holm 1979)."""
    order = np.argsort(p, axis=-1)
    left = p.shape[-1] - np.arange(p.shape[-1])
    stepped = np.maximum.accumulate(np.take_along_axis(p, order, axis=-1) * left, axis=-1)
    adjusted = np.empty_like(p)
    np.put_along_axis(adjusted, order, np.minimum(stepped, 1.0), axis=-1)
    return adjusted


def smallest_visible(contrast: Contrast, level: Floats) -> Floats:
    """The smallest change that a two-sided t-test at `level` calls moved with 80 % power; NaN where there is none.

    The least part s of what can change for which s · room = λ √(variance + s · slope + s² · bend), λ being the
    `noncentrality`: a quadratic equation. A variance of few topics is more often too small than too large, so it is
    divided by the median of χ² over its degrees of freedom: of the sizes given half are too small, half too large.
    """
    freedom = contrast.freedom
    with np.errstate(invalid="ignore", divide="ignore"):
        factor = noncentrality(freedom, level) ** 2 * freedom / chdtri(freedom, 0.5)
        rest, slope = contrast.room**2 - factor * contrast.bend, factor * contrast.slope
        part = (slope + np.sqrt(slope**2 + 4 * rest * factor * contrast.variance)) / (2 * rest)
        is_reached = (rest > 0) & (part > 0) & (part <= MAX_PART) & (freedom >= MIN_FREEDOM)
        return np.where(is_reached, part * contrast.room, np.nan)


def noncentrality(freedom: Floats | float, level: Floats | float) -> Floats:
    """How many standard errors a change must have for a t-test at `level` to call it moved in 80 % of cases: the
    normal approximation of noncentral t (Abramowitz and Stegun 1964, 26.7.10)."""
    limit = stdtrit(freedom, 1 - np.asarray(level) / 2)
    return np.asarray(limit * (1 - 1 / (4 * freedom)) + ndtri(POWER) * np.sqrt(1 + limit**2 / (2 * freedom)))


def _levels(p: Floats, moved: Flags, own: Flags) -> Floats:
    """The p that each difference must not exceed: 5 % where it is its own test, else 5 % · k/m with k of m moved, one
    more where it is not yet among them."""
    family = (-3, -2, -1)
    tests = np.count_nonzero(~np.isnan(p) & ~own, axis=family, keepdims=True)
    rejected = np.count_nonzero(moved & ~own, axis=family, keepdims=True)
    level: Floats = ALPHA * np.where(own, 1.0, (rejected + ~moved) / np.maximum(tests, 1))
    return level


def _testable(contrast: Contrast) -> Flags:
    with np.errstate(invalid="ignore"):
        testable: Flags = (contrast.variance > 0) & ~np.isnan(contrast.delta) & (contrast.prompts >= MIN_PROMPTS)
    return testable


def _error(contrast: Contrast) -> Floats:
    """The standard error; NaN where topics do not differ."""
    error: Floats = np.sqrt(np.where(contrast.variance > 0, contrast.variance, np.nan))
    return error
