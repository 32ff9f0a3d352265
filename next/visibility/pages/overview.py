"""The first pages: all brands, and one brand: how it stands, why, and what to do first."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from typing import Any
from uuid import UUID

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse

from apikeys.caller import Caller
from apikeys.models import User
from apikeys.operators import staff_reader
from brands.models import Brand
from visibility.models import ChangeRecord, DailyScore, Recommendation, Run, Topic
from visibility.models.changes import ChangeState
from visibility.overview.portfolio import read_portfolio
from visibility.pages import charts
from visibility.pages.frame import Visit, account_page, brand_page
from visibility.recommendations.reads import diagnosis_of
from visibility.recommendations.words import lead_words
from visibility.scores.engines import asked_engines
from visibility.scores.now_reads import Filter, engines_of_now, figures_of_now, now_of, standings_of
from visibility.scores.now_resources import NowFigures, Standing
from visibility.scores.pivot import count_period, pivot
from visibility.scores.words import place_words
from visibility.sources.cited import cited_sites

PERIODS = {"42": "Last 6 weeks", "14": "Last 2 weeks", "180": "Last 6 months", "all": "All days"}
FIRST_TASKS, MOST_PARTS, MOST_SITES = 3, 6, 6
HUES = ("b1", "b2", "b3")
"""Colours of competitors, in the order in which they were added: the same on every chart."""
FIGURES = {
    "score": ("Mentioned", "score", "low", "high"),
    "voice": ("Share of voice", "shareOfVoice", "shareOfVoiceLow", "shareOfVoiceHigh"),
    "cited": ("Your site cited", "citationRate", "citationRateLow", "citationRateHigh"),
    "prominence": ("Prominence", "prominence", "prominenceLow", "prominenceHigh"),
}


@dataclass(frozen=True, slots=True)
class Tile:
    """One of the figures that switch the chart."""

    key: str
    name: str
    value: float | None
    margin: float | None


@dataclass(frozen=True, slots=True)
class HeatCell:
    """How often a topic's answers mention somebody; `hue` is the place of its colour, `level` 0 to 4."""

    number: int
    hue: int
    level: int
    misses: bool


@dataclass(frozen=True, slots=True)
class HeatRow:
    """One topic: a cell for each subject, and the distance to the best competitor."""

    topic: str
    topic_id: UUID | None
    of: int
    cells: Sequence[HeatCell]
    distance: int
    best: str
    begins_level: bool = False
    """The first below those where somebody is ahead."""


@account_page
def portfolio(request: HttpRequest, user: User) -> HttpResponse:
    """All brands that somebody sees; a single one is opened at once. Staff find the others by the search."""
    caller = Caller.from_user(user)
    sites = read_portfolio(caller).sites
    if len(sites) == 1 and not user.is_staff:
        return HttpResponseRedirect(reverse("brand", args=[sites[0].id]))
    days: dict[UUID, list[float | None]] = {site.id: [] for site in sites}
    rows = DailyScore.objects.filter(brand__in=days, competitor=None, date__isnull=False).order_by("date")
    for brand_id, score in rows.filter(date__gte=date.today() - timedelta(days=90)).values_list("brand", "score"):
        days[brand_id].append(score)
    listed = [(site, charts.spark(days[site.id][-40:])) for site in sites]
    reader, found = staff_reader(user), request.GET.get("q", "").strip()
    others = (
        list(Brand.objects.restrict(reader, "view").filter(name__icontains=found)[:20]) if reader and found else []
    )
    context = {"sites": listed, "others": others, "is_reader": reader is not None, "q": found}
    return render(request, "pages/portfolio.html", context)


