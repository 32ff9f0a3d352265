"""A result cut to what a model can work with: declared as data beside each tool, applied to the written JSON."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from mcp_bridge.short.paths import Place, places, plain
from mcp_bridge.short.size import estimate_of
from mcp_bridge.short.texts import shortened

MAX_TOKENS = 2000
_ROOM = 0.97
"""Of the limit, for what is said about what was left out."""
_NARROWER = ((300, 10), (120, 5), (60, 3), (30, 1))
"""Longest text and longest list where nothing that was declared is enough."""
Body = dict[str, Any]
Omitted = Counter[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Short:
    """What the short form of a result leaves out, by path (see `paths`).

    `rows` are lists that are filled up to `tokens`, those named first before the others, from their beginning; a
    `limit` is of the first of them. `at_most` says how long a list may be; `newest_last` that the first of `rows` is
    cut at its beginning. `spread` names a field of the first of `rows`: one row of each value comes before a second
    one of any. `texts` are cut to so many characters. `unless` is left out where it has that value, which goes
    without saying; so does, below the top, what is null or empty. `by_ids` is the argument that takes the ids of rows
    which are wanted whole. `reshape` is for what no path can tell.
    """

    rows: tuple[str, ...] = ()
    leave_out: tuple[str, ...] = ()
    at_most: Mapping[str, int] = field(default_factory=dict)
    texts: Mapping[str, int] = field(default_factory=dict)
    unless: Mapping[str, Any] = field(default_factory=dict)
    newest_last: bool = False
    spread: str = ""
    by_ids: str = ""
    reshape: Callable[[Body, Omitted], None] | None = None
    tokens: int = MAX_TOKENS


@dataclass(slots=True)
class _Cut:
    """What was taken out so far: outside of rows, and of which row."""

    counts: Counter[tuple[str, str, int]] = field(default_factory=Counter)

    def note(self, path: str, place: Place, count: int) -> None:
        self.counts[plain(path), place.rows, place.row] += count

    def total(self, kept: Mapping[str, int]) -> Omitted:
        """The counts by path, without those of rows that are not shown at all."""
        total: Omitted = Counter()
        for (path, rows, row), count in self.counts.items():
            if row < kept.get(rows, row + 1):
                total[path] += count
        return total


def shorten(body: Body, short: Short, limit: int | None) -> Omitted:
    """Cut the result, which is changed; what was left out is counted by its path."""
    omitted: Omitted = Counter()
    if short.reshape is not None:
        short.reshape(body, omitted)
    for number, path in enumerate(short.rows):
        bound = limit if number == 0 and limit is not None else short.at_most.get(path)
        _cut_rows(body, path, bound, short if number == 0 else None, omitted)
    cut = _Cut()
    _take_out(body, short, cut)
    _without_empty(body)
    kept = _fitted(body, short, omitted, unlimited=limit is not None)
    return omitted + cut.total(kept)


def limited(body: Body, short: Short, limit: int | None) -> Omitted:
    """The whole form: nothing but the rows beyond the limit are left out."""
    omitted: Omitted = Counter()
    if limit is not None and short.rows:
        _cut_rows(body, short.rows[0], limit, short, omitted)
    return omitted


def _cut_rows(body: Body, path: str, bound: int | None, ends: Short | None, omitted: Omitted) -> None:
    for place in places(body, path):
        rows = place.value
        if not isinstance(rows, list):
            continue
        if ends is not None and ends.spread:
            rows = _spread(rows, ends.spread)
        kept = rows if bound is None else rows[-bound:] if ends is not None and ends.newest_last else rows[:bound]
        omitted[path] += len(rows) - len(kept)
        place.holder[place.name] = kept


def _spread(rows: list[Any], name: str) -> list[Any]:
    """The rows with the first of each value, then the second of each, and so on."""
    seen: Counter[Any] = Counter()
    turns = []
    for row in rows:
        turns.append(seen[row.get(name)])
        seen[row.get(name)] += 1
    return [row for _, row in sorted(zip(turns, rows, strict=True), key=lambda pair: pair[0])]


def _take_out(body: Body, short: Short, cut: _Cut) -> None:
    """All that is declared, in its order."""
    for path, value in short.unless.items():
        for place in places(body, path):
            if place.value == value:
                del place.holder[place.name]
    for path in short.leave_out:
        for place in places(body, path):
            if place.value not in (None, "", [], {}):
                cut.note(path, place, len(place.value) if isinstance(place.value, list) else 1)
            del place.holder[place.name]
    for path, bound in short.at_most.items():
        for place in places(body, path):
            if path not in short.rows and isinstance(place.value, list) and len(place.value) > bound:
                cut.note(path, place, len(place.value) - bound)
                place.holder[place.name] = place.value[:bound]
    for path, characters in short.texts.items():
        for place in places(body, path):
            if isinstance(place.value, str) and (text := shortened(place.value, characters)) != place.value:
                cut.note(path, place, 1)
                place.holder[place.name] = text


def _without_empty(body: Body) -> None:
    """Leave out what is null or empty below the top; whoever reads the top finds every part there."""
    for value in body.values():
        _prune(value)


def _prune(node: Any) -> None:
    for part in _parts(node):
        _prune(part)
    if isinstance(node, dict):
        for name in [name for name, value in node.items() if value in (None, "", [], {})]:
            del node[name]


def _parts(node: Any) -> Iterator[Any]:
    if isinstance(node, dict):
        yield from node.values()
    elif isinstance(node, list):
        yield from node


def _fitted(body: Body, short: Short, omitted: Omitted, *, unlimited: bool) -> dict[str, int]:
    """Fill the lists of rows up to the limit of tokens; how many rows of each stayed. Each keeps one at least."""
    lists = {path: place for path in short.rows for place in places(body, path) if isinstance(place.value, list)}
    rows = {path: place.value for path, place in lists.items()}
    for place in lists.values():
        place.holder[place.name] = []
    room = short.tokens * _ROOM - _narrowed(body, short.tokens * _ROOM, omitted, "")
    kept: dict[str, int] = {}
    for number, (path, place) in enumerate(lists.items()):
        ordered = rows[path][::-1] if number == 0 and short.newest_last else rows[path]
        shown: list[Any] = []
        for row in ordered:
            least = max(room, MIN_ROW)
            size = estimate_of(row) if shown else _narrowed(row, least, omitted, f"{path}[]")
            if shown and size > room and not (unlimited and number == 0):
                break
            shown.append(row)
            room -= size
        omitted[path] += len(ordered) - len(shown)
        kept[path] = len(shown)
        place.holder[place.name] = shown[::-1] if number == 0 and short.newest_last else shown
    return kept


MIN_ROW = 150
"""Tokens that the first row of a list may have, however full the result is."""


def _narrowed(node: Any, room: float, omitted: Omitted, path: str) -> float:
    """The size of a part, made to fit by whatever it takes: texts and lists below it are cut."""
    size = estimate_of(node)
    for characters, items in _NARROWER:
        if size <= room:
            break
        _narrow(node, characters, items, omitted, path)
        size = estimate_of(node)
    return size


def _narrow(node: Any, characters: int, items: int, omitted: Omitted, path: str) -> None:
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
