"""The answers of one subject gathered by prompt and engine, with the weight of each cell in the figure."""

from dataclasses import dataclass
from enum import Enum

import numpy as np

from visibility.metrics.table import Flags, Floats, Integers, Table

ROUNDING = 1e-18
"""A variance of rates below this is what floating point leaves of none: the least that differs is far above it."""


class Weighting(Enum):
    """What counts alike within an engine: each prompt, or each answer. Engines always count alike."""

    PROMPTS = "prompts"
    ANSWERS = "answers"


@dataclass(frozen=True, slots=True)
class Cells:
    """One cell for each prompt and engine with answers: their number, the sum of their values and of the squares.

    `prompt` numbers the prompts that occur, from 0; `topic` holds the number of each one's topic, from 0.
    `weight` sums to 1: the figure is the sum of weight times the cell's mean.
    """

    prompt: Integers
    topic: Integers
    answers: Floats
    total: Floats
    squares: float
    weight: Floats

    @property
    def prompts(self) -> int:
        """How many prompts have answers."""
        return len(self.topic)

    @property
    def topics(self) -> int:
        """How many topics have answers."""
        return int(self.topic.max()) + 1

    @property
    def means(self) -> Floats:
        """The mean value of each cell."""
        return self.total / self.answers

    @property
    def value(self) -> float:
        """The figure: the weighted mean of the cells' means."""
        return float(np.clip(self.weight @ self.means, self.means.min(), self.means.max()))

    def by_prompt(self, values: Floats) -> Floats:
        """The sums of the cells' values over the engines of each prompt."""
        return _sums(self.prompt, values, self.prompts)

    def by_topic(self, values: Floats) -> Floats:
        """The sums of the prompts' values over each topic."""
        return _sums(self.topic, values, self.topics)

    def topic_variance(self) -> float:
        """The variance of the figure when the topics are a sample: T/(T-1) · Σ_t (Σ_q∈t w_q (x_q - p̂))².

        The linearisation for clusters (Särndal, Swensson and Wretman 1992, section 5.6). Needs two topics.
        """
        deviations = self.by_topic(self.by_prompt(self.weight * (self.means - self.value)))
        variance = self.topics / (self.topics - 1) * float(deviations @ deviations)
        return variance if variance > ROUNDING else 0.0


def gather(table: Table, values: Floats, rows: Flags, weighting: Weighting = Weighting.PROMPTS) -> Cells | None:
    """The cells of the chosen rows with their `values` (one for each row of the table); None without rows."""
    if not rows.any():
        return None
    width = len(table.topic)
    keys, cell = np.unique(table.engine[rows] * width + table.prompt[rows], return_inverse=True)
    answers = np.bincount(cell).astype(np.float64)
    engine, prompt = keys // width, keys % width
    share = np.ones(len(keys)) if weighting is Weighting.PROMPTS else answers
    of_engine = _sums(engine, share, len(table.engines))
    known, number = np.unique(prompt, return_inverse=True)
    chosen = values[rows]
    return Cells(
        number,
        np.unique(table.topic[known], return_inverse=True)[1],
        answers,
        _sums(cell, chosen, len(keys)),
        float(chosen @ chosen),
        share / of_engine[engine] / np.count_nonzero(of_engine),
    )


def _sums(number: Integers, values: Floats, groups: int) -> Floats:
    return np.bincount(number, values, groups).astype(np.float64)
