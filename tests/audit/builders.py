"""Sites, pages and answers for the tests of checks: a good small site by default, and what each test changes of it.

Addresses may be given as paths: `/pricing` is a page of `HOME`'s host.
"""

import hashlib
from datetime import UTC, date, datetime, timedelta
from typing import Any
from urllib.parse import urljoin

from visibility.audit.checks.access.crawlers import CRAWLERS
from visibility.audit.checks.addresses import joined_to
from visibility.audit.page import Heading, HeadLink, Link, Markup, Meta, PageKind, ParsedPage, Text, Unparsed
from visibility.audit.parse.robots import parse_robots
from visibility.audit.parse.texts import read_text
from visibility.audit.site import (
    AgentProbe,
    AgentVerdict,
    EarlierPage,
    Fetched,
    Hop,
    Probe,
    Robots,
    Site,
    Sitemap,
    SitemapEntry,
    SitePage,
)

HOME = "https://norrvik.example/"
AUDITED_AT = datetime(2026, 3, 1, 12, tzinfo=UTC)
USER_AGENT = "BrandVisibilityBot/1.0 (+https://visibility.example/bot)"
KINDS: dict[str, PageKind] = {
    "/": "home",
    "/pricing": "pricing",
    "/about": "about",
    "/contact": "contact",
    "/login": "login",
    "/search": "search",
    "/privacy": "legal",
}
"""What a page is for where its address tells it."""
PROSE = (
    "Norrvik makes kettles for people who drink tea all day. Each kettle is made of steel, holds its heat for an "
    "hour and comes with a guarantee of five years. "
)


def address(path: str) -> str:
    """The absolute address of a path; absolute addresses stay, and what is none is empty."""
    return joined_to(HOME, path)


def fetched(
    url: str = "/",
    status: int = 200,
    *,
    headers: dict[str, str] | None = None,
    hops: tuple[Hop, ...] | list[tuple[str, int]] = (),
    final_url: str = "",
    **more: Any,
) -> Fetched:
    """What an address answered: HTML with status 200 by default; `hops` as (address, status)."""
    asked = address(url)
    return Fetched(
        url=asked,
        status=status,
        final_url=address(final_url) if final_url else (asked if status else ""),
        headers=tuple({"content-type": "text/html; charset=utf-8", **(headers or {})}.items()),
        hops=tuple(hop if isinstance(hop, Hop) else Hop(address(hop[0]), hop[1]) for hop in hops),
        **{"first_byte_seconds": 0.1, "bytes": 20_000, **more},
    )


def parsed(url: str = "/", kind: PageKind | None = None, **said: Any) -> ParsedPage:
    """A page that says what a good one says: title, canonical address, a heading, 300 words, a main landmark.

    `title`, `canonical` (made absolute) and `robots` (a meta element) are short forms: None leaves them out.
    `markup` may hold plain nodes. Every other field of `ParsedPage` can be named.
    """
    asked = address(url)
    kind = kind or KINDS.get(url, "other")
    name = url.strip("/").rsplit("/", 1)[-1].replace("-", " ").capitalize() or "Home"
    title = said.pop("title", f"{name}: kettles by Norrvik")
    canonical = said.pop("canonical", asked)
    robots = said.pop("robots", None)
    text = said.pop("main_text", PROSE * 10)
    metas = said.pop("metas", (Meta("description", f"{name}: what Norrvik makes, for whom and why.", 5),))
    named = None if canonical is None else urljoin(asked, canonical)
    links = (HeadLink("canonical", named, 6, href=named),) if named is not None else ()
    defaults: dict[str, Any] = {
        "kind_because": f"{url} in the address",
        "content_hash": hashlib.sha256((asked + text).encode()).hexdigest(),
        "html_bytes": 20_000,
        "words": len(text.split()),
        "visible_words": len(text.split()) + 40,
        "main_text": text,
        "visible_text": f"Shop Help {text} Contact",
        "lang_declared": "en",
        "lang_detected": "en",
        "titles": (Text(title, 4),) if title is not None else (),
        "metas": (*metas, *((Meta("robots", robots, 7),) if robots is not None else ())),
        "head_links": (*links, *said.pop("head_links", ())),
        "headings": (
            Heading(1, name, 20, 40, PROSE),
            Heading(2, "Why", 30, 60, PROSE),
            Heading(2, "How", 40, 60, PROSE),
        ),
        "landmarks": ("main", "nav", "header", "footer"),
        "markup": nodes(*said.pop("markup", ())),
    }
    return ParsedPage(url=asked, kind=kind, **{**defaults, **said})


def nodes(*given: Markup | dict[str, Any]) -> tuple[Markup, ...]:
    """Blocks of structured data: a plain node becomes a JSON-LD block of its own."""
    return tuple(
        each if isinstance(each, Markup) else Markup("json-ld", 50 + at, (each,)) for at, each in enumerate(given)
    )


def links(*paths: str, place: str = "navigation") -> tuple[Link, ...]:
    """Anchors to these addresses."""
    return tuple(
        Link(address(path), path.strip("/") or "Home", 60 + at, place, href=path) for at, path in enumerate(paths)
    )  # type: ignore[arg-type]


