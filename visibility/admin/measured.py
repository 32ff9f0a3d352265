"""Answers, scores and changes to look at."""

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.safestring import SafeString

from apikeys.staff import table
from visibility.admin.base import MeasuredAdmin, shown_day
from visibility.models import Answer, ChangeRecord, Citation, DailyScore, Mention


@admin.register(Answer)
class AnswerAdmin(MeasuredAdmin):
    """Answers word for word, with what was found in them. There may be millions."""

    list_display = ("day", "brand", "engine", "surface", "prompt", "sample", "state")
    list_select_related = ["brand", "engine", "prompt"]
    fieldsets = (
        (
            None,
            {
                "fields": (
                    *("brand", "run", "day", "engine", "surface", "market", "country"),
                    *("stated_model", "sample", "answered_at"),
                )
            },
        ),
        ("Answer", {"fields": ("asked", "state", "error_code", "error_message", "refused", "truncated", "text")}),
        ("Found in it", {"fields": ("mentions", "citations")}),
    )

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        return super().get_queryset(request).defer("text", "sources", "words")  # a list of long texts is slow

    def get_list_filter(self, request: HttpRequest) -> tuple[str, ...]:
        """None for all answers, of which there are too many to filter."""
        return ("state", "engine", "surface") if {"brand", "run", "prompt"} & request.GET.keys() else ()

    @admin.display(description="served model")
    def stated_model(self, answer: Answer) -> str:
        """As the provider calls it."""
        return answer.served_model or "not stated"

    @admin.display(description="prompt, as it was asked")
    def asked(self, answer: Answer) -> str:
        return answer.version.text

    def mentions(self, answer: Answer) -> SafeString:
        """Each with the words that show it."""
        rows = answer.mentions.select_related("competitor")
        return table(("Name", "As", "Rank", "Stance", "Quote"), [_mention(answer, row) for row in rows])

    def citations(self, answer: Answer) -> SafeString:
        """In their order in the answer."""
        rows = answer.citations.select_related("competitor")
        return table(
            ("Domain", "Page", "Title", "Class", "Whose"),
            [(row.domain, row.url, row.title, row.source_class, _owner(answer, row)) for row in rows],
        )


@admin.register(DailyScore)
class DailyScoreAdmin(MeasuredAdmin):
    """The score of each day, and of now, of brands and their competitors."""

    list_display = ("when", "brand", "competitor", "score", "low", "high", "comparable")
    list_select_related = ["brand", "competitor"]
    fields = ("brand", "competitor", "when", "score", "low", "high", "figures", "comparable", "change", "runs")

    @admin.display(description="day")
    def when(self, score: DailyScore) -> str:
        """The day, or that it is the score of now."""
        return shown_day(score.date) or "now"


@admin.register(ChangeRecord)
class ChangeRecordAdmin(MeasuredAdmin):
    """Changes of scores that are confirmed."""

    list_display = ("began", "brand", "engine", "delta", "low", "high", "known_by", "known_on", "state")
    list_filter = ("state", "known_by")
    ordering = ["-known_on", "-id"]


def _mention(answer: Answer, mention: Mention) -> tuple[Any, ...]:
    quote = answer.text[mention.quote_start : mention.quote_end]
    name = (mention.competitor or answer.brand).name
    return name, answer.text[mention.start : mention.end], mention.rank or "", mention.stance, quote


def _owner(answer: Answer, citation: Citation) -> str:
    owner = answer.brand if citation.is_own else citation.competitor
    return owner.name if owner else ""
