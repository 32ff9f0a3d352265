"""Prompts and topics to look at: who owns a brand changes them on its pages."""

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.formats import date_format
from django.utils.html import format_html
from django.utils.safestring import SafeString

from apikeys.staff import ReadOnlyAdmin, link, table
from visibility.admin.base import BoundedAdmin, list_link, shown_day
from visibility.models import Answer, Prompt, Topic


def page_link(address: str) -> SafeString:
    """A link to where the brand's own people change something."""
    return format_html('<a href="{}">{}</a>', address, "Open the brand's page")


@admin.register(Prompt)
class PromptAdmin(ReadOnlyAdmin, BoundedAdmin):
    """The prompts that people track."""

    list_display = ("text", "brand", "topic", "version", "locale", "archived_at")
    list_filter = (("archived_at", admin.EmptyFieldListFilter),)
    list_select_related = ["brand", "topic"]
    ordering = ("brand", "topic", "created_at")
    fieldsets = (
        (None, {"fields": ("brand", "text", "locale", "topic", "page")}),
        ("Described as", {"fields": ("stage", "intent", "persona")}),
        ("History", {"fields": ("created_at", "archived_at", "wordings", "answers")}),
    )
    readonly_fields = ("page", "wordings", "answers")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        rows: Any = super().get_queryset(request)
        return rows.tracked()  # type: ignore[no-any-return]

    def page(self, prompt: Prompt) -> SafeString:
        return page_link(reverse("brand-prompt", args=[prompt.brand_id, prompt.pk]))

    def wordings(self, prompt: Prompt) -> SafeString:
        """The newest first."""
        rows = prompt.versions.order_by("-number")
        return table(
            ("Version", "Wording", "Locale", "Since", "By"),
            [(row.number, row.text, row.locale, date_format(row.created_at), row.created_by) for row in rows],
        )

    def answers(self, prompt: Prompt) -> SafeString:
        return list_link(Answer, "prompt", prompt)


@admin.register(Topic)
class TopicAdmin(ReadOnlyAdmin, BoundedAdmin):
    """Which topics are the brand's own."""

    list_display = ("name", "brand", "own", "pooled", "decided_by", "decided_at")
    list_filter = ("own",)
    ordering = ("brand", "name")
    fields = ("brand", "name", "own", "page", "pooled", "decided_by", "decided_at", "prompts")
    readonly_fields = ("page", "prompts")

    def page(self, topic: Topic) -> SafeString:
        return page_link(f"{reverse('brand-prompts', args=[topic.brand_id])}?topic={topic.pk}")

    def prompts(self, topic: Topic) -> SafeString:
        rows = topic.prompts.all()
        return table(("Prompt", "Archived"), [(link(row), shown_day(row.archived_at)) for row in rows])
