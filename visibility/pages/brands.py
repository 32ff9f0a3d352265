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
from django.utils.formats import date_format
from django.views.decorators.http import require_safe

from apikeys.caller import Caller
from apikeys.db.snapshot import snapshot
from brands.models import Brand
from visibility.demo.history import simulated
from visibility.pages.method import method_html
from visibility.pages.present.charts.engines import engine_panels
from visibility.pages.present.charts.figure import trend_figure
from visibility.pages.present.charts.frames import HALF
from visibility.pages.present.charts.series import brand_series, day_link, engine_series
from visibility.pages.present.figure_rows import figure_rows
from visibility.pages.present.frame import brand_frame
from visibility.pages.present.work import item_of
from visibility.resources.brands import RunResource, TrendItem
from visibility.resources.now import NowItem
from visibility.services.overview.standing import ranked, standing_of
from visibility.services.reading import reporting as reading
from visibility.services.reading.change_words import (
    causes_in_words,
    common_in_words,
    engine_spans_in_words,
    figure_in_words,
    in_words,
    is_called,
    spans_in_words,
    with_note,
)
from visibility.services.reading.figures import figures_and_changes
from visibility.services.reading.rescoring import rescoring_in
from visibility.services.reading.statements import RUN_HISTORY_CAP
from visibility.services.recommendations.listing import first_to_do
from visibility.services.topics.deciding import undecided_topics

FIRST_DAY = date(1970, 1, 1)
SHOWN_RUNS = 5
SHOWN_RECOMMENDATIONS = 3
SHOWN_RIVALS = 5


@require_safe
@login_required
@snapshot()
def brand_page(request: HttpRequest, brand_id: UUID) -> HttpResponse:
    """One brand: where it stands and against whom, the trend, what to do first; then engines, what changed, runs."""
    frame = brand_frame(request, brand_id)
    caller, brand = frame.caller, frame.brand
    history = reading.runs(caller, brand_id=brand_id, known=True).runs
    trend = reading.trend(caller, brand_id=brand_id, first=FIRST_DAY, last=timezone.now().date()).trend
    link = day_link(brand_id)
    context = {
        "newest_first": [
            (
                item,
                in_words(item.change) if item.change else "",
                spans_in_words(item) or (engine_spans_in_words(item.change) if item.change else []),
                figure_in_words(item) if is_called(item) else "",
            )
            for item in reversed(trend)
        ],
        "chart": trend_figure(brand_series(brand.name, trend, link), wide=HALF),
        "panels": engine_panels(engine_series(trend, link)),
        **_first_to_do(caller, brand),
        "undecided": undecided_topics(caller, brand=brand) if frame.may_edit else {},
        "rescoring": rescoring_in(brand),
        "runs": history[:SHOWN_RUNS],
        **_of_history(caller, brand_id, history),
    }
    if trend:
        context |= _figures(caller, brand, trend)
    return render(request, "visibility/brand_page.html", frame.context("brand-page", **context))


def _first_to_do(caller: Caller, brand: Brand) -> dict[str, Any]:
    """The most urgent recommendations, and how many there are to do."""
    first = first_to_do(caller, brand=brand, most=SHOWN_RECOMMENDATIONS)
    now = timezone.now()
    return {"recommendations": [item_of(row, first.topic_names, now) for row in first.rows], "to_do": first.total}


def _of_history(caller: Caller, brand_id: UUID, history: Sequence[RunResource]) -> dict[str, Any]:
    """The latest run of each kind, and which days are simulated; looked up where the history goes on."""
    if len(history) == RUN_HISTORY_CAP:
        latest = reading.latest_runs(caller, brand_ids=[brand_id]).get(brand_id, [])
    else:
        latest = reading.latest_of(history)
    # Simulated days are imports: a history without any has none.
    imported = len(history) == RUN_HISTORY_CAP or any(run.trigger == "import" for run in history)
    return {"latest_runs": latest, "simulated": simulated(brand_id) if imported else None}


def _figures(caller: Caller, brand: Brand, trend: Sequence[TrendItem]) -> dict[str, Any]:
    """All figures of now by engine, and the brand's own changes in words."""
    now, report, stands = figures_and_changes(caller, brand)
    brand_changes = report.subjects[0].changes if report.subjects else []
    words = {(change.engine, change.metric): with_note(change) for change in brand_changes}
    figures = {change.metric: figure_in_words(change) for change in brand_changes if change.engine is None}
    own_figures = stands.subjects[0]
    standing = standing_of(now, stands.subjects, trend)
    change = now.change
    engine_words = (
        {engine_change.engine: with_note(engine_change) for engine_change in change.by_engine} if change else {}
    )
    notes = {row.engine: row.note for row in now.engines}
    return {
        "now": now,
        "standing": standing,
        "rivals": ranked(stands.subjects, most=SHOWN_RIVALS),
        "changes": {**figures, "score": now.development} if change else {},
        "comparisons": _comparisons(now),
        "engines": [(engine_figures, notes.get(engine_figures.engine)) for engine_figures in own_figures.engines],
        "answers": [now.answers, *(engine_figures.answers for engine_figures in own_figures.engines)],
        "figure_rows": figure_rows(own_figures, alone=len(stands.subjects) == 1),
        "engine_changes": [
            words.get((None, "score"), ""),
            *(
                engine_words.get(engine_figures.engine) or words.get((engine_figures.engine, "score"), "")
                for engine_figures in own_figures.engines
            ),
        ],
        "budgets": report.budgets,
    }


def _comparisons(now: NowItem) -> list[str]:
    """The latest day held against single earlier days, and what part both days share where they differ."""
    change = now.change
    if change is None:
        return []
    if change.verdict == "not_comparable":
        causes = causes_in_words(change.causes)
        day_before = f"since {date_format(change.since)}, which cannot be compared with now"
        sentences = [": ".join(filter(None, [day_before, causes])), common_in_words(change)]
    else:
        sentences = [f"since {date_format(change.since)}, the measured day before: {in_words(change)}"]
    spans = spans_in_words(now) or engine_spans_in_words(change)
    return [sentence for sentence in (*sentences, *spans) if sentence]


@require_safe
def method(request: HttpRequest) -> HttpResponse:
    """How everything is measured, for anyone: each figure of the other pages links to its definition here."""
    return render(request, "visibility/method.html", {"method": method_html()})


urlpatterns = [
    path("method", method, name="method"),
    path("brands/<uuid:brand_id>", brand_page, name="brand-page"),
]
