"""The web pages of a brand beside its rivals: whom engines choose, and where rivals are named without the brand."""

from typing import Any
from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path
from django.views.decorators.http import require_POST, require_safe

from apikeys.db.snapshot import snapshot
from apikeys.text.sentences import one_line
from visibility.models import Run
from visibility.pages.acts import person, start_and_tell
from visibility.pages.present.charts.shares import preference_bar, why_undecided
from visibility.pages.present.frame import brand_frame
from visibility.services.competitors.gaps import competitor_gaps
from visibility.services.scans.comparisons import comparison_credits, start_comparison
from visibility.services.scans.starting import standing_run
from visibility.services.scans.status import latest_scan

SHOWN = 10
"""Gaps on a page."""


@require_safe
@login_required
@snapshot()
def comparison_page(request: HttpRequest, brand_id: UUID) -> HttpResponse:
    """The latest comparison with what its answers prefer, and the button that starts another one, or its time."""
    frame = brand_frame(request, brand_id)
    scan = latest_scan(frame.caller, brand_id=brand_id, kind=Run.Kind.COMPARISON)
    rivals = scan.comparison.competitors if scan and scan.comparison else []
    own = one_line(frame.brand.name)
    context: dict[str, Any] = {
        "scan": scan,
        "rivals": [
            (rival, preference_bar(rival, own=own, rival=one_line(rival.name)), why_undecided(rival))
            for rival in rivals
        ],
        "credits": comparison_credits(frame.caller, brand_id=brand_id),
        "standing": standing_run(frame.caller, brand_id=brand_id, kind=Run.Kind.COMPARISON),
    }
    return render(request, "visibility/comparison_page.html", frame.context("competitors-page", **context))


@require_POST
@login_required
def start(request: HttpRequest, brand_id: UUID) -> HttpResponse:
    """Start a comparison with the most visible rivals, or say which one stands in its way."""
    start_and_tell(
        request,
        lambda: start_comparison(person(request), brand_id=brand_id, trigger=Run.Trigger.WEB),
        "comparison",
    )
    return redirect("comparison-page", brand_id=brand_id)


@require_safe
@login_required
@snapshot()
def gaps_page(request: HttpRequest, brand_id: UUID) -> HttpResponse:
    """The prompts where answers name a rival and not the brand, the most consistent first."""
    frame = brand_frame(request, brand_id)
    report = competitor_gaps(frame.caller, brand_id=brand_id)
    context: dict[str, Any] = {
        "report": report,
        "page": Paginator(report.gaps, SHOWN).get_page(request.GET.get("page")),
    }
    return render(request, "visibility/gaps_page.html", frame.context("competitors-page", **context))


urlpatterns = [
    path("brands/<uuid:brand_id>/comparison", comparison_page, name="comparison-page"),
    path("brands/<uuid:brand_id>/comparison/start", start, name="start-comparison"),
    path("brands/<uuid:brand_id>/gaps", gaps_page, name="gaps-page"),
]
