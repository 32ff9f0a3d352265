"""Derives the records of change from what measured days say, and writes them: one row for each change.

A change is known from the day that confirms it, or on which the monitor raises it, and is followed for 28 days from
then on. So a day that is measured touches the records of the four weeks before it and those behind it; these are
written anew as a whole, and in whatever order days come the rows are the same.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any
from uuid import UUID

from visibility.detection.types import BRAND
from visibility.metrics.change import Metric
from visibility.metrics.changes.following import TOLD, follow, side_by_side
from visibility.metrics.changes.monitor import EARLIER
from visibility.metrics.changes.questions import PAST, confirmed_topics
from visibility.metrics.development import MAX_POOLED, Confirmation
from visibility.models import ChangeRecord, DailyScore
from visibility.pipeline.days.developing import comparable_days
from visibility.pipeline.days.history import WINDOW, MeasuredDay, read_history_since
from visibility.pipeline.days.lines import Found, Line, Lines
from visibility.pipeline.days.record_content import add_content

LOOK_BACK = WINDOW + TOLD
"""How long before a day a record may have become known that is the change which the day tells of."""
_DIRECTION = {1: ChangeRecord.Direction.UP, -1: ChangeRecord.Direction.DOWN}


@dataclass(frozen=True, slots=True)
class Event:
    """That a day tells of a change of a line: since when, in which direction (1 or -1), how that is known, and how
    many comparable days before it were tested against."""

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
    kept = list(rows.filter(known_on__range=(since - LOOK_BACK, since - timedelta(days=1))).defer("content"))
    lines = Lines(read_history_since(generation, since - LOOK_BACK))
    deriving = _Deriving(lines, kept)
    for day, events in _events(generation, since):
        for event in [*events, *_topic_events(lines, day)]:
            deriving.take(day, event)
    add_content(generation, brand, lines, deriving.known_change)
    rows.filter(known_on__gte=since).delete()
    ChangeRecord.objects.bulk_create(known_change.record for known_change in deriving.known_change)


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


_Said = Mapping[str, Any] | None


def _of_line(line: Line, confirmation: _Said, monitor: _Said) -> Iterator[Event]:
    if confirmation and confirmation["state"] == Confirmation.CONFIRMED and confirmation["delta"]:
        by, tested = ChangeRecord.KnownBy.CONFIRMED, confirmation["pooled_days"]
        yield _event(line, confirmation["moved_on"], confirmation["delta"], by, tested)
    if monitor and monitor["raised"] and monitor["delta"]:
        yield _event(line, monitor["since"], monitor["delta"], ChangeRecord.KnownBy.MONITOR, EARLIER)


def _event(line: Line, began: str, delta: float, by: ChangeRecord.KnownBy, tested: int) -> Event:
    return Event(line, date.fromisoformat(began), 1 if delta > 0 else -1, by, tested)


def _topic_events(lines: Lines, day: date) -> Iterator[Event]:
    """The topics that a day confirms to have moved on the comparable day before it."""
    today = lines.history.on(day)
    days = [*comparable_days(lines.history, today, lines.history.before(day)), today][-MAX_POOLED - PAST - 2 :]
    if len(days) < 2 or any(comparable.content is None for comparable in days):
        return
    both = side_by_side([lines.averaged(comparable) for comparable in days], [BRAND])
    names = sorted(set(both.topics))
    for number, direction in enumerate(confirmed_topics(both.series)):
        if direction:
            line = Line("topic", topic=names[number])
            yield Event(line, days[-2].day, int(direction), ChangeRecord.KnownBy.CONFIRMED, len(days) - 2)


class _Deriving:
    """The records of a generation, day by day. `kept` are those known before the first of these days, as stored."""

    def __init__(self, lines: Lines, kept: Sequence[ChangeRecord]) -> None:
        self._lines = lines
        self._kept: dict[Line, list[ChangeRecord]] = defaultdict(list)
        self._found: dict[Line, list[Found]] = defaultdict(list)
        for record in kept:
            self._kept[Line(record.of, record.engine, record.topic)].append(record)

    @property
    def known_change(self) -> list[Found]:
        """The records of these days, in an order of their own."""
        every = [known_change for of_line in self._found.values() for known_change in of_line]
        return sorted(
            every,
            key=lambda known_change: (known_change.record.known_on, known_change.line, known_change.record.began),
        )

    def take(self, day: date, event: Event) -> None:
        """Take what a day tells. Nothing is new where a record tells it already; a confirmed move takes the place of
        what the monitor raised behind it, as it says better when that was."""
        if any(self._covers(record, event) for record in self._kept[event.line]):
            return
        known = self._found[event.line]
        same = [known_change for known_change in known if self._covers(known_change.record, event)]
        raised = [known_change for known_change in same if _is_raised_of(known_change.record, day, event)]
        if same and not raised:
            return
        if known_change := self._new(day, event):
            self._found[event.line] = [*(other for other in known if other not in raised), known_change]

    def _covers(self, record: ChangeRecord, event: Event) -> bool:
        """Whether an event is the change of a record: it has its direction, and began before the seventh measured day
        after that was known, or before that ended. The days that it was tested against are until then those before
        the record's change, too."""
        if record.direction != _DIRECTION[event.direction]:
            return False
        later = [day.day for day in self._lines.history.days if day.day > record.known_on][:MAX_POOLED]
        return event.began <= min(record.told_until, later[-1] if later else record.known_on)

    def _new(self, known_on: date, event: Event) -> Found | None:
        """The record of a change that becomes known, followed as far as there are days."""
        lines, line = self._lines, event.line
        base = self._base(known_on, event)
        since = [day for day in lines.history.days if event.began <= day.day <= known_on + TOLD] if base else []
        sides = lines.sides(line, base, since)
        if not sides or known_on not in {side.day for side in sides}:
            return None
        both = side_by_side(sides, [BRAND])
        course = follow(both.series, len(base), known_on, event.direction, line.compare)
        if course is None:
            return None
        record = ChangeRecord(
            of=line.of,
            engine=line.engine,
            topic=line.topic,
            direction=_DIRECTION[event.direction],
            began=event.began,
            known_by=event.known_by,
            known_on=known_on,
            state=course.state,
            state_since=course.since,
            before_first=base[0].day,
            before_last=base[-1].day,
            before_days=len(base),
            after_day=course.day,
            told_until=course.told_until,
        )
        return Found(line, record, base, lines.history.on(course.day), course.change)

    def _base(self, known_on: date, event: Event) -> list[MeasuredDay]:
        """The days before the change that it was tested against."""
        history = self._lines.history
        today, before = history.on(known_on), history.before(known_on)
        days = comparable_days(history, today, before, event.line.engine or None)
        return [day for day in days if day.day < event.began][-event.tested :]


def _is_raised_of(record: ChangeRecord, day: date, event: Event) -> bool:
    """Whether the monitor raised, while it was told, what is confirmed now."""
    return (
        event.known_by == ChangeRecord.KnownBy.CONFIRMED
        and record.known_by == ChangeRecord.KnownBy.MONITOR
        and event.began <= record.known_on
        and day <= record.told_until
    )
