"""Sitemaps as the protocol has them: lists of addresses (XML or text), indexes of further files, feeds.

A file is read piece by piece and never held as a whole, however long it is.
"""

import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from itertools import chain
from typing import Literal
from urllib.parse import urljoin, urlsplit
from xml.parsers import expat

from visibility.audit.fetch.inflate import BrokenGzip, Inflater
from visibility.audit.site import SitemapEntry

MAX_BYTES = 50 * 2**20
"""Of a file, unpacked: what a sitemap may have (sitemaps.org)."""
MAX_ENTRIES = 1_000
"""At least so many entries are kept, and less than twice as many, evenly over the file; all are counted."""
MAX_CHILDREN = 500
MAX_TOTAL = 50_000
"""Addresses that a sitemap may list (sitemaps.org)."""
MAX_URL = 2_048
MAX_DEPTH = 100
"""Elements inside each other; sitemaps have four."""
MAX_TOKEN = 2**20
"""Bytes of one tag or comment: an unfinished one is looked at again with each piece that comes."""

_GZIP = b"\x1f\x8b"
_BLANK = b" \t\r\n"
_HEAD = 1_000
_PACKED = 4_096
"""Packed bytes that are inflated at a time: they become at most a thousand times as many."""
_HTML = re.compile(rb"<!doctype\s+html|<html", re.IGNORECASE)
_STAMP = re.compile(r"^(\d{4})(?:-(\d{2}))?$")
_ITEMS = {"url": "lastmod", "sitemap": "lastmod", "item": "pubDate", "entry": "updated"}
"""The elements that are entries, and where each says when it changed."""
_FIELDS = frozenset({"loc", "link", "published", "date", *_ITEMS.values()})
_KINDS: dict[str, Literal["urlset", "index", "feed"]] = {
    "urlset": "urlset", "sitemapindex": "index", "rss": "feed", "RDF": "feed", "feed": "feed",
}  # fmt: skip
_OWN_ENTITIES = "The file declares entities of its own, which no reader of sitemaps follows."


@dataclass(frozen=True, slots=True)
class ReadSitemap:
    """What a sitemap file holds. `kind` is empty where it is none; `children`: the files that an index lists."""

    kind: Literal["urlset", "index", "text", "feed", ""]
    entries: tuple[SitemapEntry, ...] = ()
    total: int = 0
    problem: str = ""
    children: tuple[str, ...] = ()


class _Refused(Exception):
    """The file is read no further; why, as a sentence."""


def read_sitemap(body: Iterable[bytes], url: str, *, cut: bool = False) -> ReadSitemap:
    """Read a sitemap that `url` answered with, packed or not; never raises. `cut`: the body is the beginning of a
    longer one.

    Entities and document types of its own are refused: no sitemap needs them, and attacks are made of them.
    """
    pieces = _Unpacked(body, cut=cut)
    try:
        return _read(pieces, url)
    except BrokenGzip:
        return ReadSitemap("", problem="The file is damaged: it cannot be unpacked.")


def _read(pieces: "_Unpacked", url: str) -> ReadSitemap:
    rest = iter(pieces)
    head, blank = b"", False
    for piece in rest:
        blank = blank or (not head and piece[:1].isspace())
        head = head + piece if head else piece.lstrip(_BLANK)
        if len(head) >= _HEAD:
            break
    start = head.removeprefix(b"\xef\xbb\xbf").lstrip(_BLANK)
    if not start:
        return ReadSitemap("", problem="The file is empty.")
    if _HTML.match(start[:_HEAD]):
        return ReadSitemap("", problem="The address answers with an HTML page, not with a sitemap.")
    listing = _Listing(url)
    if start[:1] == b"<" or head.startswith((b"\xff\xfe", b"\xfe\xff")):
        reader = _XmlReader(listing)
        problem = reader.read(chain([head], rest))
        if not reader.kind:
            return ReadSitemap("", problem=problem or _no_sitemap(reader.root))
        if not problem and blank and head.startswith(b"<?xml"):
            problem = "The XML is broken (white space stands before its declaration)."
        # The end of what we cut ourselves is not broken.
        cut = pieces.cut and (reader.ended or not problem)
        return listing.result(reader.kind, problem, cut=cut)
    lines = sum(listing.line(line) for line in _lines(chain([head], rest)))
    if not listing.total or listing.total < lines / 2:
        return ReadSitemap("", problem="The file is neither XML nor a list of addresses.")
    return listing.result("text", "", cut=pieces.cut)


def _no_sitemap(root: str) -> str:
    return f"The file is XML, but no sitemap: it begins with <{root[:60] or '?'}>."


