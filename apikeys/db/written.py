"""Rows of the database as JSON of a resource, without making the resource: to check thousands of rows again costs
more than to read them.

The resource stays the one definition: it says the names and their order, and JSON that is stored under the names of
its fields goes through its own types, once for each text.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache, lru_cache, partial
from typing import Any, Generic, TypeVar, get_args

import orjson
from pydantic import TypeAdapter

from apikeys.resources import Resource

R = TypeVar("R", bound=Resource)
MAX_REMEMBERED = 4096
"""Stored texts of one field whose JSON is remembered: what was measured is read often, and hardly changes."""


@dataclass(frozen=True, slots=True)
class Written(Generic[R]):
    """A resource as JSON, as every door gives it; or where it holds words of others, as one reader gets it."""

    resource: type[R]
    json: bytes

    def read(self) -> R:
        """The resource itself, checked."""
        return self.resource.model_validate_json(self.json)


def written(resource: type[R], *, reader: Mapping[str, str] | None = None, **values: Any) -> Written[R]:
    """The resource of these values, one for each of its fields: plain ones, other resources, or what a `RowWriter`
    makes. They are not checked.

    Fields with words of others are other resources, or lists of these, and `reader` says who gets them: `FOR_AGENTS`
    in marks, an empty one as they are.
    """
    names = _outside(resource) if reader is None else _names_outside(resource)
    if values.keys() != names.keys():
        raise TypeError(f"{resource.__name__} has other fields than {', '.join(values)}.")
    if reader is not None:
        _require_written(resource, values)
    body = {names[name]: values[name] for name in names}
    return Written(resource, orjson.dumps(body, default=partial(_fragment, reader)))


class RowWriter:
    """Makes items of a resource from rows. `stored` are the fields whose columns hold JSON, read as text, `beside`
    those that have no column: whoever makes an item adds them."""

    def __init__(self, resource: type[Resource], *, stored: Collection[str], beside: Collection[str] = ()) -> None:
        names = {name: outside for name, outside in _outside(resource).items() if name not in beside}
        self.fields = tuple(names)
        self.stored = frozenset(stored)
        self._names = tuple(names.values())
        self._converters = [
            (self.fields.index(name), _converter(resource.model_fields[name].annotation)) for name in stored
        ]

    def item(self, row: Sequence[Any]) -> dict[str, Any]:
        """A row that begins with the fields, for `written` to put into a resource."""
        values = list(row)
        for place, outside in self._converters:
            if (text := values[place]) is not None:
                values[place] = outside(text)
        return dict(zip(self._names, values, strict=False))


@cache
def _outside(resource: type[Resource]) -> Mapping[str, str]:
    """The names outside by field. Raises TypeError where values are written otherwise than they are."""
    _require_plain(resource)
    return _names_outside(resource)


@cache
def _names_outside(resource: type[Resource]) -> Mapping[str, str]:
    return {name: field.serialization_alias or name for name, field in resource.model_fields.items()}


def _require_written(resource: type[Resource], values: Mapping[str, Any]) -> None:
    """Raise TypeError where a value that is written in a way of its own is not in a resource, which knows it."""
    for name in _not_plain(resource):
        value = values[name]
        parts = value if isinstance(value, list) else [value]
        if not all(part is None or isinstance(part, Resource) for part in parts):
            raise TypeError(f"{resource.__name__}.{name} is written in a way of its own: make the resource.")


@cache
def _not_plain(resource: type[Resource]) -> list[str]:
    return [name for name, field in resource.model_fields.items() if not _is_plain(field.annotation, field.metadata)]


def _is_plain(annotation: Any, about: Collection[Any]) -> bool:
    try:
        _require_plain(annotation)
    except TypeError:
        return False
    return not _has_serializer(about)


def _require_plain(kind: Any) -> None:
    if isinstance(kind, type) and issubclass(kind, Resource):
        parts = [(field.annotation, field.metadata) for field in kind.model_fields.values()]
        if kind.__pydantic_decorators__.field_serializers or any(_has_serializer(about) for _, about in parts):
            raise TypeError(f"{kind.__name__} has fields that are written in a way of their own: make the resource.")
        for annotation, _ in parts:
            _require_plain(annotation)
    elif kind is datetime or _has_serializer(getattr(kind, "__metadata__", ())):
        raise TypeError("Times and words of others are written in a way of their own: make the resource.")
    for part in get_args(kind):
        _require_plain(part)


def _has_serializer(about: Collection[Any]) -> bool:
    return any(type(annotation).__name__.endswith("Serializer") for annotation in about)


def _converter(kind: Any) -> Callable[[str], orjson.Fragment]:
    """What makes the JSON outside of the stored one: the same where there are no names in it."""
    return _remembered(kind) if _has_resource(kind) else orjson.Fragment


def _has_resource(kind: Any) -> bool:
    is_resource = isinstance(kind, type) and issubclass(kind, Resource)
    return is_resource or any(_has_resource(part) for part in get_args(kind))


def _remembered(kind: Any) -> Callable[[str], orjson.Fragment]:
    adapter: TypeAdapter[Any] = TypeAdapter(kind)

    @lru_cache(MAX_REMEMBERED)
    def outside(text: str) -> orjson.Fragment:
        return orjson.Fragment(adapter.dump_json(adapter.validate_json(text), by_alias=True))

    return outside


def _fragment(reader: Mapping[str, str] | None, value: Any) -> orjson.Fragment:
    if not isinstance(value, Resource):
        raise TypeError(f"{type(value).__name__} is no part of a resource.")
    return orjson.Fragment(value.__pydantic_serializer__.to_json(value, by_alias=True, context=reader))
