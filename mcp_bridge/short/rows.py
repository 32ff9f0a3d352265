"""Rows of a result: which come first, and how many of them fit."""

from collections import Counter
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from typing import Any

from apikeys.text.size import estimate_of
from mcp_bridge.short.paths import Place
from mcp_bridge.short.texts import shortened

MIN_ROW = 150
"""Tokens that the first row of a list may have, however full the result is."""
_NARROWER = ((300, 10), (120, 5), (60, 3), (30, 1))
"""Longest text and longest list where nothing that was declared is enough."""


@dataclass(frozen=True, slots=True)
class Rows:
    """A list of a result. `order`: its indices, those first that are kept before the others; of them at most `most`.
    `all`: they stay, whether they fit or not."""

    path: str
    place: Place
    order: Sequence[int]
    most: int | None
    all: bool


def in_order(
    rows: Sequence[Any], *, newest_last: bool = False, both_ends: bool = False, spread: str = ""
) -> list[int]:
    """The indices of the rows, those first that matter most: the last, those nearest to either end, or one of each
    value of a field before a second of any."""
    numbers = list(range(len(rows)))
    if newest_last:
        return numbers[::-1]
    if both_ends:
        return sorted(numbers, key=lambda number: (min(number, len(rows) - 1 - number), number))
    if not spread:
        return numbers
    counts: Counter[Any] = Counter()
    turns = []
    for row in rows:
        turns.append(counts[row.get(spread)])
        counts[row.get(spread)] += 1
    return sorted(numbers, key=lambda number: turns[number])


def fill(body: dict[str, Any], lists: Sequence[Rows], room: float, omitted: Counter[str]) -> Mapping[str, Set[int]]:
    """Put as many rows into the lists as there is room for in tokens, one at least; which of each stayed."""
    every = [rows.place.value for rows in lists]
    for rows in lists:
        rows.place.holder[rows.place.name] = []
    room -= _narrowed(body, room, omitted, "")
    stayed: dict[str, Set[int]] = {}
    for rows, items in zip(lists, every, strict=True):
        kept: set[int] = set()
        for number in rows.order[: rows.most]:
            item = items[number]
            size = estimate_of(item) if kept else _narrowed(item, max(room, MIN_ROW), omitted, f"{rows.path}[]")
            if kept and size > room and not rows.all:
                break
            kept.add(number)
            room -= size
        omitted[rows.path] += len(items) - len(kept)
        stayed[rows.path] = kept
        rows.place.holder[rows.place.name] = [items[number] for number in sorted(kept)]
    return stayed


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
