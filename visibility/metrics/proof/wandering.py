"""How much topics move from day to day by themselves."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from visibility.metrics.planning import ASSUMED_RUN
from visibility.metrics.proof.difference import steepness
from visibility.metrics.proof.sides import Side, by_topic, weights
from visibility.metrics.table import Floats, Integers

ASSUMED = ASSUMED_RUN / 2
"""The variance of a topic's figure of one day about its mean, at a level of one half, where no days tell it."""
ASSUMED_MEMORY = 0.5
"""How alike the movements of one day and the next are, where few days tell it."""
WEIGHT = 6.0
"""So many degrees of freedom the assumptions count for beside the days that are measured."""
MEMORIES = np.linspace(0, 0.9, 19)
"""A longer memory than the last of them is not told from none within a few weeks."""


@dataclass(frozen=True, slots=True)
class Wandering:
    """The `variance` by which a topic at one half differs from its mean on a day, and its correlation with the next
    day's (`memory`)."""

    variance: float
    memory: float

    def of_mean(self, days: int) -> float:
        """The variance of the mean of so many days in a row."""
        apart = np.abs(np.subtract.outer(np.arange(days), np.arange(days)))
        return self.variance * float((self.memory**apart).mean())


def wandering(days: Sequence[Side], topic: Integers, level: Floats, share: float) -> Wandering:
    """What the days tell, in their order, beside what is assumed. What all topics do together on a day is no
    wandering, and neither is the chance of answers."""
    rows = [_told(day, topic) for day in days if (by_topic(day.answers, topic) > 0).all()]
    if len(rows) < 2:
        return Wandering(ASSUMED, ASSUMED_MEMORY)
    figures, inverse = (np.array(values) for values in zip(*rows, strict=True))
    apart = figures - figures.mean(axis=-1, keepdims=True)
    chance = float((share * level * (1 - level) * inverse.mean(axis=0)).sum())
    steep, kept = float(steepness(level).sum()), 1 - 1 / len(level)
    whole = float(apart.var(axis=0, ddof=1).sum()) / kept - chance
    between = float((np.diff(apart, axis=0) ** 2).mean(axis=0).sum()) / 2 / kept - chance
    freedom = (len(figures) - 1) * (len(level) - 1)
    if steep <= 0 or whole <= 0:
        return Wandering(_blend(0.0, ASSUMED, freedom), ASSUMED_MEMORY)
    kept_within = _kept_within(len(figures))
    memory = float(MEMORIES[np.abs((1 - MEMORIES) / kept_within - between / whole).argmin()])
    variance = whole / float(np.interp(memory, MEMORIES, kept_within)) / steep
    return Wandering(_blend(variance, ASSUMED, freedom), _blend(memory, ASSUMED_MEMORY, freedom))


@lru_cache(maxsize=128)
def _kept_within(days: int) -> Floats:
    """By memory: the part of a day's variance that shows within so many days in a row. Movements that last are those
    of the days' mean, too."""
    return np.array([(1 - Wandering(1.0, memory).of_mean(days)) * days / (days - 1) for memory in MEMORIES])


def _told(day: Side, topic: Integers) -> tuple[Floats, Floats]:
    """Each topic's figure on a day, and its variance were each answer to vary by 1."""
    weight, answers = weights(day.answers > 0, topic), np.maximum(day.answers, 1.0)
    return by_topic(weight * day.hits / answers, topic), by_topic(weight**2 / answers, topic)


def _blend(measured: float, assumed: float, freedom: float) -> float:
    return (freedom * measured + WEIGHT * assumed) / (freedom + WEIGHT)
