"""The figures of each topic of counted answers: k of n by engine, the score, the interval of exactly its prompts."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from visibility.metrics.cells import Cells, Weighting, weighted
from visibility.metrics.intervals import Interval, panel_interval
from visibility.metrics.pairs import DayCounts
from visibility.metrics.table import Floats, Integers
from visibility.metrics.types import Estimate


@dataclass(frozen=True, slots=True)
class Naming:
    """In `named` of `answers` answers a subject is named."""

    named: int
    answers: int


@dataclass(frozen=True, slots=True)
class TopicFigures:
    """One subject on one topic, from the prompts that do not name it.

    `score` is the mean over the averaged engines of the mean over prompts, with the panel interval: one topic has no
    topic interval. `engines` are all engines that were counted, in their order; `prompts` those that were answered.
    """

    score: Estimate
    engines: Mapping[str, Naming]
    prompts: int

    @property
    def named(self) -> int:
        """Answers of all engines that name the subject."""
        return sum(naming.named for naming in self.engines.values())

    @property
    def answers(self) -> int:
        """Answers of all engines."""
        return sum(naming.answers for naming in self.engines.values())


def measure_topics(counts: DayCounts) -> dict[str, dict[str, TopicFigures]]:
    """The figures of each subject, by topic and subject, in the order in which the topics first stand there."""
    columns: dict[str, list[int]] = defaultdict(list)
    for number, topic in enumerate(counts.topics):
        columns[topic].append(number)
    by_size: dict[int, list[str]] = defaultdict(list)
    for topic, numbers in columns.items():
        by_size[len(numbers)].append(topic)
    # Topics of one size are reckoned at once.
    measured: dict[str, dict[str, TopicFigures]] = {}
    for topics in by_size.values():
        chosen = np.array([columns[topic] for topic in topics], dtype=np.int64)
        measured |= zip(topics, _figures(counts, chosen), strict=True)
    return {topic: measured[topic] for topic in columns}


def _figures(counts: DayCounts, chosen: Integers) -> Iterator[dict[str, TopicFigures]]:
    """Of the topics whose prompts stand in the rows of `chosen`."""
    # [engine, topic, prompt, subject] becomes [topic, subject, engine, prompt].
    unnamed = ~counts.named[chosen]
    answers = np.moveaxis(counts.answers[:, chosen][..., None] * unnamed, (0, 3), (2, 1))
    named = np.moveaxis(counts.mentioned[:, chosen] * unnamed, (0, 3), (2, 1))
    cells = _averaged(counts, answers, named)
    value, interval = cells.value, panel_interval(cells)
    prompts = np.count_nonzero(answers.any(axis=-2), axis=-1)
    of_engines = named.sum(axis=-1), answers.sum(axis=-1)
    for topic in range(len(chosen)):
        columns = (column[topic] for column in (interval.low, interval.high, interval.on_questions))
        scores = Interval(*columns).estimates(value[topic])
        yield {
            subject: TopicFigures(
                scores[place],
                _namings(counts.engines, *(sums[topic, place] for sums in of_engines)),
                int(prompts[topic, place]),
            )
            for place, subject in enumerate(counts.subjects)
        }


def _averaged(counts: DayCounts, answers: Floats, named: Floats) -> Cells:
    """The cells of the engines of the figure over engines."""
    is_averaged = np.array([engine in counts.averaged for engine in counts.engines], dtype=np.float64)[:, None]
    answers, named = answers * is_averaged, named * is_averaged
    positives = named.sum(axis=(-2, -1))
    topic = np.zeros(answers.shape[-1], dtype=np.int64)
    return weighted(Cells(topic, answers, named, named, positives, answers), Weighting.PROMPTS)


def _namings(engines: Sequence[str], named: Floats, answers: Floats) -> dict[str, Naming]:
    pairs = zip(engines, named.tolist(), answers.tolist(), strict=True)
    return {engine: Naming(int(names), int(total)) for engine, names, total in pairs}
