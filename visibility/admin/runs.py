"""Runs and their answers in the staff pages, to look at."""

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html

from apikeys.staff.base import Act, ReadOnlyAdmin, ServiceAdmin, operator_caller
from brands.admin import StaffScopedAdmin
from visibility.measured.charges import charges_in_words, charges_of, charges_of_failures, total
from visibility.models import Answer, Run
from visibility.services.scans.requeueing import requeue_run
from visibility.services.scans.starting import cancel_scan


def _cancel(request: HttpRequest, run: Run, values: dict[str, Any]) -> str:
    cancelled = cancel_scan(operator_caller(request), run=run)
    if cancelled.settled_at is None:
        return "The scan is cancelled. Answers that are under way are still stored; then its credits are settled."
    return f"The scan is cancelled; {cancelled.credits_spent} of {cancelled.credits_reserved} credits were spent."


def _requeue(request: HttpRequest, run: Run, values: dict[str, Any]) -> str:
    requeue_run(operator_caller(request), run=run)
    return "The run is queued again: the next worker that is free goes on with it."


@admin.register(Run)
class RunAdmin(ServiceAdmin, StaffScopedAdmin, ReadOnlyAdmin):
    """Scans: progress, credits and what went wrong."""

    list_display = (
        "created_at", "brand", "kind", "status", "trigger", "progress", "score", "credits", "error_code",
    )  # fmt: skip
    list_filter = ("status", "kind", "trigger")
    list_select_related = ("brand",)
    search_fields = ("=id", "brand__name", "brand__domain")
    date_hierarchy = "created_at"
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
            applies=lambda run: run.is_active,
            bulk=True,
        ),
    )
    fieldsets = (
        (None, {"fields": ("id", "brand", "kind", "status", "trigger", "actor", "engines")}),
        ("Progress", {"fields": ("progress", "failed", "answers_link", "created_at", "started_at", "finished_at")}),
        ("Result", {"fields": ("score", "low", "high", "error_code", "error_message")}),
        ("Cost", {"fields": ("cost", "unanswered_cost")}),
        ("Credits", {"fields": ("credits_reserved", "credits_spent", "credits_month", "credits_account")}),
        ("Job", {"fields": ("attempt", "worker", "lease_until", "not_before", "dispatched_at", "settled_at")}),
    )

    def view_on_site(self, obj: Run) -> str:
        """The brand that was asked about."""
        return reverse("brand-page", args=[obj.brand_id])

    @admin.display(description="done of total")
    def progress(self, run: Run) -> str:
        return f"{run.done + run.failed} of {run.total}"

    @admin.display(description="credits spent of reserved")
    def credits(self, run: Run) -> str:
        return f"{run.credits_spent} of {run.credits_reserved}"

    @admin.display(description="charged by the providers")
    def cost(self, run: Run) -> str:
        return charges_in_words(total(charges_of(run.pk).values()))

    @admin.display(description="of that, for calls without an answer")
    def unanswered_cost(self, run: Run) -> str:
        return charges_in_words(total(charges_of_failures(run.pk).values()))

    @admin.display(description="answers")
    def answers_link(self, run: Run) -> str:
        address = reverse("admin:visibility_answer_changelist")
        return format_html('<a href="{}?run__id__exact={}">Answers of this run</a>', address, run.pk)


@admin.register(Answer)
class AnswerAdmin(StaffScopedAdmin, ReadOnlyAdmin):
    """What engines answered, as it came."""

    list_display = ("engine", "prompt", "sample", "state", "answered_at", "error_code", "served_model")
    list_filter = ("state", "engine")
    list_select_related = ("prompt",)
    search_fields = ("=id", "prompt__text", "brand__name")
    ordering = ("run", "position")
    show_full_result_count = False  # counting all answers takes longer than showing a page of them

    def get_queryset(self, request: HttpRequest) -> QuerySet[Answer]:
        rows: QuerySet[Answer] = super().get_queryset(request)
        # The list shows none of these, and they are what makes an answer heavy.
        return rows.defer("text", "sources", "searches", "usage", "error_message")
