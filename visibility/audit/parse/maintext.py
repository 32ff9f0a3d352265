"""The main text of a page: what a content extractor keeps, block by block, each with the headings above it."""

from dataclasses import dataclass
from itertools import chain
from typing import Any

from lxml import etree
from trafilatura import bare_extraction

from visibility.audit.page import Block, BlockKind
from visibility.audit.parse.document import Document, Line, folded

MAX_MAIN = 200_000
MAX_BLOCKS = 5_000
MAX_LINKS = 100
"""Of one block."""

UNSEEN_TAG = "unseen"
"""What an element that people do not see is called before it is taken out."""
MIN_WORDS = 100
"""Fewer kept words, and twice as many of prose on the page: then the extractor has missed the text."""
MIN_PROSE = 12
"""Words of a line that is prose and no label."""

DROPPED = ("script", "style", "noscript", "template", "svg", "iframe", "canvas", "object", "video", "audio", "select")
_HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
_KINDS: dict[str, BlockKind] = {"head": "heading", "item": "item", "table": "table", "quote": "quote", "code": "code"}


@dataclass(frozen=True, slots=True)
class MainText:
    """The blocks of the main text, and the text that they make: a line for each."""

    text: str
    blocks: tuple[Block, ...]


def main_text(page: Document) -> MainText:
    """What the extractor keeps of a page. It works on the page's tree and changes it: nothing reads that
    afterwards."""
    prose = [line for line in page.lines if line.place not in ("navigation", "footer")]
    body = _extracted(page)
    kept = MainText("", ()) if body is None else _Blocks(page).read(body)
    kept_words = len(kept.text.split())
    missed = sum(words for line in prose if (words := len(line.text.split())) >= MIN_PROSE)
    if kept_words < MIN_WORDS and missed > max(MIN_WORDS, 2 * kept_words):
        return _Blocks(page).of_lines(prose)
    return kept


def _extracted(page: Document) -> Any:
    for element in page.unseen:
        element.tag = UNSEEN_TAG
    etree.strip_elements(page.root, *DROPPED, UNSEEN_TAG, with_tail=False)
    try:
        extraction = bare_extraction(page.root, url=page.url, fast=True, include_links=True, include_comments=False)
    except Exception:  # what the extractor cannot read has its lines all the same
        return None
    return getattr(extraction, "body", None)


class _Blocks:
    def __init__(self, page: Document) -> None:
        self.page = page
        self.blocks: list[Block] = []
        self.path: list[tuple[int, str]] = []
        self.offset = 0

    def read(self, body: Any) -> MainText:
        self.add("paragraph", body.text or "", ())
        for element in body:
            if isinstance(element.tag, str):
                self.element(element)
            self.add("paragraph", element.tail or "", ())
        return MainText("\n".join(block.text for block in self.blocks), tuple(self.blocks))

    def of_lines(self, lines: list[Line]) -> MainText:
        """The lines of prose, with the headings and items between them."""
        for line in lines:
            tag = line.element.tag
            if tag in _HEADINGS:
                self.under(tag, line.text)
                self.add("heading", line.text, ())
            elif len(line.text.split()) >= MIN_PROSE:
                self.add("item" if tag == "li" else "paragraph", line.text, ())
        return MainText("\n".join(block.text for block in self.blocks), tuple(self.blocks))

    def element(self, element: Any) -> None:
        kind = _KINDS.get(element.tag, "paragraph")
        if element.tag == "list":
            for item in element:
                self.add("item", _text(item), _targets(item))
        elif element.tag == "table":
            self.add("table", _rows(element), _targets(element))
        else:
            text = _text(element)
            if kind == "heading":
                self.under(element.get("rend") or "h2", folded(text))
            self.add(kind, text, _targets(element))

    def under(self, rend: str, text: str) -> None:
        level = int(rend[1]) if rend[1:2].isdecimal() else 2
        self.path = [(above, name) for above, name in self.path if above < level] + [(level, text)]

    def add(self, kind: BlockKind, text: str, targets: tuple[str, ...]) -> None:
        text = folded(text) if kind != "table" else text
        if not text or self.offset >= MAX_MAIN or len(self.blocks) >= MAX_BLOCKS:
            return
        text = text[: MAX_MAIN - self.offset]
        above = self.path[:-1] if kind == "heading" else self.path
        links = dict.fromkeys(url for target in targets if (url := self.page.absolute(target)))
        self.blocks.append(
            Block(kind, text, self.offset, tuple(name[:300] for _, name in above), tuple(links)[:MAX_LINKS])
        )
        self.offset += len(text) + 1


def _text(element: Any) -> str:
    """The text of a block; where a line, an item or a row inside it ends, a space stands."""
    parts: list[str] = []
    for event, node in etree.iterwalk(element, events=("start", "end")):
        apart = " " if node.tag in ("lb", "p", "item", "cell", "row", "head", "list", "quote") else ""
        if event == "start":
            parts += [apart, node.text or ""]
        else:
            parts += [apart, "" if node is element else node.tail or ""]
    return "".join(parts)


def _rows(table: Any) -> str:
    rows = ([folded(_text(cell)) for cell in row.iter("cell")] for row in table.iter("row"))
    return " ".join(" | ".join(cells) for cells in rows if any(cells))


def _targets(element: Any) -> tuple[str, ...]:
    return tuple(target for ref in chain([element], element.iter("ref")) if (target := ref.get("target")))
