"""Plans to edit; usage and the call log to look at."""

from typing import Any

from django.contrib import admin
from django.http import HttpRequest

from apikeys.caller import Caller
from apikeys.models import CallLog, Plan, Usage
from apikeys.services.plans import delete_plan, save_plan
from apikeys.staff.base import ReadOnlyAdmin, ServiceAdmin


@admin.register(Plan)
class PlanAdmin(ServiceAdmin):
    """The limits of each tier; a change holds from the next call on."""

    list_display = (
        "name",
        "tier",
        "api_access",
        "max_sites",
        "max_prompts_per_site",
        "max_competitors_per_site",
        "drafts_per_month",
        "credits_per_month",
    )

    def store(self, caller: Caller, obj: Plan, form: Any, change: bool) -> Plan:
        return save_plan(caller, plan=obj)

    def remove(self, caller: Caller, obj: Plan) -> None:
        delete_plan(caller, plan=obj)

    def get_deleted_objects(self, objs: Any, request: HttpRequest) -> Any:
        """The plans alone: nothing goes with them, and the service refuses one that is in use."""
        return [str(plan) for plan in objs], {}, set(), []


@admin.register(Usage)
class UsageAdmin(ReadOnlyAdmin):
    """What accounts have used in each period."""

    list_display = ("user", "kind", "period", "used")
    list_filter = ("kind", "period")
    list_select_related = ("user",)
    search_fields = ("user__email",)


@admin.register(CallLog)
class CallLogAdmin(ReadOnlyAdmin):
    """Each call of a key on either door."""

    list_display = ("created_at", "key", "door", "name", "success", "error_code", "duration_ms", "count")
    list_filter = ("created_at", "door", "success", "error_code")
    list_select_related = ("key",)
    search_fields = ("key__name", "key__owner__email", "=request_id")
    show_full_result_count = False  # counting the whole log takes longer than showing a page of it
