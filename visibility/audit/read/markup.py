"""The structured data of a page: JSON-LD block by block, so that one that is broken costs no other, and microdata.

This is our own reader: the one well-kept library needs an RDF library, and loses all blocks of JSON-LD for a broken
one. A block that strict JSON refuses is read once more without comments and commas before a closing bracket; its
error is that of strict readers.
"""

import json
import math
import re
from typing import Any

from lxml import html

from visibility.audit.facts import Markup
from visibility.audit.read.document import Document, text_of

MAX_BLOCKS = 200
MAX_CHARACTERS = 1_000_000
"""Of all blocks of a page."""
MAX_NESTING = 60
"""Objects and arrays inside each other; what stores them refuses 254."""
MAX_INTEGER_DIGITS = 18
MAX_ITEMS, MAX_VALUE, MAX_ITEM_NESTING = 2_000, 2_000, 30

_WRAPPER_START = re.compile(r"\s*+(?:/\*|//)?\s*+<!(?:\[CDATA\[|--)\s*+(?:\*/)?")
_WRAPPER_END = re.compile(r"(?:/\*|//)?\s*+(?:\]\]|--)>\s*+(?:\*/)?\s*+;?\Z")
_WRAPPER_CHARACTERS = 40
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*(?:"|\\?\Z)|//[^\n]*|/\*.*?(?:\*/|\Z)', re.DOTALL)
_LATE_COMMA = re.compile(r'("(?:[^"\\]|\\.)*(?:"|\\?\Z))|,(?=\s*[}\]])', re.DOTALL)
_SURROGATE = re.compile("[\ud800-\udfff]")
_TOO_DEEP = f"more than {MAX_NESTING} objects and arrays are inside each other"
_VALUES = {
    **{"meta": "content", "object": "data", "data": "value", "meter": "value", "time": "datetime"},
    **{"a": "href", "area": "href", "link": "href"},
    **dict.fromkeys(("img", "audio", "embed", "iframe", "source", "track", "video"), "src"),
}


class _Broken(ValueError):
    """Why a block cannot be read, and on which of its lines."""

    def __init__(self, message: str, line: int = 1) -> None:
        super().__init__(message)
        self.line = line


def json_ld(page: Document) -> tuple[Markup, ...]:
    """The JSON-LD blocks of a page; empty ones are none."""
    blocks: list[Markup] = []
    characters = 0
    for element in page.root.iter("script"):
        text = "".join(element.itertext())
        kind = (element.get("type") or "").partition(";")[0].strip().lower()
        if kind != "application/ld+json" or not text.strip():
            continue
        line, characters = element.sourceline or 0, characters + len(text)
        if characters > MAX_CHARACTERS or len(blocks) == MAX_BLOCKS:
            why = f"the page has more than {MAX_CHARACTERS:,} characters of JSON-LD; the rest is not read"
            return (*blocks, Markup("json-ld", line, error=why, error_line=line))
        blocks.append(_block(text, line))
    return tuple(blocks)


def _block(text: str, line: int) -> Markup:
    text = _unwrapped(text)
    try:
        return Markup("json-ld", line, _nodes(_loaded(text)))
    except _Broken as error:
        why, at = str(error), line + error.line - 1
    try:
        mended = _TOKEN.sub(lambda match: match[0] if match[0].startswith('"') else " ", text)
        nodes = _nodes(_loaded(_LATE_COMMA.sub(lambda match: match[1] or "", mended), strict=False))
    except _Broken:
        nodes = ()
    return Markup("json-ld", line, nodes, error=why, error_line=at)


def _loaded(text: str, *, strict: bool = True) -> Any:
    try:
        value = json.loads(text, strict=strict, parse_int=_integer, parse_float=_number, parse_constant=_constant)
    except json.JSONDecodeError as error:
        at = " ".join(error.doc[max(0, error.pos - 20) : error.pos + 20].split())
        raise _Broken(f"{error.msg}, column {error.colno}, near {at!r}", error.lineno) from error
    except RecursionError as error:
        raise _Broken(_TOO_DEEP) from error
    if _nesting(value) > MAX_NESTING:
        raise _Broken(_TOO_DEEP)
    if "\\ud" not in text.lower():
        return value
    # Halves of characters, which no database stores.
    return json.loads(_SURROGATE.sub("\ufffd", json.dumps(value, ensure_ascii=False)))


def _integer(digits: str) -> int | str:
    return int(digits) if len(digits) <= MAX_INTEGER_DIGITS else digits


def _number(digits: str) -> float | str:
    """As it is written where that is no plain number: 4.588 is a price of four euros, never of thousands."""
    value = float(digits)
    return value if math.isfinite(value) else digits


def _constant(name: str) -> Any:
    raise _Broken(f"{name} is no value of JSON")


def _nodes(value: Any) -> tuple[dict[str, Any], ...]:
    nodes = tuple(node for node in (value if isinstance(value, list) else [value]) if isinstance(node, dict))
    if not nodes:
        raise _Broken("the block contains no object")
    return nodes


def _nesting(value: Any) -> int:
    deepest, level = 0, [value]
    while level and deepest <= MAX_NESTING:
        deepest += 1
        inside = (outer.values() if isinstance(outer, dict) else outer for outer in level)
        level = [part for parts in inside for part in parts if isinstance(part, (dict, list))]
    return deepest


def _unwrapped(text: str) -> str:
    """The text without the wrappers of old pages (CDATA, HTML comments), which readers of JSON-LD take off; its lines
    stay."""
    if "<!" not in text and "]]>" not in text:
        return text
    if start := _WRAPPER_START.match(text):
        text = "\n" * start[0].count("\n") + text[start.end() :]
    text = text.rstrip()
    last = text[-_WRAPPER_CHARACTERS:]
    end = _WRAPPER_END.search(last)
    return text[: len(text) - len(last) + end.start()] if end else text


def microdata(page: Document) -> tuple[Markup, ...]:
    """The top-level items of a page as nodes like those of JSON-LD: `@type`, and properties by name, several values
    of one as a list."""
    if "itemscope" not in page.source:
        return ()
    reader, blocks = _Items(page), []
    for element in page.root.xpath("//*[@itemscope and (not(@itemprop) or not(ancestor::*[@itemscope]))]"):
        if node := reader.node(element, 0):
            blocks.append(Markup("microdata", element.sourceline or 0, (node,)))
        if reader.items >= MAX_ITEMS:
            break
    return tuple(blocks)


class _Items:
    def __init__(self, page: Document) -> None:
        self.page = page
        self.items = 0

    def node(self, item: html.HtmlElement, nested: int) -> dict[str, Any]:
        self.items += 1
        node: dict[str, Any] = {}
        types = (item.get("itemtype") or "").split()
        if types:
            node["@type"] = types[0] if len(types) == 1 else types
        if nested >= MAX_ITEM_NESTING:
            return node
        for element in self._properties(item):
            value = self._value(element, nested)
            for name in element.get("itemprop").split():
                before = node.get(name)
                node[name] = (
                    value if name not in node else [*(before if isinstance(before, list) else [before]), value]
                )
        return node

    def _properties(self, item: html.HtmlElement) -> list[html.HtmlElement]:
        """The elements with an itemprop that are of this item and of none inside it."""
        elements: list[html.HtmlElement] = []
        waiting = list(reversed(item))
        while waiting and len(elements) < MAX_ITEMS:
            element = waiting.pop()
            if not isinstance(element.tag, str):
                continue
            if (element.get("itemprop") or "").strip():
                elements.append(element)
            if element.get("itemscope") is None:
                waiting.extend(reversed(element))
        return elements

    def _value(self, element: html.HtmlElement, nested: int) -> Any:
        if element.get("itemscope") is not None:
            return self.node(element, nested + 1) if self.items < MAX_ITEMS else ""
        key = _VALUES.get(element.tag, "content")
        value = element.get("content") if element.get("content") is not None else element.get(key)
        if value is None:
            return text_of(element)[:MAX_VALUE]
        if key in ("href", "src"):
            value = self.page.absolute(value) or value
        return value.strip()[:MAX_VALUE]
