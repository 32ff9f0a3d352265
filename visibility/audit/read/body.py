"""The structure of a page: its head, headings, landmarks, links, images and tables."""

import re
from collections.abc import Iterator
from itertools import groupby

from lxml import html

from visibility.audit.facts import Heading, HeadLink, Image, Link, Meta, Table, Text
from visibility.audit.read.document import Document, Line, around, folded, text_of

MAX_ADDRESS, MAX_CONTENT, MAX_TEXT = 2_048, 4_000, 300
MAX_NAME = 80
"""Characters of a cell that can name a column."""
TINY = 32
"""Pixels: a picture below this in width or height is a mark or a counter, no content."""

_LEVELS = {f"h{level}": level for level in range(1, 7)}
_TRACKING = re.compile(r"(?:^|[/._-])(?:pixel|spacer|blank|clear|transparent|1x1|beacon)(?:[/._?-]|$)", re.IGNORECASE)
_SOURCES = ("src", "data-src", "data-original", "data-lazy-src")
"""Pictures that load late have their address in another attribute, and a placeholder in src."""


def titles(page: Document) -> Iterator[Text]:
    """The title elements of the document; those of pictures (svg) are none."""
    for title in page.root.iter("title"):
        if not any(up.tag == "svg" for up in title.iterancestors()):
            yield Text(folded("".join(title.itertext())), title.sourceline or 0)


def metas(page: Document) -> Iterator[Meta]:
    """The meta elements that have a name, property or http-equiv, once for each."""
    for element in page.root.iter("meta"):
        content = folded(element.get("content") or "")[:MAX_CONTENT]
        names = [element.get(key) for key in ("name", "property", "http-equiv")]
        for name in dict.fromkeys(name.strip().lower()[:200] for name in names if name):
            yield Meta(name, content, element.sourceline or 0)


def head_links(page: Document) -> Iterator[HeadLink]:
    """The link elements that have an href, once for each word of their rel."""
    for element in page.root.iter("link"):
        href = (element.get("href") or "").strip()
        hreflang = (element.get("hreflang") or "").strip()[:40]
        for rel in dict.fromkeys((element.get("rel") or "").lower().split()):
            if href and rel in ("canonical", "alternate", "me"):
                yield HeadLink(rel, page.absolute(href), element.sourceline or 0, hreflang, href[:MAX_ADDRESS])


def declared_language(page: Document) -> str:
    """The lang of the html element (xml:lang without it), as it is written."""
    root = page.root if page.root.tag == "html" else page.root.find(".//html")
    if root is None:
        return ""
    named = root.get("lang") or root.get("{http://www.w3.org/XML/1998/namespace}lang") or root.get("xml:lang")
    return (named or "").strip()[:40]


def headings(page: Document) -> Iterator[Heading]:
    """The headings that people see, each with all of its lines."""
    for heading, lines in groupby(page.lines, key=_heading_around):
        if heading is not None:
            yield Heading(_LEVELS[heading.tag], " ".join(line.text for line in lines)[:MAX_TEXT])


def _heading_around(line: Line) -> html.HtmlElement | None:
    return next((up for up in around(line.element, 9) if up.tag in _LEVELS), None)


def has_landmark(page: Document) -> bool:
    """Whether the main content is marked, by a main or article element or role."""
    return bool(page.root.xpath("boolean(//main | //article | //*[@role='main' or @role='article'])"))


def links(page: Document) -> Iterator[Link]:
    """The anchors of a page; those without an address only if they are made to be clicked."""
    for element in page.root.iter("a", "area"):
        href = element.get("href")
        if href is None and element.get("onclick") is None and element.get("role") != "link":
            continue
        url = page.absolute(href)[:MAX_ADDRESS] if href and not href.strip().startswith("#") else ""
        written = (href or "").strip()[:200]
        yield Link(url, _link_text(element), element.sourceline or 0, page.place(element), written)


def _link_text(element: html.HtmlElement) -> str:
    if text := text_of(element):
        return text[:MAX_TEXT]
    named = element.get("aria-label") or element.get("title")
    alt = None if named else next((image.get("alt") for image in element.iter("img") if image.get("alt")), None)
    return folded(named or alt or "")[:MAX_TEXT]


def images(page: Document) -> Iterator[Image]:
    """The pictures of a page outside of its footer, without those that are marked as decoration."""
    for element in page.root.iter("img"):
        values = ((element.get(key) or "").strip() for key in _SOURCES)
        src = next((value for value in values if value and not value.startswith("data:")), "")
        if src and not _decorates(element, src) and page.place(element) != "footer":
            alt = element.get("alt")
            text = None if alt is None else folded(alt)[:MAX_TEXT]
            yield Image(page.absolute(src)[:MAX_ADDRESS], text, element.sourceline or 0)


def _decorates(element: html.HtmlElement, src: str) -> bool:
    if element.get("role") in ("presentation", "none") or element.get("aria-hidden") == "true":
        return True
    sizes = [element.get(key, "").removesuffix("px") for key in ("width", "height")]
    return any(size.isdecimal() and int(size[:6]) < TINY for size in sizes) or bool(_TRACKING.search(src))


def tables(page: Document) -> Iterator[Table]:
    """The tables of data: of three rows and columns or more, the first row short and without gaps but for its corner;
    without tables for layout."""
    for element in page.root.iter("table"):
        if not _lays_out(page, element) and (table := _table(element)):
            yield table


def _lays_out(page: Document, table: html.HtmlElement) -> bool:
    """Whether a table is for layout: by its role or place, or because it contains a table, a form or headings."""
    if table.get("role") in ("presentation", "none") or page.place(table) in ("navigation", "footer"):
        return True
    return next(table.iter("form", "h1", "h2", "nav"), None) is not None or table.find(".//table") is not None


def _table(table: html.HtmlElement) -> Table | None:
    rows = [cells for row in table.iter("tr") if (cells := [cell for cell in row if cell.tag in ("td", "th")])]
    columns = max((len(cells) for cells in rows), default=0)
    names = [text_of(cell) for cell in rows[0][:20]] if len(rows) > 2 and columns > 2 else []
    if not any(names) or not all(0 < len(name) <= MAX_NAME for name in names[1:]):
        return None
    headers = sum(cell.tag == "th" or str(cell.get("role")).endswith("header") for row in rows for cell in row)
    return Table(table.sourceline or 0, headers, " | ".join(names)[:200])
