"""The ledger of money in the staff pages: what was spent each month, and every call that it was spent for."""

from typing import Any

from django.contrib import admin
from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.utils import timezone

from apikeys.staff.base import ReadOnlyAdmin
from apikeys.staff.lists import DayRange, LongListAdmin, uuid_in
from brands.admin import StaffScopedAdmin
from visibility.models import ProviderCall
from visibility.services.operating.spend import spend_by_month
from visibility.services.runs.failures import money_in_words


@admin.register(ProviderCall)
class ProviderCallAdmin(LongListAdmin, StaffScopedAdmin, ReadOnlyAdmin):
    """Calls to providers, whoever made them; they stay when runs, brands and accounts go."""

    list_display = (
        "created_at", "purpose", "engine", "provider", "outcome", "cost", "reserved", "credits", "payer",
        "brand_name",
    )  # fmt: skip
    list_filter = (("created_at", DayRange), "purpose", "outcome", "provider")
    search_fields = ("id",)
    search_help_text = "Id of a call, a run, a brand or an answer."

    def get_queryset(self, request: HttpRequest) -> QuerySet[ProviderCall]:
        rows: QuerySet[ProviderCall] = super().get_queryset(request).select_related("account")
        return rows

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[ProviderCall], search_term: str
    ) -> tuple[QuerySet[ProviderCall], bool]:
        key = uuid_in(search_term)
        if not search_term.strip():
            return queryset, False
        if key is None:
            return queryset.none(), False
        return queryset.filter(Q(pk=key) | Q(run=key) | Q(brand=key) | Q(answer=key)), False

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        spend = [
            (month, money_in_words(month.charges), [(line, money_in_words(line.charges)) for line in month.lines])
            for month in spend_by_month(self.get_queryset(request), timezone.now())
        ]
        return super().changelist_view(request, {**(extra_context or {}), "spend": spend})

    @admin.display(description="paid by")
    def payer(self, call: ProviderCall) -> str:
        if call.account_id is None:
            return "operator"
        return call.account.email if call.account else f"account {call.account_id}, deleted"
