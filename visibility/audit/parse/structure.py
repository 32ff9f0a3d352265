"""How a page is built: headings, landmarks, links, images, lists."""

import re
from dataclasses import replace

from lxml import html

from visibility.audit.page import Heading, Image, Link
from visibility.audit.parse.document import Document, Line, folded, text_of
from visibility.audit.parse.maintext import MainText

MAX_HEADINGS, MAX_LINKS, MAX_IMAGES = 1_000, 5_000, 2_000
MAX_OPENING = 600
MAX_TEXT = 300
LANDMARKS = {"main": "main", "article": "article", "navigation": "nav", "banner": "header", "contentinfo": "footer",
             "complementary": "aside"}  # fmt: skip
"""By role; the elements have the names."""
TINY = 32
"""Pixels: a picture below this in width or height is a mark or a counter, no content."""

_LEVELS = {f"h{level}": level for level in range(1, 7)}
_WORD = re.compile(r"\w+")
_TRACKING = re.compile(r"(?:^|[/._-])(?:pixel|spacer|blank|clear|transparent|1x1|beacon)(?:[/._?-]|$)", re.IGNORECASE)


def words(text: str) -> int:
    """How many words a text has."""
    return sum(1 for _ in _WORD.finditer(text))


def headings(page: Document) -> tuple[Heading, ...]:
    """The headings that people see, with how many words follow until the next one, and the first block below."""
    sections: list[tuple[int, Line, list[str]]] = []
    open_at: html.HtmlElement | None = None
    for line in page.lines:
        element = _heading(line.element)
        if element is not None and element is open_at:
            level, first, below = sections[-1]
            first = Line(f"{first.text} {line.text}", first.line, first.element, first.place, first.offset)
            sections[-1] = (level, first, below)
        elif element is not None:
            sections.append((_LEVELS[element.tag], line, []))
        elif sections and line.place != "footer":
            sections[-1][2].append(line.text)
        open_at = element
    return tuple(
        Heading(
            level, first.text[:MAX_TEXT], first.line, sum(map(words, below)), below[0][:MAX_OPENING] if below else ""
        )
        for level, first, below in sections[:MAX_HEADINGS]
    )


def _heading(element: html.HtmlElement) -> html.HtmlElement | None:
    for around in (element, *element.iterancestors()):
        if around.tag in _LEVELS:
            return around
        if around.tag in ("div", "section", "body", "td", "li"):
            return None
    return None


def landmarks(page: Document) -> tuple[str, ...]:
    """Which landmarks are there, as elements or roles."""
    names = tuple(LANDMARKS.values())
    present = {element.tag for element in page.root.iter(*names)}
    present |= {LANDMARKS[role] for role in page.root.xpath("//@role") if role in LANDMARKS}
    return tuple(name for name in names if name in present)


def links(page: Document) -> tuple[Link, ...]:
    """The anchors of a page."""
    anchors = []
    for element in page.root.iter("a", "area"):
        href = element.get("href")
        if href is None and element.get("onclick") is None and element.get("role") != "link":
            continue
        url = page.absolute(href) if href and not href.strip().startswith("#") else ""
        anchors.append(
            Link(
                url=url[:2048],
                text=_link_text(element),
                line=element.sourceline or 0,
                place=page.place(element),
                rel=tuple((element.get("rel") or "").lower().split()),
                href=(href or "").strip()[:200],
            )
        )
        if len(anchors) == MAX_LINKS:
            break
    return tuple(anchors)


def in_main(anchors: tuple[Link, ...], main: MainText) -> tuple[Link, ...]:
    """The anchors, those in no named place being in the main content where that links their address."""
    linked = {url for block in main.blocks for url in block.links}
    return tuple(
        replace(link, place="main") if link.place == "other" and link.url in linked else link for link in anchors
    )


def _link_text(element: html.HtmlElement) -> str:
    if text := text_of(element):
        return text[:MAX_TEXT]
    named = element.get("aria-label") or element.get("title")
    alt = None if named else next((image.get("alt") for image in element.iter("img") if image.get("alt")), None)
    return folded(named or alt or "")[:MAX_TEXT]


def images(page: Document) -> tuple[Image, ...]:
    """The pictures of a page, the logo of its header among them, outside of the footer and with no sign that they
    only decorate."""
    pictures = []
    for element in page.root.iter("img"):
        src = _source(element)
        if not src or _decorates(element, src) or page.place(element) == "footer":
            continue
        alt = element.get("alt")
        pictures.append(
            Image(page.absolute(src)[:2048], None if alt is None else folded(alt)[:MAX_TEXT], element.sourceline or 0)
        )
        if len(pictures) == MAX_IMAGES:
            break
    return tuple(pictures)


def _source(element: html.HtmlElement) -> str:
    """The address of a picture; pictures that load late have it in another attribute, and a placeholder in src."""
    for key in ("src", "data-src", "data-original", "data-lazy-src"):
        value = (element.get(key) or "").strip()
        if value and not value.startswith("data:"):
            return value
    return ""


def _decorates(element: html.HtmlElement, src: str) -> bool:
    if element.get("role") in ("presentation", "none") or element.get("aria-hidden") == "true":
        return True
    sizes = [element.get(key, "").removesuffix("px") for key in ("width", "height")]
    return any(size.isdecimal() and int(size[:6]) < TINY for size in sizes) or bool(_TRACKING.search(src))


def lists(page: Document) -> int:
    """Lists of the main content: outside of navigation and footer, with at least two items."""
    return sum(
        1
        for element in page.root.iter("ul", "ol")
        if page.place(element) not in ("navigation", "footer") and len(element.findall("li")) > 1
    )
