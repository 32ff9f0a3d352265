"""What may be said of many differences at once: significance under false-discovery control, and what could be seen.

All arrays are shaped [metric, line, subject]: the last three axes are one family. Axes before them hold repetitions.
"""

from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray
from scipy.special import stdtr, stdtrit

from visibility.metrics.contrasts import Contrast
from visibility.metrics.table import Flags, Floats

ALPHA = 0.05
"""The false-discovery rate of a family, and so the chance of any false alarm in one where nothing changed."""
POWER = 0.8
DETECTABLE = 0.1
"""The largest change that a quiet test may fail to show and still be called noise: 10 points."""
MIN_PROMPTS = 10


class Verdict(StrEnum):
    """What can be said of a difference between two days."""

    MOVED = "moved"
    WITHIN_NOISE = "within_noise"
    CANNOT_DETECT = "cannot_detect"
    NOT_COMPARABLE = "not_comparable"


@dataclass(frozen=True, slots=True)
class Judgement:
    """Verdicts with their reasons, as parts of 1; NaN where there is nothing to tell.

    `low` and `high` are the 95 % interval of the single difference, not widened for the family. `minimum` is the
    smallest change that this family's test would have called `moved` with 80 % power, NaN where none could be.
    """

    verdict: NDArray[np.str_]
    low: Floats
    high: Floats
    minimum: Floats
    p: Floats
    adjusted: Floats


def judge(contrast: Contrast) -> Judgement:
    """Judge a family of differences.

    Two-sided t-tests over topics, p adjusted by Benjamini and Hochberg (1995) over all
    differences of the family that were measured. One that cannot be tested (fewer than 10 prompts, a single topic,
    topics that do not differ at all) stays in the family with p = 1.
    """
    delta, freedom = contrast.delta, contrast.freedom
    measured = ~np.isnan(delta)
    varying = measured & (contrast.variance > 0)
    testable = varying & (contrast.prompts >= MIN_PROMPTS)
    error = np.sqrt(np.where(varying, contrast.variance, np.nan))
    with np.errstate(invalid="ignore"):
        p = np.where(testable, 2 * stdtr(freedom, -np.abs(delta) / error), np.where(measured, 1.0, np.nan))
        family = p.reshape(*p.shape[:-3], -1)
        adjusted = benjamini_hochberg(family).reshape(p.shape)
        moved = testable & (adjusted <= ALPHA)
        half = stdtrit(freedom, (1 + 0.95) / 2) * error
        minimum = (stdtrit(freedom, 1 - _level(measured, moved) / 2) + stdtrit(freedom, POWER)) * error
        minimum = np.where(minimum > 1, np.nan, minimum)
        blind = ~(testable & (minimum <= DETECTABLE))
    verdict = np.select(
        [~measured, moved, blind],
        [Verdict.NOT_COMPARABLE.value, Verdict.MOVED.value, Verdict.CANNOT_DETECT.value],
        Verdict.WITHIN_NOISE.value,
    )
    return Judgement(verdict, np.maximum(delta - half, -1), np.minimum(delta + half, 1), minimum, p, adjusted)


def benjamini_hochberg(p: Floats) -> Floats:
    """Adjusted p along the last axis: the smallest false-discovery rate at which each is rejected. NaN is no test."""
    order = np.argsort(p, axis=-1)
    tests = np.count_nonzero(~np.isnan(p), axis=-1, keepdims=True)
    ranked = np.take_along_axis(p, order, axis=-1) * tests / np.arange(1, p.shape[-1] + 1)
    # NaN stands last; a 1 in its place ends no run of minima.
    capped = np.where(np.isnan(ranked), 1.0, np.minimum(ranked, 1.0))
    lowest = np.minimum.accumulate(capped[..., ::-1], axis=-1)[..., ::-1]
    adjusted = np.empty_like(p)
    np.put_along_axis(adjusted, order, lowest, axis=-1)
    return np.where(np.isnan(p), np.nan, adjusted)


def _level(measured: Flags, moved: Flags) -> Floats:
    """The p that each difference must not exceed: of m tests with k rejected, 0.05·k/m, one more where it is not yet
    among them."""
    family = (-3, -2, -1)
    tests = np.count_nonzero(measured, axis=family, keepdims=True)
    rejected = np.count_nonzero(moved, axis=family, keepdims=True)
    level: Floats = ALPHA * (rejected + ~moved) / np.maximum(tests, 1)
    return level
