"""Lists of the staff pages that grow without end: counted and paged up to a bound, found by day and by index."""

from abc import ABC, abstractmethod
from collections.abc import Iterator
from datetime import UTC, date, datetime, time, timedelta
from typing import TYPE_CHECKING, Any, cast
from uuid import UUID

from django.contrib import admin
from django.contrib.admin.options import IncorrectLookupParameters
from django.core.paginator import Paginator
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.functional import cached_property

from apikeys.staff.base import BaseModelAdmin

if TYPE_CHECKING:
    BasePaginator = Paginator[Any]
else:
    BasePaginator = Paginator

MAX_COUNTED = 10_000
"""Rows of a list that are counted, and that its pages lead to. Counting millions takes longer than showing a page."""


class BoundedPaginator(BasePaginator):
    """Counts no further than MAX_COUNTED; `is_cut` says that there are more rows."""

    @cached_property
    def count(self) -> int:
        return min(self._counted, MAX_COUNTED)

    @property
    def is_cut(self) -> bool:
        """Whether the list has rows that its pages do not lead to."""
        return self._counted > MAX_COUNTED

    @cached_property
    def _counted(self) -> int:
        rows = cast("QuerySet[Any]", self.object_list)
        return rows.order_by()[: MAX_COUNTED + 1].count()


class LongListAdmin(BaseModelAdmin):
    """Rows of which there may be millions."""

    paginator = BoundedPaginator
    show_full_result_count = False


class DayRange(admin.DateFieldListFilter):
    """By day: Django's usual spans, and from a first to a last day (UTC), either of which may be left open."""

    template = "admin/day_range.html"

    def __init__(self, field: Any, request: HttpRequest, params: Any, model: Any, model_admin: Any, field_path: str):
        self.first_name, self.last_name = f"{field_path}__from", f"{field_path}__to"
        super().__init__(field, request, params, model, model_admin, field_path)
        self.first = self._day(self.used_parameters.pop(self.first_name, None))
        self.last = self._day(self.used_parameters.pop(self.last_name, None))
        self.others = [(name, value) for name, value in request.GET.items() if not self._is_own(name)]

    def _is_own(self, name: str) -> bool:
        return name.startswith(self.field_generic) or name == "p"

    def expected_parameters(self) -> list[str | None]:
        return [*super().expected_parameters(), self.first_name, self.last_name]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        rows = cast("QuerySet[Any]", super().queryset(request, queryset))
        if self.first:
            rows = rows.filter(**{f"{self.field_path}__gte": _midnight(self.first)})
        if self.last:
            rows = rows.filter(**{f"{self.field_path}__lt": _midnight(self.last + timedelta(days=1))})
        return rows

    def choices(self, changelist: Any) -> Iterator[Any]:
        """Django's; none of them holds while days are typed."""
        for choice in super().choices(changelist):
            yield {**choice, "selected": choice["selected"] and not (self.first or self.last)}

    def _day(self, values: Any) -> date | None:
        text = (values[-1] if isinstance(values, list) else values) or ""
        if not text.strip():
            return None
        try:
            return min(date.fromisoformat(text.strip()), date(9999, 12, 30))
        except ValueError as error:
            raise IncorrectLookupParameters(error) from error


class NamedValues(admin.SimpleListFilter, ABC):
    """By one of the values that are known without looking through the rows; any other that the address names, too."""

    @abstractmethod
    def known(self) -> list[str]:
        """The values that are offered."""

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [(value, value) for value in self.known()]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        return queryset if self.value() is None else queryset.filter(**{str(self.parameter_name): self.value()})


def uuid_in(term: str) -> UUID | None:
    """The id that somebody searches for; None where it is none. Compared as such, so that the index is used."""
    try:
        return UUID(term.strip())
    except ValueError:
        return None


def _midnight(day: date) -> datetime:
    return datetime.combine(day, time(), UTC)
