"""The web pages of a brand beside its rivals: whom engines choose, and where rivals are named without the brand."""

from typing import Any
from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path
from django.views.decorators.http import require_POST, require_safe

from apikeys.db.snapshot import snapshot
from brands.services.access import may_edit
from visibility.models import Run
from visibility.pages.acts import person, raise_404_if_missing, reader, start_and_tell
from visibility.services.competitors.gaps import competitor_gaps
from visibility.services.reading.reporting import brand_detail
from visibility.services.scans.comparisons import comparison_credits, start_comparison
from visibility.services.scans.status import latest_scan


@require_safe
@login_required
@snapshot()
def comparison_page(request: HttpRequest, brand_id: UUID) -> HttpResponse:
    """The latest comparison with what its answers prefer, and the button that starts another one."""
    caller = reader(request)
    with raise_404_if_missing():
        context: dict[str, Any] = {
            "brand": brand_detail(caller, brand_id=brand_id).brand,
            "scan": latest_scan(caller, brand_id=brand_id, kind=Run.Kind.COMPARISON),
            "credits": comparison_credits(caller, brand_id=brand_id),
            "may_start": may_edit(person(request), brand_id),
        }
    return render(request, "visibility/comparison_page.html", context)


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
    caller = reader(request)
    with raise_404_if_missing():
        context: dict[str, Any] = {
            "brand": brand_detail(caller, brand_id=brand_id).brand,
            "report": competitor_gaps(caller, brand_id=brand_id),
        }
    return render(request, "visibility/gaps_page.html", context)


urlpatterns = [
    path("brands/<uuid:brand_id>/comparison", comparison_page, name="comparison-page"),
    path("brands/<uuid:brand_id>/comparison/start", start, name="start-comparison"),
    path("brands/<uuid:brand_id>/gaps", gaps_page, name="gaps-page"),
]
