"""Facts as JSON and back, to store them and to pass them between processes."""

from collections.abc import Callable
from functools import cache
from typing import Any, TypeVar

import orjson
from pydantic import TypeAdapter

T = TypeVar("T")


def to_json(fact: Any) -> bytes:
    """A fact as JSON."""
    return orjson.dumps(fact)


def from_json(kind: Callable[..., T], text: bytes | str) -> T:
    """A fact of this kind from its JSON. Raises ValueError where it is none."""
    fact: T = _adapter(kind).validate_json(text)
    return fact


@cache
def _adapter(kind: Any) -> Any:
    return TypeAdapter(kind)
