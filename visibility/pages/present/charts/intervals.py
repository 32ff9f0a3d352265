"""The brand among its rivals: a row for each, with its value and the interval in which it may lie."""

from collections.abc import Sequence
from dataclasses import dataclass

from apikeys.text.sentences import counted, one_line
from visibility.metrics.shown import on_questions, shown
from visibility.pages.present.charts.axes import Tick, ValueAxis, fitted_axis
from visibility.pages.present.charts.texts import fitted

FONT = 13.0
NAME, FIGURE = 210.0, 190.0
"""Room for names at the left and for figures at the right, in the wide picture."""
SMALL_WIDTH, SMALL_NAME, SMALL_FIGURE = 560, 146.0, 146.0
"""Up to which width a picture is small, and the room in it."""
ROW, NARROW_ROW = 29.0, 54.0
TOP, BOTTOM = 10.0, 30.0


@dataclass(frozen=True, slots=True)
class Standing:
    """Where one of them stands: 0–100; a value of None was not measured. `href` may be empty."""

    name: str
    value: float | None
    low: float | None = None
    high: float | None = None
    answers: int = 0
    is_own: bool = False
    href: str = ""
    interval_of: str | None = None

    @property
    def figure(self) -> str:
        """The value with its interval, or why there is none."""
        if self.value is None:
            return "not measured"
        if self.low is None or self.high is None:
            return f"{shown(self.value)} % (no interval)"
        return f"{shown(self.value)} % ({shown(self.low)} to {shown(self.high)}{on_questions(self.interval_of)})"

    @property
    def sentence(self) -> str:
        """All of it in a line."""
        answers = f", {counted(self.answers, 'answer')}" if self.answers else ""
        return f"{one_line(self.name)}: {self.figure}{answers}"


@dataclass(frozen=True, slots=True)
class IntervalRow:
    """One row: the heights of its name and of its mark, and where mark and whisker lie (None: not measured)."""

    standing: Standing
    name: str
    name_y: float
    y: float
    x: float | None
    low_x: float | None
    high_x: float | None


@dataclass(frozen=True, slots=True)
class IntervalPlot:
    """All coordinates. `own_x` is a line through all rows at the brand's value."""

    width: int
    height: int
    left: float
    right: float
    axis: ValueAxis
    rows: tuple[IntervalRow, ...]
    ticks: tuple[Tick, ...]
    own_x: float | None
    is_narrow: bool

    @property
    def bottom(self) -> float:
        """Where the plot ends."""
        return self.height - BOTTOM

    @property
    def name_x(self) -> float:
        """Where names begin."""
        return 4.0

    @property
    def figure_x(self) -> float:
        """Where figures end."""
        return self.width - 4.0


@dataclass(frozen=True, slots=True)
class IntervalFigure:
    """The same rows for wide and for narrow screens."""

    wide: IntervalPlot
    narrow: IntervalPlot
    standings: tuple[Standing, ...]


def interval_figure(standings: Sequence[Standing], *, width: int = 900) -> IntervalFigure:
    """The highest value first; those that are not measured last, by name. `width` is that of the wide picture."""
    ordered = sorted(
        standings, key=lambda row: (row.value is None, -(row.value or 0.0), not row.is_own, row.name.casefold())
    )
    return IntervalFigure(
        _plot(ordered, width=width, is_narrow=False), _plot(ordered, width=380, is_narrow=True), tuple(ordered)
    )


def _plot(standings: Sequence[Standing], *, width: int, is_narrow: bool) -> IntervalPlot:
    axis = fitted_axis([value for row in standings for value in (row.value, row.low, row.high)])
    name_room, figure_room = (SMALL_NAME, SMALL_FIGURE) if width <= SMALL_WIDTH else (NAME, FIGURE)
    labelled = _labelled(axis, is_narrow or width <= SMALL_WIDTH)
    left, right = (16.0, width - 20.0) if is_narrow else (name_room + 18.0, width - figure_room - 18.0)

    def x(percent: float | None) -> float | None:
        return None if percent is None else round(left + (right - left) * axis.part(percent), 1)

    height = NARROW_ROW if is_narrow else ROW
    rows = []
    for number, row in enumerate(standings):
        top = TOP + number * height
        middle = top + (38.0 if is_narrow else height / 2)
        name = fitted(one_line(row.name), width - FIGURE - 24.0 if is_narrow else name_room, FONT)
        name_y = top + 16.0 if is_narrow else middle
        rows.append(IntervalRow(row, name, name_y, middle, x(row.value), x(row.low), x(row.high)))
    return IntervalPlot(
        width=width,
        height=round(TOP + len(standings) * height + BOTTOM),
        left=left,
        right=right,
        axis=axis,
        rows=tuple(rows),
        ticks=tuple(Tick(x(value) or left, f"{value} %") for value in labelled),
        own_x=next((row.x for row in rows if row.standing.is_own), None),
        is_narrow=is_narrow,
    )


def _labelled(axis: ValueAxis, is_tight: bool) -> Sequence[int]:
    values = list(axis.values)
    return values[::2] if is_tight and len(values) > 4 else values
