"""The answers behind a figure, by engine and prompt, with the weight that each cell has in it."""

from dataclasses import dataclass

import numpy as np

from visibility.metrics.counts import Counts, Floats, Integers, numbers, sum_by

ROUNDING = 1e-18
"""A variance of rates below this is a rounding error of 0."""


@dataclass(frozen=True, slots=True)
class Sample:
    """Arrays end in the axes [subject, engine, prompt]; axes before these are for several figures at once.

    `answers`, `total` and `squares`: the number of answers, the sum of their values and of the values' squares;
    values lie in 0–1, or have up to `stretch` times the variance of a rate. `positives` counts the values above 0 by
    subject. The figure is the sum of `weight` times the cell's mean; the weights sum to 1, without answers to 0.
    """

    topic: Integers
    answers: Floats
    total: Floats
    squares: Floats
    positives: Floats
    weight: Floats
    stretch: Floats

    @property
    def means(self) -> Floats:
        """The mean value of each cell, 0 without answers."""
        means: Floats = self.total / np.where(self.answers > 0, self.answers, 1.0)
        return means

    @property
    def value(self) -> Floats:
        """The figure of each subject as a part of 1; NaN without answers."""
        value = np.clip((self.weight * self.means).sum(axis=(-2, -1)), 0.0, 1.0)
        return np.where((self.answers > 0).any(axis=(-2, -1)), value, np.nan)

    @property
    def prompts(self) -> Integers:
        """How many prompts have answers."""
        return np.asarray(np.count_nonzero(self.answers.sum(axis=-2), axis=-1))

    @property
    def topics(self) -> Integers:
        """How many topics have answers."""
        return np.asarray(np.count_nonzero(self.by_topic(self.answers.sum(axis=-2)), axis=-1))

    def by_topic(self, values: Floats) -> Floats:
        """Sums over the prompts of each topic: the last axis, of prompts, becomes one of topics."""
        return sum_by(values, self.topic)

    @property
    def topic_weight(self) -> Floats:
        """The weight that each topic has in the figure."""
        return self.by_topic(self.weight.sum(axis=-2))

    def topic_variance(self) -> tuple[Floats, Floats]:
        """The variance of the figure when topics are a sample, and its degrees of freedom; NaN below two topics.

        V = f · Σ_t (Σ_q∈t w_q (x_q - p̂))², the linearisation for clusters (Särndal, Swensson and Wretman 1992,
        section 5.6), with f of `between_units`.
        """
        deviations = self.by_topic((self.weight * (self.means - self.value[..., None, None])).sum(axis=-2))
        factor, freedom = between_units(self.topic_weight)
        variance = factor * (deviations**2).sum(axis=-1)
        return np.where(variance <= ROUNDING, 0.0, variance), freedom

    def answer_variance(self) -> tuple[Floats, Floats]:
        """The variance of the answers of a cell, pooled over cells, and its degrees of freedom; 0 without any."""
        answers = np.maximum(self.answers, 1.0)
        within, freedom = self.cell_squares.sum(axis=(-2, -1)), (answers - 1).sum(axis=(-2, -1))
        return within / np.maximum(freedom, 1.0), freedom

    @property
    def cell_squares(self) -> Floats:
        """The sum of squares of each cell's answers about their mean."""
        return np.maximum(self.squares - self.total**2 / np.maximum(self.answers, 1.0), 0.0)


def between_units(weight: Floats) -> tuple[Floats, Floats]:
    """For units of weight h: the factor that makes a variance of Σ error², and its degrees of freedom; NaN below two.

    Errors are counted from the estimate itself, which heavy units pull towards them. With h_k = Σ h^k and
    κ = h₂ - 2h₃ + h₂² the factor is h₂/κ and the degrees of freedom κ²/(h₄ - 4h₅ + 4h₂h₄ + 2h₃² - 4h₂²h₃ + h₂⁴) (Bell
    and McCaffrey 2002, for a mean). With T units of one weight these are T/(T - 1) and T - 1.
    """
    h2, h3, h4, h5 = ((weight**power).sum(axis=-1) for power in (2, 3, 4, 5))
    left = h2 - 2 * h3 + h2**2
    squared = h4 - 4 * h5 + 4 * h2 * h4 + 2 * h3**2 - 4 * h2**2 * h3 + h2**4
    several = np.count_nonzero(weight > 0, axis=-1) > 1
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(several, h2 / left, np.nan), np.where(several, left**2 / squared, np.nan)


def sample(
    topic: Integers,
    answers: Floats,
    total: Floats,
    squares: Floats | None = None,
    *,
    positives: Floats | None = None,
    stretch: Floats | None = None,
    by_answers: bool = False,
) -> Sample:
    """A sample in which engines with answers count alike and, within an engine, prompts do, or answers.

    `squares` and `positives` may be left out where values are 0 or 1.
    """
    answers = np.broadcast_to(answers, np.broadcast_shapes(answers.shape, total.shape))
    share = answers if by_answers else (answers > 0).astype(np.float64)
    of_engine = share.sum(axis=-1, keepdims=True)
    engines = np.count_nonzero(of_engine, axis=-2)[..., None]
    return Sample(
        topic,
        answers,
        total,
        total if squares is None else squares,
        total.sum(axis=(-2, -1)) if positives is None else positives,
        share / np.maximum(of_engine, 1.0) / np.maximum(engines, 1),
        np.ones(answers.shape[:-2]) if stretch is None else stretch,
    )


def score_sample(counts: Counts) -> Sample:
    """The answers behind the scores over the averaged engines, without those to prompts that name the subject."""
    averaged = counts.is_averaged
    asked = averaged[:, None] & ~counts.named[:, None, :] & (counts.answers > 0)
    return sample(numbers(counts.topics), counts.answers * asked, counts.mentioned * asked)