@brand_page
def brand(visit: Visit) -> HttpResponse:
    """One brand. A filter in the address filters everything on the page."""
    topics = Topic.objects.filter(brand=visit.brand).exclude(own=False).order_by("name")
    topic = next((each for each in topics if str(each.pk) == visit.query.get("topic")), None)
    engines = asked_engines(visit.brand)
    engine = visit.query.get("engine") if visit.query.get("engine") in engines else None
    only = Filter(engine, topic)
    now = now_of(visit.brand, only)
    figures, standings = figures_of_now(now), standings_of(now)
    record = _record(visit.brand) if only.is_empty else None
    tasks = list(_open(visit.brand)[:FIRST_TASKS])
    hues = hues_of(visit.brand)
    figure = visit.query.get("figure") if visit.query.get("figure") in FIGURES else "score"
    period = visit.query.get("period") if visit.query.get("period") in PERIODS else "42"
    days = days_in(visit.brand, period) if only.is_empty else []
    heat = heat_of(visit.brand, engine, topic)
    return visit.show(
        "brand.html",
        "overview",
        figures=figures,
        margin=_margin(figures),
        lead=lead_words(visit.brand, record, standings, figures),
        place=place_words(standings),
        record=record,
        tasks=tasks,
        tiles=_tiles(figures),
        figure=figure,
        chart=chart_of(days, figure, record),
        days=days,
        parts=_parts(visit.brand, record),
        standings=[(each, hue_of(each, hues), bar_of(each, hues)) for each in standings],
        heat=heat,
        subjects=subjects_of(visit.brand),
        lost=sum(row.distance < 0 for row in heat),
        sites=cited_sites(visit.brand, topic=topic, engine=engine)[:MOST_SITES],
        by_engine=[(each, charts.bar(each.score, each.low, each.high)) for each in engines_of_now(now)],
        diagnosis=diagnosis_of(visit.brand, topic),
        last_scan=Run.objects.measured().filter(brand=visit.brand, kind=Run.Kind.VISIBILITY).newest().first(),
        is_recounting=visit.brand.counted_version < visit.brand.names_version,
        topics=topics,
        undecided=Topic.objects.filter(brand=visit.brand, own=None).count(),
        engines=engines,
        periods=PERIODS,
        chosen={"topic": topic and str(topic.pk), "engine": engine, "period": period, "figure": figure},
    )


@brand_page
def more(visit: Visit) -> HttpResponse:
    """The rest of the menu, for phones."""
    return visit.show("more.html", "more")


def _open(brand: Brand) -> Any:
    rows = Recommendation.objects.filter(brand=brand, status=Recommendation.Status.OPEN)
    return rows.order_by("-priority", "-created_at", "id")


def _record(brand: Brand) -> ChangeRecord | None:
    """The latest change of the score that may be spoken of."""
    last = (
        DailyScore.objects.of_brand(brand).exclude(date=None).order_by("-date").values_list("date", flat=True).first()
    )
    records = ChangeRecord.objects.filter(brand=brand, engine="", state=ChangeState.HOLDS)
    return records.filter(reported_until__gte=last).order_by("-began").first() if last else None


def _margin(figures: NowFigures | None) -> float | None:
    return _half_width(figures.score, figures.low, figures.high) if figures else None


def _half_width(value: float | None, low: float | None, high: float | None) -> float | None:
    """The longer arm: an interval is longer to the middle where the value is near 0 or 100."""
    return None if value is None or low is None or high is None else max(value - low, high - value)


def days_in(brand: Brand, period: str) -> list[DailyScore]:
    scores = DailyScore.objects.of_brand(brand).exclude(date=None).order_by("date")
    last = scores.last()
    if last is None or last.date is None or period == "all":
        return list(scores)
    return list(scores.filter(date__gt=last.date - timedelta(days=int(period))))


def _tiles(figures: NowFigures | None) -> list[Tile]:
    if figures is None:
        return []
    voice = _half_width(figures.share_of_voice, figures.share_of_voice_low, figures.share_of_voice_high)
    return [
        Tile("score", FIGURES["score"][0], figures.score, _margin(figures)),
        Tile("voice", FIGURES["voice"][0], figures.share_of_voice, voice),
        Tile("cited", FIGURES["cited"][0], figures.citation_rate, None),
        Tile("prominence", FIGURES["prominence"][0], figures.prominence, None),
    ]


