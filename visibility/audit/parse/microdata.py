"""Microdata of a page as nodes like those of JSON-LD: `@type` and properties by name, several values as a list.

Own, in a few lines: the one well-kept reader (extruct) brings an RDF library along.
"""

from typing import Any

from lxml import html

from visibility.audit.page import Markup
from visibility.audit.parse.document import Document, text_of

MAX_ITEMS = 2_000
MAX_VALUE = 2_000
MAX_NESTING = 30

_ATTRIBUTE = {"meta": "content", "object": "data", "data": "value", "meter": "value", "time": "datetime"}
_ADDRESS = {"a": "href", "area": "href", "link": "href", "img": "src", "audio": "src", "embed": "src",
"iframe": "src",
            "source": "src", "track": "src", "video": "src"}  # fmt: skip


def microdata(page: Document) -> tuple[Markup, ...]:
    """The top-level items of a page, each with the line where it begins."""
    if "itemscope" not in page.source:
        return ()
    return _Reader(page).read()


class _Reader:
    def __init__(self, page: Document) -> None:
        self.page = page
        self.items = 0
        self.named: dict[str, html.HtmlElement] = {}
        if "itemref" in page.source:
            self.named = {element.get("id"): element for element in reversed(page.root.xpath("//*[@id]"))}

    def read(self) -> tuple[Markup, ...]:
        blocks = []
        for element in self.page.root.xpath("//*[@itemscope and not(@itemprop)]"):
            if node := self.node(element, 0):
                blocks.append(Markup("microdata", element.sourceline or 0, (node,)))
            if self.items >= MAX_ITEMS:
                break
        return tuple(blocks)

    def node(self, item: html.HtmlElement, nested: int) -> dict[str, Any]:
        self.items += 1
        node: dict[str, Any] = {}
        types = (item.get("itemtype") or "").split()
        if types:
            node["@type"] = types[0] if len(types) == 1 else types
        if item.get("itemid"):
            node["@id"] = self.page.absolute(item.get("itemid")) or item.get("itemid")
        if nested >= MAX_NESTING:
            return node
        for element in self.properties(item):
            value = self.value(element, nested)
            for name in element.get("itemprop").split():
                _add(node, name, value)
        return node

    def properties(self, item: html.HtmlElement) -> list[html.HtmlElement]:
        """The elements with an itemprop of this item: below it or below what its itemref names, outside of others."""
        elements: list[html.HtmlElement] = []
        waiting = list(reversed(item))
        for name in (item.get("itemref") or "").split()[:20]:
            named = self.named.get(name)
            if named is not None and named is not item:
                waiting.insert(0, named)
        while waiting and len(elements) < MAX_ITEMS:
            element = waiting.pop()
            if not isinstance(element.tag, str):
                continue
            if (element.get("itemprop") or "").strip():
                elements.append(element)
            if element.get("itemscope") is None:
                waiting.extend(reversed(element))
        return elements

    def value(self, element: html.HtmlElement, nested: int) -> Any:
        if element.get("itemscope") is not None:
            return self.node(element, nested + 1) if self.items < MAX_ITEMS else ""
        if (content := element.get("content")) is not None:
            return content.strip()[:MAX_VALUE]
        if key := _ADDRESS.get(element.tag):
            return (self.page.absolute(element.get(key) or "") or element.get(key) or "")[:MAX_VALUE]
        if (key := _ATTRIBUTE.get(element.tag)) and element.get(key) is not None:
            return element.get(key).strip()[:MAX_VALUE]
        return text_of(element)[:MAX_VALUE]


def _add(node: dict[str, Any], name: str, value: Any) -> None:
    if name not in node:
        node[name] = value
    elif isinstance(node[name], list):
        node[name].append(value)
    else:
        node[name] = [node[name], value]
