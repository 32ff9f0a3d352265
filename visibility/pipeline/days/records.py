"""Derives the records of change from what measured days say, and writes them: one row for each change.

A change is known from the day that confirms it, or on which the monitor raises it, and is followed for 28 days from
then on. So a day that is measured touches the records of the four weeks before it and those behind it; these are
written anew as a whole, and in whatever order days come the rows are the same.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any, NamedTuple
from uuid import UUID

import numpy as np

from visibility.detection.types import BRAND
from visibility.metrics.change import Metric
from visibility.metrics.changes.following import TOLD, Course, follow, over_topics, side_by_side
from visibility.metrics.changes.monitor import EARLIER
from visibility.metrics.development import MAX_POOLED, Confirmation
from visibility.metrics.pairs import DayCounts
from visibility.metrics.types import rounded
from visibility.models import ChangeRecord, DailyScore
from visibility.pipeline.days.common import OTHER_PROMPTS
from visibility.pipeline.days.developing import comparable_days
from visibility.pipeline.days.history import WINDOW, History, MeasuredDay, read_history_since

LOOK_BACK = WINDOW + TOLD
"""How long before a day a record may have become known that is the change which the day tells of."""


class Line(NamedTuple):
    """Whose figure: of the score over engines (both empty), of an engine, or of a topic."""

    of: str
    engine: str = ""
    topic: str = ""


@dataclass(frozen=True, slots=True)
class Event:
    """That a day tells of a change of a line: since when, in which direction, how that is known, and how many
    comparable days before it were tested against."""

    line: Line
    began: date
    direction: int
    known_by: ChangeRecord.KnownBy
    tested: int


def write_records(generation: UUID, brand: UUID, first: date) -> None:
    """Write the records anew that the measured days from `first` on have a part in. Call it when all is written that
    these days say."""
    since = first - TOLD
    rows = ChangeRecord.of_all_generations.filter(generation=generation)
    kept = list(rows.filter(known_on__range=(since - LOOK_BACK, since - timedelta(days=1))))
    history = read_history_since(generation, since - LOOK_BACK)
    records = _Deriving(history, generation, brand, kept).records(_events(generation, since))
    rows.filter(known_on__gte=since).delete()
    ChangeRecord.objects.bulk_create(records)


def _events(generation: UUID, since: date) -> Iterator[tuple[date, list[Event]]]:
    """What each measured day from `since` on tells of the score and of each engine, oldest first."""
    own = DailyScore.of_all_generations.filter(generation=generation, competitor=None, date__gte=since)
    for day, *said in own.order_by("date").values_list("date", "confirmation", "monitor", "change", "changes"):
        yield day, list(_told(*said))


def _told(confirmation: Any, monitor: Any, change: Any, changes: Sequence[Mapping[str, Any]]) -> Iterator[Event]:
    yield from _of_line(Line("score"), confirmation, monitor)
    by_engine = {item["engine"]: item for item in changes if item["metric"] == Metric.SCORE and item["engine"]}
    by_engine |= {item["engine"]: item for item in (change or {}).get("by_engine", ())}
    for engine, item in sorted(by_engine.items()):
        yield from _of_line(Line("engine", engine), item["confirmation"], item["monitor"])


def _of_line(
    line: Line, confirmation: Mapping[str, Any] | None, monitor: Mapping[str, Any] | None
) -> Iterator[Event]:
    if confirmation and confirmation["state"] == Confirmation.CONFIRMED and confirmation["delta"]:
        by, tested = ChangeRecord.KnownBy.CONFIRMED, confirmation["pooled_days"]
        yield _event(line, confirmation["moved_on"], confirmation["delta"], by, tested)
    if monitor and monitor["raised"] and monitor["delta"]:
        yield _event(line, monitor["since"], monitor["delta"], ChangeRecord.KnownBy.MONITOR, EARLIER)


def _event(line: Line, began: str, delta: float, by: ChangeRecord.KnownBy, tested: int) -> Event:
    return Event(line, date.fromisoformat(began), 1 if delta > 0 else -1, by, tested)


class _Deriving:
    """The records of a generation, day by day. `kept` are those known before the first of these days, as stored."""

    def __init__(self, history: History, generation: UUID, brand: UUID, kept: Sequence[ChangeRecord]) -> None:
        self._history = history
        self._generation = generation
        self._brand = brand
        self._by_line: dict[Line, list[ChangeRecord]] = defaultdict(list)
        self._kept = {record.pk for record in kept}
        for record in kept:
            self._by_line[Line(record.of, record.engine, record.topic)].append(record)

    def records(self, days: Iterable[tuple[date, Sequence[Event]]]) -> list[ChangeRecord]:
        """Those that these days tell of, oldest first."""
        for day, events in days:
            for event in events:
                self._take(day, event)
        every = [record for of_line in self._by_line.values() for record in of_line if record.pk not in self._kept]
        return sorted(every, key=lambda record: (record.known_on, record.of, record.engine, record.topic))

    def _take(self, day: date, event: Event) -> None:
        """Nothing is new where a record tells it already; a confirmed move takes the place of what the monitor raised
        behind it, as it says better when that was."""
        known = self._by_line[event.line]
        same = [record for record in known if self._covers(record, event)]
        raised = [record for record in same if _is_raised_of(record, day, event)]
        if same and not raised:
            return
        if record := self._record(day, event):
            self._by_line[event.line] = [*(other for other in known if other not in raised), record]

    def _covers(self, record: ChangeRecord, event: Event) -> bool:
        """Whether an event is the change of a record: it has its direction, and began before the seventh measured day
        after that was known, or before that ended. The days that it was tested against are until then those before
        the record's change, too."""
        if record.direction != _DIRECTION[event.direction]:
            return False
        later = [day.day for day in self._history.days if day.day > record.known_on][:MAX_POOLED]
        return event.began <= min(record.told_until, later[-1] if later else record.known_on)

    def _record(self, known_on: date, event: Event) -> ChangeRecord | None:
        base = self._base(known_on, event)
        since = [day for day in self._history.days if event.began <= day.day <= known_on + TOLD] if base else []
        followed = [(day, engines) for day in since if (engines := self._engines(event.line, base[-1], day))]
        if not followed or followed[-1][0].day < known_on:
            return None
        first_engines = frozenset[str]().union(*(engines for _, engines in followed))
        days = [self._view(day, first_engines) for day in base] + [self._view(*each) for each in followed]
        series = side_by_side(days, [BRAND])
        course = follow(series, len(base), known_on, event.direction, over_topics)
        return self._row(known_on, event, base, course) if course else None

    def _base(self, known_on: date, event: Event) -> list[MeasuredDay]:
        """The days before the change that it was tested against."""
        today = self._history.on(known_on)
        days = comparable_days(self._history, today, self._history.before(known_on), event.line.engine or None)
        return [day for day in days if day.day < event.began][-event.tested :]

    def _engines(self, line: Line, before: MeasuredDay, day: MeasuredDay) -> frozenset[str]:
        """The engines of the line that answered a day as they did the last of those before the change."""
        if before.content is None or day.content is None or self._figure(line, day) is None:
            return frozenset()
        earlier, later = self._history.counts(before.day), self._history.counts(day.day)
        engines = earlier.averaged & later.averaged if line.of != "engine" else {line.engine}
        return frozenset(
            name
            for name in engines
            if name in before.engines & day.engines
            and {reason.code for reason in self._history.engine_causes(before, day, name)} <= OTHER_PROMPTS
        )

    def _view(self, day: MeasuredDay, engines: frozenset[str]) -> DayCounts:
        return self._history.counts(day.day).narrowed(engines, [BRAND])

    def _figure(self, line: Line, day: MeasuredDay) -> float | None:
        return day.scores.get(line.engine) if line.engine else day.score

    def _row(self, known_on: date, event: Event, base: Sequence[MeasuredDay], course: Course) -> ChangeRecord:
        line, change = event.line, course.change
        before = _stored(float(np.mean([self._figure(line, day) for day in base])))
        after, delta = _stored(self._figure(line, self._history.on(course.day))), _stored(100 * change.delta)
        return ChangeRecord(
            generation_id=self._generation,
            brand_id=self._brand,
            of=line.of,
            engine=line.engine,
            topic=line.topic,
            direction=_DIRECTION[event.direction],
            began=event.began,
            known_by=event.known_by,
            known_on=known_on,
            state=course.state,
            state_since=course.since,
            before=before,
            before_first=base[0].day,
            before_last=base[-1].day,
            before_days=len(base),
            after=after,
            after_day=course.day,
            delta=delta,
            low=None if change.low is None else _stored(100 * change.low),
            high=None if change.high is None else _stored(100 * change.high),
            prompts_changed=_stored(after - before - delta),
            told_until=course.told_until,
        )


_DIRECTION = {1: ChangeRecord.Direction.UP, -1: ChangeRecord.Direction.DOWN}


def _is_raised_of(record: ChangeRecord, day: date, event: Event) -> bool:
    """Whether the monitor raised, while it was told, what is confirmed now."""
    return (
        event.known_by == ChangeRecord.KnownBy.CONFIRMED
        and record.known_by == ChangeRecord.KnownBy.MONITOR
        and event.began <= record.known_on
        and day <= record.told_until
    )


def _stored(value: float | None) -> float:
    kept = rounded(value)
    if kept is None:
        raise ValueError("a change has figures on both of its sides")
    return kept
