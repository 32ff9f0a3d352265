"""The nodes of structured data, for readers and checks."""

import re
from collections.abc import Iterator
from decimal import Decimal, InvalidOperation
from itertools import islice
from typing import Any

Node = dict[str, Any]
MAX_NODES = 5_000
_INSIDE = ("@graph", "mainEntity", "mainEntityOfPage")
"""Properties in which a node may contain the one that the page is about."""
_OF_OTHERS = frozenset({"Review", "Comment", "UserComments", "Answer"})
"""Types that describe something on the page, not the page itself."""
_NUMBER = re.compile(r"\d[\d.,'’\s]{0,17}")


def types_of(node: Node) -> set[str]:
    """The types of a node, without the prefix of schema.org."""
    return {
        name.rstrip("/").rsplit("/", 1)[-1].removeprefix("schema:")
        for name in values_of(node.get("@type"))
        if isinstance(name, str)
    }


def nodes_in(value: Any) -> Iterator[Node]:
    """The nodes in structured data at any depth, in the order of the page, at most 5,000; reviews, comments and
    answers are left out with all that is in them."""
    return islice(_nodes_in(value), MAX_NODES)


def _nodes_in(value: Any) -> Iterator[Node]:
    waiting = [value]
    while waiting:
        part = waiting.pop()
        if isinstance(part, dict):
            if types_of(part) & _OF_OTHERS:
                continue
            yield part
            waiting.extend(reversed(part.values()))
        elif isinstance(part, (list, tuple)):
            waiting.extend(reversed(part))


def main_nodes(nodes: tuple[Node, ...]) -> Iterator[Node]:
    """The nodes that a page itself is about: at the top of a block, in its graph, or named as main entity; not what
    it lists, links or recommends."""
    waiting: list[Any] = list(reversed(nodes))
    for _ in range(MAX_NODES):
        if not waiting:
            return
        node = waiting.pop()
        if isinstance(node, dict):
            yield node
            for name in _INSIDE:
                waiting.extend(reversed(values_of(node.get(name))))


def values_of(value: Any) -> list[Any]:
    """The values of a property, which may be one or several."""
    if value is None:
        return []
    return list(value) if isinstance(value, (list, tuple)) else [value]


def texts_of(node: Node, *names: str) -> list[str]:
    """The values of these properties that are texts or numbers, and the names of those that are nodes."""
    values = [value for name in names for value in values_of(node.get(name))]
    values = [value.get("name", value.get("@value")) if isinstance(value, dict) else value for value in values]
    return [
        text
        for value in values
        if isinstance(value, (str, int, float)) and not isinstance(value, bool) and (text := str(value).strip())
    ]


def numbers_of(value: Any) -> list[Decimal]:
    """The first number of each value, by the rules of schema.org: decimals follow a point, even three of them (4.588
    is never 4588). They follow a comma where one or two digits end the number behind it."""
    numbers = []
    for text in texts_of({"value": value}, "value"):
        match = _NUMBER.search(text)
        digits = re.sub(r"['’\s]", "", match[0]).strip(".,") if match else ""
        if re.search(r"^[^,]*,\d{1,2}$", digits) or digits.count(".") > 1:
            digits = digits.replace(".", "").replace(",", ".")
        try:
            numbers.append(Decimal(digits.replace(",", "")))
        except InvalidOperation:
            continue
    return numbers
