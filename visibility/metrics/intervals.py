"""95 % intervals of figures whose answers are alike within prompts, and whose prompts are alike within topics."""

from dataclasses import dataclass

import numpy as np
from scipy.special import gammaincinv, ndtri, stdtrit

from visibility.metrics.correlation import doubted
from visibility.metrics.counts import Floats
from visibility.metrics.samples import Sample

LEVEL = 0.95
Z = float(ndtri((1 + LEVEL) / 2))
MIN_TOPICS = 4
"""With fewer topics nothing is known of others: the interval then speaks of exactly these prompts."""
MAX_FEW = 3.0
"""Up to so many mentions, or answers without one, Wilson's interval excludes too much."""
ROUNDING = 1e-9
"""The rounding error of an effective size, which depends on the order of sums."""
LEAST_VARIANCE = 1e-12
"""A rate of 1 leaves less than this as rounding, and the largest panel shows more where a single answer differs."""
MAX_TELLING = 2
"""At most so many subjects add degrees of freedom to the likeness, as they share topics."""
PRIOR = 4.0
"""So many answers above 0 weigh as much as the assumption that values are as far apart as they can be."""

Values = Floats | float


@dataclass(frozen=True, slots=True)
class Estimate:
    """Figures as parts of 1 with two intervals, shaped [..., subject]; NaN where there is none.

    `low` to `high` speak of prompts like these (topics are a sample; from four topics on), `panel_low` to
    `panel_high` of exactly these prompts (where some prompt was asked more than once).
    """

    value: Floats
    low: Floats
    high: Floats
    panel_low: Floats
    panel_high: Floats


def wilson(p: Values, size: Values) -> tuple[Floats, Floats]:
    """The score interval of a proportion (Wilson 1927); an effective size may be a fraction."""
    centre = p + Z**2 / (2 * size)
    half = Z * np.sqrt(p * (1 - p) / size + Z**2 / (4 * size**2))
    low, high = (centre - half) / (1 + Z**2 / size), (centre + half) / (1 + Z**2 / size)
    return np.clip(low, 0.0, p), np.clip(high, p, 1.0)


def modified_wilson(p: Values, size: Values) -> tuple[Floats, Floats]:
    """Wilson's interval, at either end no nearer to p than the Poisson limit.

    It mends the dips of Wilson's near 0 and 1 (Brown, Cai and DasGupta 2001, section 4.1.1); the limit counts up to 3
    mentions, of which an effective size makes fractions.
    """
    low, high = wilson(p, size)
    least, most = _poisson_limit(p * size) / size, 1 - _poisson_limit((1 - p) * size) / size
    return np.minimum(low, least), np.maximum(high, most)


def _poisson_limit(mentions: Values) -> Floats:
    """The mean at which so many mentions or more have a chance of 5 %; infinite for more than 3."""
    limit: Floats = gammaincinv(np.clip(mentions, 1e-9, MAX_FEW), 1 - LEVEL)
    return np.where(mentions > MAX_FEW + ROUNDING, np.inf, limit)


def student_size(size: Values, freedom: Values) -> Floats:
    """The effective size times (z/t)², which replaces the normal quantile by Student's (1908): a variance estimated
    from little data is uncertain itself."""
    return np.asarray(size * (Z / stdtrit(freedom, (1 + LEVEL) / 2)) ** 2)


def design_size(sample: Sample, prompt_correlation: Values, topic_correlation: Values) -> Floats:
    """How many independent answers the answers are worth, given ρ and ρ_T; NaN without answers.

    1/n = ρ_T Σ w_t² + (ρ - ρ_T) Σ w_q² + (1 - ρ) Σ w_c²/R_c, Kish's design effect (1965, section 5.4), nested.
    Engines are taken as given: they are measured, not sampled.
    """
    by_prompt = sample.weight.sum(axis=-2)
    inverse = (
        topic_correlation * (sample.by_topic(by_prompt) ** 2).sum(axis=-1)
        + (prompt_correlation - topic_correlation) * (by_prompt**2).sum(axis=-1)
        + (1 - prompt_correlation) * (sample.weight**2 / np.maximum(sample.answers, 1.0)).sum(axis=(-2, -1))
    )
    return np.asarray(1 / np.where(inverse > 0, inverse, np.nan))


def estimate_rate(sample: Sample) -> Estimate:
    """A figure whose values are 0 or 1."""
    if (sample.topics < MIN_TOPICS).all():  # no topic interval, which takes most of the time
        unknown = np.full(sample.topics.shape, np.nan)
        return Estimate(sample.value, unknown, unknown, *panel_interval(sample))
    return estimate(sample, design_size(sample, *doubted(sample)), panel_interval(sample))


def estimate_mean(sample: Sample) -> Estimate:
    """A figure whose values lie between 0 and 1, which vary less than a rate with their mean does."""
    size = design_size(sample, *doubted(sample))
    return estimate(sample, size / _spread(sample, size), panel_interval(sample, is_rate=False))


