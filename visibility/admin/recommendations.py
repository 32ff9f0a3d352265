"""The recommendation queue in the staff pages: to look at, and to say where the work stands."""

from collections.abc import Callable
from typing import Any

from django.contrib import admin
from django.http import HttpRequest

from apikeys.staff.base import Act, ReadOnlyAdmin, ServiceAdmin, operator_caller
from brands.admin import StaffScopedAdmin
from visibility.models import Recommendation
from visibility.services.content.recommendations import set_status

LABELS = {
    Recommendation.Status.OPEN: "Open again",
    Recommendation.Status.IN_PROGRESS: "Mark as in progress",
    Recommendation.Status.DONE: "Mark as done",
    Recommendation.Status.DISMISSED: "Dismiss",
}


def _setting(status: Recommendation.Status) -> Callable[[HttpRequest, Recommendation, dict[str, Any]], str]:
    def perform(request: HttpRequest, recommendation: Recommendation, values: dict[str, Any]) -> str:
        set_status(operator_caller(request), recommendation=recommendation, status=status)
        return f"The recommendation is now: {status.label.lower()}."

    return perform


def _differs_from(status: Recommendation.Status) -> Callable[[Recommendation], bool]:
    return lambda recommendation: recommendation.status != status


@admin.register(Recommendation)
class RecommendationAdmin(ServiceAdmin, StaffScopedAdmin, ReadOnlyAdmin):
    """What measurement recommends; people set its status, only measurement resolves it."""

    list_display = ("title", "brand", "kind", "status", "priority", "impact", "effort", "updated_at")
    list_filter = ("status", "kind", "impact", "effort")
    list_select_related = ("brand",)
    search_fields = ("title", "brand__name", "brand__domain")
    acts = tuple(
        Act(
            slug=status.value.replace("_", "-"),
            label=label,
            permission="visibility.change_recommendation",
            explanation=f"Sets the status of this recommendation to “{status.label.lower()}”.",
            perform=_setting(status),
            applies=_differs_from(status),
            bulk=True,
        )
        for status, label in LABELS.items()
    )
