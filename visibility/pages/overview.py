"""The first pages: all brands, and one brand: how it stands, why, and what to do first."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any
from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.text import slugify
from django.utils.translation import gettext

from apikeys.accounts.caller import Caller
from apikeys.accounts.operators import staff_reader
from apikeys.language import number_words, span_words
from apikeys.models import User
from brands.models import Brand
from visibility.counts.figures import standings_of
from visibility.drawing import charts
from visibility.drawing.picture import draw_picture
from visibility.models import Run
from visibility.overview.portfolio import read_sites
from visibility.overview.reads import own_scores
from visibility.overview.resources import SiteSummary
from visibility.pages.filters import Filters
from visibility.pages.frame import Visit, account_page, brand_page, show_page
from visibility.pages.panels import first_sites, heat_of, hero_of, margin_or_none, standing_of, why_of
from visibility.pages.subjects import subjects_of
from visibility.pages.todo import Task, task_of, why_none
from visibility.pages.trend import trend_of
from visibility.recommendations.cards import ShownCard
from visibility.recommendations.reads import MOST_SHOWN, cards_of
from visibility.recommendations.work import Work, work_of, works_of
from visibility.sources.cited import cited_sites


@dataclass(frozen=True, slots=True)
class Line:
    """A brand among all: its score with a margin, its days, and what to do first."""

    site: SiteSummary
    margin: str | None
    drawn: SafeString
    first: ShownCard | None


@account_page
def portfolio(request: HttpRequest, user: User) -> HttpResponse:
    """All brands that somebody sees; a single one is opened at once. Staff find the others by the search."""
    caller = Caller.from_user(user)
    page = read_sites(caller, request.GET.get("page"))
    sites = page.object_list
    if page.paginator.count == 1 and not user.is_staff:
        return HttpResponseRedirect(reverse("brand", args=[sites[0].id]))
    days: dict[UUID, list[float | None]] = {site.id: [] for site in sites}
    lately = own_scores(days).filter(date__gte=date.today() - timedelta(days=90)).order_by("date")
    for brand_id, score in lately.values_list("brand", "score"):
        days[brand_id].append(score)
    brands = Brand.objects.restrict(caller, "view").in_bulk([site.id for site in sites])
    works = works_of(brands.values())
    listed = [_line(site, brands[site.id], days[site.id], works[site.id]) for site in sites]
    reader, found = staff_reader(user), request.GET.get("q", "").strip()
    others = (
        list(Brand.objects.restrict(reader, "view").filter(name__icontains=found)[:20]) if reader and found else []
    )
    context = {"sites": listed, "page": page, "others": others, "is_reader": reader is not None, "q": found}
    return show_page(request, "portfolio.html", **context)


def _line(site: SiteSummary, brand: Brand, days: Sequence[float | None], work: Work) -> Line:
    ends = (site.panel_low, site.panel_high) if site.low is None else (site.low, site.high)
    margin = margin_or_none(site.score, *ends)
    return Line(site, margin, charts.spark(days[-40:]), next(iter(cards_of(brand, work.advice[:1])), None))


@brand_page
def brand(visit: Visit) -> HttpResponse:
    """One brand, and what to do first. A filter in the address filters everything on the page."""
    work = work_of(visit.brand)
    cards = overview_of(visit, work)
    return visit.show("brand.html", "overview", **cards, tasks=_first_tasks(visit, cards["filters"], work))


@brand_page
def chart(visit: Visit) -> HttpResponse:
    """The chart of the same address as PNG."""
    return chart_of(visit)


def chart_of(visit: Visit) -> HttpResponse:
    """The chart of the overview as PNG; 404 where the page has none."""
    filters = visit.filters()
    subjects = subjects_of(visit.brand, filters.now)
    trend = trend_of(filters, subjects, work_of(visit.brand), is_shared=visit.link is not None)
    if not trend.drawn:
        raise Http404
    days = span_words(trend.points[0].day, trend.points[-1].day)
    number = number_words(trend.points[-1].figures["answers"])
    note = f"{days} · {gettext('of {number} answers').format(number=number)}"
    picture = draw_picture(trend.drawn, [visit.brand.name, *filters.words], note)
    name = f"{slugify(visit.brand.name) or 'brand'}-{filters.chosen_figure}"
    response = HttpResponse(picture, content_type="image/png")
    response["Content-Disposition"] = f'inline; filename="{name}.png"'
    return response


def overview_of(visit: Visit, work: Work) -> dict[str, Any]:
    """The cards of the overview for whoever sees it; what to do is for those with an account."""
    filters = visit.filters()
    now = filters.now
    subjects, standings = subjects_of(visit.brand, now), standings_of(now)
    trend = trend_of(filters, subjects, work, is_shared=visit.link is not None)
    return {
        "filters": filters,
        "trend": trend,
        "hero": hero_of(work, now, trend, standings),
        "why": why_of(visit, filters, trend.record, work),
        "standing": standing_of(subjects, standings),
        "heat": heat_of(now, subjects),
        "sites": first_sites(cited_sites(now)),
    }


@dataclass(frozen=True, slots=True)
class FirstTasks:
    """What to do first, or why nothing is."""

    rows: Sequence[Task]
    why_none: str
    is_audited: bool
    undecided: int
    """Topics that nobody has decided on."""


def _first_tasks(visit: Visit, filters: Filters, work: Work) -> FirstTasks:
    rows = [task_of(card) for card in cards_of(visit.brand, work.advice[:MOST_SHOWN])]
    audits = Run.objects.measured().filter(brand=visit.brand, kind=Run.Kind.AUDIT)
    undecided = sum(each.own is None for each in filters.offer.topics.values())
    return FirstTasks(rows, "" if rows else why_none(visit), bool(rows) or audits.exists(), undecided)


@brand_page
def more(visit: Visit) -> HttpResponse:
    """The rest of the menu, for phones."""
    return visit.show("more.html", "more")
