"""Instances of models, from the rows of statements that are compiled once."""

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import islice
from typing import Any

from django.db import DEFAULT_DB_ALIAS
from django.db.models import Model


@cache
def columns_of(model: type[Model], before: str = "") -> tuple[str, ...]:
    """The names of all its columns for `values_list`; `before` is the way to a related model: `owner__`."""
    return tuple(before + field.attname for field in model._meta.concrete_fields)


def instances_of(row: Sequence[Any], *models: type[Model]) -> Iterator[Any]:
    """From a row that begins with the columns of these models an instance of each; None where a join found none."""
    values = iter(row)
    for model in models:
        names = columns_of(model)
        fields = list(islice(values, len(names)))
        is_there = fields[names.index(model._meta.pk.attname)] is not None
        yield model.from_db(DEFAULT_DB_ALIAS, names, fields) if is_there else None
