"""The brands of a person as a list to work from: what needs attention first, searched, sorted, a page at a time."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from enum import IntEnum
from typing import Any
from uuid import UUID

from django.db.models import OuterRef, Q, QuerySet, Subquery, Window
from django.db.models.functions import RowNumber
from django.utils import timezone

from apikeys.caller import Caller
from apikeys.db.snapshot import snapshot
from apikeys.scopes import Scope
from brands.models import Brand
from visibility.measured.basis import CADENCE_DAYS, WINDOW_DAYS
from visibility.models import DailyScore, Run
from visibility.resources.brands import RunResource
from visibility.resources.changes import Confirmation, Monitor
from visibility.resources.portfolio import SiteScore
from visibility.services.overview.portfolio import nows_of, open_counts, site_score
from visibility.services.reading.reporting import latest_runs

ON_A_PAGE = 25
MAX_SEARCH = 200
SPARK_DAYS = 30
"""Measured days of a small trend."""


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


@dataclass(frozen=True, slots=True)
class _Known:
    """What the order of the list is made of."""

    brand: Mapping[str, Any]
    latest: Mapping[str, Any] | None
    attention: Attention


@snapshot()
def listed_brands(caller: Caller, *, search: str = "", sort: str = "attention", page: int = 1) -> BrandListing:
    """The brands whose name or domain holds `search`; a page beyond the last is the last.

    Raises insufficient_scope. As many statements for one brand as for thousands.
    """
    caller.require(Scope.READ_VISIBILITY)
    brands = _fitting(caller, search)
    known = _known(caller, brands)
    known.sort(key=_ORDERS.get(sort, _ORDERS["attention"]))
    pages = max(1, -(-len(known) // ON_A_PAGE))
    page = min(max(page, 1), pages)
    on_page = known[(page - 1) * ON_A_PAGE : page * ON_A_PAGE]
    return BrandListing(rows=_rows(caller, on_page), total=len(known), page=page, pages=pages)


def _fitting(caller: Caller, search: str) -> QuerySet[Brand]:
    brands: QuerySet[Brand] = Brand.objects.restrict(caller, "view").order_by()
    if words := search.strip()[:MAX_SEARCH]:
        brands = brands.filter(Q(name__icontains=words) | Q(domain__icontains=words))
    return brands


def _known(caller: Caller, brands: QuerySet[Brand]) -> list[_Known]:
    """All brands that fit, in two statements: who they are with their latest scan, and their latest measured day."""
    scans = Run.objects.filter(brand=OuterRef("pk"), kind=Run.Kind.VISIBILITY).order_by("-created_at", "-id")
    fields = ("pk", "name", "domain", "cadence", "next_run_at")
    rows = brands.annotate(scan=Subquery(scans.values("status")[:1])).values(*fields, "scan")
    newest = DailyScore.objects.filter(brand=OuterRef("brand"), competitor=None).order_by("-date").values("date")[:1]
    days = DailyScore.objects.restrict(caller, "view").filter(
        brand__in=brands, competitor=None, date=Subquery(newest)
    )
    latest = {
        row["brand_id"]: row
        for row in days.order_by().values("brand_id", "date", "score", "answers", "confirmation", "monitor")
    }
    today = timezone.now().date()
    return [_Known(row, latest.get(row["pk"]), _attention(row, latest.get(row["pk"]), today)) for row in rows]


def _attention(brand: Mapping[str, Any], latest: Mapping[str, Any] | None, today: date) -> Attention:
    if latest and _has_fallen(latest):
        return Attention.FELL
    if brand["scan"] == Run.Status.FAILED:
        return Attention.FAILED
    if latest is None:
        return Attention.UNMEASURED
    usual = max(WINDOW_DAYS, 1.5 * CADENCE_DAYS.get(brand["cadence"], 0))
    return Attention.OLD if (today - latest["date"]).days > usual else Attention.NONE


def _has_fallen(latest: Mapping[str, Any]) -> bool:
    """Whether the latest day confirms a fall, or the monitor raised one."""
    confirmation = Confirmation.model_validate(latest["confirmation"]) if latest["confirmation"] else None
    if confirmation and confirmation.state == "confirmed":
        return (confirmation.delta or 0.0) < 0
    monitor = Monitor.model_validate(latest["monitor"]) if latest["monitor"] else None
    return monitor is not None and monitor.raised and (monitor.delta or 0.0) < 0


def _by_name(known: _Known) -> tuple[str, str]:
    return known.brand["name"].casefold(), str(known.brand["pk"])


def _by_score(known: _Known) -> tuple[bool, float]:
    score = known.latest["score"] if known.latest else None
    return score is None, score or 0.0


_ORDERS: Mapping[str, Any] = {
    "attention": lambda known: (known.attention, *_by_name(known)),
    "name": _by_name,
    "score": lambda known: (*_by_score(known), *_by_name(known)),
}


def _rows(caller: Caller, brands: Sequence[_Known]) -> list[ListedBrand]:
    """The brands of one page with all that is shown of them."""
    ids = [known.brand["pk"] for known in brands]
    nows, to_do = nows_of(caller, ids), open_counts(caller, ids)
    runs, trends = latest_runs(caller, brand_ids=ids), _trends(caller, ids)
    own = {brand: now.own for brand, now in nows.items() if now.own}
    return [
        ListedBrand(
            id=known.brand["pk"],
            name=known.brand["name"],
            domain=known.brand["domain"],
            cadence=known.brand["cadence"],
            next_scan_at=known.brand["next_run_at"],
            attention=known.attention,
            visibility=site_score(nows[known.brand["pk"]], row) if (row := own.get(known.brand["pk"])) else None,
            answers=row.answers if row else 0,
            to_do=to_do.get(known.brand["pk"], 0),
            trend=trends.get(known.brand["pk"], ()),
            latest_runs=runs.get(known.brand["pk"], ()),
        )
        for known in brands
    ]


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
