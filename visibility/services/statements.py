"""The statements behind `reading`: each a queryset through the brands that the caller reaches, compiled once."""

from typing import Any
from uuid import UUID

from django.db.models import F, FilteredRelation, OuterRef, Q, QuerySet, Subquery, TextField
from django.db.models.functions import Cast

from apikeys.caller import Caller
from apikeys.prepared import Prepared, Slot
from brands.models import Brand
from visibility.models import DailyScore, Recommendation, Run
from visibility.resources import (
    RUN_FIELDS,
    RUN_SUMMARY_FIELDS,
    TREND_FIELDS,
    BrandResource,
    RecommendationResource,
)

RUN_HISTORY_CAP = 60
BRAND_FIELDS = tuple(BrandResource.model_fields)
RECOMMENDATION_FIELDS = tuple(
    f"{name}_id" if name in {"first_seen_run", "last_seen_run"} else name
    for name in RecommendationResource.model_fields
)
TREND_JSON = frozenset({"engines", "change", "runs"})


def _with_latest_run(brands: QuerySet[Any]) -> QuerySet[Any, Any]:
    """Brands joined to their most recent run; runs cancelled for want of credits are passed over."""
    newest = (
        Run.objects.filter(brand=OuterRef("pk"))
        .exclude(status=Run.Status.CANCELLED, error_code="quota_exceeded")
        .order_by("-created_at", "-id")
    )
    latest = FilteredRelation("runs", condition=Q(runs__pk=Subquery(newest.values("pk")[:1])))
    paths = [f"latest__{name}" for name in RUN_SUMMARY_FIELDS]
    rows: QuerySet[Any, Any] = brands.annotate(latest=latest).values_list(*BRAND_FIELDS, *paths)
    return rows


def _brands(caller: Caller) -> QuerySet[Any, Any]:
    return _with_latest_run(Brand.objects.for_caller(caller).order_by("name", "id"))


def _brand(caller: Caller, brand_id: Slot) -> QuerySet[Any, Any]:
    return _with_latest_run(Brand.objects.for_caller(caller).filter(pk=brand_id).order_by())


def _sees(caller: Caller, brand_id: Slot) -> QuerySet[Any, Any]:
    return Brand.objects.for_caller(caller).filter(pk=brand_id).order_by().values_list("pk")


def _days(caller: Caller, brand_id: Slot, first: Slot, last: Slot) -> QuerySet[Any, Any]:
    """JSON columns as text: they are read faster than Django reads them."""
    days = DailyScore.objects.for_caller(caller).filter(brand=brand_id, competitor=None, date__range=(first, last))
    columns = [Cast(name, TextField()) if name in TREND_JSON else F(name) for name in TREND_FIELDS]
    return days.order_by("date").values_list(*columns)


def _runs(caller: Caller, brand_id: Slot) -> QuerySet[Any, Any]:
    runs = Run.objects.for_caller(caller).filter(brand=brand_id)
    return runs.order_by("-created_at", "-id").values_list(*RUN_FIELDS)[:RUN_HISTORY_CAP]


def _recommendations(caller: Caller, brand_id: Slot) -> QuerySet[Any, Any]:
    found = Recommendation.objects.for_caller(caller).filter(brand=brand_id)
    return found.order_by("-priority", "-created_at", "id").values_list(*RECOMMENDATION_FIELDS)


def _recommendations_with(caller: Caller, brand_id: Slot, status: Slot) -> QuerySet[Any, Any]:
    return _recommendations(caller, brand_id).filter(status=status)


BRANDS = Prepared(_brands)
BRAND = Prepared(_brand)
DAYS = Prepared(_days)
RUNS = Prepared(_runs)
RECOMMENDATIONS = Prepared(_recommendations)
RECOMMENDATIONS_WITH_STATUS = Prepared(_recommendations_with)
_SEES = Prepared(_sees)


def sees(caller: Caller, brand_id: UUID) -> bool:
    """Whether the caller reaches the brand."""
    return bool(_SEES.rows(caller, brand_id=brand_id))
