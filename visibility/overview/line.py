"""The line of a brand's figures: the window of now as it was on each measured day, beside that day's own score."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

from django.db.models import Max, Q

from brands.models import Brand
from visibility.counts.figures import figures_of
from visibility.counts.reader import Selection, select_between
from visibility.models import DailyScore, Topic


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


def line_of_part(brand: Brand, days: int | None, topics: Sequence[Topic], engines: Sequence[str]) -> list[Point]:
    """The same of some topics or engines: each measured day alone, not the window that ends on it."""
    last = DailyScore.objects.of_brand(brand).aggregate(last=Max("date"))["last"]
    if last is None:
        return []
    first = date.min if days is None else last - timedelta(days=days - 1)
    part = select_between(brand, first, last).narrow(topics=topics, engines=engines)
    points = []
    for day, sums in sorted(part.sums_of_days.items()):
        of_day = Selection(brand, part.cells, sums)
        figures = figures_of(of_day)
        if figures is not None:
            asked = sorted({engine for engine, _ in of_day.engines})
            points.append(Point(day, figures.model_dump(mode="json", by_alias=True), None, asked))
    return points
