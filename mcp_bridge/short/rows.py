"""Rows of a result: which come first, and how many of them fit."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from mcp_bridge.short.paths import Place
from mcp_bridge.short.size import estimate_of
from mcp_bridge.short.texts import shortened

MIN_ROW = 150
"""Tokens that the first row of a list may have, however full the result is."""
_NARROWER = ((300, 10), (120, 5), (60, 3), (30, 1))
"""Longest text and longest list where nothing that was declared is enough."""


@dataclass(frozen=True, slots=True)
class Rows:
    """A list of a result. `from_end`: the last rows come first; `all`: they stay, whether they fit or not."""

    path: str
    place: Place
    from_end: bool
    all: bool


def spread_by(rows: Sequence[Any], name: str) -> list[Any]:
    """The rows with the first of each value of a field, then the second of each, and so on."""
    seen: Counter[Any] = Counter()
    turns = []
    for row in rows:
        turns.append(seen[row.get(name)])
        seen[row.get(name)] += 1
    return [row for _, row in sorted(zip(turns, rows, strict=True), key=lambda pair: pair[0])]


def fill(body: dict[str, Any], lists: Sequence[Rows], room: float, omitted: Counter[str]) -> Mapping[str, range]:
    """Put as many rows into the lists as there is room for in tokens, one at least; which of each stayed."""
    every = [rows.place.value for rows in lists]
    for rows in lists:
        rows.place.holder[rows.place.name] = []
    room -= _narrowed(body, room, omitted, "")
    shown: dict[str, range] = {}
    for rows, items in zip(lists, every, strict=True):
        kept: list[Any] = []
        for item in items[::-1] if rows.from_end else items:
            size = estimate_of(item) if kept else _narrowed(item, max(room, MIN_ROW), omitted, f"{rows.path}[]")
            if kept and size > room and not rows.all:
                break
            kept.append(item)
            room -= size
        omitted[rows.path] += len(items) - len(kept)
        shown[rows.path] = range(len(items) - len(kept), len(items)) if rows.from_end else range(len(kept))
        rows.place.holder[rows.place.name] = kept[::-1] if rows.from_end else kept
    return shown


def _narrowed(node: Any, room: float, omitted: Counter[str], path: str) -> float:
    """The size of a part, made to fit by whatever it takes: texts and lists below it are cut."""
    size = estimate_of(node)
    for characters, items in _NARROWER:
        if size <= room:
            break
        _narrow(node, characters, items, omitted, path)
        size = estimate_of(node)
    return size


def _narrow(node: Any, characters: int, items: int, omitted: Counter[str], path: str) -> None:
    """Cut the texts of several words and the lists in a part; ids, codes and days stay whole."""
    parts = list(node.items()) if isinstance(node, dict) else list(enumerate(node)) if isinstance(node, list) else []
    for name, value in parts:
        inner = f"{path}.{name}".lstrip(".") if isinstance(node, dict) else path
        if isinstance(value, str) and " " in value and (text := shortened(value, characters)) != value:
            omitted[inner] += 1
            node[name] = text
        elif isinstance(value, list):
            omitted[inner] += max(len(value) - items, 0)
            node[name] = value[:items]
            _narrow(node[name], characters, items, omitted, f"{inner}[]")
        elif isinstance(value, dict):
            _narrow(value, characters, items, omitted, inner)
