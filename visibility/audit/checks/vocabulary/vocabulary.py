"""The types and properties of schema.org, from the data file beside this one, which names version and licence."""

import json
from functools import cache
from pathlib import Path

_FILE = json.loads(Path(__file__).with_name("schema_org.json").read_bytes())
VERSION: str = _FILE["version"]
TYPES: dict[str, list[str]] = _FILE["types"]
"""Each type with its parents."""
PROPERTIES = frozenset[str](_FILE["properties"])


@cache
def kinds_of(name: str) -> frozenset[str]:
    """The type and all types above it; empty for a type that schema.org does not have."""
    kinds: set[str] = set()
    waiting = [name] if name in TYPES else []
    while waiting:
        kinds.add(kind := waiting.pop())
        waiting.extend(parent for parent in TYPES[kind] if parent not in kinds)
    return frozenset(kinds)


def is_a(types: set[str], *wanted: str) -> bool:
    """Whether one of the types is one of those wanted, or below it."""
    return any(kinds_of(name) & set(wanted) for name in types)
