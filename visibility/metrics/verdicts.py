"""Verdicts on many differences at once, under control of false alarms, and the smallest change that would show.

Arrays are shaped [..., metric, subject, line]: the last three axes are one family.
"""

from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray
from scipy.special import chdtri, ndtri, stdtrit

from visibility.metrics.counts import Flags, Floats, Integers
from visibility.metrics.intervals import Z
from visibility.metrics.multiplicity import ALPHA, benjamini_hochberg
from visibility.metrics.units import Contrast, Units

NOISE = 0.1
"""Not moved, and with an interval within ± 10 points: noise, as a difference of 10 points would have shown."""
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
    """Verdicts with their reasons, as parts of 1; NaN where unknown. `low` to `high` is the interval at the level at
    which the difference was tested, so that it leaves out 0 where `moved` and nowhere else; `minimum` the smallest
    change that would have been called `moved` with 80 % power, given the rest of the family. `units` as in
    `Contrast`."""

    verdict: NDArray[np.str_]
    low: Floats
    high: Floats
    minimum: Floats
    p: Floats
    adjusted: Floats
    units: Integers


def judge(contrast: Contrast, own: Flags) -> Judgement:
    """Two-sided tests; `own` flags the figures that are tests of their own, the rest share one false discovery
    rate."""
    adjusted = adjust(contrast.p, own)
    return judgement(contrast, adjusted, _levels(adjusted, own))


def judgement(contrast: Contrast, adjusted: Floats, level: Floats) -> Judgement:
    """The verdicts, given the adjusted p and the p that each difference must not exceed (`level`)."""
    low, high = interval(contrast, level)
    with np.errstate(invalid="ignore"):
        moved = contrast.p <= level
        noise = (low >= -NOISE) & (high <= NOISE)
        sized = (contrast.units != list(Units).index(Units.ANSWERS)) & (
            (contrast.variance > 0) | (contrast.delta == 0)
        )
    minimum = np.where(sized, smallest_visible(contrast, level), np.nan)
    verdict = np.select(
        [np.isnan(contrast.delta), moved, noise],
        [Verdict.NOT_COMPARABLE.value, Verdict.MOVED.value, Verdict.WITHIN_NOISE.value],
        Verdict.CANNOT_DETECT.value,
    )
    return Judgement(verdict, low, high, minimum, contrast.p, adjusted, contrast.units)


def interval(contrast: Contrast, level: Floats | float = ALPHA) -> tuple[Floats, Floats]:
    """The interval of a difference that leaves out the truth in `level` of cases: the wider of that of the t-test and
    that of the answers alone. Where the exact test does not reject at this level it reaches to 0, and so is the set
    of values that the tests together do not reject."""
    with np.errstate(invalid="ignore"):
        half = stdtrit(contrast.freedom, 1 - np.asarray(level) / 2) * np.sqrt(contrast.variance)
        half = np.where(contrast.variance > 0, half, 0.0)
        wider = -ndtri(np.asarray(level) / 2) / Z  # the arms of a 95 % interval, as at the level
        low = np.maximum(contrast.delta - np.fmax(half, contrast.below * wider), -1.0)
        high = np.minimum(contrast.delta + np.fmax(half, contrast.above * wider), 1.0)
        is_open = contrast.p > level
    return np.where(is_open, np.minimum(low, 0.0), low), np.where(is_open, np.maximum(high, 0.0), high)


def adjust(p: Floats, own: Flags) -> Floats:
    """p adjusted for its family: a figure that is its own test stays as it is, the rest share Benjamini and
    Hochberg's false discovery rate. Where nothing changed that is also the chance of any `moved` among them."""
    rest = np.where(own, np.nan, p)
    shared = benjamini_hochberg(rest.reshape(*p.shape[:-3], -1)).reshape(p.shape)
    return np.where(own, p, shared)


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


def _levels(adjusted: Floats, own: Flags) -> Floats:
    """The p that each difference must not exceed: 5 % where it is its own test, else 5 % · k/m with k of m moved, one
    more where it is not yet among them."""
    family = (-3, -2, -1)
    with np.errstate(invalid="ignore"):
        moved = adjusted <= ALPHA
    tests = np.count_nonzero(~np.isnan(adjusted) & ~own, axis=family, keepdims=True)
    rejected = np.count_nonzero(moved & ~own, axis=family, keepdims=True)
    level: Floats = ALPHA * np.where(own, 1.0, (rejected + ~moved) / np.maximum(tests, 1))
    return np.minimum(level, ALPHA)
