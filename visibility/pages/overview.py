"""The first pages: all brands, and one brand: how it stands, why, and what to do first."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from typing import Any
from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.text import slugify

from apikeys.caller import Caller
from apikeys.models import User
from apikeys.operators import staff_reader
from brands.models import Brand
from visibility.counts.figures import TopicDuel, duels_of, engines_of, figures_of, standings_of
from visibility.counts.reader import select_now
from visibility.counts.resources import NowFigures
from visibility.counts.words import base_words, margin_words, place_words, shown_interval
from visibility.metrics import Verdict
from visibility.models import ChangeRecord, DailyScore, Run, Topic
from visibility.overview.lead import lead_words
from visibility.overview.line import Point
from visibility.overview.portfolio import read_portfolio
from visibility.overview.reads import own_scores
from visibility.overview.resources import SiteSummary
from visibility.pages import charts
from visibility.pages.frame import Visit, account_page, brand_page, show_page
from visibility.pages.picture import draw_picture
from visibility.pages.subjects import Subjects, speak_in_general, subjects_of
from visibility.pages.todo import task_of, why_none
from visibility.pages.trend import FIGURES, PERIODS, Choice, choose, ends_of, trend_of
from visibility.recommendations.cards import ShownCard
from visibility.recommendations.diagnosis import diagnosis_of
from visibility.recommendations.reads import first_cards
from visibility.scores.engines import asked_engines
from visibility.scores.now_resources import Part
from visibility.sources.cited import cited_sites

MOST_PARTS, MOST_SITES = 6, 6
ADDRESSES = {
    "standing": "brand-answers",
    "split": "brand-answers",
    "words": "brand-reading",
    "sources": "brand-sources",
    "next": "brand-todo",
}
"""Where the answers behind each sentence of the diagnosis are."""
SHARED_SLOTS = ("standing", "split", "sources")
"""Those that neither quote answers nor say what to do: for people without an account."""


@dataclass(frozen=True, slots=True)
class Tile:
    """One of the figures that switch the chart."""

    key: str
    name: str
    value: float | None
    margin: str | None


@dataclass(frozen=True, slots=True)
class HeatRow:
    """One topic: a cell of `charts.heat` for each subject with its id (None: the brand), and the distance to the best
    competitor."""

    duel: TopicDuel
    cells: Sequence[tuple[int, str, UUID | None]]
    distance: int
    best: str
    begins_level: bool = False
    """The first below those where somebody is ahead."""


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
    sites = read_portfolio(caller).sites
    if len(sites) == 1 and not user.is_staff:
        return HttpResponseRedirect(reverse("brand", args=[sites[0].id]))
    days: dict[UUID, list[float | None]] = {site.id: [] for site in sites}
    lately = own_scores(days).filter(date__gte=date.today() - timedelta(days=90)).order_by("date")
    for brand_id, score in lately.values_list("brand", "score"):
        days[brand_id].append(score)
    brands = Brand.objects.restrict(caller, "view").in_bulk([site.id for site in sites])
    listed = [_line(site, brands[site.id], days[site.id]) for site in sites]
    reader, found = staff_reader(user), request.GET.get("q", "").strip()
    others = (
        list(Brand.objects.restrict(reader, "view").filter(name__icontains=found)[:20]) if reader and found else []
    )
    context = {"sites": listed, "others": others, "is_reader": reader is not None, "q": found}
    return show_page(request, "portfolio.html", **context)


def _line(site: SiteSummary, brand: Brand, days: Sequence[float | None]) -> Line:
    ends = (site.panel_low, site.panel_high) if site.low is None else (site.low, site.high)
    margin = _margin(site.score, *ends)
    return Line(site, margin, charts.spark(days[-40:]), next(iter(first_cards(brand, 1)), None))


@brand_page
def brand(visit: Visit) -> HttpResponse:
    """One brand, and what to do first. A filter in the address filters everything on the page."""
    return visit.show("brand.html", "overview", **overview_of(visit), **_first_tasks(visit))


@brand_page
def chart(visit: Visit) -> HttpResponse:
    """The chart of the same address as PNG."""
    return chart_of(visit)


def chart_of(visit: Visit) -> HttpResponse:
    """The chart of the overview as PNG; 404 where the page has none."""
    choice = _choice(visit, own_topics(visit.brand), asked_engines(visit.brand))
    trend = trend_of(visit.brand, choice)
    if not trend.drawn:
        raise Http404
    first, last = trend.points[0].day, trend.points[-1]
    days = f"{first.day} {first:%b %Y} to {last.day.day} {last.day:%b %Y}"
    note = f"{days} · of {last.figures['answers']:,} answers"
    picture = draw_picture(trend.drawn, [visit.brand.name, *choice.words], note)
    response = HttpResponse(picture, content_type="image/png")
    response["Content-Disposition"] = f'inline; filename="{slugify(visit.brand.name) or "brand"}-{choice.figure}.png"'
    return response


def overview_of(visit: Visit) -> dict[str, Any]:
    """What the overview shows to whoever sees it; what to do is for those with an account."""
    topics, engines = own_topics(visit.brand), asked_engines(visit.brand)
    choice = _choice(visit, topics, engines)
    topic, engine = choice.topic, choice.engine
    now = select_now(visit.brand).narrow(engines=[engine] if engine else [], topics=[topic] if topic else [])
    subjects = subjects_of(visit.brand, now)
    figures, standings, by_engine = figures_of(now), standings_of(now), engines_of(now)
    trend = trend_of(visit.brand, choice)
    heat = _heat(duels_of(now), subjects, now.names)
    sites = cited_sites(now)
    return {
        "figures": figures,
        "base": base_words(figures, by_engine) if figures else "",
        "lead": lead_words(visit.brand, trend.record, standings, figures),
        "place": place_words(standings),
        "record": trend.record,
        "verdict": _verdict(visit.brand, trend.points) if choice.is_whole else "",
        "tiles": _tiles(figures),
        "margin_of": shown[-1] if figures and (shown := shown_interval(figures)) else "",
        "chart": trend.drawn,
        "points": [(each, *ends_of(each.figures, *FIGURES["score"][1:])) for each in trend.points],
        "parts": _parts(visit.brand, trend.record),
        "standings": subjects.drawn(standings),
        "in_general": speak_in_general(standings),
        "heat": heat,
        "weakest": _weakest(heat),
        "heads": ["You", *(name for pk, name in subjects.names.items() if pk in now.names)],
        "sites": sites[:MOST_SITES],
        "by_engine": [(each, charts.bar(each.score, each.panel_low, each.panel_high)) for each in by_engine],
        "diagnosis": [
            (fact, ADDRESSES[fact.slot])
            for fact in diagnosis_of(visit.brand, topic)
            if visit.link is None or fact.slot in SHARED_SLOTS
        ],
        "topics": topics,
        "undecided": sum(each.own is None for each in topics),
        "engines": engines,
        "periods": PERIODS,
        "choice": choice,
    }


def _first_tasks(visit: Visit) -> dict[str, Any]:
    """What to do first, or why nothing is."""
    tasks = [task_of(card) for card in first_cards(visit.brand)]
    audits = Run.objects.measured().filter(brand=visit.brand, kind=Run.Kind.AUDIT)
    return {
        "tasks": tasks,
        "first_task": tasks[0] if tasks else None,
        "why_none": "" if tasks else why_none(visit),
        "is_audited": bool(tasks) or audits.exists(),
    }


@brand_page
def more(visit: Visit) -> HttpResponse:
    """The rest of the menu, for phones."""
    return visit.show("more.html", "more")


def own_topics(brand: Brand) -> list[Topic]:
    """The topics that count: not those that are somebody else's."""
    return list(Topic.objects.filter(brand=brand).exclude(own=False).order_by("name"))


