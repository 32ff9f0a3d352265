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
from django_htmx.middleware import HtmxDetails

from apikeys.db.snapshot import snapshot
from apikeys.signin.middleware import ENDED
from visibility.detection.names.matching import Dictionary
from visibility.measured.charges import total
from visibility.metrics.amounts import duration
from visibility.models import Run
from visibility.pages.acts import raise_404_if_missing
from visibility.pages.present.frame import BrandFrame, brand_frame
from visibility.pages.present.run_words import (
    groups_of,
    said_of_day,
    said_of_engine,
    said_of_runs,
    summary_of,
    title_of,
)
from visibility.resources.brands import RunResource
from visibility.services.runs.comparing import compare_runs
from visibility.services.runs.failures import engine_lines, money_in_words
from visibility.services.runs.listing import run_history
from visibility.services.runs.reports import RunReport, day_report, run_report, with_wordings
from visibility.services.runs.results import GROUPS, PromptOutcome
from visibility.services.scans.starting import standing_run
from visibility.services.scans.status import scan_status

PROMPTS_ON_PAGE = 25


@require_safe
@login_required
@snapshot()
def runs_page(request: HttpRequest, brand_id: UUID) -> HttpResponse:
    """All runs of the brand, newest first, by kind where the address says so."""
    frame = brand_frame(request, brand_id)
    kind = request.GET.get("kind") if request.GET.get("kind") in Run.Kind.values else None
    page = run_history(frame.caller, brand_id=brand_id, kind=kind, number=request.GET.get("page"))
    return render(
        request,
        "visibility/runs_page.html",
        frame.context("runs-page", page=page, kind=kind, standing=standing_run(frame.caller, brand_id=brand_id)),
    )


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
    run = report.run
    context: dict[str, Any] = {"report": report, "run": run, "title": title_of(run)}
    lines = engine_lines(run.id, report.engines)
    context |= {"engines": lines, "failures": any(line.reasons for line in lines)}
    context["charged"] = money_in_words(total(line.charges for line in lines))
    if run.status in Run.ACTIVE:
        context |= _progress(frame, run)
    else:
        context |= _ended(request, frame, report)
    if not HtmxDetails(request):
        return render(request, "visibility/run_page.html", frame.context("runs-page", **context))
    status = 200 if run.status in Run.ACTIVE else ENDED
    return render(request, "visibility/_run_state.html", frame.context("runs-page", **context), status=status)


def _progress(frame: BrandFrame, run: RunResource) -> dict[str, Any]:
    """How far a run under way is, and whether the person can stop it: imports cannot be stopped."""
    status = scan_status(frame.caller, brand_id=frame.brand.pk, run_id=run.id)
    return {
        "active": status,
        "left": duration(status.eta_seconds) if status.eta_seconds is not None else "",
        "may_cancel": frame.may_edit and run.trigger != "import",
    }


def _ended(request: HttpRequest, frame: BrandFrame, report: RunReport) -> dict[str, Any]:
    """What came of a run that has ended, and what may be said of its days."""
    run, before = report.run, report.before.created_at if report.before else None
    took = (run.finished_at - run.started_at).total_seconds() if run.finished_at and run.started_at else None
    context: dict[str, Any] = {
        "days": [(day, said_of_day(day, report.told_rows)) for day in report.days],
        "took": duration(took) if took is not None and run.trigger != "import" else "",
    }
    if report.counted:
        context |= _prompts(request, frame, report.prompts, date_format(before) if before else "")
    return context


def _audit(status: str, brand_id: UUID, run_id: UUID) -> tuple[Any, ...]:
    finished = status in (Run.Status.SUCCEEDED, Run.Status.PARTIAL)
    return ("audit-page", brand_id, run_id) if finished else ("audits-page", brand_id)


@require_safe
@login_required
@snapshot()
def compare_page(request: HttpRequest, brand_id: UUID) -> HttpResponse:
    """Two scans side by side, those of the address or the latest two."""
    frame = brand_frame(request, brand_id)
    with raise_404_if_missing():
        comparison = compare_runs(frame.caller, brand=frame.brand, run_ids=_chosen(request))
    context: dict[str, Any] = {"comparison": comparison}
    if comparison:
        before = date_format(comparison.before.created_at, "DATETIME_FORMAT")
        context |= _prompts(request, frame, comparison.prompts, before, comparison.names)
        context |= {"said": said_of_runs(comparison), "runs_shown": [comparison.before, comparison.now]}
        context["engines"] = [(sides, said_of_engine(sides)) for sides in comparison.engines]
    return render(request, "visibility/compare_page.html", frame.context("runs-page", **context))


def _chosen(request: HttpRequest) -> list[UUID]:
    """The two runs of the address; none where it names none. One alone, twice the same and no id are not there."""
    named = [request.GET.get(name, "") for name in ("before", "now")]
    if not any(named):
        return []
    try:
        return [UUID(text) for text in named]
    except ValueError:
        raise Http404 from None


@require_safe
@login_required
@snapshot()
def day_page(request: HttpRequest, brand_id: UUID, day: str) -> HttpResponse:
    """One measured day: its score and verdict, its runs, the prompts whose result fell first."""
    frame = brand_frame(request, brand_id)
    with raise_404_if_missing():
        report = day_report(frame.caller, brand_id=brand_id, day=_day(day))
    before = date_format(report.before.date) if report.before else ""
    context = {"report": report, "day": report.day, "said": said_of_day(report.day, report.told_rows)}
    # An import may hold answers of many days, and a day those of several runs.
    context |= {"leads_to_day": report.day.date, "runs": report.runs}
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
    request: HttpRequest,
    frame: BrandFrame,
    prompts: Sequence[PromptOutcome],
    before: str,
    names: Dictionary | None = None,
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
        "rows": with_wordings(frame.caller, brand=frame.brand, outcomes=page.object_list, dictionary=names),
    }


urlpatterns = [
    path("brands/<uuid:brand_id>/runs", runs_page, name="runs-page"),
    path("brands/<uuid:brand_id>/runs/compare", compare_page, name="compare-runs"),
    path("brands/<uuid:brand_id>/runs/<uuid:run_id>", run_page, name="run-page"),
    path("brands/<uuid:brand_id>/days/<str:day>", day_page, name="day-page"),
]
