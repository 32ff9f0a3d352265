"""Taking parts out of a result, each counted under its path and for its row."""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from mcp_bridge.short.paths import Place, places, plain
from mcp_bridge.short.texts import shortened

LONG_TEXT = 200
EMPTY: tuple[Any, ...] = (None, "", [], {})
_SPOKEN_NULLS = {"competitor", "score"}
"""Whose null says something also below the top: the site itself, and not measured."""


@dataclass(slots=True)
class Taken:
    """What was taken out so far: by path, of which list of rows, of which row."""

    counts: Counter[tuple[str, str, int]] = field(default_factory=Counter)

    def note(self, path: str, place: Place, count: int) -> None:
        """So much was taken from a part."""
        self.counts[plain(path), place.rows, place.row] += count

    def total(self, rows_left: Mapping[str, Collection[int]]) -> Counter[str]:
        """The counts by path, without those of rows that are not shown at all."""
        total: Counter[str] = Counter()
        for (path, rows, row), count in self.counts.items():
            if rows not in rows_left or row in rows_left[rows]:
                total[path] += count
        return total


def leave_out_usual(body: dict[str, Any], usual: Mapping[str, Any]) -> None:
    """Leave out what has the value that goes without saying."""
    for path, value in usual.items():
        for place in places(body, path):
            if place.value == value:
                del place.holder[place.name]


def leave_out(body: dict[str, Any], paths: Collection[str], taken: Taken) -> None:
    """Leave out parts. Lists, objects and long texts are named, figures and the like counted together: `now.*`."""
    for path in paths:
        together = f"{path.partition('.')[0]}.*" if "." in path else path
        for place in places(body, path):
            value = place.holder.pop(place.name)
            if isinstance(value, list):
                taken.note(path, place, len(value))
            elif value not in EMPTY:
                is_named = isinstance(value, dict) or (isinstance(value, str) and len(value) > LONG_TEXT)
                taken.note(path if is_named else together, place, 1)


def cut_lists(body: dict[str, Any], bounds: Mapping[str, int], taken: Taken) -> None:
    """Cut lists to so many items, the last ones where the number has a minus."""
    for path, bound in bounds.items():
        for place in places(body, path):
            if isinstance(place.value, list) and (beyond := len(place.value) - abs(bound)) > 0:
                taken.note(path, place, beyond)
                place.holder[place.name] = place.value[bound:] if bound < 0 else place.value[:bound]


def cut_texts(body: dict[str, Any], bounds: Mapping[str, int], taken: Taken) -> None:
    """Cut texts, or the texts of lists, to so many characters."""
    for path, characters in bounds.items():
        for place in places(body, path):
            text = _cut(place.value, characters)
            if text != place.value:
                taken.note(path, place, 1)
                place.holder[place.name] = text


def without_empty(body: dict[str, Any]) -> None:
    """Leave out what is null or empty below the top; whoever reads the top finds every part there. A step stays."""
    for name, value in body.items():
        if name != "nextStep":
            _prune(value)


def _cut(value: Any, characters: int) -> Any:
    if isinstance(value, list):
        return [_cut(text, characters) for text in value]
    return shortened(value, characters) if isinstance(value, str) else value


def _prune(node: Any) -> None:
    for part in _parts(node):
        _prune(part)
    if isinstance(node, dict):
        for name in [name for name, value in node.items() if value in EMPTY and name not in _SPOKEN_NULLS]:
            del node[name]


def _parts(node: Any) -> Iterator[Any]:
    if isinstance(node, dict):
        yield from node.values()
    elif isinstance(node, list):
        yield from node
