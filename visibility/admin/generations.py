"""Generations of figures in the staff pages: which one a brand shows, and how far the next one is."""

from django.contrib import admin
from django.db.models import OuterRef, QuerySet, Subquery, Sum
from django.http import HttpRequest

from apikeys.staff.base import ReadOnlyAdmin
from brands.admin import StaffScopedAdmin
from visibility.models import Generation, RunScore


@admin.register(Generation)
class GenerationAdmin(StaffScopedAdmin, ReadOnlyAdmin):
    """For which names the figures of each brand were made; what is being built, and why it fails if it does."""

    list_display = (
        "created_at",
        "brand",
        "state",
        "analysed_answers",
        "current_since",
        "trouble",
        "not_before",
    )
    list_filter = ("state",)
    list_select_related = ("brand",)
    search_fields = ("=id", "brand__name", "brand__domain")
    fieldsets = (
        (None, {"fields": ("id", "brand", "state", "analysed_answers", "created_at", "current_since")}),
        ("Analysed for", {"fields": ("detector", "names", "names_version", "classes", "stamp")}),
        ("Job", {"fields": ("attempt", "worker", "lease_until", "not_before", "dispatched_at", "error_message")}),
    )

    def get_queryset(self, request: HttpRequest) -> QuerySet[Generation]:
        rows: QuerySet[Generation] = super().get_queryset(request)
        current = RunScore.objects.filter(
            generation__brand=OuterRef("brand"), generation__state=Generation.State.CURRENT
        ).order_by()
        answers = current.values("generation__brand").annotate(answers=Sum("analysed")).values("answers")
        return rows.annotate(analysed=Sum("run_scores__analysed"), answers=Subquery(answers))

    @admin.display(description="answers analysed", ordering="analysed")
    def analysed_answers(self, generation: Generation) -> str:
        analysed, answers = getattr(generation, "analysed", None) or 0, getattr(generation, "answers", None) or 0
        return f"{analysed:,} of {answers:,}" if generation.state == Generation.State.BUILDING else f"{analysed:,}"

    @admin.display(description="trouble")
    def trouble(self, generation: Generation) -> str:
        return f"{generation.error_message} ({generation.attempt} attempts)" if generation.error_message else ""
