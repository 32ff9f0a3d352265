"""The line of a brand's figures: each measured day with the headline figures of that day, the last one with now's."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from typing import Any

from django.db.models import Max, Q

from brands.models import Brand
from visibility.models import DailyScore
from visibility.scores.days import SURFACE_ORDER, EngineKey
from visibility.scores.now import reach_of_now


@dataclass(frozen=True, slots=True)
class Point:
    """A measured day, and the engines that were asked on it. `is_carried`: others are in use, too, and the score is
    the mean of the last one of each; it is the only figure then."""

    day: date
    figures: Mapping[str, Any]
    asked: Sequence[str]
    is_carried: bool


def line_of(brand: Brand, days: int | None) -> list[Point]:
    """The measured days of so many up to the last one, or of all. An engine is in use for as long after its last day
    as it is in the figures of now."""
    scores = DailyScore.objects.of_brand(brand)
    last = scores.aggregate(last=Max("date"))["last"]
    if last is None:
        return []
    first, reach = date.min if days is None else last - timedelta(days=days - 1), reach_of_now(brand)
    rows = scores if days is None else scores.filter(Q(date=None) | Q(date__gte=first - reach))
    now, points, latest = None, list[Point](), dict[EngineKey, tuple[date, float]]()
    for row in rows.defer("change", "runs").order_by("date"):
        if row.date is None:  # the last in this order
            now = row
            continue
        measured = {(each["engine"], each["surface"]): each["score"] for each in row.figures["engines"]}
        latest |= {key: (row.date, score) for key, score in measured.items() if score is not None}
        in_use = _averaged({key: score for key, (day, score) in latest.items() if row.date - day <= reach})
        asked = sorted({name for name, _ in measured})
        if in_use.keys() <= measured.keys():
            points.append(Point(row.date, row.every_figure, asked, is_carried=False))
        else:
            points.append(Point(row.date, {"score": sum(in_use.values()) / len(in_use)}, asked, is_carried=True))
    if now is not None and points:
        points[-1] = replace(points[-1], figures=now.every_figure)
    return [point for point in points if point.day >= first]


def _averaged(scores: Mapping[EngineKey, float]) -> dict[EngineKey, float]:
    """The scores of the surface that makes the figure over engines."""
    surface = next((each for each in SURFACE_ORDER if any(key[1] == each for key in scores)), None)
    return {key: score for key, score in scores.items() if key[1] == surface}
