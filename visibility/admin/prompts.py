"""Prompts in the staff pages: a new wording is a new version; prompts are archived, never deleted."""

from typing import Any

from django import forms
from django.contrib import admin
from django.http import HttpRequest
from django.urls import reverse

from apikeys.caller import Caller
from apikeys.services.guards import conflict
from apikeys.staff.base import Act, ServiceAdmin, ServiceForm, operator_caller
from apikeys.staff.inlines import ReadOnlyInline
from brands.admin import StaffScopedAdmin
from visibility.models import Prompt, PromptVersion, Purpose
from visibility.services.prompts.editing import PromptDraft, add_prompts, archive_prompt, edit_prompt, restore_prompt

FIELDS = ("text", "topic", "stage", "intent", "persona", "locale")


class PromptForm(ServiceForm):
    """A prompt; everything but its text may stay empty."""

    class Meta:
        model = Prompt
        fields = ["brand", *FIELDS]
        widgets = {"text": forms.Textarea(attrs={"rows": 3, "cols": 80})}
        help_texts = {"topic": "Prompts of one topic are wordings of one need. Empty: the text itself."}


class VersionInline(ReadOnlyInline):
    """The wordings of a prompt, to look at."""

    model = PromptVersion
    fields = ("number", "text", "created_at", "created_by")
    readonly_fields = fields
    ordering = ("-number",)


class ArchivedFilter(admin.SimpleListFilter):
    """Active prompts, or those in the archive."""

    title = "archive"
    parameter_name = "archived"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [("no", "Active"), ("yes", "Archived")]

    def queryset(self, request: HttpRequest, queryset: Any) -> Any:
        if self.value() not in ("yes", "no"):
            return queryset
        return queryset.filter(archived_at__isnull=self.value() == "no")


def _archive(request: HttpRequest, prompt: Prompt, values: dict[str, Any]) -> str:
    archive_prompt(operator_caller(request), prompt=prompt)
    return "The prompt is archived: scans no longer ask it, and its history is kept."


def _restore(request: HttpRequest, prompt: Prompt, values: dict[str, Any]) -> str:
    restore_prompt(operator_caller(request), prompt=prompt)
    return "The prompt is active: the next scan asks it."


@admin.register(Prompt)
class PromptAdmin(ServiceAdmin, StaffScopedAdmin):
    """The questions that scans ask."""

    form = PromptForm
    inlines = (VersionInline,)
    raw_id_fields = ("brand",)
    list_display = ("text", "brand", "topic", "stage", "intent", "locale", "version", "archived_at")
    list_filter = (ArchivedFilter, "purpose", "stage", "intent")
    list_select_related = ("brand",)
    search_fields = ("text", "topic", "brand__name", "brand__domain")
    fields = ("brand", *FIELDS, "version", "archived_at", "created_at", "purpose", "rival")
    readonly_fields = ("version", "archived_at", "created_at", "purpose", "rival")
    acts = (
        Act(
            slug="archive",
            label="Archive",
            permission="visibility.change_prompt",
            explanation="Scans no longer ask this prompt. Its answers and scores are kept, and it can be restored.",
            perform=_archive,
            applies=lambda prompt: prompt.archived_at is None and prompt.purpose == Purpose.VISIBILITY,
            bulk=True,
        ),
        Act(
            slug="restore",
            label="Restore",
            permission="visibility.change_prompt",
            explanation="Scans ask this prompt again, within the plan of the brand's owner.",
            perform=_restore,
            applies=lambda prompt: prompt.archived_at is not None,
            bulk=True,
        ),
    )

    def get_readonly_fields(self, request: HttpRequest, obj: Prompt | None = None) -> Any:
        return self.readonly_fields if obj is None else ("brand", *self.readonly_fields)

    def view_on_site(self, obj: Prompt) -> str:
        """The prompt with its answers."""
        return reverse("prompt-page", args=[obj.brand_id, obj.pk])

    def has_delete_permission(self, request: HttpRequest, obj: Prompt | None = None) -> bool:
        return False

    def store(self, caller: Caller, obj: Prompt, form: Any, change: bool) -> Prompt:
        if change:
            return edit_prompt(caller, prompt=obj, **form.changed_values(*FIELDS))
        draft = PromptDraft(**{name: form.cleaned_data[name] for name in FIELDS})
        added = add_prompts(caller, brand=form.cleaned_data["brand"], drafts=[draft])
        if not added.created and not added.restored:
            raise conflict("This brand already asks a prompt with this wording and locale.", argument="text")
        return added.prompts[0]