def page(
    url: str = "/",
    kind: PageKind | None = None,
    *,
    answer: Fetched | None = None,
    status: int = 200,
    headers: dict[str, str] | None = None,
    depth: int | None = None,
    found_by: str = "",
    linked_from: str = "",
    lastmod: date | None = None,
    unparsed: Unparsed | None = None,
    **said: Any,
) -> SitePage:
    """A page of the crawl. `said` is what it says (see `parsed`); a status other than 200 leaves nothing read."""
    answer = answer or fetched(url, status, headers=headers)
    home = url in ("/", HOME)
    return SitePage(
        fetched=answer,
        found_by=found_by or ("home" if home else "link"),  # type: ignore[arg-type]
        depth=(0 if home else 1) if depth is None else depth,
        parsed=parsed(url, kind, **said) if answer.answered and unparsed is None else None,
        unparsed=unparsed,
        linked_from=linked_from or ("" if home else HOME),
        lastmod=lastmod,
    )


def good_pages() -> tuple[SitePage, ...]:
    """A home page and three others that it links."""
    others = ("/about", "/pricing", "/kettle")
    home = page("/", links=links("/", *others))
    return (home, *(page(url, links=links("/", *others)) for url in others))


def robots(text: str | None = "User-agent: *\nAllow: /\n", status: int | None = None, **more: Any) -> Robots:
    """robots.txt with this text; null for none (404)."""
    status = status if status is not None else (404 if text is None else 200)
    headers = {"content-type": "text/plain", **more.pop("headers", {})}
    return Robots(fetched("/robots.txt", status, headers=headers, **more), parse_robots((text or "").encode()))


def sitemap(*entries: SitemapEntry | str, url: str = "/sitemap.xml", **more: Any) -> Sitemap:
    """A sitemap that robots.txt names, with these addresses, each changed on a day of its own."""
    listed = tuple(
        each if isinstance(each, SitemapEntry) else changed(each, AUDITED_AT - timedelta(10 + at))
        for at, each in enumerate(entries)
    )
    defaults: dict[str, Any] = {
        "fetched": fetched(url, headers={"content-type": "application/xml"}),
        "listed_in": "robots.txt",
        "kind": "urlset",
        "total": len(listed),
    }
    return Sitemap(entries=listed, **{**defaults, **more})


def changed(url: str, moment: datetime | None) -> SitemapEntry:
    """An address of a sitemap with its time of change."""
    return SitemapEntry(address(url), moment, moment.isoformat() if moment else "")


def probe(url: str, status: int = 404, text: str = "", **more: Any) -> Probe:
    """What a further address answered."""
    answer = fetched(url, status, **more)
    return Probe(answer, read_text(text.encode(), cut=answer.cut))


def probes(**changed: Probe) -> dict[str, Probe]:
    """All probes as a plain good site answers them: nothing there, but http:// redirected.

    Names are written with _ for spaces.
    """
    plain = fetched("http://norrvik.example/", final_url=HOME, hops=(Hop("http://norrvik.example/", 301),))
    return {
        "missing page": probe("/0123456789abcdef01234567"),
        "plain http": Probe(plain),
        "other host": Probe(fetched("https://www.norrvik.example/", final_url=HOME)),
        "neutral client": probe("/", 200),
        "llms.txt": probe("/llms.txt"),
        "markdown": probe("/", 200),
        "mcp.json": probe("/.well-known/mcp.json"),
        "mcp server card": probe("/.well-known/mcp/server-card.json"),
        "api-catalog": probe("/.well-known/api-catalog"),
        "agent card": probe("/.well-known/agent-card.json"),
        "ucp": probe("/.well-known/ucp"),
        "web bot auth": probe("/.well-known/http-message-signatures-directory"),
        "tdmrep": probe("/.well-known/tdmrep.json"),
        "rsl": probe("/license.xml"),
        **{name.replace("_", " "): value for name, value in changed.items()},
    }


def agent(token: str, url: str = "/", verdict: AgentVerdict = "same", status: int = 200, **more: Any) -> AgentProbe:
    """A page asked for under the name of a crawler, with what its answer is worth."""
    purpose = next(crawler.purpose for crawler in CRAWLERS if crawler.token == token)
    words = more.pop("words", 300 if verdict == "same" else None)
    return AgentProbe(
        token,
        purpose,
        address(url),
        fetched(url, status),
        verdict,
        words=words,
        our_bytes=20_000,
        our_words=300,
        **more,
    )


def site(*pages: SitePage, **known: Any) -> Site:
    """A site of these pages, or of four good ones, with robots.txt, a sitemap and the probes of a good site.

    `robots` may be the text of robots.txt; every field of `Site` can be named.
    """
    crawl = pages or (() if known.pop("no_pages", False) else good_pages())
    rules = known.pop("robots", None)
    if not isinstance(rules, Robots):
        rules = robots(rules) if rules is not None else robots()
    defaults: dict[str, Any] = {
        "home_url": HOME,
        "brand": "Norrvik",
        "names": ("Norrvik", "Norrvik AB"),
        "audited_at": AUDITED_AT,
        "user_agent": USER_AGENT,
        "sitemaps": (sitemap(*(each.url for each in crawl)),),
        "probes": probes(),
    }
    return Site(robots=rules, pages=tuple(crawl), **{**defaults, **known})


def earlier(url: str, content_hash: str, day: date | None = None) -> dict[str, EarlierPage]:
    """What the audit before knew of one page."""
    return {address(url): EarlierPage(content_hash, day)}
