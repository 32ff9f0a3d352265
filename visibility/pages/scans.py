"""The web page where a scan is started, which says before what it would take, and where one is cancelled."""

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path
from django.views.decorators.http import require_POST, require_safe

from apikeys.caller import Caller
from apikeys.db.snapshot import snapshot
from apikeys.errors import ErrorCode, ServiceError
from visibility.metrics.amounts import dollars, duration
from visibility.models import Run
from visibility.pages.acts import attempt, in_the_way, person, start_and_tell
from visibility.pages.present.frame import brand_frame
from visibility.services.scans.estimates import estimate_scan
from visibility.services.scans.planning import usual_goal
from visibility.services.scans.starting import before_a_scan, cancel_scan_by_id, start_scan


@require_safe
@login_required
@snapshot()
def scan_page(request: HttpRequest, brand_id: UUID) -> HttpResponse:
    """Calls, credits, money and time of a scan that starts now; or which one is in its way, and until when."""
    frame = brand_frame(request, brand_id)
    latest_runs, standing = before_a_scan(frame.caller, brand_id=brand_id)
    context: dict[str, Any] = {
        "latest_runs": latest_runs,
        "standing": standing,
        "in_the_way": in_the_way(standing) if standing else "",
        "plan": usual_goal(frame.caller, brand_id=brand_id),
        **_estimate(frame.caller, brand_id),
    }
    return render(request, "visibility/scan_page.html", frame.context("runs-page", **context))


def _estimate(caller: Caller, brand_id: UUID) -> dict[str, Any]:
    try:
        estimate = estimate_scan(caller, brand_id=brand_id)
    except ServiceError as refusal:
        if refusal.code == ErrorCode.NOT_FOUND:
            raise
        return {"refusal": refusal.message}
    return {
        "estimate": estimate,
        "engines": [(row, dollars(row.cost), duration(row.seconds)) for row in estimate.engines],
        "cost": dollars(estimate.cost),
        "duration": duration(estimate.seconds),
    }


@require_POST
@login_required
def start(request: HttpRequest, brand_id: UUID) -> HttpResponse:
    """Start a scan and show how it goes on, or say which one stands in its way."""
    caller = person(request)
    started = start_and_tell(request, lambda: start_scan(caller, brand_id=brand_id, trigger=Run.Trigger.WEB), "scan")
    if started is None:
        return redirect("scan-page", brand_id=brand_id)
    return redirect("run-page", brand_id=brand_id, run_id=started.run.pk)


@require_POST
@login_required
def cancel(request: HttpRequest, brand_id: UUID, run_id: UUID) -> HttpResponse:
    """Ask no further question of a scan, no further page of an audit."""
    run = attempt(request, lambda: cancel_scan_by_id(person(request), brand_id=brand_id, run_id=run_id))
    if run and run.kind == Run.Kind.AUDIT:
        messages.success(
            request, "The audit is cancelled. Pages that were fetched are paid; the others cost nothing."
        )
        return redirect("audits-page", brand_id=brand_id)
    if run:
        messages.success(
            request, "The scan is cancelled. Answers that are under way are kept; what was not asked costs nothing."
        )
    return redirect("run-page", brand_id=brand_id, run_id=run_id)


urlpatterns = [
    path("brands/<uuid:brand_id>/scan", scan_page, name="scan-page"),
    path("brands/<uuid:brand_id>/scan/start", start, name="start-scan"),
    path("brands/<uuid:brand_id>/runs/<uuid:run_id>/cancel", cancel, name="cancel-scan"),
]
