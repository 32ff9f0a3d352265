"""One tree of a page, and one walk over it that all readers of the page share: the lines of text that people see,
each with its place."""

import re
from collections.abc import Collection, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import chain, islice
from urllib.parse import urljoin, urlsplit

from lxml import etree, html

from visibility.audit.addresses import joined
from visibility.audit.facts import Place
from visibility.audit.read.limits import MAX_DEPTH, MAX_ELEMENTS, TooMuch

MAX_VISIBLE = 400_000

_BLOCKS = (
    "address article aside blockquote body br caption center dd details dialog div dl dt fieldset figcaption figure"
    " footer form h1 h2 h3 h4 h5 h6 header hr legend li main menu nav ol option p pre section summary table tbody td"
    " tfoot th thead title tr ul"
)
BLOCKS = frozenset(_BLOCKS.split())
"""Elements that begin a line of text of their own."""
_UNSEEN = "script style noscript template title svg math canvas audio video object iframe textarea datalist map"
UNSEEN = frozenset(_UNSEEN.split())
"""Elements whose text people do not read. Not the head, as parsers leave <main> inside of one without an end tag."""
_STYLED_AWAY = re.compile(r"(?<![\w-])(?:display\s*:\s*none|visibility\s*:\s*hidden)", re.IGNORECASE)
_NOT_XML = re.compile("[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_CONTROLS = re.compile("[\x00-\x08\x0b\x0e-\x1f\ufffe\uffff]")
_PRICED = re.compile(r"[$€£]\s?\d{1,3}(?:[.,]?\d{3})*$")
_CENTS = re.compile(r"cent|decimal|fraction|penn|kop", re.IGNORECASE)
_NAVIGATION = re.compile(
    r"(?:^|\s)(?!has|with|no-)(?:[a-z]+[_-])?(?:nav|navbar|navigation|menu|breadcrumbs?|topbar)(?=$|\s)",
    re.IGNORECASE,
)
_FOOTER = re.compile(r"(?:^|\s)(?!has|with|no-)(?:[a-z]+[_-])?(?:footer|colophon)(?=$|\s)", re.IGNORECASE)
_ROLES: dict[str, Place] = {
    "navigation": "navigation",
    "main": "main",
    "contentinfo": "footer",
    "banner": "navigation",
}
_TAGS: dict[str, Place] = {"nav": "navigation", "main": "main", "article": "main"}


@dataclass(slots=True)
class Line:
    """A line of visible text: its white space is folded, it begins at `offset` of the page's visible text."""

    text: str
    line: int
    element: html.HtmlElement
    """The block that the text is in."""
    place: Place
    offset: int


@dataclass(slots=True)
class Document:
    """A page's tree with its address, its source and the visible lines."""

    url: str
    source: str
    root: html.HtmlElement
    base: str
    """What its relative addresses start from."""
    lines: list[Line] = field(default_factory=list)
    places: dict[html.HtmlElement, Place] = field(default_factory=dict)
    """The place of each element that opens one."""
    unseen: list[html.HtmlElement] = field(default_factory=list)
    """Elements that style or attribute hides from people."""

    _absolute: dict[str, str] = field(default_factory=dict)
    _placed: dict[html.HtmlElement, Place] = field(default_factory=dict)

    @property
    def visible(self) -> str:
        """All visible text, a line for each block."""
        return "\n".join(line.text for line in self.lines)

    def absolute(self, href: str) -> str:
        """The absolute address of a reference, without its fragment; empty where it is none that can be fetched."""
        if href not in self._absolute:
            self._absolute[href] = self._joined(href)
        return self._absolute[href]

    def _joined(self, href: str) -> str:
        try:
            url = urljoin(self.base, href.strip())
            parts = urlsplit(url)
        except ValueError:
            return ""
        if parts.scheme not in ("http", "https") or not parts.netloc:
            return ""
        return url.partition("#")[0]

    def place(self, element: html.HtmlElement) -> Place:
        """Where an element is: the innermost place that an element around it opens."""
        way: list[html.HtmlElement] = []
        place: Place | None = None
        node: html.HtmlElement | None = element
        while node is not None and place is None:
            place = self._placed.get(node) or self.places.get(node)
            way.append(node)
            node = node.getparent()
        for passed in way:  # so that deep pages with many links are read in time linear in both
            self._placed[passed] = place or "other"
        return place or "other"


def document(source: str, url: str) -> Document:
    """Parse a page. Raises TooMuch where it is nested too deep or has too many elements."""
    parser = html.HTMLParser(encoding="utf-8", huge_tree=True)
    text = _CONTROLS.sub("\ufffd", source) or " "
    root = etree.fromstring(text.encode("utf-8", "replace"), parser)
    if root is None:
        root = html.document_fromstring("<html><body></body></html>")
    if "<!--" in source:
        _without_comments_in_values(root)
    base = root.find(".//base[@href]")
    href = "" if base is None else base.get("href").strip()
    page = Document(url, source, root, base=joined(url, href) or url)
    _Walk(page).run()
    return page


def _without_comments_in_values(root: html.HtmlElement) -> None:
    """Take `<!--` out of the values of attributes: libxml2 serializes a value with many of them in time that grows
    with the square of their number, and libraries that read this tree serialize it."""
    for element in root.xpath("//*[@*[contains(., '<!--')]]"):
        for name, value in element.attrib.items():
            if "<!--" in value:
                with suppress(ValueError):  # HTML takes names and form feeds that XML does not
                    element.set(name, _NOT_XML.sub(" ", value.replace("<!--", "")))


def folded(text: str) -> str:
    """The text with its white space folded."""
    return " ".join(text.split())


def text_of(element: html.HtmlElement, apart: Collection[str] = BLOCKS) -> str:
    """All text inside an element, folded, with a space where one of the elements `apart` begins or ends."""
    parts: list[str] = []
    for event, node in etree.iterwalk(element, events=("start", "end")):
        if event == "end":
            text = "" if node is element else node.tail
        else:
            text = node.text if isinstance(node.tag, str) and node.tag not in ("script", "style") else ""
        parts += [" " if node.tag in apart else "", text or ""]
    return folded("".join(parts))


def around(element: html.HtmlElement, most: int) -> Iterator[html.HtmlElement]:
    """An element and those around it, the innermost first, at most so many."""
    return islice(chain([element], element.iterancestors()), most)


class _Walk:
    """One pass over the tree that gathers lines and places."""

    def __init__(self, page: Document) -> None:
        self.page = page
        self.parts: list[str] = []
        self.block: html.HtmlElement = page.root
        self.blocks: list[html.HtmlElement] = []
        self.inside: list[Place] = ["other"]
        self.first = 0
        self.offset = 0

    def run(self) -> None:
        walk = etree.iterwalk(self.page.root, events=("start", "end", "comment", "pi"))
        depth = count = 0
        for event, element in walk:
            if event == "start":
                depth, count = depth + 1, count + 1
                if depth > MAX_DEPTH:
                    raise TooMuch("too_deep", f"More than {MAX_DEPTH:,} elements are inside each other.")
                if count > MAX_ELEMENTS:
                    raise TooMuch("too_slow", f"The page has more than {MAX_ELEMENTS:,} elements.")
                if self._skipped(element):
                    walk.skip_subtree()
                else:
                    self._open(element)
            elif event == "end":
                depth -= 1
                self._close(element)
            else:
                self._text(element.tail, element)
        self._flush()

    def _skipped(self, element: html.HtmlElement) -> bool:
        if element.tag in UNSEEN:
            return True
        if element.get("hidden") is None and not _STYLED_AWAY.search(element.get("style") or ""):
            return False
        # An element with the first heading is the page itself, which a script shows once it is ready.
        if element.tag in ("html", "body", "main") or element.find(".//h1") is not None:
            return False
        self.page.unseen.append(element)
        return True

    def _open(self, element: html.HtmlElement) -> None:
        place = _place(element, self.inside[-1])
        if place != self.inside[-1]:
            self._flush()
            self.page.places[element] = place
        if element.tag in BLOCKS:
            self._flush()
            self.blocks.append(element)
        if element in self.page.places:
            self.inside.append(place)
        self._part_numbers(element)
        self._text(element.text, element)

    def _part_numbers(self, element: html.HtmlElement) -> None:
        """Separate an element's digits from digits right before it: a raised or small pair is the cents of a price
        (`229<sup>99</sup>`), other digits are another number."""
        text = element.text or ""
        if not self.parts or not text[:1].isdecimal() or not self.parts[-1][-1:].isdecimal():
            return
        pair = len(text.strip()) == 2 and text.strip().isdecimal()
        small = element.tag in ("sup", "small") or _CENTS.search(element.get("class") or "")
        if pair and (small or _PRICED.search("".join(self.parts[-3:]))):
            self.parts.append(".")
        elif element.tag not in ("sup", "sub"):
            self.parts.append(" ")

    def _close(self, element: html.HtmlElement) -> None:
        visible = element.tag not in UNSEEN and not (self.page.unseen and self.page.unseen[-1] is element)
        if visible and element.tag in BLOCKS:
            self._flush()
            if self.blocks and self.blocks[-1] is element:
                self.blocks.pop()
        if element in self.page.places:
            self._flush()
            self.inside.pop()
        parent = element.getparent()
        self._text(element.tail, element if parent is None else parent)

    def _text(self, text: str | None, element: html.HtmlElement) -> None:
        if not text or element is None:
            return
        if not self.parts:
            if not text.strip():
                return
            self.first = element.sourceline or 0
        self.parts.append(text)

    def _flush(self) -> None:
        if not self.parts:
            return
        text = folded("".join(self.parts))
        self.parts = []
        if text and self.offset < MAX_VISIBLE:
            block = self.blocks[-1] if self.blocks else self.page.root
            self.page.lines.append(Line(text, self.first, block, self.inside[-1], self.offset))
            self.offset += len(text) + 1


def _place(element: html.HtmlElement, around: Place) -> Place:
    """The place that an element opens, or the one around it."""
    tag, role = element.tag, element.get("role") or ""
    if marked := _ROLES.get(role) or _TAGS.get(tag):
        return marked
    if tag in ("header", "footer"):
        if around == "main":
            return around
        return "navigation" if tag == "header" else "footer"
    if tag not in ("div", "ul", "section", "table", "td") or around != "other":
        return around
    named = f"{element.get('id') or ''} {element.get('class') or ''}"
    named_place: Place = "footer" if _FOOTER.search(named) else "navigation" if _NAVIGATION.search(named) else around
    # An element with the first heading or the main part is a wrapper, whatever its name.
    return around if named_place == around or element.find(".//h1") is not None else named_place
