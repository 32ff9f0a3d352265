"""Reads of measured days."""

from collections.abc import Iterator, Sequence
from datetime import date
from typing import Any
from uuid import UUID

from apikeys.accounts.caller import Caller
from brands.access import readable_brand
from visibility.models import DailyScore
from visibility.scores.resources import Change, Trend, TrendItem

BATCH = 500
_CHANGE = [str(field.alias) for field in Change.model_fields.values()]
_DAY = [str(field.alias) for field in TrendItem.model_fields.values() if field.alias != "change"]
TREND_COLUMNS = (*_DAY, *(f"change.{name}" for name in _CHANGE))
"""The fields of a measured day in tables."""
_COLUMNS = ("date", "score", "low", "high", "figures", "comparable", "change", "runs")


def read_trend(caller: Caller, brand_id: UUID, first: date, last: date) -> Trend:
    """The measured days of a brand in a window, both ends included, the oldest first."""
    brand = readable_brand(caller, brand_id)
    days = DailyScore.objects.of_brand(brand).between(first, last).values(*_COLUMNS)
    return Trend.model_validate({"brand": brand.pk, "trend": list(map(_item, days))})


def iterate_trend(caller: Caller, brand_id: UUID) -> Iterator[TrendItem]:
    """All measured days of a brand, the oldest first: one statement, so of one moment, read in batches."""
    brand = readable_brand(caller, brand_id)
    days = DailyScore.objects.of_brand(brand).between(date.min, date.max).values(*_COLUMNS)
    return (TrendItem.model_validate(_item(day)) for day in days.iterator(chunk_size=BATCH))


def iterate_scores(brand_ids: Sequence[UUID], first: date, last: date) -> Iterator[tuple[UUID, str, TrendItem]]:
    """The measured days of these brands in a window, both ends included, with their brand and its domain: by brand,
    the oldest first. One statement, read in batches."""
    days = DailyScore.objects.filter(brand__in=brand_ids, competitor=None, date__range=(first, last))
    rows = days.order_by("brand_id", "date").values("brand_id", "brand__domain", *_COLUMNS)
    for row in rows.iterator(chunk_size=BATCH):
        yield row.pop("brand_id"), row.pop("brand__domain"), TrendItem.model_validate(_item(row))


def trend_row(item: TrendItem) -> list[Any]:
    """The values of TREND_COLUMNS."""
    day = item.model_dump(mode="json")
    change = day["change"] or {}
    return [*(day[name] for name in _DAY), *(change.get(name) for name in _CHANGE)]


def _item(day: dict[str, Any]) -> dict[str, Any]:
    return {**day.pop("figures"), **day}
