"""The figures of a day: every metric of every subject, over all engines and for each."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from visibility.metrics.cells import Cells, Weighting, gather
from visibility.metrics.correlation import cautious, correlation, pooled, sums_of_squares
from visibility.metrics.intervals import Interval, design_size, panel_interval, student_interval, topic_interval
from visibility.metrics.share_of_voice import shares_of_voice
from visibility.metrics.table import Flags, Floats, Table, tabulate
from visibility.metrics.types import UNMEASURED, AnswerOutcome, Estimate, Measures, SubjectDay


@dataclass(frozen=True, slots=True)
class _Rates:
    """The cells of each subject (None without answers) and the correlations to reckon with."""

    cells: Sequence[Cells | None]
    correlations: Sequence[tuple[float, float]]

    def topic_estimate(self, subject: int) -> Estimate:
        """The rate with its topic interval."""
        cells = self.cells[subject]
        return _estimate(cells, topic_interval(cells, *self.correlations[subject]) if cells else None)

    def size(self, subject: int) -> float:
        """The effective number of answers."""
        cells = self.cells[subject]
        return design_size(cells, *self.correlations[subject]) if cells else 0.0


def measure(outcomes: Sequence[AnswerOutcome], subjects: Sequence[str]) -> dict[str, SubjectDay]:
    """The figures of each subject, from the answers of the engines that count.

    A prompt that names a subject is branded for it: it counts for none of its rates; for share of voice a prompt
    that names any of `subjects` is left out. An all-engine figure is the equal-weight mean of the engines that
    have answers. `prompts`, `topics` and `answers` are those behind the score. The order of neither outcomes nor
    subjects matters. Raises ValueError where a subject is given twice.
    """
    if len(set(subjects)) != len(subjects):
        raise ValueError("subjects must differ")
    ordered = sorted(subjects)
    table = tabulate(outcomes, ordered)
    every = np.ones(len(table.engines), dtype=bool)
    overall = _measures(table, every)
    by_engine = {name: _measures(table, np.arange(len(every)) == number) for number, name in enumerate(table.engines)}
    return {
        subject: SubjectDay(overall[place], {name: measures[place] for name, measures in by_engine.items()})
        for place, subject in enumerate(ordered)
    }


def _measures(table: Table, engines: Flags) -> list[Measures]:
    """The figures of all subjects over the chosen engines."""
    subjects = range(table.named.shape[1])
    mentions, citations = _rates(table, table.mentioned, engines), _rates(table, table.cited, engines)
    voices = shares_of_voice(table, engines)
    return [
        Measures(
            score=mentions.topic_estimate(subject),
            panel=_panel(mentions.cells[subject]),
            share_of_voice=voices[subject],
            prominence=_prominence(table, engines, subject, mentions.size(subject)),
            citation_rate=citations.topic_estimate(subject),
            prompts=cells.prompts if (cells := mentions.cells[subject]) else 0,
            topics=cells.topics if cells else 0,
            answers=int(cells.answers.sum()) if cells else 0,
        )
        for subject in subjects
    ]


def _rates(table: Table, values: Floats, engines: Flags) -> _Rates:
    cells = [
        gather(table, values[:, subject], _unbranded(table, engines, subject)) for subject in range(values.shape[1])
    ]
    sums = [sums_of_squares(cell) if cell else None for cell in cells]
    shared = correlation(pooled(sums))
    return _Rates(cells, [cautious(correlation(own), shared) for own in sums])


def _unbranded(table: Table, engines: Flags, subject: int) -> Flags:
    chosen: Flags = engines[table.engine] & ~table.named[:, subject]
    return chosen


def _panel(cells: Cells | None) -> Estimate:
    return _estimate(cells, panel_interval(cells) if cells else None)


def _prominence(table: Table, engines: Flags, subject: int, size: float) -> Estimate:
    """The mean of 1/log2(1 + rank) over the answers that tell it, 0 where the subject is absent; engines count
    alike."""
    rows = _unbranded(table, engines, subject) & table.ranked[:, subject]
    cells = gather(table, table.prominence[:, subject], rows, Weighting.ANSWERS)
    return _estimate(cells, student_interval(cells, size) if cells else None)


def _estimate(cells: Cells | None, interval: Interval | None) -> Estimate:
    if cells is None:
        return UNMEASURED
    if interval is None:
        return Estimate(100 * cells.value)
    return Estimate(100 * cells.value, 100 * interval[0], 100 * interval[1])
