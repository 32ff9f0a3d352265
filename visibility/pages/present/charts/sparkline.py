"""A trend the size of a word: the line with the band of its intervals, for tables."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from visibility.pages.present.charts.axes import ValueAxis
from visibility.pages.present.charts.frames import Frame
from visibility.pages.present.charts.lines import Point
from visibility.pages.present.charts.series import Measurement, Series
from visibility.pages.present.charts.trend import TrendChart, trend_chart

SMALL = Frame(140, 36, ticks=1, left=4.0, right=7.0, top=5.0, bottom=5.0)


@dataclass(frozen=True, slots=True)
class Sparkline:
    """The coordinates, where the line ends (None where nothing is measured), and what it shows in words."""

    chart: TrendChart
    last: Point | None
    words: str


def sparkline(
    days: Sequence[Measurement],
    *,
    frame: Frame = SMALL,
    axis: ValueAxis | None = None,
    span: tuple[date, date] | None = None,
) -> Sparkline:
    """The days, oldest first, on an axis fitted to them, or on that of several trends and over their days."""
    chart = trend_chart(Series("", days), frame=frame, axis=axis, span=span)
    if not chart.points:
        return Sparkline(chart, None, "Not measured yet")
    first, last = chart.points[0].item, chart.points[-1].item
    words = last.sentence if first is last else f"From {first.sentence}. To {last.sentence}"
    return Sparkline(chart, chart.points[-1], words)
