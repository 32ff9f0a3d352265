"""The trend as a page shows it: wide and narrow picture, what cannot be seen in words, the numbers as a table."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.core.paginator import Page, Paginator

from visibility.metrics.shown import shown
from visibility.pages.present.charts.frames import NARROW, WIDE, Frame
from visibility.pages.present.charts.notes import breaks_of, gaps_of, notes_of
from visibility.pages.present.charts.series import Measurement, Series
from visibility.pages.present.charts.trend import TrendChart, trend_chart

MAX_NOTES = 4
MAX_ROWS = 100
NO_VALUE = "–"


@dataclass(frozen=True, slots=True)
class TrendRow:
    """A day in the table, and the figures of the rivals on it."""

    day: Measurement
    rivals: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TrendFigure:
    """One trend for `visibility/charts/_trend.html`.

    `notes` say why days cannot be compared and where days are missing, the latest first, `more_notes` how many others
    there are. `rows` are the days of a `page` of the table, the newest first.
    """

    name: str
    wide: TrendChart
    narrow: TrendChart
    rivals: tuple[str, ...]
    notes: tuple[str, ...]
    more_notes: int
    rows: tuple[TrendRow, ...]
    page: Page[Measurement]

    @property
    def has_bypass(self) -> bool:
        """Whether there are so many dots that one wants to pass them over with the keyboard."""
        return len(self.wide.dots) > 10

    @property
    def has_notes(self) -> bool:
        """Whether anything but breaks is marked."""
        return len(self.wide.marks) > len(self.wide.breaks)

    @property
    def has_moves(self) -> bool:
        """Whether a ring is drawn at all."""
        return any(dot.point.item.mark for dot in self.wide.dots)


def trend_figure(
    own: Series, rivals: Sequence[Series] = (), *, wide: Frame = WIDE, page: str | int = 1
) -> TrendFigure:
    """The brand's trend, with the lines of these rivals (see `MAX_RIVALS`); `wide` is the picture on wide screens,
    `page` that of the table, where one beyond the last is the last."""
    wide_chart = trend_chart(own, rivals, frame=wide)
    shown_rivals = rivals[: len(wide_chart.rivals)]
    notes = [*reversed(notes_of(own)), *reversed(breaks_of(own)), *reversed(gaps_of(own))]
    by_day = [{day.day: day for day in series.measured} for series in shown_rivals]
    shown_days = Paginator(own.days[::-1], MAX_ROWS).get_page(page)
    rows = [TrendRow(day, tuple(_cell(days.get(day.day)) for days in by_day)) for day in shown_days]
    return TrendFigure(
        name=own.name,
        wide=wide_chart,
        narrow=trend_chart(own, rivals, frame=NARROW),
        rivals=tuple(series.name for series in shown_rivals),
        notes=tuple(notes[:MAX_NOTES]),
        more_notes=max(0, len(notes) - MAX_NOTES),
        rows=tuple(rows),
        page=shown_days,
    )


def _cell(day: Measurement | None) -> str:
    return NO_VALUE if day is None or day.value is None else f"{shown(day.value)} %"
