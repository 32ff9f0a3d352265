"""The key pieces of text of a page, and which of them a content extractor loses."""

import re
import unicodedata
from collections.abc import Iterator

from visibility.audit.page import Lost, Markup, Price, nodes_of
from visibility.audit.parse.document import Document, folded, text_of

MAX_SPANS = 200
MAX_TEXT = 200
MIN_TEXT = 3

_STRINGS = ("name", "headline", "description", "articleBody", "text")
_NOT_WORDS = re.compile(r"[\W_]+")


def key_spans(
    page: Document, prices: tuple[Price, ...], markup: tuple[Markup, ...], visible: str
) -> tuple[Lost, ...]:
    """The first heading, the header cells of tables, the price of the offer, and what JSON-LD says that people
    see."""
    visible_words = f" {compared(visible)} "
    spans: dict[str, Lost] = {}
    for span in (*_headings(page), *_header_cells(page), *_offer(prices), *_strings(markup, visible_words)):
        key = compared(span.text)
        if len(key) >= MIN_TEXT or span.kind == "price":
            spans.setdefault(key, span)
        if len(spans) == MAX_SPANS:
            break
    return tuple(spans.values())


def lost(spans: tuple[Lost, ...], main_text: str, title: str) -> tuple[Lost, ...]:
    """Those of the key pieces that neither the main text nor the page's title holds: extractors hand that on too."""
    kept = f" {compared(main_text)} {compared(title)} "
    return tuple(span for span in spans if f" {compared(span.text)} " not in kept)


def compared(text: str) -> str:
    """Text as it is compared: letters and digits only, in lower case."""
    return _NOT_WORDS.sub(" ", unicodedata.normalize("NFKC", text).lower()).strip()


def _headings(page: Document) -> Iterator[Lost]:
    for element in page.root.iter("h1"):
        if text := text_of(element)[:MAX_TEXT]:
            yield Lost("h1", text, "h1", element.sourceline or 0)


def _header_cells(page: Document) -> Iterator[Lost]:
    for element in page.root.iter("th"):
        if (
            (text := text_of(element))
            and len(text) <= MAX_TEXT
            and page.place(element) not in ("navigation", "footer")
        ):
            yield Lost("th", text, "th", element.sourceline or 0)


def _offer(prices: tuple[Price, ...]) -> Iterator[Lost]:
    for price in prices:
        if price.main:
            yield Lost("price", price.written, "visible text", price.line)


def _strings(markup: tuple[Markup, ...], visible_words: str) -> Iterator[Lost]:
    """Texts of JSON-LD that the page shows too; a long one is looked for by its beginning."""
    for block in markup:
        if block.syntax != "json-ld":
            continue
        for node in nodes_of(block.nodes, without=("WebSite", "Organization", "BreadcrumbList", "ImageObject")):
            for name in _STRINGS:
                text = node.get(name)
                if isinstance(text, str) and "<" not in text:
                    text = folded(text)[:MAX_TEXT]
                    if len(compared(text)) >= 10 and f" {compared(text)} " in visible_words:
                        yield Lost("json-ld", text, f"JSON-LD {name}", block.line)
