"""The figures whose changes are kept on record: the score over engines, of one engine, or of one topic."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from visibility.detection.types import BRAND
from visibility.metrics.changes.following import Compare, Difference, over_topics
from visibility.metrics.changes.questions import over_questions
from visibility.metrics.pairs import DayCounts
from visibility.metrics.topics import measure_topics
from visibility.models import ChangeRecord
from visibility.pipeline.days.common import OTHER_PROMPTS
from visibility.pipeline.days.history import History, MeasuredDay, narrowed


class Line(NamedTuple):
    """Whose figure: of the score over engines (both empty), of an engine, or of a topic."""

    of: str
    engine: str = ""
    topic: str = ""

    @property
    def compare(self) -> Compare:
        """The test of its changes."""
        return over_questions if self.topic else over_topics


@dataclass(frozen=True, slots=True)
class Found:
    """A record to be written, with the days before the change, the day of the latest figure, and its difference."""

    line: Line
    record: ChangeRecord
    base: Sequence[MeasuredDay]
    after: MeasuredDay
    change: Difference


class Lines:
    """The figures of measured days by line."""

    def __init__(self, history: History) -> None:
        self.history = history

    def figure(self, line: Line, day: MeasuredDay) -> float | None:
        """The figure of a day, 0–100, None where it has none."""
        if line.engine:
            return day.scores.get(line.engine)
        if not line.topic:
            return day.score
        measured = measure_topics(self.averaged(day)).get(line.topic) if day.content is not None else None
        return measured[BRAND].score.value if measured else None

    def averaged(self, day: MeasuredDay) -> DayCounts:
        """The counts of a day that has them, of the engines of its figure over engines."""
        counts = self.history.counts(day.day)
        return narrowed(counts, counts.averaged, counts.averaged)

    def sides(self, line: Line, base: Sequence[MeasuredDay], days: Sequence[MeasuredDay]) -> list[DayCounts]:
        """The counts of the line, of the days before a change and of those of the others that can be held against
        them: by the engines that answered as they did on the last of them. Empty where there are none of the others.
        """
        later = [(day, engines) for day in days if (engines := self._engines(line, base[-1], day))]
        engines = frozenset[str]().union(*(of_day for _, of_day in later))
        sides = [(day, engines) for day in base if later] + later
        return [self._narrowed(line, day, of_day) for day, of_day in sides]

    def _engines(self, line: Line, before: MeasuredDay, day: MeasuredDay) -> frozenset[str]:
        if before.content is None or day.content is None or self.figure(line, day) is None:
            return frozenset()
        engines: Collection[str] = {line.engine}
        if not line.engine:
            engines = self.history.counts(before.day).averaged & self.history.counts(day.day).averaged
        return frozenset(
            name
            for name in engines
            if name in before.engines & day.engines
            and {reason.code for reason in self.history.engine_causes(before, day, name)} <= OTHER_PROMPTS
        )

    def _narrowed(self, line: Line, day: MeasuredDay, engines: frozenset[str]) -> DayCounts:
        counts = narrowed(self.history.counts(day.day), engines, engines)
        if not line.topic:
            return counts
        chosen = np.flatnonzero([topic == line.topic for topic in counts.topics]).tolist()
        return counts.of_prompts(chosen, topic=line.topic)
