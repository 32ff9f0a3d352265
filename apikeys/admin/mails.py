"""The operators' desk for mails: whether they left, never what they say, as links in them open accounts."""

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest

from apikeys.models import Mail
from apikeys.staff import ReadOnlyAdmin


class StateFilter(admin.SimpleListFilter):
    """Mails by their state."""

    title = "state"
    parameter_name = "state"

    def lookups(self, request: HttpRequest, model_admin: object) -> list[tuple[str, str]]:
        return [(state, state) for state in ("waiting", "sent", "given up")]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Mail]) -> QuerySet[Mail]:
        match self.value():
            case "waiting":
                return queryset.filter(next_try_at__isnull=False)
            case "sent":
                return queryset.filter(sent_at__isnull=False)
            case "given up":
                return queryset.filter(given_up_at__isnull=False)
        return queryset


@admin.register(Mail)
class MailAdmin(ReadOnlyAdmin):
    """Mails, the newest first."""

    list_display = ("created_at", "kind", "address", "state", "tries", "problem")
    list_filter = (StateFilter,)
    search_fields = ("address", "kind")
    fields = ("kind", "address", "subject", "created_at", "state", "tries", "next_try_at", "sent_at", "problem")
    readonly_fields = ("state",)
