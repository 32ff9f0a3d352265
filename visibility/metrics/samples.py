"""The answers behind a figure, by engine and prompt, with the weight that each cell has in it."""

from dataclasses import dataclass

import numpy as np

from visibility.metrics.counts import Floats, Integers, sum_by

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

    def topic_variance(self) -> Floats:
        """The variance of the figure when topics are a sample: V = T/(T-1) · Σ_t (Σ_q∈t w_q (x_q - p̂))².

        The linearisation for clusters (Särndal, Swensson and Wretman 1992, section 5.6). NaN below two topics.
        """
        deviations = self.by_topic((self.weight * (self.means - self.value[..., None, None])).sum(axis=-2))
        topics = self.topics
        with np.errstate(divide="ignore", invalid="ignore"):
            variance = np.where(topics > 1, topics / (topics - 1) * (deviations**2).sum(axis=-1), np.nan)
        return np.where(variance <= ROUNDING, 0.0, variance)


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