def estimate(sample: Sample, size: Floats, panel: tuple[Floats, Floats]) -> Estimate:
    """The figure with its topic interval of this effective size, and with the panel interval."""
    few = sample.topics < MIN_TOPICS
    low, high = (np.where(few, np.nan, end) for end in topic_interval(sample, size))
    return Estimate(sample.value, low, high, *panel)


def topic_interval(sample: Sample, size: Floats) -> tuple[Floats, Floats]:
    """For prompts like these: Wilson's with the smaller of `size`, what the correlations leave of the answers, and
    p̂(1 - p̂)/V, what the spread of the topics shows, times (z/t)². Each topic but one is a degree of freedom,
    twice as many where there are other subjects."""
    p, variance = sample.value, sample.topic_variance()
    freedom = np.maximum(sample.topics - 1, 1) * min(p.shape[-1], MAX_TELLING)
    with np.errstate(divide="ignore", invalid="ignore"):
        size = np.where(variance > 0, np.minimum(size, p * (1 - p) / variance), size)
        return modified_wilson(p, student_size(size, freedom))


def panel_interval(sample: Sample, *, is_rate: bool = True) -> tuple[Floats, Floats]:
    """For exactly these prompts, asked again: only answers vary. NaN where each was asked once.

    V = Σ w_c² s_c²/R_c, the stratified variance (Cochran 1977, section 5.4). A cell's s_c² has one answer's worth of
    the variance pooled over all cells: (Σ (y - ȳ)² + s²)/R_c. Cells with one answer have s², or the variance of their
    own mean where that is larger. The effective size is p̂(1 - p̂)/V by Satterthwaite's degrees of freedom (1946), at
    least 1/max(w_c/R_c). Where values are not 0 or 1, seldom ones hide their variance: with m answers above 0,
    V becomes (m V + 4 · the largest that it may be)/(m + 4).
    """
    answers, weight, p = np.maximum(sample.answers, 1.0), sample.weight, sample.value
    within, own_freedom = np.maximum(sample.squares - sample.total**2 / answers, 0.0), answers - 1
    freedom = own_freedom.sum(axis=(-2, -1))
    pooled = within.sum(axis=(-2, -1)) / np.maximum(freedom, 1.0)
    is_thin = (sample.answers == 1).astype(np.float64)
    of_thin, thin_freedom = _variance_of_thin(sample, is_thin)
    parts = weight**2 * (within + pooled[..., None, None]) / answers**2 * (1 - is_thin)
    thin = (weight**2 * is_thin).sum(axis=(-2, -1)) * np.maximum(pooled, of_thin * sample.stretch)
    variance = parts.sum(axis=(-2, -1)) + thin
    largest = (weight / answers).max(axis=(-2, -1), initial=0.0) * sample.stretch
    if not is_rate:
        variance = (sample.positives * variance + PRIOR * p * (1 - p) * largest) / (sample.positives + PRIOR)
    doubt = (parts**2 / np.maximum(own_freedom, 1.0)).sum(axis=(-2, -1))
    doubt += thin**2 / np.maximum(np.maximum(freedom, thin_freedom), 1.0)
    with np.errstate(divide="ignore", invalid="ignore"):
        least = 1 / largest
        effective = student_size(p * (1 - p) / variance, variance**2 / doubt)
        low, high = modified_wilson(p, np.where(variance > LEAST_VARIANCE, np.maximum(least, effective), least))
    return np.where(freedom > 0, low, np.nan), np.where(freedom > 0, high, np.nan)


def _variance_of_thin(sample: Sample, is_thin: Floats) -> tuple[Floats, Floats]:
    """Of the cells with one answer: the variance of these answers about their mean, and its degrees of freedom."""
    weight = sample.weight * is_thin
    number, heavy = is_thin.sum(axis=(-2, -1)), weight.sum(axis=(-2, -1))
    mean = np.clip((weight * sample.total).sum(axis=(-2, -1)) / np.where(heavy > 0, heavy, 1.0), 0.0, 1.0)
    return mean * (1 - mean) * number / np.maximum(number - 1, 1.0), number - 1


def _spread(sample: Sample, size: Floats) -> Floats:
    """The variance of the values ÷ p(1 - p), which is 1 for a rate: the larger of own and pooled over subjects.

    Skewed values show their variance late: with m = Σ size · π, the effective number of answers above 0, it is
    (m · shown + 4 · stretch)/(m + 4).
    """
    answers = np.maximum(sample.answers.sum(axis=(-2, -1)), 1.0)
    p = sample.total.sum(axis=(-2, -1)) / answers
    variance, largest = sample.squares.sum(axis=(-2, -1)) / answers - p**2, p - p**2
    with np.errstate(divide="ignore", invalid="ignore"):
        own = np.where(largest > 0, variance / largest, np.nan)
        overall = largest.sum(axis=-1, keepdims=True)
        pooled = np.where(overall > 0, variance.sum(axis=-1, keepdims=True) / overall, np.nan)
    larger = np.fmax(own, pooled)
    larger = np.clip(np.where(np.isnan(larger), sample.stretch, larger), 0.0, sample.stretch)
    telling = np.nansum(size * sample.positives / answers, axis=-1, keepdims=True)
    return np.asarray((telling * larger + PRIOR * sample.stretch) / (telling + PRIOR))
