"""Where a part stands in a result: `gaps[].evidence`, `recommendations[1:].payload`, `now.engines[].low`."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Place:
    """An object of a result that has the part under `name`. `rows` and `row`: the outermost list that it stands in
    and which of its items that is; empty and -1 outside of lists."""

    holder: dict[str, Any]
    name: str
    rows: str = ""
    row: int = -1

    @property
    def value(self) -> Any:
        """The part itself."""
        return self.holder[self.name]


def places(body: dict[str, Any], path: str) -> Iterator[Place]:
    """Every place of the part in the result; of `[]` all items, of `[1:]` those behind the first."""
    *way, name = path.split(".")
    nodes: list[tuple[Any, str, int]] = [(body, "", -1)]
    passed: list[str] = []
    for step in way:
        key, bracket, index = step.partition("[")
        passed.append(key)
        if bracket:
            first = int(index.rstrip(":]") or 0)
            nodes = [
                (item, rows or ".".join(passed), row if rows else number)
                for node, rows, row in nodes
                for number, item in enumerate(_list(node, key))
                if number >= first
            ]
        else:
            nodes = [(node.get(key), rows, row) for node, rows, row in nodes if isinstance(node, dict)]
    for node, rows, row in nodes:
        if isinstance(node, dict) and name in node:
            yield Place(node, name, rows, row)


def plain(path: str) -> str:
    """The path as readers are told it: which items are meant is seen in the result."""
    return path.replace("[1:]", "[]")


def _list(node: Any, key: str) -> list[Any]:
    value = node.get(key) if isinstance(node, dict) else None
    return value if isinstance(value, list) else []
