"""95 % intervals of figures: what topics differ by, what answers to one prompt differ by, and the luck of a day."""

from dataclasses import dataclass

import numpy as np
from scipy.special import gammaincinv, ndtri, stdtrit

from visibility.metrics.counts import Floats
from visibility.metrics.samples import Sample

LEVEL = 0.95
PRIOR_LUCK = 0.035
"""The standard deviation of a day's luck, which all topics of an engine share: 3.5 points at a rate of
50 %."""
Z = float(ndtri((1 + LEVEL) / 2))
MIN_TOPICS = 4
"""With fewer topics nothing is known of others: there is no topic interval."""
MAX_FEW = 3.0
"""Up to so many mentions, or answers without one, Wilson's interval excludes too much."""
ROUNDING = 1e-9
"""The rounding error of an effective size, which depends on the order of sums."""
LEAST_VARIANCE = 1e-12
"""A rate of 1 leaves less than this as rounding, and the largest panel shows more where a single answer differs."""
LEAST_TELLING = 1.0
"""Topics that tell less than one does in which half the answers are above 0 do not show how far they are apart."""
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


def estimate_rate(sample: Sample) -> Estimate:
    """A figure whose values are 0 or 1: answers are worth no more than if they knew nothing of each other."""
    independent = (sample.weight**2 / np.maximum(sample.answers, 1.0)).sum(axis=(-2, -1))
    return estimate(sample, sample, panel_interval(sample), independent)


def estimate_mean(sample: Sample) -> Estimate:
    """A figure whose values lie between 0 and 1."""
    return estimate(sample, sample, panel_interval(sample, is_rate=False))


def estimate(sample: Sample, answers: Sample, panel: tuple[Floats, Floats], least: Floats | float = 0.0) -> Estimate:
    """The figure with its panel interval and the topic interval, which is never narrower: it has that within.

    `answers` has answers as observations, where those of `sample` are others.
    """
    few = sample.topics < MIN_TOPICS
    if few.all():
        low = high = np.full(few.shape, np.nan)
    else:
        low, high = topic_interval(sample, luck_variance(answers), least)
        low, high = np.where(few, np.nan, np.fmin(low, panel[0])), np.where(few, np.nan, np.fmax(high, panel[1]))
    return Estimate(sample.value, low, high, *panel)


def topic_interval(sample: Sample, luck: Floats, least: Floats | float) -> tuple[Floats, Floats]:
    """For prompts like these: Wilson's of the effective size p̂(1 - p̂)/V, V being the variance between topics and that
    of the luck of a day, by Student's t; 1/`least` is the largest size that topics which are alike may show."""
    room, (_, freedom) = sample.value * (1 - sample.value), sample.topic_variance()
    inverse = np.maximum(topic_design(sample), least) + _ratio(luck, room, 0.0)
    with np.errstate(divide="ignore", invalid="ignore"):
        return wilson(sample.value, student_size(1 / inverse, freedom))


def topic_design(sample: Sample) -> Floats:
    """The variance between topics ÷ p̂(1 - p̂).

    Where a subject has few answers that differ it is drawn up to that of all subjects together, and this to that of
    topics which are all or nothing, Σ w_t²: with m = T · 4p̂(1 - p̂), by 1/m², and entirely below m = 1.
    """
    (variance, _), room = sample.topic_variance(), sample.value * (1 - sample.value)
    most = (sample.topic_weight**2).sum(axis=-1) * sample.stretch
    together, all_room = (np.nansum(part, axis=-1, keepdims=True) for part in (variance, room))
    common = _doubted(_ratio(together, all_room, np.nan), 4 * sample.topics * all_room, most)
    return _doubted(_ratio(variance, room, np.nan), 4 * sample.topics * room, common)