class _Unpacked:
    """The pieces of a file, inflated where it is packed, up to the bound. `cut`: there is more."""

    def __init__(self, body: Iterable[bytes], *, cut: bool) -> None:
        self._body = body
        self.cut = cut

    def __iter__(self) -> Iterator[bytes]:
        pieces = (piece for piece in self._body if piece)
        first = next(pieces, b"")
        if first.startswith(_GZIP):
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
    """The addresses of a file as they come: counted, and some of them kept."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.host = urlsplit(url).hostname
        self.origin = urljoin(url, "/")
        self.total = 0
        self.elsewhere = 0
        self.strange = ""
        """The first address on another host."""
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
        if (self.total - 1) % self.step == 0:
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
        with suppress(ValueError):
            address = urljoin(self.url, address)
        address = address[:MAX_URL]
        if _host(address) != self.host:
            self.elsewhere += 1
            self.strange = self.strange or address
        return address

    def result(self, kind: Literal["urlset", "index", "text", "feed"], problem: str, *, cut: bool) -> ReadSitemap:
        problem = self._cut() if cut else problem or self._problem()
        return ReadSitemap(kind, tuple(self.entries), self.total, problem, tuple(self.children))

    def _cut(self) -> str:
        return (
            f"It is longer than {MAX_BYTES // 2**20} MB, which is what a sitemap may have: we read it up to there "
            f"({self.total:,} addresses) and cut the rest."
        )

    def _problem(self) -> str:
        """What is wrong with what a sitemap lists; empty where nothing is."""
        if not self.total:
            return "It lists no address."
        if self.total > MAX_TOTAL:
            return f"It lists {self.total:,} addresses; a sitemap may list {MAX_TOTAL:,}."
        if self.elsewhere:
            other = _host(self.strange) or self.strange[:60]
            return f"{self.elsewhere} of {self.total} addresses are on another host than the sitemap ({other})."
        return ""


class _XmlReader:
    """Reads XML without building a tree of it."""

    def __init__(self, listing: _Listing) -> None:
        self.listing = listing
        self.kind: Literal["urlset", "index", "feed", ""] = ""
        self.root = ""
        self.ended = False
        """The file was read to its end."""
        self._depth = 0
        self._item = ""
        """The entry that is open, at the depth `_item_depth`, with what its fields say."""
        self._item_depth = 0
        self._said: dict[str, str] = {}
        self._field = ""
        self._text: list[str] = []
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
            raise _Refused(f"The XML is broken (more than {MAX_DEPTH} elements stand inside each other).")
        name = tag.rpartition(":")[2]
        if not self.root:
            self.root, self.kind = name, _KINDS.get(name, "")
        if not self._item:
            if name in _ITEMS:
                self._item, self._item_depth, self._said = name, self._depth, {}
        elif self._depth == self._item_depth + 1 and name in _FIELDS:
            self._field, self._text, self._size = name, [], 0
            self._parser.CharacterDataHandler = self._characters
            if name == "link" and attributes.get("rel", "alternate") == "alternate" and attributes.get("href"):
                self._said.setdefault("link", attributes["href"].strip())

    def _characters(self, text: str) -> None:
        if self._size <= MAX_URL:
            self._text.append(text)
            self._size += len(text)

    def _end(self, tag: str) -> None:
        if self._field and self._depth == self._item_depth + 1:
            if text := "".join(self._text).strip():
                self._said.setdefault(self._field, text)
            self._field = ""
            self._parser.CharacterDataHandler = None
        elif self._item and self._depth == self._item_depth:
            self._close(self._item, self._said)
            self._item = ""
        self._depth -= 1

    def _close(self, item: str, said: dict[str, str]) -> None:
        address = said.get("loc") or said.get("link")
        if not address:
            return
        if item == "sitemap":
            self.listing.child(address)
        else:
            changed = said.get(_ITEMS[item]) or said.get("published") or said.get("date") or ""
            self.listing.entry(address, changed[:100])


def _host(url: str) -> str | None:
    try:
        return urlsplit(url).hostname
    except ValueError:
        return None


def read_time(text: str) -> datetime | None:
    """The moment of a W3C date or a date of RFC 2822, in UTC; null where it is none."""
    try:
        if match := _STAMP.match(text):
            return datetime(int(match[1]), int(match[2] or 1), 1, tzinfo=UTC)
        moment = datetime.fromisoformat(text) if text[:4].isdigit() else parsedate_to_datetime(text)
        return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).astimezone(UTC)
    except (ValueError, TypeError, IndexError, OverflowError):
        return None
