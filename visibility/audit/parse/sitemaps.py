"""Sitemaps as the protocol has them: lists of addresses (XML or text), indexes of further files, feeds."""

import re
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Literal, NamedTuple
from urllib.parse import urljoin, urlsplit

from lxml import etree

from visibility.audit.site import SitemapEntry

MAX_ENTRIES = 5_000
"""Entries that are kept; all are counted."""
MAX_CHILDREN = 500
MAX_TOTAL = 50_000
"""Addresses that a sitemap may list (sitemaps.org)."""
MAX_URL = 2_048

_HTML = re.compile(rb"^\s*(?:<!doctype\s+html|<html)", re.IGNORECASE)
_ADDRESS = re.compile(r"^https?://\S+$", re.IGNORECASE)
_STAMP = re.compile(r"^(\d{4})(?:-(\d{2}))?$")
_ITEMS = {"url": "lastmod", "sitemap": "lastmod", "item": "pubDate", "entry": "updated"}
"""The elements that are entries, and where each says when it changed."""
_KINDS: dict[str, Literal["urlset", "index", "feed"]] = {
    "urlset": "urlset", "sitemapindex": "index", "rss": "feed", "RDF": "feed", "feed": "feed",
}  # fmt: skip


class ReadSitemap(NamedTuple):
    """What a sitemap file holds. `kind` is empty where it is none; `children`: the files that an index lists."""

    kind: Literal["urlset", "index", "text", "feed", ""]
    entries: tuple[SitemapEntry, ...] = ()
    total: int = 0
    problem: str = ""
    children: tuple[str, ...] = ()


def read_sitemap(body: bytes, url: str) -> ReadSitemap:
    """Read a sitemap that `url` answered with (inflated already); never raises.

    Entities and document types of its own are refused: no sitemap needs them, and attacks are made of them.
    """
    if not body.strip():
        return ReadSitemap("", problem="The file is empty.")
    if _HTML.match(body[:1_000]):
        return ReadSitemap("", problem="The address answers with an HTML page, not with a sitemap.")
    if body.lstrip(b"\xef\xbb\xbf \t\r\n")[:1] != b"<" and not body.startswith((b"\xff\xfe", b"\xfe\xff")):
        return _text(body, url)
    if re.search(rb"<!(?:ENTITY|DOCTYPE[^>]*\[)", body.replace(b"\0", b"")):
        return ReadSitemap("", problem="The file declares entities of its own, which no reader of sitemaps follows.")
    return _xml(body, url)


def _text(body: bytes, url: str) -> ReadSitemap:
    lines = [line.strip() for line in body.decode("utf-8-sig", "replace").splitlines()]
    lines = [line for line in lines if line]
    addresses = [line for line in lines if _ADDRESS.match(line)]
    if not addresses or len(addresses) < len(lines) / 2:
        return ReadSitemap("", problem="The file is neither XML nor a list of addresses.")
    entries = tuple(SitemapEntry(line[:MAX_URL]) for line in addresses[:MAX_ENTRIES])
    return ReadSitemap("text", entries, len(addresses), _problem(entries, len(addresses), url))


def _xml(body: bytes, url: str) -> ReadSitemap:
    parser = etree.XMLPullParser(
        events=("start", "end"),
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        recover=True,
        huge_tree=False,
    )
    reader = _Reader(url)
    try:
        for start in range(0, len(body), 1 << 16):
            parser.feed(body[start : start + (1 << 16)])
            reader.take(parser)
        parser.close()
        reader.take(parser)
    except (etree.XMLSyntaxError, ValueError) as error:
        reader.broken = str(error)
    errors = parser.feed_error_log.filter_from_errors()
    return reader.result(next((f"line {error.line}: {error.message}" for error in errors), reader.broken))


class _Reader:
    def __init__(self, url: str) -> None:
        self.url = url
        self.kind: Literal["urlset", "index", "feed", ""] = ""
        self.root = ""
        self.entries: list[SitemapEntry] = []
        self.children: list[str] = []
        self.total = 0
        self.broken = ""

    def take(self, parser: etree.XMLPullParser) -> None:
        for event, element in parser.read_events():
            if not isinstance(element, etree._Element) or not isinstance(element.tag, str):
                continue
            name = _name(element)
            if not self.root:
                self.root, self.kind = name, _KINDS.get(name, "")
            if event == "end" and name in _ITEMS:
                self.item(element, name)
                element.clear()

    def item(self, element: etree._Element, name: str) -> None:
        address = urljoin(self.url, _address(element))[:MAX_URL] if _address(element) else ""
        if not address:
            return
        if name == "sitemap":
            self.total += 1
            if len(self.children) < MAX_CHILDREN:
                self.children.append(address)
            return
        self.total += 1
        if len(self.entries) < MAX_ENTRIES:
            said = _child(element, _ITEMS[name]) or _child(element, "published") or _child(element, "date")
            self.entries.append(SitemapEntry(address, read_time(said), said[:100]))

    def result(self, error: str) -> ReadSitemap:
        if not self.kind:
            return ReadSitemap("", problem=f"The file is XML, but no sitemap: it begins with <{self.root or '?'}>.")
        entries, children = tuple(self.entries), tuple(self.children)
        listed = entries if self.kind != "index" else tuple(SitemapEntry(child) for child in children)
        problem = f"The XML is broken ({error[:150]})." if error else _problem(listed, self.total, self.url)
        return ReadSitemap(self.kind, entries, self.total, problem, children)


def _problem(entries: tuple[SitemapEntry, ...], total: int, url: str) -> str:
    """What is wrong with what a sitemap lists; empty where nothing is."""
    if not total:
        return "It lists no address."
    if total > MAX_TOTAL:
        return f"It lists {total:,} addresses; a sitemap may list {MAX_TOTAL:,}."
    host = urlsplit(url).hostname
    strange = [entry.url for entry in entries if _host(entry.url) != host]
    if strange:
        other = _host(strange[0]) or strange[0][:60]
        return f"{len(strange)} of {total} addresses are on another host than the sitemap ({other})."
    return ""


def _host(url: str) -> str | None:
    try:
        return urlsplit(url).hostname
    except ValueError:
        return None


def _name(element: etree._Element) -> str:
    return str(element.tag).rpartition("}")[2]


def _address(element: etree._Element) -> str:
    if loc := _child(element, "loc"):
        return loc
    for child in element:
        if isinstance(child.tag, str) and _name(child) == "link":
            if child.get("href") and child.get("rel", "alternate") == "alternate":
                return str(child.get("href")).strip()
            if child.text and child.text.strip():
                return child.text.strip()
    return ""


def _child(element: etree._Element, name: str) -> str:
    children = (child for child in element if isinstance(child.tag, str) and _name(child) == name)
    return "".join(map(str, next(children, etree.Element("none")).itertext())).strip()


def read_time(text: str) -> datetime | None:
    """The moment of a W3C date or a date of RFC 2822, in UTC; null where it is none."""
    try:
        if match := _STAMP.match(text):
            return datetime(int(match[1]), int(match[2] or 1), 1, tzinfo=UTC)
        moment = datetime.fromisoformat(text) if text[:4].isdigit() else parsedate_to_datetime(text)
        return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).astimezone(UTC)
    except (ValueError, TypeError, IndexError, OverflowError):
        return None
