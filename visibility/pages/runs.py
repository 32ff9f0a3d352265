"""The web pages of what was measured: the runs of a brand, one run, one day. A chart's dot leads to its day, and that
to the prompts whose result fell, and these to their answers."""

from collections.abc import Sequence
from datetime import date
from typing import Any
from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path
from django.utils.formats import date_format
from django.views.decorators.http import require_safe

from apikeys.db.snapshot import snapshot
from visibility.models import Run
from visibility.pages.acts import raise_404_if_missing
from visibility.pages.present.frame import BrandFrame, brand_frame
from visibility.pages.present.run_words import groups_of, said_of_day, summary_of, title_of
from visibility.services.runs.listing import run_history
from visibility.services.runs.reports import day_report, run_report, with_wordings
from visibility.services.runs.results import GROUPS, PromptOutcome

PROMPTS_ON_PAGE = 25
ENDED = 286
"""The status by which htmx stops asking."""


@require_safe
@login_required
@snapshot()
def runs_page(request: HttpRequest, brand_id: UUID) -> HttpResponse:
    """All runs of the brand, newest first, by kind where the address says so."""
    frame = brand_frame(request, brand_id)
    kind = request.GET.get("kind") if request.GET.get("kind") in Run.Kind.values else None
    page = run_history(frame.caller, brand_id=brand_id, kind=kind, number=request.GET.get("page"))
    return render(request, "visibility/runs_page.html", frame.context("runs-page", page=page, kind=kind))


@require_safe
@login_required
@snapshot()
def run_page(request: HttpRequest, brand_id: UUID, run_id: UUID) -> HttpResponse:
    """One run: how far it is, then what came, the prompts whose result fell first. An audit has a page of its own."""
    frame = brand_frame(request, brand_id)
    with raise_404_if_missing():
        report = run_report(frame.caller, brand_id=brand_id, run_id=run_id)
    if report.run.kind == "audit":
        return redirect(*_audit(report.run.status, brand_id, run_id))
    context: dict[str, Any] = {"report": report, "run": report.run, "title": title_of(report.run)}
    context["is_active"] = report.run.status in Run.ACTIVE
    if report.counted:
        before = report.before.created_at if report.before else None
        context |= _prompts(request, frame, report.prompts, date_format(before) if before else "")
    context["days"] = [(day, said_of_day(day)) for day in report.days]
    return render(request, "visibility/run_page.html", frame.context("runs-page", **context))


def _audit(status: str, brand_id: UUID, run_id: UUID) -> tuple[Any, ...]:
    finished = status in (Run.Status.SUCCEEDED, Run.Status.PARTIAL)
    return ("audit-page", brand_id, run_id) if finished else ("audits-page", brand_id)


@require_safe
@login_required
@snapshot()
def day_page(request: HttpRequest, brand_id: UUID, day: str) -> HttpResponse:
    """One measured day: its score and verdict, its runs, the prompts whose result fell first."""
    frame = brand_frame(request, brand_id)
    with raise_404_if_missing():
        report = day_report(frame.caller, brand_id=brand_id, day=_day(day))
    before = date_format(report.before.date) if report.before else ""
    context = {"report": report, "day": report.day, "said": said_of_day(report.day)}
    context |= _prompts(request, frame, report.prompts, before)
    return render(request, "visibility/day_page.html", frame.context("runs-page", **context))


def _day(text: str) -> date:
    try:
        day = date.fromisoformat(text)
    except ValueError:
        raise Http404 from None
    if day.isoformat() != text:
        raise Http404
    return day


def _prompts(
    request: HttpRequest, frame: BrandFrame, prompts: Sequence[PromptOutcome], before: str
) -> dict[str, Any]:
    """The prompts of the group that the address names, a page of them with their wordings."""
    show = request.GET.get("show") if request.GET.get("show") in GROUPS else None
    chosen = [outcome for outcome in prompts if show in (None, outcome.group)]
    page = Paginator(chosen, PROMPTS_ON_PAGE).get_page(request.GET.get("page"))
    return {
        "groups": groups_of(prompts) if before else [],
        "summary": summary_of(prompts, before) if before else "",
        "before": before,
        "show": show,
        "page": page,
        "rows": with_wordings(frame.caller, brand=frame.brand, outcomes=page.object_list),
    }


urlpatterns = [
    path("brands/<uuid:brand_id>/runs", runs_page, name="runs-page"),
    path("brands/<uuid:brand_id>/runs/<uuid:run_id>", run_page, name="run-page"),
    path("brands/<uuid:brand_id>/days/<str:day>", day_page, name="day-page"),
]
