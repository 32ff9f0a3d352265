"""Plans to edit; usage and the call log to look at."""

from typing import Any

from django.contrib import admin
from django.db.models import Q, QuerySet
from django.http import HttpRequest

from apikeys.caller import Caller
from apikeys.errors import ErrorCode
from apikeys.models import ApiKey, CallLog, Plan, Usage
from apikeys.services.plans import delete_plan, save_plan
from apikeys.staff.base import ReadOnlyAdmin, ServiceAdmin
from apikeys.staff.lists import DayRange, LongListAdmin, NamedValues


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
        "provider_cost_per_day",
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


class RefusalFilter(NamedValues):
    """By what was refused: the codes that the service gives."""

    title, parameter_name = "error code", "error_code"

    def known(self) -> list[str]:
        return [str(code) for code in ErrorCode]


@admin.register(CallLog)
class CallLogAdmin(LongListAdmin, ReadOnlyAdmin):
    """Each call of a key on either door."""

    # What a question about a call is asked by comes first: the list is wider than the room beside its filters.
    list_display = ("created_at", "door", "code", "owner", "name", "key", "duration_ms", "count")
    list_filter = (("created_at", DayRange), "door", "success", RefusalFilter)
    list_select_related = ("key__owner",)
    sortable_by = ("created_at",)
    search_fields = ("key__name", "key__owner__email", "=request_id")
    search_help_text = "Name of a key, email address of its owner, or the id of a request."

    @admin.display(description="code")
    def code(self, call: CallLog) -> str:
        """Why the call failed."""
        return call.error_code or ("ok" if call.success else "failed")

    @admin.display(description="owner")
    def owner(self, call: CallLog) -> str:
        """Whose key it was."""
        return call.key.owner.email

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[CallLog], search_term: str
    ) -> tuple[QuerySet[CallLog], bool]:
        """The keys first, of which there are few: their calls are found by an index."""
        term = search_term.strip()
        if not term:
            return queryset, False
        keys = ApiKey.objects.filter(Q(name__icontains=term) | Q(owner__email__icontains=term))
        return queryset.filter(Q(key__in=list(keys.values_list("pk", flat=True))) | Q(request_id=term)), False
