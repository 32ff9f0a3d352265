"""What may be said of many differences at once: significance under control of false alarms, and what could be seen.

All arrays are shaped [metric, line, subject]: the last three axes are one family. Axes before them hold repetitions.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from visibility.metrics.contrasts import Contrast
from visibility.metrics.detectable import smallest
from visibility.metrics.distributions import stdtr, stdtrit
from visibility.metrics.table import Flags, Floats

ALPHA = 0.05
"""Where nothing changed: the chance of a false alarm of the brand's own score, and of any in the rest."""
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


def judge(contrast: Contrast, own: Flags) -> Judgement:
    """Judge a family of differences between two days. `own` flags the figures that are tests of their own."""
    return judge_together([contrast], own)[0]


def judge_together(contrasts: Sequence[Contrast], own: Flags) -> list[Judgement]:
    """Judge the same family on several comparisons (with the day before, a week before, a month before).

    Two-sided t-tests over topics, p adjusted as `adjust` says. A difference that was measured and cannot be tested
    (fewer than 10 prompts, a single topic, topics that do not differ at all) stays in the family with p = 1.
    """
    tests = np.stack([p_values(contrast) for contrast in contrasts])
    adjusted = adjust(tests, own)
    levels = _levels(tests, adjusted <= ALPHA, own)
    return [_judgement(*parts) for parts in zip(contrasts, tests, adjusted, levels, strict=True)]


def p_values(contrast: Contrast) -> Floats:
    """The p of each difference: 1 where it cannot be tested, NaN where it was not measured."""
    measured = ~np.isnan(contrast.delta)
    with np.errstate(invalid="ignore", divide="ignore"):
        p = 2 * stdtr(contrast.freedom, -np.abs(contrast.delta) / _error(contrast))
    return np.where(_testable(contrast), p, np.where(measured, 1.0, np.nan))


def adjust(p: Floats, own: Flags) -> Floats:
    """p with the family and the comparisons of each line counted in; `p` is shaped [comparison, …, family].

    The comparisons of one line share its level by Holm (1979). A figure that is its own test needs no more. The other
    lines are selected by Benjamini and Hochberg (1995) on their smallest p by Holm, and within a selected line a
    comparison is held to the part of the level that was selected (Benjamini and Bogomolov 2014): so the false
    discovery rate of lines is held, and where nothing changed the chance of any `moved` at all in them.
    """
    of_line = _holm(p)
    shape = of_line.shape
    flat = np.where(own, np.nan, of_line).reshape(*shape[:-3], -1)
    rest = _discoveries(flat, np.fmin.reduce(flat, axis=0)[None]).reshape(shape)
    adjusted: Floats = np.where(own, of_line, rest)
    return adjusted


def benjamini_hochberg(p: Floats) -> Floats:
    """Adjusted p along the last axis: the smallest false-discovery rate at which each is rejected. NaN is no test."""
    return _discoveries(p, p)


def _discoveries(values: Floats, selecting: Floats) -> Floats:
    """The smallest false-discovery rate q at which a value is at most q · R/m, R of the m selecting p being rejected
    at q: the least over k of m/k · max(value, k-th smallest p)."""
    tests = np.count_nonzero(~np.isnan(selecting), axis=-1, keepdims=True)[..., None]
    ordered = np.where(np.isnan(selecting), np.inf, selecting)
    ordered = np.sort(ordered, axis=-1)[..., None, :]
    factor = tests / np.arange(1, selecting.shape[-1] + 1)
    adjusted: Floats = np.minimum((factor * np.maximum(values[..., None], ordered)).min(axis=-1), 1.0)
    return adjusted


def _holm(p: Floats) -> Floats:
    """Adjusted p over the first axis: rejected where at most 5 % are the smallest times their number, the next times
    one less, and so on."""
    order = np.argsort(p, axis=0)
    ordered = np.take_along_axis(p, order, axis=0)
    tests = np.count_nonzero(~np.isnan(p), axis=0)
    place = np.arange(len(p)).reshape(-1, *[1] * (p.ndim - 1))
    stepped = np.minimum(np.maximum.accumulate(ordered * np.maximum(tests - place, 1), axis=0), 1.0)
    adjusted = np.empty_like(p)
    np.put_along_axis(adjusted, order, stepped, axis=0)
    return adjusted


def _judgement(contrast: Contrast, p: Floats, adjusted: Floats, level: Floats) -> Judgement:
    delta = contrast.delta
    testable = _testable(contrast)
    with np.errstate(invalid="ignore"):
        moved = testable & (adjusted <= ALPHA)
        half = stdtrit(contrast.freedom, (1 + 0.95) / 2) * _error(contrast)
        # A difference that is the same in every topic is not told, whatever its size: then no size would be true.
        is_told = (contrast.prompts >= MIN_PROMPTS) & ((contrast.variance > 0) | (delta == 0))
        minimum = np.where(is_told, smallest(contrast, level), np.nan)
        blind = ~(testable & (minimum <= DETECTABLE))
    verdict = np.select(
        [np.isnan(delta), moved, blind],
        [Verdict.NOT_COMPARABLE.value, Verdict.MOVED.value, Verdict.CANNOT_DETECT.value],
        Verdict.WITHIN_NOISE.value,
    )
    return Judgement(verdict, np.maximum(delta - half, -1), np.minimum(delta + half, 1), minimum, p, adjusted)


def _testable(contrast: Contrast) -> Flags:
    with np.errstate(invalid="ignore"):
        testable: Flags = (contrast.variance > 0) & ~np.isnan(contrast.delta) & (contrast.prompts >= MIN_PROMPTS)
    return testable


def _error(contrast: Contrast) -> Floats:
    """The standard error; NaN where topics do not differ."""
    error: Floats = np.sqrt(np.where(contrast.variance > 0, contrast.variance, np.nan))
    return error


def _levels(p: Floats, moved: Flags, own: Flags) -> Floats:
    """The p that each difference must not exceed: 5 % of what the family leaves to its line, shared with the line's
    other comparisons that did not move. The family leaves all to a figure that is its own test, else k/m with k of m
    lines selected, one more where it is not yet among them."""
    family = (-3, -2, -1)
    measured = ~np.isnan(p)
    selected = moved.any(axis=0)
    lines = np.count_nonzero(measured.any(axis=0) & ~own, axis=family, keepdims=True)
    rejected = np.count_nonzero(selected & ~own, axis=family, keepdims=True)
    part = np.where(own, 1.0, (rejected + ~selected) / np.maximum(lines, 1))
    others = np.count_nonzero(measured & ~moved, axis=0) - (measured & ~moved)
    level: Floats = ALPHA * part / (others + 1)
    return level
