"""The web pages of a site's audits: what one found and fetched, all of them over time, the button to start one."""

from collections import Counter
from typing import Any
from uuid import UUID

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path
from django.views.decorators.http import require_POST, require_safe
from django_htmx.middleware import HtmxDetails

from apikeys.db.snapshot import snapshot
from apikeys.signin.middleware import ENDED
from visibility.audit.catalogue import CATALOGUE
from visibility.measured.audits import SEVERITIES
from visibility.metrics.amounts import duration
from visibility.models import Run
from visibility.pages.acts import attempt, person, problems, raise_404_if_missing
from visibility.pages.evidence import for_people
from visibility.pages.present.frame import BrandFrame, brand_frame
from visibility.services.audits.history import audit_history, audit_report
from visibility.services.audits.progress import audit_progress
from visibility.services.audits.starting import MAX_PAGES, start_audit
from visibility.services.audits.state import how_to_get_one, note
from visibility.services.scans.status import eta_seconds

FIRST = 3
"""Findings to begin with."""


class AuditForm(forms.Form):
    """How much of the site an audit looks at."""

    max_pages = forms.IntegerField(
        label="Pages at most",
        initial=MAX_PAGES,
        min_value=1,
        max_value=MAX_PAGES,
        help_text="One credit for each page that is fetched; what is not fetched is given back.",
    )


@require_safe
@login_required
@snapshot()
def audits_page(request: HttpRequest, brand_id: UUID) -> HttpResponse:
    """The audits of a site over time, how far one under way is, and the form that starts one."""
    frame = brand_frame(request, brand_id)
    history = audit_history(frame.caller, brand_id=brand_id)
    state = history.state
    running = next(
        (audit.run for audit in history.audits if state.running and audit.run.id == state.running.pk), None
    )
    context: dict[str, Any] = {
        "history": history,
        "running": running,
        **_progress(frame, state.running if running else None),
        # How far one under way is stands below, renewed.
        "told": None if running and not state.failed else note(state, None) or for_people(how_to_get_one(state)),
        "may_start": frame.may_edit,
        "form": AuditForm(),
    }
    context = frame.context("audits-page", **context)
    if not HtmxDetails(request):
        return render(request, "visibility/audits_page.html", context)
    return render(request, "visibility/_audits_state.html", context, status=200 if running else ENDED)


def _progress(frame: BrandFrame, running: Run | None) -> dict[str, Any]:
    """How far an audit under way is, and how long the pages that are known by now will take."""
    if running is None:
        return {}
    pages = audit_progress(frame.caller, run_id=running.pk)
    eta = eta_seconds(running) if pages.waiting else None
    return {"pages": pages, "left": duration(eta) if eta else ""}


@require_safe
@login_required
@snapshot()
def audit_page(request: HttpRequest, brand_id: UUID, run_id: UUID) -> HttpResponse:
    """One finished audit: its score, what caps it, findings with evidence and prompt, the pages that were fetched."""
    frame = brand_frame(request, brand_id)
    with raise_404_if_missing():
        report = audit_report(frame.caller, brand_id=brand_id, run_id=run_id)
    todo = [finding for finding, _ in report.findings if CATALOGUE[finding.check].matters]
    severities = Counter(finding.severity for finding in todo)
    context = {
        "report": report,
        "severities": [(name, severities[name]) for name in SEVERITIES if severities[name]],
        "first": todo[:FIRST],
        "todo": len(todo),
    }
    return render(request, "visibility/audit_page.html", frame.context("audits-page", **context))


@require_POST
@login_required
def start(request: HttpRequest, brand_id: UUID) -> HttpResponse:
    """Start an audit, or say which one is active."""
    form = AuditForm(request.POST)
    if not form.is_valid():
        brand_frame(request, brand_id)  # 404 to whom it is not there, whatever they send
        messages.error(request, problems(form))
        return redirect("audits-page", brand_id=brand_id)
    pages = form.cleaned_data["max_pages"]
    started = attempt(
        request,
        lambda: start_audit(person(request), brand_id=brand_id, trigger=Run.Trigger.WEB, max_pages=pages),
    )
    if started and started.started:
        messages.success(request, f"The audit has started: up to {pages} pages are being fetched.")
    elif started:
        messages.info(request, "No new audit: one is active already, and nothing was charged.")
    return redirect("audits-page", brand_id=brand_id)


urlpatterns = [
    path("brands/<uuid:brand_id>/audits", audits_page, name="audits-page"),
    path("brands/<uuid:brand_id>/audits/start", start, name="start-audit"),
    path("brands/<uuid:brand_id>/audits/<uuid:run_id>", audit_page, name="audit-page"),
]
