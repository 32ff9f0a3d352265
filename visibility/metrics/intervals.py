"""Intervals of rates from answers that are alike within prompts and prompts that are alike within topics.

All are in 0–1, at 95 % unless told otherwise. `tests/measurement/test_coverage.py` holds simulations of them.
"""

from functools import lru_cache

import numpy as np
from scipy.special import ndtri, stdtrit

from visibility.metrics.cells import Cells

Interval = tuple[float, float]
LEVEL = 0.95


def wilson(successes: float, trials: float, level: float = LEVEL) -> Interval:
    """The score interval of a proportion (Wilson 1927). Both numbers may be fractions: effective sizes are."""
    z2 = normal_quantile(level) ** 2
    p = successes / trials
    centre = p + z2 / (2 * trials)
    half = np.sqrt(z2 * (p * (1 - p) / trials + z2 / (4 * trials**2)))
    low, high = (centre - half) / (1 + z2 / trials), (centre + half) / (1 + z2 / trials)
    return max(0.0, min(p, float(low))), min(1.0, max(p, float(high)))


def wilson_of_estimated_size(p: float, size: float, freedom: float, level: float = LEVEL) -> Interval:
    """Wilson's interval where the effective size comes from a variance with so many degrees of freedom."""
    size = student_size(size, freedom, level)
    return wilson(p * size, size, level)


def student_size(size: float, freedom: float, level: float = LEVEL) -> float:
    """The effective size times (z/t)², which turns the normal quantile into Student's: a variance that was
    estimated from little is not to be trusted far."""
    return size * (normal_quantile(level) / student_quantile(freedom, level)) ** 2


def topic_interval(cells: Cells, prompt_correlation: float, topic_correlation: float) -> Interval | None:
    """For prompts like these: the topics are a sample of those that could be asked about. None below two topics.

    The effective size is the smaller of what the correlations leave, 1/n = ρ_T Σ w_t² + (ρ - ρ_T) Σ w_q² +
    (1 - ρ) Σ w_c²/R_c (Kish's design effect, nested), and of what the spread of the topics shows, p̂(1 - p̂)/V.
    For all engines together w_c is the weight of one engine's answers to one prompt, so that a prompt's mean over
    E engines with R answers each counts as E·R answers, and unequal numbers count as their harmonic mean. That
    takes engines as given: they are measured, not sampled.
    """
    if cells.topics < 2:
        return None
    size = design_size(cells, prompt_correlation, topic_correlation)
    p, variance = cells.value, cells.topic_variance()
    if variance > 0:
        size = min(size, p * (1 - p) / variance)
    return wilson_of_estimated_size(p, size, cells.topics - 1)


def design_size(cells: Cells, prompt_correlation: float, topic_correlation: float) -> float:
    """How many independent answers the answers are worth, given the two correlations."""
    by_prompt = cells.by_prompt(cells.weight)
    by_topic = cells.by_topic(by_prompt)
    inverse = (
        topic_correlation * (by_topic @ by_topic)
        + (prompt_correlation - topic_correlation) * (by_prompt @ by_prompt)
        + (1 - prompt_correlation) * (cells.weight**2 / cells.answers).sum()
    )
    return float(1 / inverse)


def panel_interval(cells: Cells) -> Interval | None:
    """For exactly these prompts, asked again: only the answers vary. None where a cell has a single answer.

    V = Σ w_c² p̂_c(1 - p̂_c)/(R_c - 1), with Satterthwaite's degrees of freedom; the effective size is p̂(1 - p̂)/V, at
    least 1/max(w_c/R_c): the number of answers where all weigh the same, and so few that the heaviest is one of them.
    """
    if cells.answers.min() < 2:
        return None
    p, means = cells.value, cells.means
    size = float(1 / (cells.weight / cells.answers).max())
    parts = cells.weight**2 * means * (1 - means) / (cells.answers - 1)
    variance = float(parts.sum())
    if variance > 0:
        freedom = float(variance**2 / (parts**2 / (cells.answers - 1)).sum())
        size = max(size, student_size(p * (1 - p) / variance, freedom))
    return wilson(p * size, size)


def student_interval(cells: Cells, size: float) -> Interval | None:
    """A t-interval of a mean of values in 0–1 over topics, cut to 0–1. None below two topics.

    Where the topics do not differ at all they show no spread to reckon with: then Wilson's of the effective
    `size`, which is at least as wide as any variable in 0–1 with that mean needs.
    """
    if cells.topics < 2:
        return None
    value, variance = cells.value, cells.topic_variance()
    if variance <= 0:
        return wilson_of_estimated_size(value, size, cells.topics - 1)
    half = student_quantile(cells.topics - 1) * float(np.sqrt(variance))
    return max(0.0, value - half), min(1.0, value + half)


@lru_cache
def normal_quantile(level: float = LEVEL) -> float:
    """z of a two-sided interval."""
    return float(ndtri((1 + level) / 2))


@lru_cache(maxsize=4096)
def student_quantile(freedom: float, level: float = LEVEL) -> float:
    """t of a two-sided interval."""
    return float(stdtrit(freedom, (1 + level) / 2))
