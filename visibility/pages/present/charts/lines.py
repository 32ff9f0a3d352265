"""Measured days as lines: what is joined, what is passed over, what lies apart; as paths of SVG."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median

from visibility.pages.present.charts.series import Measurement
from visibility.pages.present.charts.thinning import outline

GAP = 1.5
"""So many times the usual distance of measured days, and more, is a gap."""
MAX_CORNERS = 400
"""Of the line of one subject."""


@dataclass(frozen=True, slots=True)
class Point:
    """A day of the line. `low_y` and `high_y` are None where there is no interval."""

    x: float
    y: float
    low_y: float | None
    high_y: float | None
    item: Measurement


def gaps_in(days: Sequence[Measurement]) -> list[tuple[int, int]]:
    """Neighbours, by their places, that can be compared and lie further apart than measured days of this trend
    usually do."""
    distances = [(after.day - before.day).days for before, after in pairwise(days)]
    usual = median(distances) if distances else 0
    return [
        (place, place + 1)
        for place, distance in enumerate(distances)
        if distance > GAP * usual and days[place + 1].comparable
    ]


def lines_of(points: Sequence[Point]) -> list[list[Point]]:
    """Neighbours joined only where they can be compared and nothing is missing between them."""
    missing = {after for _, after in gaps_in([point.item for point in points])}
    lines: list[list[Point]] = []
    for place, point in enumerate(points):
        if lines and point.item.comparable and place not in missing:
            lines[-1].append(point)
        else:
            lines.append([point])
    return lines


def path_of(points: Sequence[Point]) -> str:
    """The line through these points; through those that shape it where they are many."""
    return "M" + " L".join(f"{point.x},{point.y}" for point in _outline(points))


def bands_of(line: Sequence[Point]) -> list[str]:
    """The intervals along a line, as closed paths; days without an interval divide them."""
    stretches: list[list[tuple[float, float, float]]] = [[]]
    for point in _outline(line):
        if point.low_y is None or point.high_y is None:
            stretches.append([])
        else:
            stretches[-1].append((point.x, point.low_y, point.high_y))
    return [_closed(stretch) for stretch in stretches if len(stretch) > 1]


def _closed(stretch: Sequence[tuple[float, float, float]]) -> str:
    upper = [f"{x},{high}" for x, _, high in stretch]
    lower = [f"{x},{low}" for x, low, _ in reversed(stretch)]
    return "M" + " L".join(upper + lower) + "Z"


def _outline(points: Sequence[Point]) -> list[Point]:
    return outline(points, MAX_CORNERS, lambda point: point.y)
