"""The line of a brand's figures: the window of now as it was on each measured day, beside that day's own score."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

from django.db.models import Max, Q

from brands.models import Brand
from visibility.models import DailyScore


@dataclass(frozen=True, slots=True)
class Point:
    """A measured day: the figures of the window that ends on it, the score of the day alone, and who was asked."""

    day: date
    figures: Mapping[str, Any]
    score_of_day: float | None
    asked: Sequence[str]


def line_of(brand: Brand, days: int | None) -> list[Point]:
    """The measured days of so many up to the last one, or of all. The last point has the figures of now.

    A day whose window is not written yet, after an upgrade, has its own figures.
    """
    scores = DailyScore.objects.of_brand(brand)
    last = scores.aggregate(last=Max("date"))["last"]
    if last is None:
        return []
    first = date.min if days is None else last - timedelta(days=days - 1)
    rows = list(scores.filter(Q(date=None) | Q(date__gte=first)).defer("change", "runs").order_by("date"))
    now = rows.pop() if rows[-1].date is None else None  # the last in this order
    points = [
        Point(
            row.date,
            row.window or row.every_figure,
            row.score,
            sorted({each["engine"] for each in row.figures["engines"]}),
        )
        for row in rows
        if row.date is not None
    ]
    if now is not None:
        points[-1] = Point(points[-1].day, now.every_figure, points[-1].score_of_day, points[-1].asked)
    return points