def _choice(visit: Visit, topics: Sequence[Topic], engines: Sequence[str]) -> Choice:
    """What the address chooses. A link to a part that there is no more shows nothing, and not the whole."""
    choice = choose(visit.query, topics, engines)
    chosen = choice.topic and str(choice.topic.pk), choice.engine
    if visit.link is not None and chosen != (visit.query.get("topic"), visit.query.get("engine")):
        raise Http404
    return choice


def _verdict(brand: Brand, points: Sequence[Point]) -> str:
    """What may be said of the last measured day where no change of the score holds; nothing of a first day."""
    if len(points) < 2:
        return ""
    last = DailyScore.objects.of_brand(brand).filter(date=points[-1].day).values_list("change", flat=True).first()
    is_other = last is not None and last["verdict"] == Verdict.NOT_COMPARABLE
    return "the last two days cannot be compared" if is_other else "no clear change"


def _tiles(figures: NowFigures | None) -> list[Tile]:
    if figures is None:
        return []
    shown = figures.model_dump(by_alias=True)
    return [
        Tile(key, name, shown[value], _margin(shown[value], *ends_of(shown, value, low, high)))
        for key, (name, value, low, high) in FIGURES.items()
    ]


def _margin(value: float | None, low: float | None, high: float | None) -> str | None:
    return None if value is None or low is None or high is None else margin_words(value, low, high)


def _parts(brand: Brand, record: ChangeRecord | None) -> list[tuple[str, float, SafeString]]:
    """What topics add to the change, the largest first."""
    if record is None:
        return []
    names = {str(topic.pk): topic.title for topic in Topic.objects.filter(brand=brand)}
    parts = record.parts.get("topics", [])
    named = [Part(name=names[part["key"]], points=part["points"]) for part in parts if part["key"] in names]
    return drawn_parts(named[:MOST_PARTS])


def drawn_parts(parts: Sequence[Part]) -> list[tuple[str, float, SafeString]]:
    """What parts of a change are called, add to it in points, and look like."""
    most = max((abs(part.points) for part in parts), default=1.0)
    return [(part.name or "all others", part.points, charts.change(part.points, most)) for part in parts]


def _heat(duels: Sequence[TopicDuel], subjects: Subjects, names: Mapping[UUID, str]) -> list[HeatRow]:
    """Topics by subjects, those where the brand is furthest behind first."""
    rivals = [pk for pk in subjects.names if pk in names]
    rows = []
    for each in duels:
        own, of = each.own.mentioned, each.own.of
        numbers = [own, *(each.theirs[pk].mentioned for pk in rivals)]
        leaders = [names[pk] for pk in rivals if each.best and each.theirs[pk].mentioned == each.best]
        cells = charts.heat(numbers, of, [subjects.hue(pk) for pk in rivals], misses=each.best - own > of / 2)
        subject_cells = [(*cell, pk) for cell, pk in zip(cells, [None, *rivals], strict=True)]
        rows.append(HeatRow(each, subject_cells, own - each.best, ", ".join(leaders[:2])))
    first = next((place for place, row in enumerate(rows) if row.distance >= 0), 0)
    return [replace(row, begins_level=0 < first == place) for place, row in enumerate(rows)]


def _weakest(heat: Sequence[HeatRow]) -> HeatRow | None:
    """The topic where the brand is furthest behind, else where fewest answers mention it; of one topic none."""
    if len(heat) < 2:
        return None
    return heat[0] if heat[0].distance < 0 else min(heat, key=lambda row: row.duel.own.mentioned / row.duel.own.of)
