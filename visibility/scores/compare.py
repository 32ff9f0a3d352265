"""Compares stored scores with their computation from the stored answers: what a restored database is judged by."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from django.db.models import F

from brands.models import Brand
from visibility.models import DailyScore
from visibility.scores.days import counts_of_day, daily_scores
from visibility.scores.history import METHOD

COMPARED = ("score", "low", "high")


@dataclass(frozen=True, slots=True)
class Comparison:
    """How many scores were compared on how many days of brands, and which of them differ, in words."""

    days: int
    scores: int
    differing: Sequence[str]


def compare_scores(sample: int) -> Comparison:
    """Compute the scores of so many days again, chosen by chance, of brands whose history is counted to its end."""
    counted = Brand.objects.filter(method_version=METHOD, counted_version=F("names_version"))
    own = DailyScore.objects.filter(brand__in=counted, competitor=None).exclude(date=None)
    days = list(own.order_by("?").select_related("brand")[:sample])
    scores, differing = 0, []
    for each in days:
        assert each.date is not None  # noqa: S101 - by the filter
        number, words = _compare_day(each.brand, each.date)
        scores += number
        differing += words
    return Comparison(len(days), scores, differing)


def _compare_day(brand: Brand, day: date) -> tuple[int, list[str]]:
    stored = {row.competitor_id: row for row in DailyScore.objects.filter(brand=brand, date=day)}
    computed = {row.competitor_id: row for row in daily_scores(brand, day, counts_of_day(brand, day))}
    differing = []
    for key in stored.keys() | computed.keys():
        before, after = stored.get(key), computed.get(key)
        if before is None or after is None or _figures_of(before) != _figures_of(after):
            differing.append(f"{brand.name} on {day}: {'the brand' if key is None else f'competitor {key}'}")
    return len(stored), differing


def _figures_of(score: DailyScore) -> dict[str, object]:
    """The figures that are computed from counts; others stand beside those of the brand itself."""
    names = ("panelLow", "panelHigh", "prompts", "topics", "answers", "failed", "engines")
    return {name: getattr(score, name) for name in COMPARED} | {name: score.figures.get(name) for name in names}
