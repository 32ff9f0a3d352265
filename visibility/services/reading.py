"""What the doors read: each function checks the scope and the visibility, and returns a resource.

The rows of a brand are read first, through the visible brands; only when there are none is the brand itself looked
for. So a call costs one statement, or two where there is nothing to show.
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from typing import Any, TypeVar
from uuid import UUID

import orjson
from django.db.models import F, FilteredRelation, OuterRef, Q, QuerySet, Subquery, TextField
from django.db.models.functions import Cast

from apikeys.caller import Caller
from apikeys.errors import not_found
from apikeys.scopes import Scope
from brands.models import Brand
from visibility.models import DailyScore, Recommendation, Run
from visibility.resources import (
    RUN_FIELDS,
    RUN_SUMMARY_FIELDS,
    BrandDetail,
    BrandList,
    BrandListItem,
    BrandResource,
    RecommendationList,
    RecommendationResource,
    RunList,
    RunResource,
    RunSummary,
    Trend,
    TrendItem,
)

Row = TypeVar("Row")
RUN_HISTORY_CAP = 60
_BRAND_FIELDS = tuple(BrandResource.model_fields)
_SUMMARY_PATHS = tuple(f"latest__{name}" for name in RUN_SUMMARY_FIELDS)
_RECOMMENDATION_FIELDS = tuple(
    str(field.validation_alias) if name in {"first_seen_run", "last_seen_run"} else name
    for name, field in RecommendationResource.model_fields.items()
)
_TREND_NAMES = tuple(field.alias or name for name, field in TrendItem.model_fields.items())
_TREND_JSON = ("engines", "change", "runs")
_TREND_COLUMNS = tuple(Cast(name, TextField()) if name in _TREND_JSON else F(name) for name in TrendItem.model_fields)


def brands_of(caller: Caller) -> BrandList:
    """The brands that the caller sees, by name then id, each with its most recent run."""
    caller.require(Scope.READ_SITES)
    rows = _with_latest_run(Brand.objects.for_caller(caller).order_by("name", "id"))
    return BrandList(brands=[BrandListItem(**_brand(row), latest_run=_latest_run(row)) for row in rows])


def brand_detail(caller: Caller, *, brand_id: UUID) -> BrandDetail:
    """One brand with its most recent run; not_found when the caller cannot see it."""
    caller.require(Scope.READ_SITES)
    for row in _with_latest_run(Brand.objects.for_caller(caller).filter(pk=brand_id).order_by()):
        return BrandDetail(brand=BrandResource(**_brand(row)), latest_run=_latest_run(row))
    raise not_found()


def trend(caller: Caller, *, brand_id: UUID, first: date, last: date) -> Trend:
    """The measured days from `first` to `last` (UTC, both included), oldest first."""
    return Trend.model_validate(trend_body(caller, brand_id=brand_id, first=first, last=last))


def trend_body(caller: Caller, *, brand_id: UUID, first: date, last: date) -> dict[str, Any]:
    """As `trend`, in the form that a `Trend` is written in: plain values under its names outside.

    For answers that only pass it on: to check thousands of stored days again costs more than to read them.
    """
    caller.require(Scope.READ_VISIBILITY)
    rows = (
        DailyScore.objects.for_caller(caller)
        .filter(brand=brand_id, competitor=None, date__range=(first, last))
        .order_by("date")
        .values_list(*_TREND_COLUMNS)
    )
    return {"brand": brand_id, "trend": [_trend_item(row) for row in _rows(caller, brand_id, rows)]}


def runs(caller: Caller, *, brand_id: UUID) -> RunList:
    """The most recent runs of every kind, newest first, 60 at most."""
    caller.require(Scope.READ_VISIBILITY)
    rows = (
        Run.objects.for_caller(caller)
        .filter(brand=brand_id)
        .order_by("-created_at", "-id")
        .values(*RUN_FIELDS)[:RUN_HISTORY_CAP]
    )
    return RunList(brand=brand_id, runs=[RunResource.from_row(row) for row in _rows(caller, brand_id, rows)])


def recommendations(caller: Caller, *, brand_id: UUID, status: str | None) -> RecommendationList:
    """The queue with one status (None: with any), by priority then newest."""
    caller.require(Scope.READ_RECOMMENDATIONS)
    found = Recommendation.objects.for_caller(caller).filter(brand=brand_id)
    if status is not None:
        found = found.filter(status=status)
    rows = found.order_by("-priority", "-created_at", "id").values(*_RECOMMENDATION_FIELDS)
    return RecommendationList(
        brand=brand_id,
        recommendations=[RecommendationResource.model_validate(row) for row in _rows(caller, brand_id, rows)],
    )


def _trend_item(row: Sequence[Any]) -> dict[str, Any]:
    item = dict(zip(_TREND_NAMES, row, strict=True))
    for name in _TREND_JSON:
        if item[name] is not None:
            item[name] = orjson.loads(item[name])
    return item


def _rows(caller: Caller, brand_id: UUID, rows: QuerySet[Any, Row]) -> list[Row]:
    """The rows; where there are none, not_found unless the caller sees the brand."""
    found = list(rows)
    if not found and not Brand.objects.for_caller(caller).filter(pk=brand_id).exists():
        raise not_found()
    return found


def _with_latest_run(brands: QuerySet[Any]) -> Iterable[Mapping[str, Any]]:
    """Brands joined to their most recent run; runs cancelled for want of credits are passed over."""
    newest = (
        Run.objects.filter(brand=OuterRef("pk"))
        .exclude(status=Run.Status.CANCELLED, error_code="quota_exceeded")
        .order_by("-created_at", "-id")
    )
    latest = FilteredRelation("runs", condition=Q(runs__pk=Subquery(newest.values("pk")[:1])))
    rows: Iterable[Mapping[str, Any]] = brands.annotate(latest=latest).values(*_BRAND_FIELDS, *_SUMMARY_PATHS)
    return rows


def _brand(row: Mapping[str, Any]) -> dict[str, Any]:
    return {name: row[name] for name in _BRAND_FIELDS}


def _latest_run(row: Mapping[str, Any]) -> RunSummary | None:
    if row["latest__id"] is None:
        return None
    return RunSummary(**{name: row[path] for name, path in zip(RUN_SUMMARY_FIELDS, _SUMMARY_PATHS, strict=True)})
