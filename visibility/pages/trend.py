"""The chart: a figure by day, of the brand and of competitors, the period before, and what happened on days."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import groupby
from uuid import UUID

from django.utils.safestring import SafeString
from django.utils.translation import gettext

from visibility.drawing import charts
from visibility.models import ChangeRecord
from visibility.overview.line import Point, ends_of, line_of
from visibility.overview.notes import DayEvent, events_of
from visibility.pages.filters import FIGURES, FIRST_FIGURE, MOST_RIVALS, Filters
from visibility.pages.subjects import Subjects
from visibility.recommendations.work import Work
from visibility.scores.change_reads import reported_on

MOST_OFFERED = 6
"""Competitors that the chart offers a box for, those that most answers mention."""


@dataclass(frozen=True, slots=True)
class Box:
    """A competitor whose line can be ticked."""

    key: UUID
    name: str
    hue: str
    is_ticked: bool
    is_open: bool
    """Whether a click changes it: no fourth line can be ticked."""


@dataclass(frozen=True, slots=True)
class Happened:
    """What happened on a day, under its number in the chart."""

    number: int
    day: date
    events: Sequence[DayEvent]


@dataclass(frozen=True, slots=True)
class DayRow:
    """A day of the chart as a row of its table: the figure with its interval, and that of each ticked competitor."""

    point: Point
    value: float | None
    low: float | None
    high: float | None
    rivals: Sequence[float | None]


@dataclass(frozen=True, slots=True)
class Trend:
    """What a chart shows: its days, the change of the score that is reported on the last one, what happened on which
    day under which number, and its drawing: nothing below two days. `step`: one measured day in so many is drawn."""

    points: Sequence[Point]
    record: ChangeRecord | None
    events: Sequence[Happened]
    boxes: Sequence[Box]
    drawn: SafeString
    step: int
    filters: Filters

    @property
    def rows(self) -> list[DayRow]:
        """The table of it, the newest day first."""
        rivals, figure = self.filters.rivals, self.filters.chosen_figure
        return [
            DayRow(each, day.value, day.low, day.high, [each.rivals.get(pk) for pk in rivals])
            for each, day in zip(self.points[::-1], days_of_chart(self.points, figure)[::-1], strict=True)
        ]

    @property
    def ticked(self) -> list[Box]:
        """The competitors that have a line."""
        return [each for each in self.boxes if each.is_ticked]

    @property
    def name(self) -> str:
        """The figure."""
        return str(FIGURES[self.filters.chosen_figure][0])

    @property
    def is_score(self) -> bool:
        """Whether it is the share of answers that mention the brand."""
        return self.filters.chosen_figure == FIRST_FIGURE


def trend_of(filters: Filters, subjects: Subjects, work: Work, *, is_shared: bool = False) -> Trend:
    """The chart that is chosen; people without an account see what was measured, and no notes."""
    before, points = _points(filters)
    records = filters.brand.change_records.all()
    record = reported_on(records, points[-1].day) if points and filters.is_whole else None
    by_day = _events(filters, work, points, is_shared=is_shared) if len(points) > 1 else []
    drawn = charts.thinned(days_of_chart(points, filters.chosen_figure))
    return Trend(
        points,
        record,
        by_day,
        list(_boxes(filters, subjects)),
        _draw(filters, points, before, subjects, by_day),
        -(-len(points) // len(drawn)) if drawn else 1,
        filters,
    )


def _points(filters: Filters) -> tuple[list[Point], list[Point]]:
    """The days of the period before, where they are wished for, and those of the period."""
    if filters.span is None:
        return [], []
    first, last = filters.span
    begin = filters.span_before[0] if filters.has_before and filters.span_before else first
    points = line_of(filters.now, begin, last, filters.part, FIGURES[filters.chosen_figure][1])
    return [each for each in points if each.day < first], [each for each in points if each.day >= first]


def _events(filters: Filters, work: Work, points: Sequence[Point], *, is_shared: bool) -> list[Happened]:
    """What happened, by day, each with its number."""
    is_of_score = filters.is_whole and filters.chosen_figure == FIRST_FIGURE
    shown = [
        each
        for each in events_of(filters.brand, work, points[0].day, points[-1].day)
        if (each.kind != "change" or is_of_score) and (each.is_measured or not is_shared)
    ]
    grouped = groupby(shown, key=lambda each: each.day)
    return [Happened(number, day, list(events)) for number, (day, events) in enumerate(grouped, start=1)]


def _boxes(filters: Filters, subjects: Subjects) -> Iterator[Box]:
    """Those that are ticked, and others that most answers mention."""
    ticked, is_full = filters.rivals, len(filters.rivals) >= MOST_RIVALS
    for place, (pk, name) in enumerate(subjects.names.items()):
        if pk in ticked or place < MOST_OFFERED:
            yield Box(pk, name, subjects.hue(pk), pk in ticked, pk in ticked or not is_full)


def days_of_chart(points: Sequence[Point], figure: str) -> list[charts.TrendDay]:
    """A figure by day; beside the score that of the day alone."""
    name, low, high = FIGURES[figure][1:]
    return [
        charts.TrendDay(
            each.day,
            each.figures.get(name),
            *ends_of(each.figures, name, low, high),
            each.score_of_day if figure == FIRST_FIGURE else None,
        )
        for each in points
    ]


def _draw(
    filters: Filters,
    points: Sequence[Point],
    before: Sequence[Point],
    subjects: Subjects,
    happened: Sequence[Happened],
) -> SafeString:
    days = days_of_chart(points, filters.chosen_figure)
    name, key = FIGURES[filters.chosen_figure][:2]
    lines = [
        charts.Line(subjects.names[pk], subjects.hue(pk), [(each.day, each.rivals.get(pk)) for each in points])
        for pk in filters.rivals
        if pk in subjects.names
    ]
    if before and filters.span and filters.span_before:
        later = filters.span[0] - filters.span_before[0]
        lines.append(
            charts.Line(gettext("before"), "past", [(each.day + later, each.figures.get(key)) for each in before])
        )
    first, last = (days[0].value, days[-1].value) if days else (None, None)
    words = gettext("{name} by day: {first:.0f} % on the first of {days} days, {last:.0f} % on the last.")
    words = words.format(name=name, first=first or 0, days=len(days), last=last or 0)
    # What happened on one day is named in the chart; of several days there are numbers, which the list explains.
    is_one = len(happened) == 1
    marks = [charts.Event(each.day, each.events[0].words if is_one else str(each.number)) for each in happened]
    return charts.trend(charts.thinned(days), label=words, name=name.lower(), lines=lines, events=marks)
