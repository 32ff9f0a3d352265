"""The statements behind `reading`: each a queryset through the brands that the caller reaches, compiled once."""

from functools import reduce
from itertools import chain
from operator import or_
from typing import Any
from uuid import UUID

from django.db.models import F, FilteredRelation, OuterRef, Q, QuerySet, Subquery, TextField, Value
from django.db.models.functions import Cast, Coalesce

from apikeys.caller import Caller
from apikeys.db.prepared import Prepared, Slot
from apikeys.db.written import RowWriter
from apikeys.errors import ErrorCode
from brands.models import Brand, Collaborator
from visibility.models import QUEUE_ORDER, DailyScore, Recommendation, Run
from visibility.resources.brands import RUN_FIELDS, RUN_SUMMARY_FIELDS, TREND_FIELDS, BrandResource, TrendItem
from visibility.services.reading.budgets import PLAN_FIELDS
from visibility.services.reading.recommended import RECOMMENDATION_FIELDS

RUN_HISTORY_CAP = 60
BRAND_FIELDS = tuple(BrandResource.model_fields)
DEVELOPED = ("change_week", "change_month", "confirmation", "monitor")
DAY = RowWriter(
    TrendItem,
    stored=("prominence_bounds", "engines", "by_locale", "all_topics", "change", *DEVELOPED, "runs"),
    beside=("change_records",),
)
LATEST_LIMITS = {name: (f"brand__owner__own_{name}", f"brand__owner__plan__{name}") for name in PLAN_FIELDS}
"""What holds for the brand's owner, which each of the latest rows tells: the account's own limit, and its plan's."""
LATEST_FIELDS = (
    *TREND_FIELDS,
    *("changes", "budget", "competitor_id", "competitor__name", "brand__name"),
    *chain.from_iterable(LATEST_LIMITS.values()),
)
LATEST_JSON = DAY.stored | {"changes", "budget"}


def _with_latest_run(brands: QuerySet[Any]) -> QuerySet[Any, Any]:
    """Brands joined to their most recent run; runs cancelled for lack of credits are passed over."""
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
    return _with_latest_run(Brand.objects.restrict(caller, "view").order_by("name", "id"))


def _sites(caller: Caller) -> QuerySet[Any, Any]:
    """Brands as `_brands` has them, with the caller's role behind."""
    collaborations = Collaborator.objects.filter(brand=OuterRef("pk"), user=caller.user)
    role = Coalesce(Subquery(collaborations.values("role")[:1]), Value("owner"))
    rows: QuerySet[Any, Any] = _brands(caller).annotate(role=role)
    return rows


def _brand(caller: Caller, brand_id: Slot) -> QuerySet[Any, Any]:
    return _with_latest_run(Brand.objects.restrict(caller, "view").filter(pk=brand_id).order_by())


def _sees(caller: Caller, brand_id: Slot) -> QuerySet[Any, Any]:
    return Brand.objects.restrict(caller, "view").filter(pk=brand_id).order_by().values_list("pk")


def _span(caller: Caller, brand_id: Slot) -> QuerySet[Any, Any]:
    """The first and the last measured day of a brand; a row where the caller reaches it."""
    days = DailyScore.objects.filter(brand=brand_id, competitor=None).values("date")
    first, last = Subquery(days.order_by("date")[:1]), Subquery(days.order_by("-date")[:1])
    return Brand.objects.restrict(caller, "view").filter(pk=brand_id).order_by().values_list(first, last)


def _days(caller: Caller, brand_id: Slot, first: Slot, last: Slot) -> QuerySet[Any, Any]:
    """JSON columns as text: they are read faster than Django reads them."""
    days = DailyScore.objects.restrict(caller, "view").filter(
        brand=brand_id, competitor=None, date__range=(first, last)
    )
    columns = [Cast(name, TextField()) if name in DAY.stored else F(name) for name in DAY.fields]
    return days.order_by("date").values_list(*columns)


def _latest_day(caller: Caller, brand_id: Slot) -> QuerySet[Any, Any]:
    """The latest measured day, of the brand and of its competitors."""
    latest = DailyScore.objects.filter(brand=brand_id, competitor=None).order_by("-date").values("date")[:1]
    days = DailyScore.objects.restrict(caller, "view").filter(brand=brand_id, date=Subquery(latest))
    columns = [Cast(name, TextField()) if name in LATEST_JSON else F(name) for name in LATEST_FIELDS]
    return days.order_by("competitor__name", "competitor_id").values_list(*columns)


def _runs(caller: Caller, brand_id: Slot) -> QuerySet[Any, Any]:
    runs = Run.objects.restrict(caller, "view").filter(brand=brand_id)
    return runs.order_by("-created_at", "-id").values_list(*RUN_FIELDS)[:RUN_HISTORY_CAP]


def latest_by_kind(runs: QuerySet[Run]) -> Q:
    """Whether a run is the latest of its kind among these, which are the newest first."""
    reported = runs.exclude(status=Run.Status.CANCELLED, error_code=ErrorCode.QUOTA_EXCEEDED)
    latest = (Q(pk=Subquery(reported.filter(kind=kind).values("pk")[:1])) for kind in Run.Kind.values)
    return reduce(or_, latest)


def _runs_and_latest(caller: Caller, brand_id: Slot) -> QuerySet[Any, Any]:
    """As `_runs`, and the latest of each kind; runs cancelled for lack of credits are passed over among these."""
    runs = Run.objects.filter(brand=brand_id).order_by("-created_at", "-id")
    newest = Q(pk__in=Subquery(runs.values("pk")[:RUN_HISTORY_CAP]))
    rows = Run.objects.restrict(caller, "view").filter(newest | latest_by_kind(runs), brand=brand_id)
    return rows.order_by("-created_at", "-id").values_list(*RUN_FIELDS)


def _recommendations(caller: Caller, brand_id: Slot) -> QuerySet[Any, Any]:
    rows = Recommendation.objects.restrict(caller, "view").filter(brand=brand_id)
    return rows.order_by(*QUEUE_ORDER).values_list(*RECOMMENDATION_FIELDS)


def _recommendations_with(caller: Caller, brand_id: Slot, status: Slot) -> QuerySet[Any, Any]:
    return _recommendations(caller, brand_id).filter(status=status)


BRANDS = Prepared(_brands)
SITES = Prepared(_sites)
BRAND = Prepared(_brand)
DAYS = Prepared(_days)
LATEST_DAY = Prepared(_latest_day)
RUNS = Prepared(_runs)
RUNS_AND_LATEST = Prepared(_runs_and_latest)
RECOMMENDATIONS = Prepared(_recommendations)
RECOMMENDATIONS_WITH_STATUS = Prepared(_recommendations_with)
SPAN = Prepared(_span)
_SEES = Prepared(_sees)


def sees(caller: Caller, brand_id: UUID) -> bool:
    """Whether the caller reaches the brand."""
    return bool(_SEES.rows(caller, brand_id=brand_id))
