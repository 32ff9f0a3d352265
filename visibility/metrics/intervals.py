"""Intervals of rates from answers that are alike within prompts and prompts that are alike within topics.

All are in 0–1, at 95 % unless told otherwise, and reckon with arrays of subjects as `cells` has them.
`tests/measurement/test_coverage.py` and `tests/simulate` hold simulations of them.
"""

from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from visibility.metrics.cells import Cells
from visibility.metrics.correlation import likeness
from visibility.metrics.distributions import gammaincinv, ndtri, stdtrit
from visibility.metrics.table import Flags, Floats
from visibility.metrics.types import UNMEASURED, Estimate

LEVEL = 0.95
MIN_TOPICS = 4
"""Fewer topics say too little of others: the interval then speaks of exactly these questions."""
MAX_FEW = 3.0
"""Up to so many successes, or failures, Wilson's interval excludes too much."""
MAX_TELLING = 2
"""So many subjects are counted as telling of the likeness by themselves: they share topics."""
PRIOR = 4.0
"""So many answers above 0 weigh as much as the assumption that values are as far apart as they can be."""

Values = Floats | float


class Kind(StrEnum):
    """What an interval speaks of: questions like these (the topics are a sample), or exactly these questions."""

    TOPICS = "topics"
    QUESTIONS = "questions"


class NoInterval(StrEnum):
    """Why a figure that was measured has no interval."""

    ASKED_ONCE = "asked_once"


@dataclass(frozen=True, slots=True)
class Interval:
    """The ends for each subject, and whether they speak of exactly these questions (`on_questions`). NaN where there
    is none, since each question was asked once: only the topics could tell then, and they are too few."""

    low: Floats
    high: Floats
    on_questions: Flags

    def estimates(self, value: Floats) -> list[Estimate]:
        """The figures of the subjects with their intervals, in percent."""
        columns = (value, self.low, self.high, self.on_questions)
        return [self._estimate(*figures) for figures in zip(*(column.tolist() for column in columns), strict=True)]

    def _estimate(self, value: float, low: float, high: float, on_questions: bool) -> Estimate:
        if np.isnan(value):
            return UNMEASURED
        if np.isnan(low):
            return Estimate(100 * value, reason=NoInterval.ASKED_ONCE.value)
        kind = Kind.QUESTIONS if on_questions else Kind.TOPICS
        return Estimate(100 * value, 100 * low, 100 * high, kind.value)


def wilson(successes: Values, trials: Values, level: float = LEVEL) -> tuple[Floats, Floats]:
    """The score interval of a proportion (Wilson 1927). Both numbers may be fractions: effective sizes are."""
    z2 = normal_quantile(level) ** 2
    p = np.asarray(successes / trials)
    centre = p + z2 / (2 * trials)
    half = np.sqrt(z2 * (p * (1 - p) / trials + z2 / (4 * trials**2)))
    low, high = (centre - half) / (1 + z2 / trials), (centre + half) / (1 + z2 / trials)
    return np.clip(low, 0.0, p), np.clip(high, p, 1.0)


def wilson_of_effective_size(p: Values, size: Values, level: float = LEVEL) -> tuple[Floats, Floats]:
    """Wilson's interval, at either end no nearer to p than the Poisson limit of 1 - `level` is.

    That is the modified interval of Brown, Cai and DasGupta 2001 (section 4.1.1), which mends the dips of Wilson's
    where a rate is near 0 or 1. Theirs uses the limit at 1 to 3 successes; sizes here are fractions.
    """
    low, high = wilson(p * size, size, level)
    return np.minimum(low, _limit(p * size, level) / size), np.maximum(high, 1 - _limit((1 - p) * size, level) / size)


def _limit(successes: Values, level: float) -> Floats:
    """The mean at which so many successes or more have a chance of 1 - level; infinite for more than 3."""
    few = np.clip(successes, 1e-9, MAX_FEW)
    return np.where(successes > MAX_FEW, np.inf, gammaincinv(few, 1 - level))


