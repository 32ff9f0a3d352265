"""Which brands of a list need somebody, and the order of the list: told by the database, a page at a time."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from enum import IntEnum
from uuid import UUID

from django.db.models import (
    Case,
    Count,
    Exists,
    F,
    FilteredRelation,
    IntegerField,
    OrderBy,
    OuterRef,
    Q,
    QuerySet,
    Subquery,
    Value,
    When,
    Window,
)
from django.db.models.functions import Lower
from django.utils import timezone

from brands.models import Brand
from visibility.measured.basis import CADENCE_DAYS, WINDOW_DAYS
from visibility.models import ChangeRecord, DailyScore, Run


class Attention(IntEnum):
    """Why a brand needs somebody, the most pressing first."""

    FELL = 0
    FAILED = 1
    UNMEASURED = 2
    OLD = 3
    NONE = 4


SORTS: Mapping[str, str] = {"attention": "Needs attention first", "name": "Name", "score": "Score, lowest first"}
"""How a list can be sorted."""


@dataclass(frozen=True, slots=True)
class Place:
    """A brand on a page of the list."""

    brand: UUID
    attention: Attention


def with_latest(brands: QuerySet[Brand]) -> QuerySet[Brand]:
    """Brands joined, as `latest`, to their own scores of the latest measured day."""
    newest = DailyScore.objects.filter(brand=OuterRef("pk"), competitor=None).order_by("-date")
    condition = Q(daily_scores__pk=Subquery(newest.values("pk")[:1]))
    return brands.annotate(latest=FilteredRelation("daily_scores", condition=condition))


def places(brands: QuerySet[Brand], sort: str, *, page: int, on_a_page: int) -> tuple[Sequence[Place], int, int]:
    """The brands of a page in their order, the number of the page, and how many brands there are in all; a page
    beyond the last is the last, one before the first the first. One statement, up to two more beyond the last."""
    page = max(1, page)
    order = _ORDERS.get(sort, _ORDERS["attention"])
    scans = Run.objects.filter(brand=OuterRef("pk"), kind=Run.Kind.VISIBILITY).order_by("-created_at", "-id")
    days = DailyScore.objects.filter(brand=OuterRef("pk"), competitor=None).order_by("-date")
    candidates = brands.order_by().annotate(
        scan=Subquery(scans.values("status")[:1]),
        latest_date=Subquery(days.values("date")[:1]),
    )
    candidates = candidates.annotate(has_fallen=Exists(_falls()))
    if sort == "score":
        candidates = candidates.annotate(latest_score=Subquery(days.values("score")[:1]))
    rows = candidates.annotate(attention=_attention(), total=Window(Count("pk")))
    listed = rows.order_by(*order, Lower("name"), "pk")
    keys = list(listed.values_list("pk", "attention", "total")[(page - 1) * on_a_page : page * on_a_page])
    if not keys and page > 1:
        last = -(-brands.count() // on_a_page)
        return places(brands, sort, page=min(page - 1, last), on_a_page=on_a_page)
    return [Place(pk, Attention(reason)) for pk, reason, _ in keys], page, keys[0][2] if keys else 0


def _attention() -> Case:
    return Case(
        When(has_fallen=True, then=Value(int(Attention.FELL))),
        When(scan=Run.Status.FAILED, then=Value(int(Attention.FAILED))),
        When(latest_date=None, then=Value(int(Attention.UNMEASURED))),
        When(_is_old(), then=Value(int(Attention.OLD))),
        default=Value(int(Attention.NONE)),
        output_field=IntegerField(),
    )


def _falls() -> QuerySet[ChangeRecord]:
    """The falls of the score that are told of the latest day, which a query around it calls `latest_date`."""
    told_rows = ChangeRecord.objects.filter(
        brand=OuterRef("pk"),
        of=ChangeRecord.Of.SCORE,
        direction=ChangeRecord.Direction.DOWN,
        began__lte=OuterRef("latest_date"),
    )
    return told_rows.filter(told_until__gte=OuterRef("latest_date")).exclude(state=ChangeRecord.State.RECOVERED)


def _is_old() -> Q:
    """Whether the latest day is longer ago than what now shows, or than one and a half cadence intervals."""
    today = timezone.now().date()
    longer = {cadence: days * 3 // 2 for cadence, days in CADENCE_DAYS.items() if days * 3 // 2 > WINDOW_DAYS}
    old = ~Q(cadence__in=longer) & Q(latest_date__lt=today - timedelta(days=WINDOW_DAYS))
    for cadence, days in longer.items():
        old |= Q(cadence=cadence, latest_date__lt=today - timedelta(days=days))
    return old


_ORDERS: Mapping[str, Sequence[str | OrderBy]] = {
    "attention": ("attention",),
    "name": (),
    "score": (F("latest_score").asc(nulls_last=True),),
}
