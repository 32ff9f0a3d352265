"""Reads sitemaps: lists of addresses (XML or text), and indexes of further files.

A file is read piece by piece and never in memory as a whole, however long it is. Entities that it declares are
refused: no sitemap needs them, and attacks use them.
"""

import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from datetime import UTC, datetime
from itertools import chain
from typing import Any, Literal
from urllib.parse import urljoin, urlsplit

from lxml import etree

from visibility.audit.facts import SitemapEntry, SitemapText
from visibility.audit.fetch.inflate import BrokenGzip, Inflater

MAX_BYTES = 50 * 2**20
"""Of a file, unpacked: what a sitemap may have (sitemaps.org)."""
MAX_TOTAL = 50_000
"""Addresses that a sitemap may list (sitemaps.org)."""
MAX_ENTRIES = 1_000
"""At least so many entries are sampled, and less than twice as many, evenly over the file; all are counted."""
MAX_CHILDREN = 500
MAX_URL = 2_048
_PACKED = 4_096
"""Packed bytes to inflate at a time; they become at most a thousand times as many."""
_HTML = re.compile(rb"<!doctype\s+html|<html", re.IGNORECASE)
_MONTH = re.compile(r"^(\d{4})(?:-(\d{2}))?$")
_KINDS: dict[str, Literal["urlset", "index"]] = {"urlset": "urlset", "sitemapindex": "index"}
_OWN_ENTITIES = "The file declares entities of its own, which no reader of sitemaps follows."


def read_sitemap(body: Iterable[bytes], *, url: str, cut: bool = False) -> SitemapText:
    """Read a sitemap that `url` answered with, packed or not; never raises. `cut`: the body is the beginning of a
    longer one."""
    pieces = _Unpacked(body, cut=cut)
    try:
        return _read(pieces, url)
    except BrokenGzip:
        return SitemapText("", problem="The file is damaged: it cannot be unpacked.")


def _read(pieces: "_Unpacked", url: str) -> SitemapText:
    rest, head = iter(pieces), b""
    for piece in rest:
        head = head + piece if head else piece.lstrip(b" \t\r\n")
        if len(head) >= 1_000:
            break
    start = head.removeprefix(b"\xef\xbb\xbf").lstrip(b" \t\r\n")
    if not start:
        return SitemapText("", problem="The file is empty.")
    if _HTML.match(start[:1_000]):
        return SitemapText("", problem="The address answers with an HTML page, not with a sitemap.")
    listing = _Listing(url)
    if start[:1] == b"<" or head.startswith((b"\xff\xfe", b"\xfe\xff")):
        root, problem, ended = _read_xml(chain([head.lstrip()], rest), listing)
        if root not in _KINDS:
            problem = problem or f"The file is XML, but no sitemap: it begins with <{root[:60] or '?'}>."
            return SitemapText("", problem=problem)
        return listing.result(_KINDS[root], problem, cut=pieces.cut and ended)
    lines = 0
    for line in _lines(chain([head], rest)):
        lines += 1
        if line[:8].lower().startswith(("http://", "https://")) and len(line.split(None, 1)) == 1:
            listing.entry(line, "")
    if not listing.total or listing.total < lines / 2:
        return SitemapText("", problem="The file is neither XML nor a list of addresses.")
    return listing.result("text", "", cut=pieces.cut)


class _Unpacked:
    """The pieces of a file, inflated where it is packed, up to the bound. `cut`: there is more."""

    def __init__(self, body: Iterable[bytes], *, cut: bool) -> None:
        self._body = body
        self.cut = cut

    def __iter__(self) -> Iterator[bytes]:
        pieces = (piece for piece in self._body if piece)
        first = next(pieces, b"")
        if first.startswith(b"\x1f\x8b"):
            yield from self._inflated(chain([first], pieces))
            return
        left = MAX_BYTES
        for piece in chain([first], pieces):
            yield piece[:left]
            left -= len(piece)
            if left < 0:
                self.cut = True
                return

    def _inflated(self, packed: Iterable[bytes]) -> Iterator[bytes]:
        inflater = Inflater(MAX_BYTES)
        for piece in packed:
            for start in range(0, len(piece), _PACKED):
                inflater.feed(piece[start : start + _PACKED])
                yield inflater.inflated()
            if inflater.cut:
                break
        self.cut = self.cut or inflater.cut
        if not self.cut and not inflater.complete:
            raise BrokenGzip("The end is missing.")


def _lines(pieces: Iterable[bytes]) -> Iterator[str]:
    """The lines of a text that are not empty, each up to the length of an address."""
    unfinished = b""
    for piece in pieces:
        *lines, unfinished = (unfinished + piece).replace(b"\r", b"\n").split(b"\n")
        unfinished = unfinished[: MAX_URL + 1]
        yield from filter(None, (line[: MAX_URL + 1].decode("utf-8-sig", "replace").strip() for line in lines))
    if line := unfinished.decode("utf-8-sig", "replace").strip():
        yield line


class _Listing:
    """Counts the addresses of a file as they come, and stores a sample of them."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.host = urlsplit(url).hostname
        self.origin = urljoin(url, "/")
        self.total = 0
        self.elsewhere = 0
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
        elif not problem and not self.total:
            problem = "It lists no address."
        elif not problem and self.total > MAX_TOTAL:
            problem = f"It lists {self.total:,} addresses; a sitemap may list {MAX_TOTAL:,}."
        elif not problem and self.elsewhere == self.total:
            problem = "All of its addresses are on another host than the sitemap."
        return SitemapText(kind, tuple(self.entries), self.total, problem, tuple(self.children))


def _read_xml(pieces: Iterable[bytes], listing: _Listing) -> tuple[str, str, bool]:
    """Read XML, with only the open entry in memory: the name of its root, its fault as a sentence, and whether it was
    read up to its end."""
    parser = etree.XMLPullParser(
        ("start", "end"), resolve_entities=False, no_network=True, remove_comments=True, remove_pis=True
    )
    root, ended = None, False
    for piece in chain(pieces, [None]):
        with suppress(etree.XMLSyntaxError):  # its log says more
            if piece is None:
                ended = True
                parser.close()
            else:
                parser.feed(piece)
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
            return _name(root), problem, ended
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
