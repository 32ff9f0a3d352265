"""Rows of another kind on the page of a row. Each of their fields has a name of its own for those who do not see the
heading of its column."""

from typing import TYPE_CHECKING, Any

from django import forms
from django.contrib import admin
from django.forms.models import BaseInlineFormSet
from django.http import HttpRequest

if TYPE_CHECKING:
    BaseTabularInline = admin.TabularInline[Any, Any]
    BaseFormSet = BaseInlineFormSet[Any, Any, Any]
else:
    BaseTabularInline = admin.TabularInline
    BaseFormSet = BaseInlineFormSet


class NamedFormSet(BaseFormSet):
    """Names each field by its column and the place of its row: "Name of competitor 2"."""

    def add_fields(self, form: Any, index: int | None) -> None:
        super().add_fields(form, index)
        place = f"new {self._kind}" if index is None else f"{self._kind} {index + 1}"
        for name, field in form.fields.items():
            if not field.widget.is_hidden:
                column = "Delete" if name == forms.formsets.DELETION_FIELD_NAME else field.label or name
                link = " " if name == forms.formsets.DELETION_FIELD_NAME else " of "
                field.widget.attrs.setdefault("aria-label", f"{column}{link}{place}")

    @property
    def _kind(self) -> str:
        return str(self.form._meta.model._meta.verbose_name)


class NamedTabularInline(BaseTabularInline):
    """A table of rows that belong to this one."""

    formset = NamedFormSet
    extra = 0


class ReadOnlyInline(NamedTabularInline):
    """Such rows to look at."""

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False
