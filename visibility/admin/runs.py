"""Runs and their answers in the staff pages: to look at, and for runs to act on."""

from typing import Any

from django.contrib import admin
from django.contrib.admin.views.main import SEARCH_VAR
from django.db.models import Q, QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils import timezone

from apikeys.staff.base import Act, ReadOnlyAdmin, ServiceAdmin, operator_caller
from apikeys.staff.lists import DayRange, LongListAdmin, NamedValues, uuid_in
from apikeys.staff.pages import page_of
from brands.admin import StaffScopedAdmin
from visibility.admin.brand_acts import start_and_say
from visibility.models import Answer, EngineConfig, Prompt, Run
from visibility.services.operating.inspecting import inspect_run
from visibility.services.scans.requeueing import requeue_run
from visibility.services.scans.starting import cancel_scan

MAX_PROMPTS = 500
"""Prompts whose answers a search finds."""


def _cancel(request: HttpRequest, run: Run, values: dict[str, Any]) -> str:
    cancelled = cancel_scan(operator_caller(request), run=run)
    if cancelled.settled_at is None:
        return "The scan is cancelled. Answers that are under way are still stored; then its credits are settled."
    return f"The scan is cancelled; {cancelled.credits_spent} of {cancelled.credits_reserved} credits were spent."


def _requeue(request: HttpRequest, run: Run, values: dict[str, Any]) -> str:
    requeue_run(operator_caller(request), run=run)
    return "The run is queued again: the next worker that is free goes on with it."


def _start_another(request: HttpRequest, run: Run, values: dict[str, Any]) -> str:
    return start_and_say(request, run.brand)


STORED = (
    "id", "brand", "kind", "status", "trigger", "actor", "engines", "created_at", "started_at", "finished_at",
    "total", "done", "failed", "score", "low", "high", "error_code", "error_message", "credits_reserved",
    "credits_spent", "credits_month", "credits_account", "attempt", "worker", "lease_until", "not_before",
    "dispatched_at", "settled_at",
)  # fmt: skip


@admin.register(Run)
class RunAdmin(LongListAdmin, ServiceAdmin, StaffScopedAdmin, ReadOnlyAdmin):
    """Scans: how each stands and why, what it cost, what went wrong, and what can be done about it."""

    change_form_template = "admin/visibility/run/inspection.html"
    list_display = (
        "created_at", "brand", "status", "progress", "failed", "error_code", "kind", "trigger", "score", "credits",
    )  # fmt: skip
    list_filter = (("created_at", DayRange), "status", "kind", "trigger")
    list_select_related = ("brand",)
    search_fields = ("=id", "brand__name", "brand__domain")
    acts = (
        Act(
            slug="cancel",
            label="Cancel",
            permission="visibility.change_run",
            explanation="Stops this scan. What was answered is kept and paid; the rest of its credits is given back.",
            perform=_cancel,
            applies=lambda run: run.is_active and run.trigger != Run.Trigger.IMPORT,
        ),
        Act(
            slug="requeue",
            label="Queue again",
            permission="visibility.change_run",
            explanation="Has a run that makes no progress tried again at once, its failures forgotten. What was "
            "answered is kept. A run that a worker is at is left alone.",
            perform=_requeue,
            applies=lambda run: run.is_active and not run.is_held_at(timezone.now()),
            bulk=True,
        ),
        Act(
            slug="start-another",
            label="Start another scan",
            permission="visibility.add_run",
            explanation="Asks the brand's prompts now, with the credits of its owner. Nothing starts while a scan is "
            "active or within its cooldown. This run stays as it is.",
            perform=_start_another,
            applies=lambda run: not run.is_active and run.kind == Run.Kind.VISIBILITY,
        ),
    )
    fieldsets = (("As it is stored", {"classes": ("collapse",), "fields": STORED}),)

    def view_on_site(self, obj: Run) -> str:
        """What came of it, as the people of the brand see it."""
        return reverse("run-page", args=[obj.brand_id, obj.pk])

    def render_change_form(self, request: HttpRequest, context: dict[str, Any], *args: Any, **kwargs: Any) -> Any:
        inspection = inspect_run(context["original"], timezone.now())
        pages = {config.name: page_of(config) for config in EngineConfig.objects.only("name")}
        context |= {
            "inspection": inspection,
            "asker_page": page_of(inspection.asker.row) if inspection.asker.row else "",
            "engines": [(line, pages.get(line.progress.engine, "")) for line in inspection.engines],
            "failures": [
                (reason, pages.get(reason.engine, "")) for line in inspection.engines for reason in line.reasons
            ],
            "waiting": [(page_of(row), words) for row, words in inspection.waiting],
        }
        return super().render_change_form(request, context, *args, **kwargs)

    @admin.display(description="done of total")
    def progress(self, run: Run) -> str:
        return f"{run.done + run.failed} of {run.total}"

    @admin.display(description="credits spent of reserved")
    def credits(self, run: Run) -> str:
        return f"{run.credits_spent} of {run.credits_reserved}"


