"""Geometry of the trend chart: numbers in, coordinates out. The template draws it as SVG, so that it needs no script,
prints, and follows the colours of the page."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import pairwise
from statistics import median

from django.utils.formats import date_format

from visibility.resources.brands import TrendItem

PADDING_LEFT, PADDING_RIGHT, PADDING_TOP, PADDING_BOTTOM = 40.0, 16.0, 24.0, 28.0
HALF_LABEL = 38.0
"""Half the width of a date below the chart."""
GAP = 1.5
"""So many times the usual distance of measured days, and more, is a gap."""


@dataclass(frozen=True, slots=True)
class Point:
    """One measured day; `low_y` and `high_y` are None where there is no interval."""

    x: float
    y: float
    low_y: float | None
    high_y: float | None
    item: TrendItem

    @property
    def moved(self) -> bool:
        """Whether the score moved since the measured day before."""
        return self.item.change is not None and self.item.change.verdict == "moved"

    @property
    def confirmed(self) -> bool:
        """Whether this day confirms a move."""
        return self.item.confirmation is not None and self.item.confirmation.state == "confirmed"


@dataclass(frozen=True, slots=True)
class Tick:
    """A labelled place on an axis."""

    at: float
    label: str
    anchor: str = "middle"


@dataclass(frozen=True, slots=True)
class TrendChart:
    """All coordinates of one chart, in the units of its viewBox.

    `lines` join days that can be compared, `gaps` those of them that have unmeasured days between them; `breaks` are
    where a day cannot be compared with the one before.
    """

    width: int
    height: int
    points: tuple[Point, ...]
    lines: tuple[str, ...]
    gaps: tuple[str, ...]
    breaks: tuple[Tick, ...]
    x_ticks: tuple[Tick, ...]
    y_ticks: tuple[Tick, ...]

    @property
    def left(self) -> float:
        """Where the plot begins."""
        return PADDING_LEFT

    @property
    def right(self) -> float:
        """Where the plot ends."""
        return self.width - PADDING_RIGHT

    @property
    def bottom(self) -> float:
        """The line of zero."""
        return self.height - PADDING_BOTTOM


def trend_chart(trend: Sequence[TrendItem], *, width: int, height: int, ticks: int) -> TrendChart:
    """Place the scores of `trend` (oldest first); days without a score are left out, never drawn as zero."""
    measured = [item for item in trend if item.score is not None]
    if not measured:
        return TrendChart(width, height, (), (), (), (), (), ())
    first, last = measured[0].date, measured[-1].date
    days = max((last - first).days, 1)
    alone = first == last

    def x(day: date) -> float:
        span = width - PADDING_LEFT - PADDING_RIGHT
        return round(PADDING_LEFT + span * (0.5 if alone else (day - first).days / days), 1)

    def y(percent: float) -> float:
        return round(PADDING_TOP + (height - PADDING_TOP - PADDING_BOTTOM) * (1 - percent / 100), 1)

    points = tuple(
        Point(
            x=x(item.date),
            y=y(item.score or 0.0),
            low_y=None if item.low is None else y(item.low),
            high_y=None if item.high is None else y(item.high),
            item=item,
        )
        for item in measured
    )
    dates = [first] if alone else [first + timedelta(days=round(days * step / ticks)) for step in range(ticks + 1)]
    return TrendChart(
        width=width,
        height=height,
        points=points,
        lines=tuple(_path(line) for line in _lines(points) if len(line) > 1),
        gaps=tuple(_path(pair) for pair in _gaps(points)),
        breaks=_breaks(points),
        x_ticks=tuple(_day_tick(day, x(day), width) for day in dict.fromkeys(dates)),
        y_ticks=tuple(Tick(y(percent), str(percent)) for percent in (0, 25, 50, 75, 100)),
    )


def _day_tick(day: date, at: float, width: int) -> Tick:
    """A date below the chart; one that would be cut off at the edge ends there."""
    if at + HALF_LABEL > width:
        return Tick(float(width), date_format(day), "end")
    return Tick(at, date_format(day))


def _breaks(points: Sequence[Point]) -> tuple[Tick, ...]:
    """Half way between two days that cannot be compared, labelled with the later one."""
    return tuple(
        Tick(round((before.x + after.x) / 2, 1), date_format(after.item.date))
        for before, after in pairwise(points)
        if not after.item.comparable
    )


def _lines(points: Sequence[Point]) -> list[list[Point]]:
    """Join neighbours only where they can be compared and nothing is missing between them."""
    lines: list[list[Point]] = []
    missing = {pair[1].item.date for pair in _gaps(points)}
    for point in points:
        if lines and point.item.comparable and point.item.date not in missing:
            lines[-1].append(point)
        else:
            lines.append([point])
    return lines


def _gaps(points: Sequence[Point]) -> list[tuple[Point, Point]]:
    """Neighbours that can be compared and lie further apart than measured days of this trend usually do."""
    distances = [(after.item.date - before.item.date).days for before, after in pairwise(points)]
    usual = median(distances) if distances else 0
    return [
        pair
        for pair, distance in zip(pairwise(points), distances, strict=True)
        if distance > GAP * usual and pair[1].item.comparable
    ]


def _path(points: Sequence[Point]) -> str:
    return "M" + " L".join(f"{point.x},{point.y}" for point in points)