def student_size(size: Values, freedom: Values, level: float = LEVEL) -> Floats:
    """The effective size times (z/t)², which turns the normal quantile into Student's: a variance that was
    estimated from little is not to be trusted far."""
    return np.asarray(size * (normal_quantile(level) / stdtrit(freedom, (1 + level) / 2)) ** 2)


def design_size(cells: Cells, prompt_correlation: Values, topic_correlation: Values) -> Floats:
    """How many independent answers the answers are worth, given the two correlations; NaN without answers.

    1/n = ρ_T Σ w_t² + (ρ - ρ_T) Σ w_q² + (1 - ρ) Σ w_c²/R_c (Kish's design effect, nested). For all engines together
    w_c is the weight of one engine's answers to one prompt, so that a prompt's mean over E engines with R answers
    each counts as E·R answers, and unequal numbers count as their harmonic mean. That takes engines as given: they
    are measured, not sampled.
    """
    by_prompt = cells.by_prompt(cells.weight)
    by_topic = cells.by_topic(by_prompt)
    inverse = (
        topic_correlation * (by_topic**2).sum(axis=-1)
        + (prompt_correlation - topic_correlation) * (by_prompt**2).sum(axis=-1)
        + (1 - prompt_correlation) * (cells.weight**2 / np.maximum(cells.answers, 1.0)).sum(axis=(-2, -1))
    )
    return np.asarray(1 / np.where(inverse > 0, inverse, np.nan))


def rate_interval(cells: Cells) -> Interval:
    """Of values that are 0 or 1: see `interval_of`."""
    return interval_of(cells, design_size(cells, *likeness(cells)))


def mean_interval(cells: Cells) -> Interval:
    """Of values between 0 and 1, which vary less than a rate with their mean does: see `interval_of`."""
    size = design_size(cells, *likeness(cells))
    return interval_of(cells, size / spread(cells, size), is_rate=False)


def interval_of(cells: Cells, size: Floats, panel: Cells | None = None, *, is_rate: bool = True) -> Interval:
    """The topic interval of those with four topics or more, else the panel interval (of `panel`, where the answers
    are other cells than those whose topics are counted)."""
    topics, few = topic_interval(cells, size), cells.topics < MIN_TOPICS
    if not few.any():
        return topics
    questions = panel_interval(cells if panel is None else panel, is_rate=is_rate)
    low, high = np.where(few, questions.low, topics.low), np.where(few, questions.high, topics.high)
    return Interval(low, high, few)


def topic_interval(cells: Cells, size: Floats) -> Interval:
    """For prompts like these: the topics are a sample of those that could be asked about; below four they say too
    little of others.

    Wilson's with the smaller of `size`, what the correlations leave of the answers, and p̂(1 - p̂)/V, what the spread
    of the topics shows, times (z/t)². Each topic but one adds a degree of freedom, and one more where other subjects
    tell of the likeness too.
    """
    p, variance, topics = cells.value, cells.topic_variance(), cells.topics
    freedom = np.maximum(topics - 1, 1) * min(p.shape[-1], MAX_TELLING)
    with np.errstate(divide="ignore", invalid="ignore"):
        size = np.where(variance > 0, np.minimum(size, p * (1 - p) / variance), size)
        low, high = wilson_of_effective_size(p, student_size(size, freedom))
    return Interval(low, high, np.zeros(low.shape, dtype=bool))


def spread(cells: Cells, size: Floats) -> Floats:
    """The variance of the values ÷ p(1 - p), which it is for a rate: the larger of a subject's own and all subjects'.

    Skewed values show their variance late: with m = Σ `size` · π, the effective number of answers above 0 of all
    subjects, it is (m · shown + 4 · largest)/(m + 4), the largest being 1 where values lie in 0–1 (`Cells.stretch`).
    """
    answers = np.maximum(cells.answers.sum(axis=(-2, -1)), 1.0)
    p = cells.total.sum(axis=(-2, -1)) / answers
    variance, largest = cells.squares.sum(axis=(-2, -1)) / answers - p**2, p - p**2
    with np.errstate(divide="ignore", invalid="ignore"):
        own = np.where(largest > 0, variance / largest, np.nan)
        all_sums = largest.sum(axis=-1, keepdims=True)
        shared = np.where(all_sums > 0, variance.sum(axis=-1, keepdims=True) / all_sums, np.nan)
    larger = np.fmax(own, shared)
    larger = np.clip(np.where(np.isnan(larger), cells.stretch, larger), 0.0, cells.stretch)
    telling = np.nansum(size * cells.positives / answers, axis=-1, keepdims=True)
    return np.asarray((telling * larger + PRIOR * cells.stretch) / (telling + PRIOR))


