"""Sitemaps as the protocol has them: lists of addresses (XML or text), and indexes of further files.

A file is read piece by piece and never in memory as a whole, however long it is. Entities and document types of its
own are refused: no sitemap needs them, and attacks are made of them.
"""

import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from datetime import UTC, datetime
from itertools import chain
from typing import Literal
from urllib.parse import urljoin, urlsplit
from xml.parsers import expat

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
MAX_DEPTH = 100
"""Elements inside each other; sitemaps have four."""
MAX_TOKEN = 2**20
"""Bytes of one tag or comment: expat looks at an unfinished one again with each piece that comes."""
_PACKED = 4_096
"""Packed bytes that are inflated at a time: they become at most a thousand times as many."""
_HTML = re.compile(rb"<!doctype\s+html|<html", re.IGNORECASE)
_MONTH = re.compile(r"^(\d{4})(?:-(\d{2}))?$")
_KINDS: dict[str, Literal["urlset", "index"]] = {"urlset": "urlset", "sitemapindex": "index"}
_OWN_ENTITIES = "The file declares entities of its own, which no reader of sitemaps follows."


class _Refused(Exception):
    """The file is read no further; why, as a sentence."""


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
        reader = _XmlReader(listing)
        problem = reader.read(chain([head], rest))
        if not reader.kind:
            root = reader.root[:60] or "?"
            return SitemapText("", problem=problem or f"The file is XML, but no sitemap: it begins with <{root}>.")
        return listing.result(reader.kind, problem, cut=pieces.cut and (reader.ended or not problem))
    lines = sum(listing.line(line) for line in _lines(chain([head], rest)))
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
    """The addresses of a file as they come: counted, and some of them stored."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.host = urlsplit(url).hostname
        self.origin = urljoin(url, "/")
        self.total = 0
        self.elsewhere = 0
        self.entries: list[SitemapEntry] = []
        self.children: list[str] = []
        self.step = 1

    def line(self, line: str) -> bool:
        """Take in a line of a text, and say that there was one."""
        if line[:8].lower().startswith(("http://", "https://")) and len(line.split(None, 1)) == 1:
            self.entry(line, "")
        return True

    def entry(self, address: str, changed: str) -> None:
        """Take in an address of a page."""
        address = self._counted(address)
        if (self.total - 1) % self.step:
            return
        if len(self.entries) == 2 * MAX_ENTRIES:
            self.entries, self.step = self.entries[::2], 2 * self.step
            if (self.total - 1) % self.step:
                return
        self.entries.append(SitemapEntry(address, read_time(changed), changed))

    def child(self, address: str) -> None:
        """Take in the address of a further file."""
        address = self._counted(address)
        if len(self.children) < MAX_CHILDREN:
            self.children.append(address)

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


class _XmlReader:
    """Reads XML without building a tree of it."""

    def __init__(self, listing: _Listing) -> None:
        self.listing = listing
        self.kind: Literal["urlset", "index", ""] = ""
        self.root = ""
        self.ended = False
        self._depth = 0
        self._item = ""
        """The entry that is open (`url` or `sitemap`), at the depth `_item_depth`, with the texts of its fields."""
        self._item_depth = 0
        self._texts: dict[str, str] = {}
        self._field = ""
        self._parts: list[str] = []
        self._size = 0

    def read(self, pieces: Iterable[bytes]) -> str:
        """Read the file; gives what is wrong with it, as a sentence."""
        parser = self._parser = expat.ParserCreate()
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.StartDoctypeDeclHandler = self._doctype
        parser.EntityDeclHandler = self._entity
        parsed = 0
        try:
            for piece in pieces:
                parser.Parse(piece, False)
                parsed += len(piece)
                if parsed - max(parser.CurrentByteIndex, 0) > MAX_TOKEN:
                    return f"The XML is broken (line {parser.CurrentLineNumber}: a tag or comment has no end)."
            self.ended = True
            parser.Parse(b"", True)
        except BrokenGzip:
            raise
        except _Refused as refused:
            return str(refused)
        except expat.ExpatError as error:
            return f"The XML is broken (line {error.lineno}: {expat.ErrorString(error.code)})."
        except (ValueError, LookupError) as error:  # an encoding that is none, or that no table can be made of
            return f"The XML is broken ({str(error)[:150]})."
        return ""

    def _doctype(self, name: str, system: str | None, public: str | None, has_own: int) -> None:
        if has_own:
            raise _Refused(_OWN_ENTITIES)

    def _entity(self, *declared: object) -> None:
        raise _Refused(_OWN_ENTITIES)

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        self._depth += 1
        if self._depth > MAX_DEPTH:
            raise _Refused(f"The XML is broken (more than {MAX_DEPTH} elements are inside each other).")
        name = tag.rpartition(":")[2]
        if not self.root:
            self.root, self.kind = name, _KINDS.get(name, "")
        if not self._item:
            if name in ("url", "sitemap"):
                self._item, self._item_depth, self._texts = name, self._depth, {}
        elif self._depth == self._item_depth + 1 and name in ("loc", "lastmod"):
            self._field, self._parts, self._size = name, [], 0
            self._parser.CharacterDataHandler = self._characters

    def _characters(self, text: str) -> None:
        if self._size <= MAX_URL:
            self._parts.append(text)
            self._size += len(text)

    def _end(self, tag: str) -> None:
        if self._field and self._depth == self._item_depth + 1:
            self._texts.setdefault(self._field, "".join(self._parts).strip())
            self._field = ""
            self._parser.CharacterDataHandler = None
        elif self._item and self._depth == self._item_depth:
            if address := self._texts.get("loc"):
                if self._item == "sitemap":
                    self.listing.child(address)
                else:
                    self.listing.entry(address, self._texts.get("lastmod", "")[:100])
            self._item = ""
        self._depth -= 1


def read_time(text: str) -> datetime | None:
    """The moment of a W3C date, in UTC; null where it is none."""
    try:
        if match := _MONTH.match(text):
            return datetime(int(match[1]), int(match[2] or 1), 1, tzinfo=UTC)
        moment = datetime.fromisoformat(text)
        return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).astimezone(UTC)
    except (ValueError, OverflowError):
        return None
