"""The brands of a person as a list to work from: what needs attention first, searched, sorted, a page at a time."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any
from uuid import UUID

from django.db.models import Count, F, OuterRef, Q, QuerySet, Subquery, Window
from django.db.models.functions import Coalesce, RowNumber

from apikeys.caller import Caller
from apikeys.db.snapshot import snapshot
from apikeys.scopes import Scope
from brands.models import Brand
from visibility.measured.basis_rows import with_state
from visibility.measured.reading import bases_of, state_of
from visibility.models import DailyScore, Recommendation
from visibility.resources.brands import RunResource
from visibility.resources.portfolio import SiteScore
from visibility.services.overview.attention import Attention, Place, places, with_latest
from visibility.services.overview.portfolio import SCORE, nows_on, site_score
from visibility.services.reading.change_records import told_records_by_brand
from visibility.services.reading.reporting import latest_runs
from visibility.services.recommendations.listing import STATUSES, TO_DO

ON_A_PAGE = 25
MAX_SEARCH = 200
SPARK_DAYS = 30
"""Measured days of a small trend."""
_LATEST = [name for name in SCORE if name != "brand_id"]


@dataclass(frozen=True, slots=True)
class SmallDay:
    """One measured day of a small trend."""

    day: date
    score: float | None
    low: float | None
    high: float | None
    answers: int


@dataclass(frozen=True, slots=True)
class ListedBrand:
    """A brand of the list: `visibility` is what is measured now, None before the first day,
    `answers` the answers behind it; `trend` its latest
    measured days, oldest first."""

    id: UUID
    name: str
    domain: str
    cadence: str
    next_scan_at: datetime | None
    attention: Attention
    visibility: SiteScore | None
    answers: int
    to_do: int
    trend: Sequence[SmallDay]
    latest_runs: Sequence[RunResource]


@dataclass(frozen=True, slots=True)
class BrandListing:
    """A page (`page` of `pages`) of the brands that fit, `total` in all."""

    rows: Sequence[ListedBrand]
    total: int
    page: int
    pages: int


@snapshot()
def listed_brands(caller: Caller, *, search: str = "", sort: str = "attention", page: int = 1) -> BrandListing:
    """The brands whose name or domain holds `search`; a page beyond the last is the last.

    Raises insufficient_scope. As many statements for one brand as for thousands.
    """
    caller.require(Scope.READ_VISIBILITY)
    brands, page, total = places(_fitting(caller, search), sort, page=page, on_a_page=ON_A_PAGE)
    return BrandListing(rows=_rows(caller, brands), total=total, page=page, pages=max(1, -(-total // ON_A_PAGE)))


def _fitting(caller: Caller, search: str) -> QuerySet[Brand]:
    brands: QuerySet[Brand] = Brand.objects.restrict(caller, "view").order_by()
    if words := search.strip()[:MAX_SEARCH]:
        brands = brands.filter(Q(name__icontains=words) | Q(domain__icontains=words))
    return brands


def _rows(caller: Caller, listed: Sequence[Place]) -> list[ListedBrand]:
    """The brands of one page with all that is shown of them."""
    ids = [place.brand for place in listed]
    brands = _brands(caller, ids)
    bases = bases_of([state_of(brand) for brand in brands.values()], ids)
    nows = nows_on(bases, filter(None, map(_latest_score, brands.values())), brands.values())
    runs, trends = latest_runs(caller, brand_ids=ids), _trends(caller, ids)
    told_rows = told_records_by_brand({brand: now.basis.latest for brand, now in nows.items()})
    return [
        ListedBrand(
            id=brand.pk,
            name=brand.name,
            domain=brand.domain,
            cadence=brand.cadence,
            next_scan_at=brand.next_run_at,
            attention=place.attention,
            visibility=site_score(now, now.own, told_rows.get(brand.pk, [])) if now and now.own else None,
            answers=now.own.answers if now and now.own else 0,
            to_do=brand.to_do,
            trend=trends.get(brand.pk, ()),
            latest_runs=runs.get(brand.pk, ()),
        )
        for place in listed
        for brand, now in [(brands[place.brand], nows.get(place.brand))]
    ]


def _brands(caller: Caller, ids: Sequence[UUID]) -> dict[UUID, Any]:
    """The brands with what decides about now, their latest score and how much is to do, in one statement."""
    queue = Recommendation.objects.filter(brand=OuterRef("pk"), status__in=STATUSES[TO_DO]).order_by()
    to_do = queue.values("brand").annotate(number=Count("pk")).values("number")
    brands = with_state(with_latest(Brand.objects.restrict(caller, "view").filter(pk__in=ids).order_by()))
    columns = {f"latest_{name}": F(f"latest__{name}") for name in _LATEST}
    return brands.annotate(to_do=Coalesce(Subquery(to_do), 0), **columns).in_bulk()


def _latest_score(brand: Any) -> DailyScore | None:
    """The brand's own score of its latest measured day, as it was read with the brand."""
    if brand.latest_date is None:
        return None
    return DailyScore(brand=brand, **{name: getattr(brand, f"latest_{name}") for name in _LATEST})


def _trends(caller: Caller, ids: Sequence[UUID]) -> dict[UUID, list[SmallDay]]:
    """The latest measured days of each brand, oldest first, in one statement."""
    days = DailyScore.objects.restrict(caller, "view").filter(brand__in=ids, competitor=None)
    place = Window(RowNumber(), partition_by=["brand_id"], order_by=["-date"])
    rows = days.order_by().annotate(place=place).filter(place__lte=SPARK_DAYS)
    trends: dict[UUID, list[SmallDay]] = {}
    fields = ("brand_id", "date", "score", "low", "high", "answers")
    for brand, *day in sorted(rows.values_list(*fields), key=lambda row: row[1]):
        trends.setdefault(brand, []).append(SmallDay(*day))
    return trends
