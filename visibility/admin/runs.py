"""Runs: start, follow and cancel them."""

from typing import Any

from django import forms
from django.contrib import admin
from django.http import HttpRequest
from django.utils.formats import date_format
from django.utils.safestring import SafeString

from apikeys.accounts.caller import Caller
from apikeys.errors import conflict
from apikeys.staff import Act, ServiceForm, never, operator_caller, table
from visibility.admin.base import BoundedAdmin, list_link
from visibility.audits.services import start_audit
from visibility.competitors.comparisons import start_comparison
from visibility.models import Answer, ProviderCall, Run, RunEngine
from visibility.runs.services import cancel_run, start_scan

STARTS = {Run.Kind.VISIBILITY: start_scan, Run.Kind.COMPARISON: start_comparison, Run.Kind.AUDIT: start_audit}


class StartForm(ServiceForm):
    """The brand to scan, to compare with its most visible competitors, or whose site to audit."""

    kind = forms.ChoiceField(choices=[(kind.value, kind.label) for kind in STARTS])

    class Meta:
        model = Run
        fields = ["brand", "kind"]


def _cancel(request: HttpRequest, run: Run, values: dict[str, Any]) -> str:
    cancel_run(operator_caller(request), brand_id=run.brand_id, run_id=run.pk)
    return "The run is cancelled. What is under way is still stored and paid."


@admin.register(Run)
class RunAdmin(BoundedAdmin):
    """Runs with how far each engine is, the newest first. To add one is to start it."""

    add_form = StartForm
    has_change_permission = has_delete_permission = never
    autocomplete_fields = ("brand",)
    list_display = ("created_at", "brand", "kind", "status", "trigger", "progress", "score")
    list_filter = ("kind", "status", "trigger")
    ordering = ["-created_at", "-id"]
    add_fieldsets = ((None, {"fields": ("brand", "kind")}),)
    fieldsets = (
        (None, {"fields": ("brand", "kind", "status", "trigger", "actor", "day", "error_code", "error_message")}),
        ("Progress", {"fields": ("created_at", "started_at", "finished_at", "progress", "engines", "answers")}),
        ("Result", {"fields": ("score", "low", "high", "findings")}),
        ("Credits", {"fields": ("payer", "credits_reserved", "credits_spent", "credits_month", "settled_at")}),
        ("Providers", {"fields": ("calls",)}),
    )
    acts = (
        Act(
            slug="cancel",
            label="Cancel",
            permission="visibility.change_run",
            explanation="Nothing more is asked. What was answered is kept and paid, and the other credits are given "
            "back; a cancelled run is in no figure.",
            perform=_cancel,
            applies=lambda run: run.is_active and run.trigger != Run.Trigger.IMPORT,
        ),
    )

    def progress(self, row: Run | RunEngine) -> str:
        """Answers, or the pages of an audit; of a run or of one engine in it."""
        failed = f", {row.failed:,} failed" if row.failed else ""
        return f"{row.done:,} of {row.total:,}{failed}"

    def engines(self, run: Run) -> SafeString:
        """One row for each surface, with the models and countries that its answers state."""
        rows = [
            (row.engine, row.surface, self.progress(row), ", ".join(row.served_models), ", ".join(row.countries))
            for row in run.engines.select_related("engine")
        ]
        return table(("Engine", "Surface", "Progress", "Models", "Countries"), rows)

    def findings(self, run: Run) -> SafeString:
        """Those of an audit, the most severe consequence first."""
        rows = [
            (row.severity, row.check_id, row.finding["title"], row.finding["finding"]) for row in run.findings.all()
        ]
        return table(("Severity", "Check", "Problem", "What was seen"), rows)

    def answers(self, run: Run) -> SafeString:
        return list_link(Answer, "run", run)

    def calls(self, run: Run) -> SafeString:
        return list_link(ProviderCall, "run", run)

    def store(self, caller: Caller, obj: Run, form: Any, change: bool) -> Run:
        values = form.cleaned_data
        start = STARTS[Run.Kind(values["kind"])]
        started = start(caller, brand_id=values["brand"].pk, trigger=Run.Trigger.OPERATOR)
        if started.reason:
            after = date_format(started.next_allowed_at, "j M H:i")
            raise conflict(f"{started.reason.words('run of this kind')} The next one can start after {after} UTC.")
        return started.run