class EngineFilter(NamedValues):
    """By engine: those that runs have asked. Answers are too many to be looked through for their engines."""

    title, parameter_name = "engine", "engine"

    def known(self) -> list[str]:
        lists = Run.objects.order_by().values_list("engines", flat=True).distinct()
        return sorted({name for names in lists for name in names})


class StateFilter(NamedValues):
    """By what came of the question. Runs know how many of theirs failed, which leads to failures at once."""

    title, parameter_name = "state", "state"

    def known(self) -> list[str]:
        return Answer.State.values

    def queryset(self, request: HttpRequest, queryset: QuerySet[Answer]) -> QuerySet[Answer]:
        rows = super().queryset(request, queryset)
        return rows.filter(run__failed__gt=0) if self.value() == Answer.State.FAILED else rows


@admin.register(Answer)
class AnswerAdmin(LongListAdmin, StaffScopedAdmin, ReadOnlyAdmin):
    """What engines answered, as it came."""

    list_display = ("engine", "prompt", "sample", "state", "answered_at", "error_code", "served_model")
    list_filter = (StateFilter, EngineFilter)
    list_select_related = ("prompt",)
    search_fields = ("id", "prompt__text", "brand__name")
    search_help_text = (
        "Id of an answer, a run or a prompt, or words of a prompt or of a brand's name: the answers to the first "
        f"{MAX_PROMPTS} prompts that have them."
    )
    sortable_by = ()  # sorting millions by a column takes longer than filtering by it

    def get_ordering(self, request: HttpRequest) -> tuple[str, ...]:
        """Newest runs first; what a search finds by its time, so that no database looks through all runs for it."""
        return ("-answered_at", "pk") if request.GET.get(SEARCH_VAR) else ("-run__created_at", "run", "position")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Answer]:
        rows: QuerySet[Answer] = super().get_queryset(request)
        # The list shows none of these, and they are what makes an answer heavy.
        return rows.defer("text", "sources", "searches", "error_message")

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Answer], search_term: str
    ) -> tuple[QuerySet[Answer], bool]:
        """By an id, or the prompts first: their answers are found by an index."""
        term, key = search_term.strip(), uuid_in(search_term)
        if key is not None:
            return queryset.filter(Q(pk=key) | Q(run=key) | Q(prompt=key)), False
        if not term:
            return queryset, False
        prompts = Prompt.objects.filter(Q(text__icontains=term) | Q(brand__name__icontains=term))
        return queryset.filter(prompt__in=list(prompts.values_list("pk", flat=True)[:MAX_PROMPTS])), False

    def view_on_site(self, obj: Answer) -> str:
        """The answer as it reads, with who is named in it."""
        return reverse("answer-page", args=[obj.brand_id, obj.pk])
