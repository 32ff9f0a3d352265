"""The main text of a page by a content extractor, block by block, each with the headings above it."""

from typing import Any

from lxml import etree
from trafilatura import bare_extraction

from visibility.audit.facts import Block, BlockKind
from visibility.audit.read.document import Document, Line, folded, text_of

MAX_MAIN = 200_000
MAX_BLOCKS = 5_000
MIN_WORDS = 100
"""With fewer extracted words, and twice as many of prose on the page, the extractor has missed the text."""
MIN_PROSE = 12
"""Words of a line that is prose and no label."""
_NO_TEXT = "script style noscript template svg iframe canvas object video audio select unseen"
_KINDS: dict[str, BlockKind] = {"head": "heading", "item": "item", "table": "table", "quote": "quote", "code": "code"}
_APART = frozenset({"lb", "p", "item", "cell", "row", "head", "list", "quote"})


def main_text(page: Document) -> tuple[Block, ...]:
    """The main text. It changes the page's tree, so nothing may read that afterwards."""
    prose = [line for line in page.lines if line.place not in ("navigation", "footer")]
    blocks = _Blocks()
    body = _extracted(page)
    if body is not None:
        blocks.read(body)
    extracted = sum(len(block.text.split()) for block in blocks.rows)
    missed = sum(words for line in prose if (words := len(line.text.split())) >= MIN_PROSE)
    if extracted < MIN_WORDS and missed > max(MIN_WORDS, 2 * extracted):
        blocks = _Blocks()
        blocks.read_lines(prose)
    return tuple(blocks.rows)


def _extracted(page: Document) -> Any:
    for element in page.unseen:
        element.tag = "unseen"
    etree.strip_elements(page.root, *_NO_TEXT.split(), with_tail=False)
    try:
        extraction = bare_extraction(page.root, url=page.url, fast=True, include_comments=False)
    except Exception:  # what the extractor cannot read has its lines all the same
        return None
    return getattr(extraction, "body", None)


class _Blocks:
    """Collects blocks, with the headings above the next one and its offset in the text."""

    def __init__(self) -> None:
        self.rows: list[Block] = []
        self._path: list[tuple[int, str]] = []
        self._offset = 0

    def read(self, body: Any) -> None:
        self._add("paragraph", body.text or "")
        for element in body:
            if element.tag == "list":
                for item in element:
                    self._add("item", text_of(item, _APART))
            elif element.tag == "table":
                rows = ([text_of(cell, _APART) for cell in row.iter("cell")] for row in element.iter("row"))
                self._add("table", " ".join(" | ".join(cells) for cells in rows if any(cells)))
            elif isinstance(element.tag, str):
                self._element(element.tag, element.get("rend") or "h2", text_of(element, _APART))
            self._add("paragraph", element.tail or "")

    def read_lines(self, lines: list[Line]) -> None:
        """The lines of prose, with the headings and items between them."""
        for line in lines:
            tag = line.element.tag
            if tag in ("h1", "h2", "h3", "h4", "h5", "h6"):
                self._element("head", tag, line.text)
            elif len(line.text.split()) >= MIN_PROSE:
                self._add("item" if tag == "li" else "paragraph", line.text)

    def _element(self, tag: str, level: str, text: str) -> None:
        if tag == "head":
            depth = int(level[1]) if level[1:2].isdecimal() else 2
            self._path = [(above, name) for above, name in self._path if above < depth]
            self._path.append((depth, folded(text)[:300]))
        self._add(_KINDS.get(tag, "paragraph"), text)

    def _add(self, kind: BlockKind, text: str) -> None:
        text = folded(text)[: MAX_MAIN - self._offset]
        if text and len(self.rows) < MAX_BLOCKS:
            above = self._path[:-1] if kind == "heading" else self._path
            self.rows.append(Block(kind, text, self._offset, tuple(name for _, name in above)))
            self._offset = min(MAX_MAIN, self._offset + len(text) + 1)
