"""Reads of measured days."""

from datetime import date
from uuid import UUID

from apikeys.caller import Caller
from brands.access import readable_brand
from visibility.models import DailyScore
from visibility.scores.resources import Trend

_COLUMNS = ("date", "score", "low", "high", "figures", "comparable", "change", "runs")


def read_trend(caller: Caller, brand_id: UUID, first: date, last: date) -> Trend:
    """The measured days of a brand in a window, both ends included, the oldest first."""
    brand = readable_brand(caller, brand_id)
    days = DailyScore.objects.of_brand(brand).between(first, last).values(*_COLUMNS)
    return Trend.model_validate({"brand": brand.pk, "trend": [{**day.pop("figures"), **day} for day in days]})
