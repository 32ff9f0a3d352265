"""The recommendation queue in the staff pages: to look at, and to say where the work stands."""

from collections.abc import Callable
from typing import Any

from django import forms
from django.contrib import admin
from django.http import HttpRequest
from django.urls import reverse

from apikeys.staff.base import Act, ReadOnlyAdmin, ServiceAdmin, operator_caller
from brands.admin import StaffScopedAdmin
from visibility.models import Recommendation, StatusChange
from visibility.models.recommendations import MAX_REASON
from visibility.services.recommendations.deciding import set_status

LABELS = {
    Recommendation.Status.OPEN: "Open again",
    Recommendation.Status.IN_PROGRESS: "Mark as in progress",
    Recommendation.Status.DONE: "Mark as done",
    Recommendation.Status.DISMISSED: "Dismiss",
}


class ReasonForm(forms.Form):
    """Why the status is set."""

    reason = forms.CharField(
        required=False,
        max_length=MAX_REASON,
        widget=forms.Textarea(attrs={"rows": 3, "cols": 60}),
        help_text="Shown to the people of the brand.",
    )


class DismissForm(ReasonForm):
    """Why it is dismissed, which has to be said."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["reason"].required = True


def _setting(status: Recommendation.Status) -> Callable[[HttpRequest, Recommendation, dict[str, Any]], str]:
    def perform(request: HttpRequest, recommendation: Recommendation, values: dict[str, Any]) -> str:
        reason = values.get("reason", "")
        set_status(operator_caller(request), recommendation=recommendation, status=status, reason=reason)
        return f"The recommendation is now: {status.label.lower()}."

    return perform


def _differs_from(status: Recommendation.Status) -> Callable[[Recommendation], bool]:
    return lambda recommendation: recommendation.status != status


def _act(status: Recommendation.Status, label: str) -> Act:
    """Dismissing takes a reason for each, so that it is not offered for many at once."""
    is_dismissal = status == Recommendation.Status.DISMISSED
    return Act(
        slug=status.value.replace("_", "-"),
        label=label,
        permission="visibility.change_recommendation",
        explanation=f"Sets the status of this recommendation to “{status.label.lower()}”.",
        perform=_setting(status),
        form=DismissForm if is_dismissal else ReasonForm,
        applies=_differs_from(status),
        bulk=not is_dismissal,
    )


@admin.register(Recommendation)
class RecommendationAdmin(ServiceAdmin, StaffScopedAdmin, ReadOnlyAdmin):
    """What measurement recommends; people set its status, only measurement resolves it."""

    list_display = ("title", "brand", "kind", "topic", "status", "priority", "impact", "effort", "updated_at")
    list_filter = ("status", "kind", "impact", "effort")
    list_select_related = ("brand",)
    search_fields = ("=id", "title", "topic", "brand__name", "brand__domain")
    acts = tuple(_act(status, label) for status, label in LABELS.items())

    def view_on_site(self, obj: Recommendation) -> str:
        """The recommendation as the people of the brand see it."""
        return reverse("recommendation-page", args=[obj.brand_id, obj.pk])


@admin.register(StatusChange)
class StatusChangeAdmin(StaffScopedAdmin, ReadOnlyAdmin):
    """Every change of a status: by whom, why, and when. Without an actor it was the measurement."""

    list_display = ("recommendation", "brand", "before", "status", "reason", "actor", "changed_at")
    list_filter = ("status", "before")
    list_select_related = ("recommendation__brand",)
    search_fields = ("=recommendation__id", "recommendation__title", "recommendation__brand__name", "actor")
    date_hierarchy = "changed_at"

    @admin.display(ordering="recommendation__brand__name")
    def brand(self, change: StatusChange) -> str:
        return change.recommendation.brand.name