def luck_variance(sample: Sample) -> Floats:
    """What the luck of a day adds to the variance: it shifts all logits of an engine, so that a chance c moves by
    4 c(1 - c) of it, and c(1 - c) is the variance of the answers of a cell; 0 where each has one answer."""
    largest = sample.value * (1 - sample.value) * sample.stretch
    moves = 4 * PRIOR_LUCK * np.minimum(sample.answer_variance()[0], largest)
    return np.asarray(moves**2 * (sample.weight.sum(axis=-1) ** 2).sum(axis=-1))


def _doubted(design: Floats, telling: Floats, prior: Floats) -> Floats:
    part = (LEAST_TELLING / np.maximum(telling, LEAST_TELLING)) ** 2
    return np.where(np.isnan(design), prior, design + np.maximum(prior - design, 0.0) * part)


def _ratio(part: Floats, whole: Floats, otherwise: float) -> Floats:
    return np.where(whole > 0, part / np.where(whole > 0, whole, 1.0), otherwise)


def panel_interval(sample: Sample, *, is_rate: bool = True, with_luck: bool = True) -> tuple[Floats, Floats]:
    """For exactly these prompts, asked again on another day, or `with_luck` false on this. NaN where each was asked
    once.

    V = Σ w_c² s_c²/R_c, the stratified variance (Cochran 1977, section 5.4). A cell's s_c² has one answer's worth of
    the variance pooled over all cells: (Σ (y - ȳ)² + s²)/R_c. Cells with one answer have s², or the variance of their
    own mean where that is larger. The effective size is p̂(1 - p̂)/V by Satterthwaite's degrees of freedom (1946), at
    least 1/max(w_c/R_c), and the luck of a day makes it smaller. Where values are not 0 or 1, seldom ones hide their
    variance: with m answers above 0, V becomes (m V + 4 · the largest that it may be)/(m + 4).
    """
    answers, weight, p = np.maximum(sample.answers, 1.0), sample.weight, sample.value
    own_freedom = answers - 1
    pooled, freedom = sample.answer_variance()
    is_thin = (sample.answers == 1).astype(np.float64)
    of_thin, thin_freedom = _variance_of_thin(sample, is_thin)
    parts = weight**2 * (sample.cell_squares + pooled[..., None, None]) / answers**2 * (1 - is_thin)
    thin = (weight**2 * is_thin).sum(axis=(-2, -1)) * np.maximum(pooled, of_thin * sample.stretch)
    variance = parts.sum(axis=(-2, -1)) + thin
    largest = (weight / answers).max(axis=(-2, -1), initial=0.0) * sample.stretch
    if not is_rate:
        variance = (sample.positives * variance + PRIOR * p * (1 - p) * largest) / (sample.positives + PRIOR)
    doubt = (parts**2 / np.maximum(own_freedom, 1.0)).sum(axis=(-2, -1))
    doubt += thin**2 / np.maximum(np.maximum(freedom, thin_freedom), 1.0)
    with np.errstate(divide="ignore", invalid="ignore"):
        effective = student_size(p * (1 - p) / variance, variance**2 / doubt)
        size = np.where(variance > LEAST_VARIANCE, np.maximum(1 / largest, effective), 1 / largest)
        luck = _ratio(luck_variance(sample), p * (1 - p), 0.0) if with_luck else 0.0
        low, high = modified_wilson(p, 1 / (1 / size + luck))
    return np.where(freedom > 0, low, np.nan), np.where(freedom > 0, high, np.nan)


def _variance_of_thin(sample: Sample, is_thin: Floats) -> tuple[Floats, Floats]:
    """Of the cells with one answer: the variance of these answers about their mean, and its degrees of freedom."""
    weight = sample.weight * is_thin
    number, heavy = is_thin.sum(axis=(-2, -1)), weight.sum(axis=(-2, -1))
    mean = np.clip((weight * sample.total).sum(axis=(-2, -1)) / np.where(heavy > 0, heavy, 1.0), 0.0, 1.0)
    return mean * (1 - mean) * number / np.maximum(number - 1, 1.0), number - 1
