"""Geometry of the trend chart: measured days in, coordinates out. The template draws it as SVG, so that it needs no
script, prints, and follows the colours of the page."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from itertools import pairwise

from django.utils.formats import date_format

from apikeys.text.sentences import counted
from visibility.pages.present.charts.axes import Tick, ValueAxis, day_ticks, fitted_axis, span_of
from visibility.pages.present.charts.frames import WIDE, Frame
from visibility.pages.present.charts.lines import Point, bands_of, gaps_in, lines_of, path_of
from visibility.pages.present.charts.marks import DayMark, marks_of
from visibility.pages.present.charts.series import Measurement, Series
from visibility.pages.present.charts.texts import fitted
from visibility.pages.present.charts.thinning import spread

DOT = 5.0
SPACE = 11.0
"""From dot to dot, at least."""
FONT = 12.0
MARGIN = 8.0
"""That texts above the plot leave free in all."""
LEGEND_MARK = 36.0
"""Room for the mark before a name, and behind it."""
MAX_RIVALS = 5
"""That one chart shows beside the brand; each has a line and a mark of its own."""


@dataclass(frozen=True, slots=True)
class Dot:
    """A day that one can point at, in the column from `left` on; the lines about it have so much `room`."""

    point: Point
    left: float
    width: float
    room: float

    @property
    def first(self) -> str:
        """What the day shows."""
        return fitted(_first_line(self.point.item), self.room, FONT + 1)

    @property
    def second(self) -> str:
        """Of how many answers, and what may be said of the change."""
        return fitted(_second_line(self.point.item), self.room, FONT)


@dataclass(frozen=True, slots=True)
class RivalLine:
    """A rival's line. `number` counts from 1 and chooses its colour, stroke and mark, at each of `dots`; `legend` is
    its name as it fits above the plot, from `legend_x` on."""

    name: str
    number: int
    legend_x: float
    legend: str
    lines: tuple[str, ...]
    dots: tuple[Point, ...]


@dataclass(frozen=True, slots=True)
class TrendChart:
    """All coordinates of one chart.

    `days` are the first and the last. `lines` join days that can be compared, `gaps` those of them that have
    unmeasured days between them, and `bands` are the intervals along the lines; `alone` are the days that no line
    reaches, whose intervals are drawn as whiskers. `dots` are fewer than the days where these lie too close.
    """

    frame: Frame
    axis: ValueAxis
    days: tuple[date, date] | None
    points: tuple[Point, ...]
    dots: tuple[Dot, ...]
    alone: tuple[Point, ...]
    bands: tuple[str, ...]
    lines: tuple[str, ...]
    gaps: tuple[str, ...]
    marks: tuple[DayMark, ...]
    rivals: tuple[RivalLine, ...]

    @property
    def x_ticks(self) -> list[Tick]:
        """The days below the plot."""
        frame = self.frame
        if self.days is None:
            return []
        return day_ticks(*self.days, left=frame.left, right=frame.plot_right, intervals=frame.ticks)

    @property
    def y_ticks(self) -> list[Tick]:
        """The values beside it."""
        return [Tick(self.frame.y(self.axis, value), f"{value} %", "end") for value in self.axis.values]

    @property
    def breaks(self) -> tuple[DayMark, ...]:
        """The marks between days that cannot be compared."""
        return tuple(mark for mark in self.marks if mark.is_break)

    @property
    def room(self) -> float:
        """For each name above the plot."""
        return _legend_room(self.frame, len(self.rivals))

    @property
    def latest(self) -> Dot | None:
        """The last day, told of until one points at another."""
        return self.dots[-1] if self.dots else None


def trend_chart(
    own: Series,
    rivals: Sequence[Series] = (),
    *,
    frame: Frame = WIDE,
    axis: ValueAxis | None = None,
    span: tuple[date, date] | None = None,
) -> TrendChart:
    """Place the days of the brand, and of `MAX_RIVALS` rivals; days without a value are left out, never drawn as
    zero. `axis` and `span` (the first and the last day) are fitted to these unless they are given."""
    subjects = [own, *rivals[:MAX_RIVALS]]
    axis = axis or axis_of(subjects)
    measured = [[day.day for day in series.measured] for series in subjects]
    if not any(measured):
        return TrendChart(frame, axis, None, (), (), (), (), (), (), (), ())
    place = _Place(frame, axis, *(span or span_of(measured)))
    points = place.points(own)
    lines = lines_of(points)
    return TrendChart(
        frame=frame,
        axis=axis,
        days=(place.first, place.last),
        points=tuple(points),
        dots=tuple(_dots(points, frame)),
        alone=tuple(line[0] for line in lines if len(line) == 1 and line[0].low_y is not None),
        bands=tuple(band for line in lines for band in bands_of(line)),
        lines=tuple(path_of(line) for line in lines if len(line) > 1),
        gaps=tuple(_path_of_gaps(points)),
        marks=marks_of(points, frame),
        rivals=tuple(
            _rival(number, len(subjects) - 1, series, place) for number, series in enumerate(subjects[1:], 1)
        ),
    )


def axis_of(every: Sequence[Series]) -> ValueAxis:
    """The axis on which all days of these and the intervals of the first lie."""
    values = [day.value for series in every for day in series.measured]
    ends = [end for day in every[0].measured for end in (day.low, day.high)] if every else []
    return fitted_axis([*values, *ends])


@dataclass(frozen=True, slots=True)
class _Place:
    """Where days and values lie."""

    frame: Frame
    axis: ValueAxis
    first: date
    last: date

    def points(self, series: Series) -> list[Point]:
        """The measured days."""
        return [self._point(day, day.value) for day in series.measured if day.value is not None]

    def _point(self, day: Measurement, value: float) -> Point:
        days = (self.last - self.first).days
        part = (day.day - self.first).days / days if days else 0.5
        low, high = (None if end is None else self.frame.y(self.axis, end) for end in (day.low, day.high))
        x = round(self.frame.left + (self.frame.plot_right - self.frame.left) * part, 1)
        return Point(x, self.frame.y(self.axis, value), low, high, day)


def _path_of_gaps(points: Sequence[Point]) -> list[str]:
    gaps = gaps_in([point.item for point in points])
    return [path_of([points[before], points[after]]) for before, after in gaps]


def _weight(point: Point) -> int:
    """Days that moved keep their dot before others."""
    return {"confirmed": 3, "moved": 2, "": 0}[point.item.mark] or int(not point.item.comparable)


def _dots(points: Sequence[Point], frame: Frame) -> list[Dot]:
    most = int((frame.plot_right - frame.left) / SPACE)
    kept = spread(points, most, _weight)
    if kept and kept[-1] is not points[-1]:
        kept[-1] = points[-1]
    middles = [(before.x + after.x) / 2 for before, after in pairwise(kept)]
    ends = [frame.left - DOT, *middles, frame.plot_right + DOT]
    room = frame.width - MARGIN
    return [
        Dot(point, round(left, 1), round(right - left, 1), room)
        for point, (left, right) in zip(kept, pairwise(ends), strict=True)
    ]


def _first_line(day: Measurement) -> str:
    interval = f" ({day.interval})" if day.interval else ""
    return f"{date_format(day.day)}: {day.figure}{interval}"


def _second_line(day: Measurement) -> str:
    said = day.verdict or ("" if day.comparable else f"cannot be compared: {day.reason}")
    return " · ".join(filter(None, [counted(day.answers, "answer"), said]))


def _legend_room(frame: Frame, rivals: int) -> float:
    return frame.width / (rivals + 1)


def _rival(number: int, count: int, series: Series, place: _Place) -> RivalLine:
    points = place.points(series)
    lines = lines_of(points)
    room = _legend_room(place.frame, count)
    return RivalLine(
        name=series.name,
        number=number,
        legend_x=round(room * number, 1),
        legend=fitted(series.name, room - LEGEND_MARK, FONT),
        lines=tuple(path_of(line) for line in lines if len(line) > 1),
        dots=tuple(spread(points, int((place.frame.plot_right - place.frame.left) / (4 * SPACE)), lambda _: 0)),
    )
