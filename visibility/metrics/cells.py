"""The answers of each subject gathered by engine and prompt, with the weight of each cell in the figure.

Arrays end in the axes [engine, prompt]. Axes before these hold subjects, and before them repetitions that are
reckoned at once, as simulations do.
"""

from dataclasses import dataclass, replace
from enum import Enum

import numpy as np

from visibility.metrics.table import Flags, Floats, Integers, Table

ROUNDING = 1e-18
"""A variance of rates below this is what floating point leaves of none: the least that differs is far above it."""


class Weighting(Enum):
    """What counts alike within an engine: each prompt, or each answer. Engines with answers always count alike."""

    PROMPTS = "prompts"
    ANSWERS = "answers"


@dataclass(frozen=True, slots=True)
class Cells:
    """One cell for each engine and prompt: the number of answers, the sum of their values and of these squared.

    `topic` numbers each prompt's topic from 0. `positives` counts the values above 0 of all cells. `weight` sums to
    1, or to 0 where nothing was answered: the figure is the sum of weight times the cell's mean, and lies in 0–1. So
    do the values; where they are linearised instead, their variance may be up to `stretch` times that of a rate.
    """

    topic: Integers
    answers: Floats
    total: Floats
    squares: Floats
    positives: Floats
    weight: Floats
    stretch: Floats | float = 1.0

    @property
    def prompts(self) -> Integers:
        """How many prompts have answers."""
        number: Integers = np.asarray(np.count_nonzero(self.answers.any(axis=-2), axis=-1))
        return number

    @property
    def topics(self) -> Integers:
        """How many topics have answers."""
        answers = self.by_topic(self.by_prompt(self.answers))
        number: Integers = np.asarray(np.count_nonzero(answers, axis=-1))
        return number

    @property
    def means(self) -> Floats:
        """The mean value of each cell, 0 without answers."""
        means: Floats = self.total / np.where(self.answers > 0, self.answers, 1.0)
        return means

    @property
    def value(self) -> Floats:
        """The figure: the weighted mean of the cells' means. NaN without answers."""
        means, known = self.means, self.answers > 0
        low = np.where(known, means, np.inf).min(axis=(-2, -1), initial=np.inf)
        high = np.where(known, means, -np.inf).max(axis=(-2, -1), initial=-np.inf)
        value = np.clip((self.weight * means).sum(axis=(-2, -1)), low, np.maximum(low, high))
        return np.where(known.any(axis=(-2, -1)), value, np.nan)

    def by_prompt(self, values: Floats) -> Floats:
        """The sums of the cells' values over the engines of each prompt."""
        sums: Floats = values.sum(axis=-2)
        return sums

    def by_topic(self, values: Floats) -> Floats:
        """The sums of the prompts' values over each topic."""
        sums: Floats = values @ np.eye(int(self.topic.max(initial=-1)) + 1)[self.topic]
        return sums

    def topic_variance(self) -> Floats:
        """The variance of the figure when the topics are a sample: T/(T-1) · Σ_t (Σ_q∈t w_q (x_q - p̂))².

        The linearisation for clusters (Särndal, Swensson and Wretman 1992, section 5.6). NaN below two topics.
        """
        deviations = self.by_topic(self.by_prompt(self.weight * (self.means - self.value[..., None, None])))
        topics = self.topics
        with np.errstate(divide="ignore", invalid="ignore"):
            variance = np.where(topics > 1, topics / (topics - 1) * (deviations**2).sum(axis=-1), np.nan)
        return np.where(variance <= ROUNDING, 0.0, variance)


def gather(table: Table, values: Floats, rows: Flags, weighting: Weighting = Weighting.PROMPTS) -> Cells:
    """The cells of all subjects: `values` and whether they count (`rows`), shaped as the columns of the table."""
    shape = (len(table.engines), len(table.topic), values.shape[1])
    answers, total, squares = np.zeros(shape), np.zeros(shape), np.zeros(shape)
    counted = np.where(rows, values, 0.0)
    np.add.at(answers, (table.engine, table.prompt), rows.astype(np.float64))
    np.add.at(total, (table.engine, table.prompt), counted)
    np.add.at(squares, (table.engine, table.prompt), counted**2)
    by_subject = np.moveaxis(answers, -1, 0)
    cells = Cells(
        topic=table.topic,
        answers=by_subject,
        total=np.moveaxis(total, -1, 0),
        squares=np.moveaxis(squares, -1, 0),
        positives=(counted > 0).sum(axis=0).astype(np.float64),
        weight=by_subject,
    )
    return weighted(cells, weighting)


def weighted(cells: Cells, weighting: Weighting) -> Cells:
    """The cells with their weights in place of whatever they had; engines without answers have none."""
    answers = cells.answers
    share = (answers > 0).astype(np.float64) if weighting is Weighting.PROMPTS else answers
    of_engine = share.sum(axis=-1, keepdims=True)
    engines = np.count_nonzero(of_engine, axis=-2)[..., None]
    return replace(cells, weight=share / np.maximum(of_engine, 1.0) / np.maximum(engines, 1))
