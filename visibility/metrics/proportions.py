"""Textbook intervals and tests of proportions, for checking ours against: all take every answer as independent.

The service's own intervals are those of `visibility.metrics.intervals`, which know how alike answers are. These are
what other tools print; with them a reader can see what that leaves out. Wilson's is in `intervals` already.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import erfc, sqrt

import numpy as np
from scipy.special import betaincinv, stdtr

from visibility.metrics.intervals import LEVEL, Interval, normal_quantile, wilson

Counts = tuple[int, int]
"""Successes and trials."""


@dataclass(frozen=True, slots=True)
class Significance:
    """A test's statistic and its two-sided p."""

    statistic: float
    p: float


def wald(successes: int, trials: int, level: float = LEVEL) -> Interval:
    """The normal interval, cut to 0–1; empty at 0 and at 1, which is why nobody should use it."""
    return _around(successes / trials, trials, level)


def agresti_coull(successes: int, trials: int, level: float = LEVEL) -> Interval:
    """The normal interval after adding z²/2 successes and as many failures (Agresti and Coull 1998), cut to 0–1."""
    z2 = normal_quantile(level) ** 2
    return _around((successes + z2 / 2) / (trials + z2), trials + z2, level)


def clopper_pearson(successes: int, trials: int, level: float = LEVEL) -> Interval:
    """The exact interval (Clopper and Pearson 1934): never too narrow, mostly too wide."""
    tail, failures = (1 - level) / 2, trials - successes
    low = betaincinv(successes, failures + 1, tail) if successes else 0.0
    high = betaincinv(successes + 1, failures, 1 - tail) if failures else 1.0
    return float(low), float(high)


def jeffreys(successes: int, trials: int, level: float = LEVEL) -> Interval:
    """The equal-tailed credible interval under Jeffreys' prior Beta(½, ½)."""
    tail = (1 - level) / 2
    low, high = betaincinv(successes + 0.5, trials - successes + 0.5, [tail, 1 - tail])
    return float(low), float(high)


def newcombe(before: Counts, after: Counts, level: float = LEVEL) -> Interval:
    """The interval of the difference after - before from two Wilson intervals (Newcombe 1998, method 10)."""
    p1, p2 = before[0] / before[1], after[0] / after[1]
    (low1, high1), (low2, high2) = wilson(*before, level), wilson(*after, level)
    difference = p2 - p1
    return difference - sqrt((p2 - low2) ** 2 + (high1 - p1) ** 2), difference + sqrt(
        (high2 - p2) ** 2 + (p1 - low1) ** 2
    )


def pooled_z_test(before: Counts, after: Counts) -> Significance:
    """Whether two independent proportions differ, with their common variance; nothing moved where none varies."""
    pooled = (before[0] + after[0]) / (before[1] + after[1])
    variance = pooled * (1 - pooled) * (1 / before[1] + 1 / after[1])
    if variance <= 0:
        return Significance(0.0, 1.0)
    z = (after[0] / after[1] - before[0] / before[1]) / sqrt(variance)
    return Significance(z, erfc(abs(z) / sqrt(2)))


def mantel_haenszel_test(tables: Sequence[Sequence[Sequence[int]]]) -> Significance:
    """Whether a common odds ratio of 2×2 tables differs from 1 (Cochran 1954; Mantel and Haenszel 1959).

    Chi-squared with one degree of freedom, without continuity correction: one table for each prompt, its rows the
    two days, its columns mentioned and not. Tables without variance count for nothing.
    """
    cells = np.asarray(tables, dtype=np.float64).reshape(-1, 2, 2)
    rows, columns, size = cells.sum(axis=2), cells.sum(axis=1), cells.sum(axis=(1, 2))
    usable = size > 1
    rows, columns, size, first = rows[usable], columns[usable], size[usable], cells[usable, 0, 0]
    variance = float((rows.prod(axis=1) * columns.prod(axis=1) / (size**2 * (size - 1))).sum())
    if variance <= 0:
        return Significance(0.0, 1.0)
    statistic = float((first - rows[:, 0] * columns[:, 0] / size).sum()) ** 2 / variance
    return Significance(statistic, erfc(sqrt(statistic / 2)))


def paired_t_test(differences: Sequence[float]) -> Significance:
    """Whether the mean of paired differences is 0 (Student 1908); nothing moved where they do not vary around 0."""
    values = np.asarray(differences, dtype=np.float64)
    if len(values) < 2 or not values.any():
        return Significance(0.0, 1.0)
    spread = float(values.std(ddof=1))
    mean = float(values.mean())
    if spread <= 0:
        return Significance(float(np.copysign(np.inf, mean)), 0.0)
    t = mean / (spread / sqrt(len(values)))
    return Significance(t, float(2 * stdtr(len(values) - 1, -abs(t))))


def _around(p: float, trials: float, level: float) -> Interval:
    half = normal_quantile(level) * sqrt(p * (1 - p) / trials)
    return max(0.0, p - half), min(1.0, p + half)
