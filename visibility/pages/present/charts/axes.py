"""The axes of charts: percent upwards, fitted to what is shown, and days to the right."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from math import ceil, floor

from django.utils.formats import date_format

STEPS = (1, 2, 5, 10, 20, 25)
MAX_INTERVALS = 5
MIN_SPAN = 10.0
"""Points: no axis is so short that noise looks like a fall."""
ZERO_NEAR = 0.6
"""An axis begins at 0 where that costs less than this part of what is shown."""
WHOLE = 100


@dataclass(frozen=True, slots=True)
class Tick:
    """A labelled place on an axis; `anchor` is where the label stands to it, as SVG has it."""

    at: float
    label: str
    anchor: str = "middle"


@dataclass(frozen=True, slots=True)
class ValueAxis:
    """Percent from `first` to `last`, labelled at each `step`."""

    first: int
    last: int
    step: int

    @property
    def is_cut(self) -> bool:
        """Whether it does not begin at 0."""
        return self.first > 0

    @property
    def values(self) -> range:
        """What is labelled."""
        return range(self.first, self.last + 1, self.step)

    def part(self, percent: float) -> float:
        """How far along the axis the value lies, 0–1."""
        return (percent - self.first) / (self.last - self.first)


def fitted_axis(values: Iterable[float | None]) -> ValueAxis:
    """The shortest axis of round numbers on which all these lie; 0–100 where there are none."""
    measured = [value for value in values if value is not None]
    if not measured:
        return ValueAxis(0, WHOLE, STEPS[-1])
    low, high = min(measured), max(measured)
    if (lacking := MIN_SPAN - (high - low)) > 0:
        low = min(max(0.0, low - lacking / 2), WHOLE - MIN_SPAN)
        high = low + MIN_SPAN
    if low <= ZERO_NEAR * (high - low):
        low = 0.0
    for step in STEPS:
        first, last = floor(low / step) * step, ceil(high / step) * step
        if (last - first) // step <= MAX_INTERVALS:
            break
    return ValueAxis(first, last, step)


def day_ticks(first: date, last: date, *, left: float, right: float, intervals: int) -> list[Tick]:
    """Dates below a chart that reaches from `left` to `right`; the outer ones stay between these ends."""
    days = (last - first).days
    if days == 0:
        return [Tick((left + right) / 2, date_format(first))]
    steps = min(days, intervals)
    places = [round(days * step / steps) for step in range(steps + 1)]
    anchors = {0: "start", days: "end"}
    return [
        Tick(
            round(left + (right - left) * place / days, 1),
            date_format(first + timedelta(days=place)),
            anchors.get(place, "middle"),
        )
        for place in places
    ]


def span_of(days: Iterable[Sequence[date]]) -> tuple[date, date]:
    """The first and the last of all these days, of which there is one at least."""
    every = [day for some in days for day in some]
    return min(every), max(every)
