"""The nodes of structured data, as checks read them."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any

from visibility.audit.checks.vocabulary.vocabulary import is_a
from visibility.audit.page import Markup, ParsedPage, nodes_of, types_of

Node = dict[str, Any]
_INSIDE = ("@graph", "mainEntity", "mainEntityOfPage", "hasPart")
"""Where the node that a page is about may stand inside another."""
MAX_NODES = 5_000


@dataclass(frozen=True, slots=True)
class Placed:
    """A node and the block that it stands in."""

    node: Node
    markup: Markup


def main_nodes(page: ParsedPage, *kinds: str) -> list[Placed]:
    """The nodes of these types, or of types below them, that the page itself is about: at the top of a block, in its
    graph or named as main entity; not what it lists, links or recommends."""
    return [placed for placed in _top(page) if is_a(types_of(placed.node), *kinds)]


def all_nodes(page: ParsedPage) -> list[Placed]:
    """All nodes of a page at any depth, at most 5,000."""
    every = (Placed(node, markup) for markup in page.markup for node in nodes_of(markup.nodes))
    return list(islice(every, MAX_NODES))


def _top(page: ParsedPage) -> Iterator[Placed]:
    for markup in page.markup:
        waiting: list[Any] = list(reversed(markup.nodes))
        count = 0
        while waiting and count < MAX_NODES:
            node = waiting.pop()
            if not isinstance(node, dict):
                continue
            count += 1
            yield Placed(node, markup)
            for name in _INSIDE:
                waiting.extend(reversed(listed(node.get(name))))


def listed(value: Any) -> list[Any]:
    """The values of a property, which may be one or several."""
    if value is None:
        return []
    return list(value) if isinstance(value, (list, tuple)) else [value]


def nodes_in(node: Node, name: str) -> list[Node]:
    """The nodes that are values of a property."""
    return [value for value in listed(node.get(name)) if isinstance(value, dict)]


def texts_in(node: Node, *names: str) -> list[str]:
    """The values of these properties that are texts or numbers, and the names of those that are nodes."""
    values = [value for name in names for value in listed(node.get(name))]
    values = [part for value in values for part in (listed(_name(value)) if isinstance(value, dict) else [value])]
    return [text for value in values if (text := _text(value))]


def _name(node: Node) -> Any:
    return node.get("name", node.get("@value"))


def _text(value: Any) -> str:
    plain = isinstance(value, (str, int, float)) and not isinstance(value, bool)
    return str(value).strip() if plain else ""
