"""The web page where a scan is started, which says before what it would take, followed, and cancelled."""

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path
from django.views.decorators.http import require_POST, require_safe

from apikeys.errors import ErrorCode, ServiceError
from brands.services.access import may_edit
from visibility.measured.charges import charges_in_words, charges_of, total
from visibility.metrics.amounts import dollars, duration
from visibility.models import Run
from visibility.pages.acts import attempt, person, raise_404_if_missing, reader, start_and_tell
from visibility.services.reading.reporting import brand_detail, latest_runs
from visibility.services.scans.estimates import estimate_scan
from visibility.services.scans.planning import usual_goal
from visibility.services.scans.starting import cancel_scan_by_id, start_scan
from visibility.services.scans.status import scan_status


@require_safe
@login_required
def scan_page(request: HttpRequest, brand_id: UUID) -> HttpResponse:
    """How far the scan under way is; calls, credits, money and time of one that would start now."""
    with raise_404_if_missing():
        detail = brand_detail(reader(request), brand_id=brand_id)
    context: dict[str, Any] = {
        "brand": detail.brand,
        "latest_runs": latest_runs(reader(request), brand_ids=[brand_id]).get(brand_id, []),
        "may_start": may_edit(person(request), brand_id),
        "plan": usual_goal(reader(request), brand_id=brand_id),
    }
    # An audit has pages in place of answers, and a page of its own.
    is_audit = detail.latest_run is not None and detail.latest_run.kind == "audit"
    if detail.latest_run and not is_audit and detail.latest_run.status in Run.ACTIVE:
        status = scan_status(reader(request), brand_id=brand_id, run_id=detail.latest_run.id)
        context |= {"active": status, "left": duration(status.eta_seconds)}
    if detail.latest_run:
        context["charged"] = charges_in_words(total(charges_of(detail.latest_run.id).values()))
    try:
        estimate = estimate_scan(reader(request), brand_id=brand_id)
    except ServiceError as refusal:
        if refusal.code == ErrorCode.NOT_FOUND:
            raise
        context["refusal"] = refusal.message
    else:
        context |= {
            "estimate": estimate,
            "engines": [(row, dollars(row.cost), duration(row.seconds)) for row in estimate.engines],
            "cost": dollars(estimate.cost),
            "duration": duration(estimate.seconds),
        }
    return render(request, "visibility/scan_page.html", context)


@require_POST
@login_required
def start(request: HttpRequest, brand_id: UUID) -> HttpResponse:
    """Start a scan, or say which one stands in its way."""
    start_and_tell(request, lambda: start_scan(person(request), brand_id=brand_id, trigger=Run.Trigger.WEB), "scan")
    return redirect("scan-page", brand_id=brand_id)


@require_POST
@login_required
def cancel(request: HttpRequest, brand_id: UUID, run_id: UUID) -> HttpResponse:
    """Ask no further question of a scan."""
    if attempt(request, lambda: cancel_scan_by_id(person(request), brand_id=brand_id, run_id=run_id)):
        messages.success(
            request, "The scan is cancelled. Answers that are under way are kept; what was not asked costs nothing."
        )
    return redirect("scan-page", brand_id=brand_id)


urlpatterns = [
    path("brands/<uuid:brand_id>/scan", scan_page, name="scan-page"),
    path("brands/<uuid:brand_id>/scan/start", start, name="start-scan"),
    path("brands/<uuid:brand_id>/runs/<uuid:run_id>/cancel", cancel, name="cancel-scan"),
]
