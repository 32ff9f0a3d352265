"""Reads sitemaps: lists of addresses (XML or text), and indexes of further files.

A file may have 50 MB, so of its XML only one entry at a time is in memory as a tree. Entities that it declares are
refused: no sitemap needs them, and attacks use them.
"""

import re
from contextlib import suppress
from datetime import UTC, datetime
from io import BytesIO
from typing import Any, Literal
from urllib.parse import urljoin, urlsplit

from lxml import etree

from visibility.audit.facts import SitemapEntry, SitemapText
from visibility.net.inflate import BrokenGzip, Inflater

MAX_BYTES = 50 * 2**20
"""Of a file, unpacked: what a sitemap may have (sitemaps.org)."""
MAX_TOTAL = 50_000
"""Addresses that a sitemap may list (sitemaps.org)."""
MAX_ENTRIES = 1_000
"""At least so many entries are sampled, and less than twice as many, evenly over the file; all are counted."""
MAX_CHILDREN = 500
MAX_URL = 2_048
_PIECE = 1 << 16
"""Bytes of XML to parse at a time, before what was read of them is dropped."""
_HTML = re.compile(rb"<!doctype\s+html|<html", re.IGNORECASE)
_MONTH = re.compile(r"^(\d{4})(?:-(\d{2}))?$")
_KINDS: dict[str, Literal["urlset", "index"]] = {"urlset": "urlset", "sitemapindex": "index"}
_OWN_ENTITIES = "The file declares entities of its own, which no reader of sitemaps follows."


def read_sitemap(body: bytes, *, url: str, cut: bool = False) -> SitemapText:
    """Read a sitemap that `url` answered with, packed or not; never raises. `cut`: the body is the beginning of a
    longer one."""
    try:
        body, more = _unpacked(body, cut=cut)
    except BrokenGzip:
        return SitemapText("", problem="The file is damaged: it cannot be unpacked.")
    body = body.lstrip()
    start = body[:1_000].removeprefix(b"\xef\xbb\xbf").lstrip()
    if not start:
        return SitemapText("", problem="The file is empty.")
    if _HTML.match(start):
        return SitemapText("", problem="The address answers with an HTML page, not with a sitemap.")
    listing = _Listing(url)
    if start[:1] == b"<" or body.startswith((b"\xff\xfe", b"\xfe\xff")):
        root, problem, ended = _read_xml(body, listing)
        if root not in _KINDS:
            problem = problem or f"The file is XML, but no sitemap: it begins with <{root[:60] or '?'}>."
            return SitemapText("", problem=problem)
        return listing.result(_KINDS[root], problem, cut=more and ended)
    lines = 0
    for written in BytesIO(body.replace(b"\r", b"\n")):
        line = written[: MAX_URL + 1].decode("utf-8-sig", "replace").strip()
        lines += bool(line)
        if line[:8].lower().startswith(("http://", "https://")) and len(line.split(None, 1)) == 1:
            listing.entry(line, "")
    if not listing.total or listing.total < lines / 2:
        return SitemapText("", problem="The file is neither XML nor a list of addresses.")
    return listing.result("text", "", cut=more)


def _unpacked(body: bytes, *, cut: bool) -> tuple[bytes, bool]:
    """A file, inflated where it is packed, up to the bound, and whether there is more. Raises BrokenGzip."""
    if not body.startswith(b"\x1f\x8b"):
        return body[:MAX_BYTES], cut or len(body) > MAX_BYTES
    inflater = Inflater(MAX_BYTES)
    inflater.feed(body)
    cut = cut or inflater.cut
    if not cut and not inflater.complete:
        raise BrokenGzip("The end is missing.")
    return inflater.inflated(), cut


