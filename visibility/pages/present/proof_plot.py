"""What became of work, as a picture: the change of its topic, that of the other topics, and the difference."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import ceil, floor
from typing import Any

from visibility.metrics.shown import shown

WIDTH = 420
_SIDE, _ROW, _TOP = 14, 46, 4
_STEPS = (5, 10, 20, 25, 50, 100)
_MAX_TICKS = 6
Place = Callable[[float], float]
"""Where a number of points lies in the picture."""


@dataclass(frozen=True, slots=True)
class Tick:
    """A line of the grid, in points."""

    x: float
    label: str
    anchor: str
    zero: bool


@dataclass(frozen=True, slots=True)
class PlotRow:
    """One change: its `value` in words, and places in the picture; `low` and `high` are None without an interval."""

    name: str
    value: str
    x: float
    y: float
    name_y: float
    low: float | None
    high: float | None
    hollow: bool


@dataclass(frozen=True, slots=True)
class ProofPlot:
    """The picture; `alt` says the same in a sentence."""

    rows: Sequence[PlotRow]
    ticks: Sequence[Tick]
    alt: str
    width: int
    height: int
    top: float
    bottom: float
    label_y: float


def proof_plot(result: Mapping[str, Any]) -> ProofPlot | None:
    """The picture of a verdict; None where nothing was compared."""
    own, control, delta = (_number(result, name) for name in ("own", "control", "delta"))
    if own is None or control is None or delta is None:
        return None
    low, high = _number(result, "low"), _number(result, "high")
    if low is None or high is None:
        low = high = None
    delta = min(max(delta, -100.0), 100.0)
    values = [0.0, own, control, delta, *((low, high) if low is not None else ())]
    step = _step(max(values) - min(values))
    first, last = step * floor(min(values) / step), step * max(ceil(max(values) / step), 1)
    scale = (WIDTH - 2 * _SIDE) / (last - first)

    def place(value: float) -> float:
        return float(round(_SIDE + (value - first) * scale, 1))

    named = (("This topic", own, None), ("The other topics", control, None), ("Difference", delta, (low, high)))
    rows = [_row(number, name, value, interval, place) for number, (name, value, interval) in enumerate(named)]
    bottom = _TOP + _ROW * len(rows)
    return ProofPlot(
        rows=rows,
        ticks=_ticks(first, last, step, place),
        alt=". ".join(f"{row.name}: {row.value}" for row in rows) + ".",
        width=WIDTH,
        height=bottom + 22,
        top=_TOP,
        bottom=bottom,
        label_y=bottom + 16,
    )


def _row(
    number: int, name: str, value: float, interval: tuple[float | None, float | None] | None, place: Place
) -> PlotRow:
    low, high = interval or (None, None)
    words = f"{shown(value, signed=True)} points"
    if low is not None and high is not None:
        words += f" (95 %: {shown(low, signed=True)} to {shown(high, signed=True)})"
    return PlotRow(
        name=name,
        value=words,
        x=place(value),
        y=_TOP + _ROW * number + 32,
        name_y=_TOP + _ROW * number + 15,
        low=None if low is None else place(low),
        high=None if high is None else place(high),
        hollow=interval is None,
    )


def _number(result: Mapping[str, Any], name: str) -> float | None:
    value = result.get(name)
    return None if value is None else float(value)


def _step(span: float) -> int:
    return next((step for step in _STEPS if span / step <= _MAX_TICKS - 1), _STEPS[-1])


def _ticks(first: int, last: int, step: int, place: Place) -> list[Tick]:
    anchors = {first: "start", last: "end"}
    return [
        Tick(place(value), shown(float(value), 0, signed=True), anchors.get(value, "middle"), value == 0)
        for value in range(first, last + 1, step)
    ]