def panel_interval(cells: Cells, *, is_rate: bool = True) -> Interval:
    """For exactly these prompts, asked again: only the answers vary. None where each was asked once.

    V = Σ w_c² s_c²/R_c. A cell's s_c² has one answer's worth of the variance pooled over all cells that were asked
    more than once, s_c² = (Σ (y - ȳ)² + s²)/R_c: all of it where the cell has one answer. Where many cells do, and
    differ by more than s² tells, theirs is that of their own mean. The effective size is p̂(1 - p̂)/V, with
    Satterthwaite's degrees of freedom, at least 1/max(w_c/R_c): the number of answers where all weigh the same, and
    so few that the heaviest is one of them (÷ `stretch`). Where values are not 0 or 1, seldom ones hide their
    variance: with m answers above 0, V is (m · V + 4 · the largest that it may be)/(m + 4).
    """
    answers, weight, p = np.maximum(cells.answers, 1.0), cells.weight, cells.value
    within, own_freedom = np.maximum(cells.squares - cells.total**2 / answers, 0.0), answers - 1
    freedom = own_freedom.sum(axis=(-2, -1))
    pooled = within.sum(axis=(-2, -1)) / np.maximum(freedom, 1.0)
    is_thin = (cells.answers == 1).astype(np.float64)
    of_thin, thin_freedom = _variance_of_thin(cells, is_thin)
    of_thin = np.maximum(pooled, of_thin * cells.stretch)
    parts = weight**2 * (within + pooled[..., None, None]) / answers**2 * (1 - is_thin)
    thin = (weight**2 * is_thin).sum(axis=(-2, -1)) * of_thin
    variance = parts.sum(axis=(-2, -1)) + thin
    largest = (weight / answers).max(axis=(-2, -1), initial=0.0) * cells.stretch
    if not is_rate:
        variance = (cells.positives * variance + PRIOR * p * (1 - p) * largest) / (cells.positives + PRIOR)
    doubt = (parts**2 / np.maximum(own_freedom, 1.0)).sum(axis=(-2, -1))
    doubt += thin**2 / np.maximum(np.maximum(freedom, thin_freedom), 1.0)
    with np.errstate(divide="ignore", invalid="ignore"):
        least = 1 / largest
        effective = student_size(p * (1 - p) / variance, variance**2 / doubt)
        low, high = wilson_of_effective_size(p, np.where(variance > 0, np.maximum(least, effective), least))
    once = freedom <= 0
    return Interval(np.where(once, np.nan, low), np.where(once, np.nan, high), np.ones(low.shape, dtype=bool))


def _variance_of_thin(cells: Cells, is_thin: Floats) -> tuple[Floats, Floats]:
    """Of the cells with one answer: the variance of these answers about their mean, and its degrees of freedom."""
    weight = cells.weight * is_thin
    number, heavy = is_thin.sum(axis=(-2, -1)), weight.sum(axis=(-2, -1))
    mean = np.clip((weight * cells.total).sum(axis=(-2, -1)) / np.where(heavy > 0, heavy, 1.0), 0.0, 1.0)
    return mean * (1 - mean) * number / np.maximum(number - 1, 1.0), number - 1


def normal_quantile(level: float = LEVEL) -> float:
    """z of a two-sided interval."""
    return float(ndtri((1 + level) / 2))


def student_quantile(freedom: float, level: float = LEVEL) -> float:
    """t of a two-sided interval."""
    return float(stdtrit(freedom, (1 + level) / 2))
