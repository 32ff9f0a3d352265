"""The web page of one brand, which answers a person's first questions; and how everything is measured."""

from collections.abc import Sequence
from datetime import date
from typing import Any
from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import path
from django.utils import timezone
from django.views.decorators.http import require_safe

from apikeys.caller import Caller
from apikeys.db.snapshot import snapshot
from brands.models import Brand
from visibility.demo import content as demo
from visibility.demo.history import simulated
from visibility.pages.method import method_html
from visibility.pages.present.charts.engines import engine_panels
from visibility.pages.present.charts.figure import trend_figure
from visibility.pages.present.charts.frames import HALF
from visibility.pages.present.charts.intervals import Standing as RivalStanding
from visibility.pages.present.charts.intervals import interval_figure
from visibility.pages.present.charts.series import brand_series, day_link, engine_series
from visibility.pages.present.figures_now import figures_shown
from visibility.pages.present.frame import brand_frame
from visibility.pages.present.work import item_of
from visibility.resources.brands import RunResource, TrendItem
from visibility.resources.changes import Change
from visibility.resources.figures import SubjectFigures
from visibility.services.overview.page import BrandOverview, brand_overview
from visibility.services.overview.standing import LastChange, ranked
from visibility.services.reading import reporting as reading
from visibility.services.reading.change_words import (
    engine_spans_in_words,
    figure_in_words,
    in_words,
    is_called,
    spans_in_words,
)
from visibility.services.reading.statements import RUN_HISTORY_CAP
from visibility.services.topics.deciding import undecided_topics

SHOWN_RUNS = 5
SHOWN_RECOMMENDATIONS = 3
SHOWN_RIVALS = 5
SHOWN_TOPICS = 6
PRINTED_RECOMMENDATIONS, PRINTED_TOPICS = 5, 8


@require_safe
@login_required
@snapshot()
def brand_page(request: HttpRequest, brand_id: UUID) -> HttpResponse:
    """One brand: where it stands and against whom, the trend, what to do first; then engines, topics, runs."""
    frame = brand_frame(request, brand_id)
    overview = brand_overview(frame.caller, frame.brand, most_to_do=SHOWN_RECOMMENDATIONS)
    # Looking for undecided topics reads much; it is worth it where they may be why so little is recommended.
    is_short = overview.to_do.total < SHOWN_RECOMMENDATIONS
    context = {
        **_shown(frame.brand, overview, topics=SHOWN_TOPICS),
        "undecided": undecided_topics(frame.caller, brand=frame.brand) if frame.may_edit and is_short else {},
        "runs": overview.runs[:SHOWN_RUNS],
        "latest_runs": _latest_runs(frame.caller, brand_id, overview.runs),
        "newest_first": _in_words(overview.trend),
        "panels": engine_panels(engine_series(overview.trend, day_link(brand_id))),
    }
    return render(request, "visibility/brand_page.html", frame.context("brand-page", **context))


@require_safe
@login_required
@snapshot()
def report_page(request: HttpRequest, brand_id: UUID) -> HttpResponse:
    """The brand on two sheets of paper, for those who are told and do not look themselves."""
    frame = brand_frame(request, brand_id)
    overview = brand_overview(frame.caller, frame.brand, most_to_do=PRINTED_RECOMMENDATIONS)
    context = {**_shown(frame.brand, overview, topics=PRINTED_TOPICS), "made_at": timezone.now()}
    return render(request, "visibility/report_page.html", frame.context("brand-page", **context))


def _shown(brand: Brand, overview: BrandOverview, *, topics: int) -> dict[str, Any]:
    """What the page and the report show alike, with so many topics."""
    measured, now = overview.measured, timezone.now()
    first = overview.to_do
    context: dict[str, Any] = {
        "recommendations": [item_of(row, first.topic_names, now) for row in first.rows],
        "to_do": first.total,
        "counting": overview.counting,
        "simulated": simulated(brand.pk) if brand.domain == demo.DOMAIN else None,
    }
    if measured is None:
        return context
    link = day_link(brand.pk)
    return context | {
        **figures_shown(measured.now, measured.changes, measured.figures),
        "standing": measured.standing,
        "changed_on": _day_of_change(measured.standing.change, overview.trend),
        "rivals": interval_figure(_rivals(measured.figures.subjects), width=HALF.width),
        "topics": measured.topics[:topics],
        "more_topics": len(measured.topics[topics:]),
        "chart": trend_figure(brand_series(brand.name, overview.trend, link), wide=HALF),
    }


def _latest_runs(caller: Caller, brand_id: UUID, history: Sequence[RunResource]) -> Sequence[RunResource]:
    """The latest run of each kind; looked up where the history goes on."""
    if len(history) == RUN_HISTORY_CAP:
        return reading.latest_runs(caller, brand_ids=[brand_id]).get(brand_id, [])
    return reading.latest_of(history)


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