def chart_of(days: Sequence[DailyScore], figure: str, record: ChangeRecord | None) -> Any:
    name, key, low, high = FIGURES[figure]
    points = [
        charts.TrendDay(
            day=each.date,
            value=each.score if figure == "score" else each.figures.get(key),
            low=each.low if figure == "score" else each.figures.get(low),
            high=each.high if figure == "score" else each.figures.get(high),
            second=each.figures.get("citationRate") if figure == "score" else None,
        )
        for each in days
        if each.date
    ]
    event = None
    if record is not None and figure == "score":
        gained = "gained" if record.delta > 0 else "lost"
        day = f"{record.began.day} {record.began:%b}"
        event = charts.Event(record.began, f"{day}: {abs(record.delta):.0f} points {gained}")
    names = (name.lower(), "site cited")
    first, last = (points[0].value, points[-1].value) if points else (None, None)
    words = f"{name} by day: {first or 0:.0f} % on the first of {len(points)} days, {last or 0:.0f} % on the last."
    return charts.trend(charts.thinned(points), label=words, names=names, event=event)


def _parts(brand: Brand, record: ChangeRecord | None) -> list[tuple[str, float, Any]]:
    """What topics add to the change, the largest first."""
    if record is None:
        return []
    names = {str(topic.pk): topic.name for topic in Topic.objects.filter(brand=brand)}
    parts = [(names[part["key"]], part["points"]) for part in record.parts.get("topics", []) if part["key"] in names]
    most = max((abs(points) for _, points in parts), default=1)
    return [(name, points, charts.change(points, most)) for name, points in parts[:MOST_PARTS]]


def hues_of(brand: Brand) -> Mapping[UUID, int]:
    rivals = brand.competitors.order_by("created_at", "pk").values_list("pk", flat=True)
    return {pk: place for place, pk in enumerate(rivals)}


def subjects_of(brand: Brand) -> list[str]:
    """The heads of tables by subject: the brand, then its competitors in the order of their colours."""
    return ["You", *brand.competitors.order_by("created_at", "pk").values_list("name", flat=True)]


def hue_of(each: Standing, hues: Mapping[UUID, int]) -> str:
    return "me" if each.competitor_id is None else HUES[hues.get(each.competitor_id, 0) % len(HUES)]


def bar_of(each: Standing, hues: Mapping[UUID, int]) -> Any:
    return charts.bar(each.score, each.low, each.high, hue=hue_of(each, hues))


def heat_of(brand: Brand, engine: str | None = None, topic: Topic | None = None) -> list[HeatRow]:
    """Topics by subjects, those where the brand is furthest behind first."""
    counted = count_period(brand, topics=[topic] if topic else (), engines=[engine] if engine else ())
    by_topic: dict[str, dict[UUID | None, Any]] = {}
    for row in pivot(counted, ["subject", "topic"]):
        by_topic.setdefault(row.topic or "", {})[row.competitor_id] = row
    ids = dict(Topic.objects.filter(brand=brand).values_list("name", "pk"))
    hues = hues_of(brand)
    rivals = sorted(counted.names, key=lambda pk: hues.get(pk, len(hues)))
    keys = [None, *rivals]
    rows = []
    for topic_name, found in by_topic.items():
        if (own := found.get(None)) is None:
            continue
        numbers = [found[key].mentioned if key in found else 0 for key in keys]
        best = max(numbers[1:], default=0)
        far = best - own.mentioned > own.of / 2
        cells = [
            HeatCell(number, place % 4, min(4, -(-4 * number // own.of)) if own.of else 0, far and place == 0)
            for place, number in enumerate(numbers)
        ]
        leaders = [counted.names[pk] for pk, number in zip(rivals, numbers[1:], strict=True) if number == best]
        leader, distance = ", ".join(leaders[:2]) if best else "", own.mentioned - best
        rows.append(HeatRow(topic_name, ids.get(topic_name), own.of, cells, distance, leader))
    rows.sort(key=lambda row: (row.distance / row.of if row.of else 0, row.topic))
    first = next((place for place, row in enumerate(rows) if row.distance >= 0), 0)
    return [replace(row, begins_level=0 < first == place) for place, row in enumerate(rows)]
