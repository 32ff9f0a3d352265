"""Geometry of the trend chart: numbers in, coordinates out. The template draws it as SVG, so that it needs no script,
prints, and follows the colours of the page."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from visibility.resources import TrendItem

PADDING_LEFT, PADDING_RIGHT, PADDING_TOP, PADDING_BOTTOM = 40.0, 16.0, 12.0, 28.0


@dataclass(frozen=True, slots=True)
class Point:
    """One measured day; `low_y` and `high_y` are None where there is no interval."""

    x: float
    y: float
    low_y: float | None
    high_y: float | None
    item: TrendItem


@dataclass(frozen=True, slots=True)
class Tick:
    """A labelled place on an axis."""

    at: float
    label: str


@dataclass(frozen=True, slots=True)
class TrendChart:
    """All coordinates of one chart, in the units of its viewBox."""

    width: int
    height: int
    points: tuple[Point, ...]
    lines: tuple[str, ...]
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
        return TrendChart(width, height, (), (), (), ())
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
        lines=_lines(points),
        x_ticks=tuple(Tick(x(day), f"{day:%d %b %y}") for day in dict.fromkeys(dates)),
        y_ticks=tuple(Tick(y(percent), str(percent)) for percent in (0, 25, 50, 75, 100)),
    )


def _lines(points: Sequence[Point]) -> tuple[str, ...]:
    """Join neighbours only where the panels are comparable: a line says that two points can be compared."""
    lines: list[list[Point]] = []
    for point in points:
        if lines and point.item.comparable:
            lines[-1].append(point)
        else:
            lines.append([point])
    return tuple("M" + " L".join(f"{p.x},{p.y}" for p in line) for line in lines if len(line) > 1)
