"""The web page of one brand, which answers a person's first questions; and how everything is measured."""

from collections.abc import Sequence
from datetime import date, datetime
from typing import Any
from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import path
from django.utils import timezone
from django.views.decorators.http import require_safe

from apikeys.db.snapshot import snapshot
from brands.models import Brand
from visibility.demo import content as demo
from visibility.demo.history import simulated
from visibility.pages.method import method_html
from visibility.pages.present.charts.engines import engine_panels
from visibility.pages.present.charts.figure import trend_figure
from visibility.pages.present.charts.frames import COLUMN, HALF, Frame
from visibility.pages.present.charts.intervals import Standing as RivalStanding
from visibility.pages.present.charts.intervals import interval_figure
from visibility.pages.present.charts.series import brand_series, counted_since, day_link, engine_series
from visibility.pages.present.figures_now import figures_shown
from visibility.pages.present.first_screen import engine_lines, pulse_of, site_lines, topic_ends
from visibility.pages.present.frame import brand_frame
from visibility.pages.present.work import Item, item_of
from visibility.resources.brands import TrendItem
from visibility.resources.changes import Change
from visibility.resources.figures import SubjectFigures
from visibility.services.overview.page import BrandOverview, brand_overview
from visibility.services.overview.standing import LastChange, ranked
from visibility.services.reading.change_words import (
    engine_spans_in_words,
    figure_in_words,
    in_words,
    is_called,
    spans_in_words,
)
from visibility.services.recommendations.listing import ToDo
from visibility.services.topics.proposing import propose_topics

SHOWN_RUNS = 5
SHOWN_RECOMMENDATIONS = 3
SHOWN_RIVALS = 5
SHOWN_TOPICS = 6
SHOWN_DAYS = 30
PRINTED_RECOMMENDATIONS, PRINTED_TOPICS = 5, 8


@require_safe
@login_required
@snapshot()
def brand_page(request: HttpRequest, brand_id: UUID) -> HttpResponse:
    """One brand: where it stands and against whom, the trend, what to do first; then engines, topics, runs."""
    frame = brand_frame(request, brand_id)
    overview = brand_overview(frame.caller, frame.brand, most_to_do=SHOWN_RECOMMENDATIONS)
    context = {
        **_shown(frame.brand, overview, topics=SHOWN_TOPICS, wide=COLUMN),
        "proposals": propose_topics(frame.caller, brand=frame.brand),
        "runs": overview.runs[:SHOWN_RUNS],
        "latest_runs": overview.latest_runs,
        "newest_first": _in_words(overview.trend[-SHOWN_DAYS:]),
        "more_days": len(overview.trend[:-SHOWN_DAYS]),
    }
    return render(request, "visibility/brand_page.html", frame.context("brand-page", **context))


@require_safe
@login_required
@snapshot()
def report_page(request: HttpRequest, brand_id: UUID) -> HttpResponse:
    """The brand on two sheets of paper, for those who are told and do not look themselves."""
    frame = brand_frame(request, brand_id)
    overview = brand_overview(frame.caller, frame.brand, most_to_do=PRINTED_RECOMMENDATIONS)
    context = {**_shown(frame.brand, overview, topics=PRINTED_TOPICS, wide=HALF), "made_at": timezone.now()}
    return render(request, "visibility/report_page.html", frame.context("brand-page", **context))


def _shown(brand: Brand, overview: BrandOverview, *, topics: int, wide: Frame) -> dict[str, Any]:
    """What the page and the report show alike, with so many topics and pictures of this size on wide screens."""
    measured, now = overview.measured, timezone.now()
    first = overview.to_do
    context: dict[str, Any] = {
        "recommendations": _items(first, now),
        "to_do": first.total,
        "counting": overview.counting,
        "simulated": simulated(brand.pk) if brand.domain == demo.DOMAIN else None,
    }
    if measured is None:
        return context
    link = day_link(brand.pk)
    engines = engine_series(overview.trend, link)
    return context | {
        **figures_shown(measured.now, measured.changes, measured.figures),
        "standing": measured.standing,
        "good": measured.good,
        "engine_lines": engine_lines(measured.now, engines),
        "ends": topic_ends(measured.topics),
        "cited": site_lines(measured.cited),
        "pulse": pulse_of(brand, measured.now, overview.runs, now),
        "panels": engine_panels(engines),
        "changed_on": _day_of_change(measured.standing.change, overview.trend),
        "rivals": interval_figure(_rivals(measured.figures.subjects), width=wide.width),
        "topics": measured.topics[:topics],
        "more_topics": len(measured.topics[topics:]),
        "chart": trend_figure(
            brand_series(brand.name, overview.trend, link, **counted_since(overview.counting)), wide=wide
        ),
        "latest_day": overview.trend[-1].date,
    }


def _items(first: ToDo, now: datetime) -> list[Item]:
    """What to begin with; the first of a kind says how many more there are like it."""
    alike = dict(first.alike)
    return [item_of(row, first.topic_names, now, alike=alike.pop(row.kind, 0)) for row in first.rows]


def _day_of_change(change: LastChange | None, trend: Sequence[TrendItem]) -> date | None:
    """The measured day whose page says which prompts made the change: the first that moved since it began, in its
    direction, or else the first of all since then."""
    if change is None or change.since is None:
        return None
    days = [item for item in trend if change.since <= item.date <= change.day]
    moved = (item.date for item in days if item.change and _is_part(item.change, change))
    return next(moved, days[0].date if days else None)


def _is_part(step: Change, change: LastChange) -> bool:
    return step.verdict == "moved" and step.delta is not None and (step.delta < 0) == change.has_fallen


def _rivals(subjects: Sequence[SubjectFigures]) -> list[RivalStanding]:
    """The best of those who are measured, the brand among them."""
    return [
        RivalStanding(
            name=f"{subject.name} (you)" if subject.competitor is None else subject.name,
            value=subject.overall.score.value,
            low=subject.overall.score.low,
            high=subject.overall.score.high,
            answers=subject.overall.answers,
            is_own=subject.competitor is None,
        )
        for _, subject in ranked(subjects, most=SHOWN_RIVALS)
    ]


def _in_words(trend: Sequence[TrendItem]) -> list[tuple[TrendItem, str, list[str], str]]:
    """Each measured day with what may be said of it, newest first."""
    return [
        (
            item,
            in_words(item.change) if item.change else "",
            spans_in_words(item) or (engine_spans_in_words(item.change) if item.change else []),
            figure_in_words(item) if is_called(item) else "",
        )
        for item in reversed(trend)
    ]


@require_safe
def method(request: HttpRequest) -> HttpResponse:
    """How everything is measured, for anyone: each figure of the other pages links to its definition here."""
    return render(request, "visibility/method.html", {"method": method_html()})


urlpatterns = [
    path("method", method, name="method"),
    path("brands/<uuid:brand_id>", brand_page, name="brand-page"),
    path("brands/<uuid:brand_id>/report", report_page, name="report-page"),
]
