"""What makes answers differ: the topic, the prompt, the engine, or one asking from the next.

The variance of nested groups of unequal size (Henderson's method 1; Searle, Casella and McCulloch 1992, chapter 5):
topics, prompts within topics, engines within prompts, answers within these. Each engine's own level is taken out
first: engines are chosen, not drawn.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from visibility.metrics.table import Floats, Integers


@dataclass(frozen=True, slots=True)
class Components:
    """Each source's part of the variance of a rate, from the topic down to the sample; parts of 1, squared.

    None where the design cannot tell it from the source before it: it is in that one's part then.
    """

    topic: float | None
    prompt: float | None
    engine: float | None
    sample: float | None


@dataclass(frozen=True, slots=True)
class _Level:
    """The groups of one level: what their squares sum to, how many they are, the group of each cell."""

    squares: float
    groups: int
    group: Integers
    sizes: Floats


def components(answers: Floats, total: Floats, topic: Integers) -> Components | None:
    """The parts of the variance of the mean over engines of the mean over prompts of their rates.

    `answers` and `total`, those that count, are shaped [engine, prompt]; None without any.
    """
    engine, prompt = np.nonzero(answers)
    if not len(engine):
        return None
    size, hits = answers[engine, prompt], total[engine, prompt]
    level = (np.bincount(engine, hits) / np.maximum(np.bincount(engine, size), 1))[engine]
    cells = np.arange(len(engine))
    within = float((hits - hits**2 / size).sum())
    grouping = (np.zeros_like(cells), topic[prompt], prompt, cells)
    levels = [_level(np.unique(group, return_inverse=True)[1], size, hits - size * level) for group in grouping]
    variances = _variances(levels, within, float(size.sum()))
    of_engine = np.bincount(engine)
    weight = 1 / of_engine[engine] / np.count_nonzero(of_engine)
    spread = [float((np.bincount(layer.group, weight) ** 2).sum()) for layer in levels[1:]]
    spread.append(float((weight**2 / size).sum()))
    parts = (
        None if variance is None else max(0.0, variance) * share
        for variance, share in zip(variances, spread, strict=True)
    )
    return Components(*parts)


def _level(group: Integers, size: Floats, total: Floats) -> _Level:
    sizes = np.bincount(group, size).astype(np.float64)
    return _Level(float((np.bincount(group, total) ** 2 / sizes).sum()), len(sizes), group, sizes)


def _variances(levels: Sequence[_Level], within: float, answers: float) -> list[float | None]:
    """The variance of each level below the first, and of answers, from the finest upwards.

    The sum of squares that a level adds to the one above it is expected to hold each finer variance as often as
    `_carried` says, and that of answers once for each group that it adds.
    """
    freedom = answers - levels[-1].groups
    of_answer = within / freedom if freedom > 0 else None
    variances: list[tuple[_Level, float | None]] = []
    for upper, lower in zip(levels[-2::-1], levels[:0:-1], strict=True):
        own = _carried(lower, lower) - _carried(upper, lower)
        rest = lower.squares - upper.squares - (lower.groups - upper.groups) * (of_answer or 0.0)
        for finer, variance in variances:
            rest -= (_carried(lower, finer) - _carried(upper, finer)) * (variance or 0.0)
        variances.append((lower, rest / own if lower.groups > upper.groups else None))
    return [*(variance for _, variance in reversed(variances)), of_answer]


def _carried(level: _Level, finer: _Level) -> float:
    """How often the variance of a finer level is in this level's squares: the sum of n_finer²/n over its groups."""
    n = np.ones_like(finer.sizes)
    n[finer.group] = level.sizes[level.group]
    return float((finer.sizes**2 / n).sum())