class _Listing:
    """Counts the addresses of a file as they come, and stores a sample of them."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.host = urlsplit(url).hostname
        self.origin = urljoin(url, "/")
        self.total = 0
        self.elsewhere = 0
        self.nested = 0
        """Addresses below the level where crawlers look for them."""
        self.entries: list[SitemapEntry] = []
        self.children: list[str] = []
        self.step = 1

    def entry(self, address: str, changed: str) -> None:
        """Add the address of a page."""
        address = self._counted(address)
        if (self.total - 1) % self.step:
            return
        if len(self.entries) == 2 * MAX_ENTRIES:
            self.entries, self.step = self.entries[::2], 2 * self.step
            if (self.total - 1) % self.step:
                return
        self.entries.append(SitemapEntry(address, read_time(changed), changed))

    def take(self, element: Any) -> None:
        """Add an element of the list, if it is an entry."""
        texts: dict[str, str] = {}
        for part in element:
            texts.setdefault(_name(part), (part.text or "").strip())
        if address := texts.get("loc"):
            if _name(element) == "sitemap":
                address = self._counted(address)
                if len(self.children) < MAX_CHILDREN:
                    self.children.append(address)
            elif _name(element) == "url":
                self.entry(address, texts.get("lastmod", "")[:100])
        else:
            namespace = element.tag.rpartition("}")[0]
            below = element.iter(f"{namespace}}}loc" if namespace else "loc")
            self.nested += sum(loc.getparent() is not element and bool((loc.text or "").strip()) for loc in below)

    def _counted(self, address: str) -> str:
        self.total += 1
        if address.startswith(self.origin):  # nearly all are
            return address[:MAX_URL]
        host = None
        with suppress(ValueError):
            address = urljoin(self.url, address)[:MAX_URL]
            host = urlsplit(address).hostname
        self.elsewhere += host != self.host
        return address[:MAX_URL]

    def result(self, kind: Literal["urlset", "index", "text"], problem: str, *, cut: bool) -> SitemapText:
        if cut:
            problem = f"It is longer than the {MAX_BYTES // 2**20} MB that a sitemap may have; the rest was not read."
        elif not problem and self.nested:
            its = f"{self.nested:,} of its" if self.total else "its"
            problem = f"It lists {its} addresses one level too deep, where crawlers do not look for them."
        elif not problem and not self.total:
            problem = "It lists no address."
        elif not problem and self.total > MAX_TOTAL:
            problem = f"It lists {self.total:,} addresses; a sitemap may list {MAX_TOTAL:,}."
        elif not problem and self.elsewhere == self.total:
            problem = "All of its addresses are on another host than the sitemap."
        return SitemapText(kind, tuple(self.entries), self.total, problem, tuple(self.children))


def _read_xml(body: bytes, listing: _Listing) -> tuple[str, str, bool]:
    """Read XML, with only the open entry in memory: the name of its root, its fault as a sentence, and whether it was
    read up to its end."""
    parser = etree.XMLPullParser(
        ("start", "end"), resolve_entities=False, no_network=True, remove_comments=True, remove_pis=True
    )
    root = None
    for start in range(0, len(body) + _PIECE, _PIECE):
        piece = body[start : start + _PIECE]
        with suppress(etree.XMLSyntaxError):  # its log says more
            if piece:
                parser.feed(piece)
            else:
                parser.close()
        for event, element in parser.read_events():
            if root is None:
                root = element
                if _declares_entities(root):
                    return _name(root), _OWN_ENTITIES, False
            elif event == "end" and element.getparent() is root:
                listing.take(element)
                element.clear()
                while element.getprevious() is not None:
                    del root[0]
        # Undeclared prefixes are errors, too, but not fatal ones.
        if fatal := parser.feed_error_log.filter_from_fatals():
            problem = f"The XML is broken (line {fatal[0].line}: {fatal[0].message[:150]})."
            return _name(root), problem, not piece
    return _name(root), "", True


def _declares_entities(root: Any) -> bool:
    declared = root.getroottree().docinfo.internalDTD
    return declared is not None and any(True for _ in declared.iterentities())


def _name(element: Any) -> Any:
    """The name of an element without its namespace or prefix."""
    return element.tag.rpartition("}")[2].rpartition(":")[2] if element is not None else ""


def read_time(text: str) -> datetime | None:
    """The moment of a W3C date, in UTC; null where it is none."""
    try:
        if match := _MONTH.match(text):
            return datetime(int(match[1]), int(match[2] or 1), 1, tzinfo=UTC)
        moment = datetime.fromisoformat(text)
        return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).astimezone(UTC)
    except (ValueError, OverflowError):
        return None
