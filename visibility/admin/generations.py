"""Generations of figures in the staff pages: which one a brand shows, and how far the next one is."""

from django.contrib import admin
from django.db.models import QuerySet, Sum
from django.http import HttpRequest

from apikeys.admin.base import ReadOnlyAdmin
from brands.admin import StaffScopedAdmin
from visibility.models import Generation


@admin.register(Generation)
class GenerationAdmin(StaffScopedAdmin, ReadOnlyAdmin):
    """For which names the figures of each brand were made; what is being built, and why it fails if it does."""

    list_display = (
        "created_at",
        "brand",
        "state",
        "answers_looked_through",
        "current_since",
        "trouble",
        "not_before",
    )
    list_filter = ("state",)
    list_select_related = ("brand",)
    search_fields = ("=id", "brand__name", "brand__domain")
    fieldsets = (
        (None, {"fields": ("id", "brand", "state", "answers_looked_through", "created_at", "current_since")}),
        ("Looked through for", {"fields": ("detector", "names", "names_version", "classes", "stamp")}),
        ("Job", {"fields": ("attempt", "worker", "lease_until", "not_before", "dispatched_at", "error_message")}),
    )

    def get_queryset(self, request: HttpRequest) -> QuerySet[Generation]:
        rows: QuerySet[Generation] = super().get_queryset(request)
        return rows.annotate(looked=Sum("run_scores__looked"))

    @admin.display(description="answers looked through", ordering="looked")
    def answers_looked_through(self, generation: Generation) -> int:
        looked: int | None = getattr(generation, "looked", None)
        return looked or 0

    @admin.display(description="trouble")
    def trouble(self, generation: Generation) -> str:
        return f"{generation.error_message} ({generation.attempt} attempts)" if generation.error_message else ""
