"""The columns of a table: the fields of a resource under their names in the API.

What a nested object holds stands in columns of its own, `outer.inner`. A list stays one cell, as JSON, unless it is
left out because its rows have a table of their own.
"""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from types import NoneType, UnionType
from typing import Annotated, Any, Union, get_args, get_origin

from apikeys.resources import Resource
from apikeys.text.cells import cell


@dataclass(frozen=True, slots=True)
class Columns:
    """The columns of a resource, each with the way to its value in the JSON of an item."""

    paths: tuple[tuple[str, ...], ...]

    @property
    def names(self) -> list[str]:
        """The first line of the file."""
        return [".".join(path) for path in self.paths]

    def cells(self, item: Resource) -> list[str]:
        """One line of the file."""
        values = item.model_dump(mode="json", by_alias=True)
        return [cell(_at(values, path)) for path in self.paths]


@cache
def columns_of(resource: type[Resource], without: Collection[str] = ()) -> Columns:
    """The columns of a resource; `without` the fields of these names outside."""
    return Columns(tuple(path for path in _paths(resource) if path[0] not in without))


def _paths(resource: type[Resource]) -> Iterator[tuple[str, ...]]:
    for name, field in resource.model_fields.items():
        outside = field.serialization_alias or name
        inner = _object(field.annotation)
        if inner is None:
            yield (outside,)
        else:
            yield from ((outside, *path) for path in _paths(inner))


def _object(annotation: Any) -> type[Resource] | None:
    """The resource that a field holds, where it is one; it may be null."""
    if isinstance(annotation, type) and issubclass(annotation, Resource):
        return annotation
    if get_origin(annotation) is Annotated:
        return _object(get_args(annotation)[0])
    parts = [part for part in get_args(annotation) if part is not NoneType]
    is_union = get_origin(annotation) in (Union, UnionType)
    return _object(parts[0]) if is_union and len(parts) == 1 else None


def _at(values: Mapping[str, Any] | None, path: tuple[str, ...]) -> Any:
    for name in path:
        values = values[name] if values is not None else None
    return values
