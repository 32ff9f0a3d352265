"""What the pages of the desk share: long lists, links between rows."""

from typing import Any

from django.db.models import Model, Q, QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.formats import date_format
from django.utils.html import format_html
from django.utils.safestring import SafeString

from apikeys.staff import LongList, ReadOnlyAdmin
from brands.admin import RestrictedAdmin
from brands.models import Brand


class BoundedAdmin(LongList, RestrictedAdmin):
    """Long lists, in which the brand is the way to what is not on the first pages."""

    search_fields = ("brand__name",)  # only shows the box: see get_search_results
    search_help_text = "The name or domain of a brand."
    list_select_related = ["brand"]

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Any], search_term: str
    ) -> tuple[QuerySet[Any], bool]:
        """The brands first, of which there are few: their rows are found by an index."""
        term = search_term.strip()
        if not term:
            return queryset, False
        brands = Brand.objects.filter(Q(name__icontains=term) | Q(domain__icontains=term))
        return queryset.filter(brand__in=list(brands.values_list("pk", flat=True))), False


class MeasuredAdmin(ReadOnlyAdmin, BoundedAdmin):
    """Rows that only measuring writes, the newest first."""

    ordering = ["-id"]


def shown_day(moment: Any) -> str:
    return date_format(moment) if moment else ""


def list_link(model: type[Model], field: str, row: Model) -> SafeString:
    """A link to the list of another model, filtered by this row."""
    address = reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_changelist")
    return format_html('<a href="{}?{}={}">List</a>', address, field, row.pk)
