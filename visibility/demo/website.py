"""The demo brand's site: what its server answers to each address. It has the defects that real sites have.

Planted: product pages without structured data or a price, broken JSON-LD, a price in markup that is not the one on
the page, hidden text for assistants, a page that scripts write, `noindex` on a page for customers, one title twice,
the canonical address of another page, a search crawler barred from the guides, dates of years ago, a table without
header cells, images without text, a wrong language, links that are dead or take a detour, and a sitemap that lists a
page that is gone.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from enum import StrEnum
from functools import cache
from html import escape
from pathlib import Path
from string import Template
from urllib.parse import urlsplit

SITE = Path(__file__).parent / "site"
ORIGIN = "http://norrvik.example"
RECENT = timedelta(days=21)
"""So long ago, on the first of that month, the pages that are looked after were reviewed."""
REDIRECTS: Mapping[str, str] = {"/shop": "/bikes", "/bikes": "/bikes/", "/index.html": "/"}
GONE = ("/bikes/cargo",)
"""Still in the sitemap."""
BUILT = "2023-03-01"
"""What the sitemap says of every page."""
_HTML = "text/html; charset=utf-8"


class Edition(StrEnum):
    """Which state of the site: what its owners have mended and broken since is the difference. Pages of the earlier
    one that differ stand in `site/earlier`."""

    EARLIER = "earlier"
    NOW = "now"


@dataclass(frozen=True, slots=True)
class SiteAnswer:
    """What the site's server answers."""

    status: int
    content_type: str
    body: str
    location: str = ""


@dataclass(frozen=True, slots=True)
class _Page:
    """A page as its file has it: what stands in the head, and the body with places for dates."""

    path: str
    fields: Mapping[str, str]
    body: str


def answer(target: str, today: date, edition: Edition = Edition.NOW) -> SiteAnswer:
    """What this edition of the site answers to the target of a request on that day."""
    path = urlsplit(target).path
    if path == "/robots.txt":
        return SiteAnswer(200, "text/plain; charset=utf-8", (SITE / "robots.txt").read_text(encoding="utf-8"))
    if path == "/sitemap.xml":
        return SiteAnswer(200, "application/xml; charset=utf-8", _sitemap())
    if path in REDIRECTS:
        return SiteAnswer(301, _HTML, "", location=REDIRECTS[path])
    page = site_pages(edition).get(path)
    if page is None:
        return SiteAnswer(404, _HTML, _missing())
    return SiteAnswer(200, _HTML, _rendered(page, today))


@cache
def site_pages(edition: Edition = Edition.NOW) -> Mapping[str, _Page]:
    """All pages by their paths: of each file a head of fields, a line of three dashes, then the body."""
    folders = ["pages", *(["earlier"] if edition is Edition.EARLIER else [])]
    pages = [_read(file) for folder in folders for file in sorted((SITE / folder).glob("*.html"))]
    return {page.path: page for page in pages}


def _read(file: Path) -> _Page:
    head, body = file.read_text(encoding="utf-8").split("---\n", 1)
    fields = dict(line.split(": ", 1) for line in head.splitlines())
    return _Page(fields["path"], fields, body.strip())


@cache
def _layout() -> Template:
    return Template((SITE / "layout.html").read_text(encoding="utf-8"))


def _rendered(page: _Page, today: date) -> str:
    recent = (today - RECENT).replace(day=1)
    days = {"recent_iso": recent.isoformat(), "recent_text": f"{recent.day} {recent:%B %Y}"}
    fields = page.fields
    head = [f'<link rel="canonical" href="{ORIGIN}{fields["canonical"]}">'] if "canonical" in fields else []
    for name in ("description", "robots"):
        if name in fields:
            head.append(f'<meta name="{name}" content="{escape(fields[name])}">')
    return _layout().substitute(
        lang=fields.get("lang", "en"),
        title=escape(fields["title"], quote=False),
        head="\n".join(head),
        body=Template(page.body).safe_substitute(days),
    )


def _missing() -> str:
    return _layout().substitute(
        lang="en", title="Not found | Norrvik Cycles", head="", body="<main><h1>This page is not here.</h1></main>"
    )


def _sitemap() -> str:
    entries = "".join(
        f"<url><loc>{ORIGIN}{path}</loc><lastmod>{BUILT}</lastmod></url>" for path in [*site_pages(), *GONE]
    )
    return f'<?xml version="1.0" encoding="UTF-8"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{entries}</urlset>'
