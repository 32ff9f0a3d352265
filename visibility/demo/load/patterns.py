"""The rows of a measured brand, in a form of which copies are made by exchanging names and ids."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from django.apps import apps
from django.db import connection
from django.db.models import Field, ForeignKey, Model, TextField, UUIDField
from django.db.models.fields import BigAutoField
from django.db.models.functions import Cast

from brands.models import Brand
from visibility.models import BrandEvidence, Evidence

_MADE_LATER = (BrandEvidence, Evidence)
"""Made by workers, of each brand's own answers."""


@dataclass(frozen=True, slots=True)
class Rows:
    """All rows of one table that belong to a brand, as values of its columns; JSON as text."""

    model: type[Model]
    fields: "tuple[Field[Any, Any], ...]"
    values: Sequence[tuple[Any, ...]]

    @property
    def columns(self) -> list[str]:
        """The names of the columns in the database."""
        return [str(field.column) for field in self.fields]

    def ids(self) -> list[int]:
        """The numbers that the rows have as primary keys; none where they have others."""
        if not isinstance(self.model._meta.pk, BigAutoField):
            return []
        place = self.fields.index(self.model._meta.pk)
        return [row[place] for row in self.values]


def rows_of(brand: Brand) -> list[Rows]:
    """Every row of the brand, itself first."""
    tables = ((model, path) for model, path in _paths().items() if model not in _MADE_LATER)
    brand_tables = [_read(Brand, pk=brand.pk), *(_read(model, **{path: brand.pk}) for model, path in tables)]
    return [rows for rows in brand_tables if rows.values]


@cache
def _paths() -> Mapping[type[Model], str]:
    """The models below a brand, and the lookup from each to it."""
    models = (model for app in ("brands", "visibility") for model in apps.get_app_config(app).get_models())
    return {
        model: path
        for model in models
        if (path := getattr(model._default_manager.get_queryset(), "brand_path", None)) is not None
    }


def _read(model: type[Model], **filters: Any) -> Rows:
    fields = tuple(model._meta.local_concrete_fields)
    columns = [Cast(field.attname, TextField()) if is_json(field) else field.attname for field in fields]
    rows = model._base_manager.filter(**filters).order_by("pk").values_list(*columns)
    return Rows(model, fields, list(rows))


def is_json(field: "Field[Any, Any]") -> bool:
    """Whether the column holds JSON, which is read and written as text."""
    return field.get_internal_type() == "JSONField"


def target_of(field: "Field[Any, Any]") -> type[Model] | None:
    """The model below a brand whose row the column names; None for others."""
    if isinstance(field, ForeignKey) and (field.related_model is Brand or field.related_model in _paths()):
        return field.related_model
    return None


def is_uuid(field: "Field[Any, Any]") -> bool:
    """Whether the column holds an id that copies exchange."""
    model = target_of(field)
    return isinstance(field, UUIDField) or (model is not None and isinstance(model._meta.pk, UUIDField))


def values_for_database(rows: Rows, values: Iterator[list[Any]]) -> Iterator[list[Any]]:
    """The values as the database takes them."""
    prepared = [None if is_json(field) else field for field in rows.fields]
    for row in values:
        yield [
            value if field is None or value is None else field.get_db_prep_save(value, connection)
            for field, value in zip(prepared, row, strict=True)
        ]
