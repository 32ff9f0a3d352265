"""The stages around the crawl: arriving, sitemaps, probes, and the status of what pages and sitemaps name."""

import re
from collections import deque
from collections.abc import Iterator, Mapping, Sequence

from visibility.audit.addresses import joined, on_site, origin_of, page_key, same_page, same_site, split, spread
from visibility.audit.crawl.client import BUSY, MAX_SILENT, REFUSALS, Client, in_order, read
from visibility.audit.crawl.order import Gathered, NotAudited, Order, Rules, site_refused, site_unreachable
from visibility.audit.crawlers import SEARCH
from visibility.audit.facts import (
    Fetched,
    ListedIn,
    ParsedPage,
    Probe,
    ProbeName,
    Robots,
    Sitemap,
    SitemapText,
    SmallFile,
    Unparsed,
)
from visibility.audit.fetch.fetcher import Response
from visibility.audit.read.child import ReadingChild
from visibility.audit.robots import RobotsRules

SERVER_ERRORS = frozenset(range(500, 600))
MAX_FILES, MAX_OF_AN_INDEX, MAX_DEPTH = 12, 8, 2
"""Of sitemaps."""
UNREADABLE = frozenset({"timeout", "bad_response", "too_large", "too_many_redirects"})
"""Reasons for which robots.txt may be unreachable although its server is there."""
MAX_TEST_BYTES, MAX_TEST_WORDS = 200_000, 100
"""The most that a test for people has, which is no page of a site."""
_TEST = re.compile(
    r"captcha|ddos|\b(?:ro)?bots?\b|roboter|\bhum(?:an|ain|ano)s?\b|\bverif|\bvérif|überprüf|провер|验证|確認"
    r"|\b(?:checking|securing)\W+(?:\w+\W+){0,3}(?:browser|connection|device)|security check|proof.of.work",
    re.IGNORECASE,
)
"""Words of such tests. A loose one will do: the form of the page decides."""
_SOLVES = re.compile(rb"<(?:script|form)\b|http-equiv\s*=\s*[\"']?refresh", re.IGNORECASE)
_TESTED = "its home page asks visitors to prove that they are people"
PATHS: Mapping[ProbeName, str] = {
    "llms.txt": "/llms.txt",
    "mcp.json": "/.well-known/mcp.json",
    "api-catalog": "/.well-known/api-catalog",
    "agent card": "/.well-known/agent-card.json",
    "ucp": "/.well-known/ucp",
}
ACCEPT_MARKDOWN = {"Accept": "text/markdown, text/html;q=0.5"}


async def arrive(client: Client, child: ReadingChild, order: Order) -> tuple[Gathered, Response | None]:
    """Where the site is, https first, with its robots.txt, and its home page if we may ask for it.

    Raises NotAudited where the site cannot be reached, refuses us, or is elsewhere.
    """
    origin, robots = await _first_that_answers(client, child, order.domain)
    if barred := _barred(robots, f"{origin}/", client.user_agent):
        return Gathered(f"{origin}/", barred, robots), None
    home = await client.page(f"{origin}/", BUSY | REFUSALS | SERVER_ERRORS)
    _require_home(home, client.user_agent)
    final = home.fetched.final_url
    domains = (order.domain, *order.own_domains)
    below = origin_of(final).endswith(tuple(f".{domain}" for domain in domains))
    if not below and not any(same_site(final, f"https://{domain}/") for domain in domains):
        raise NotAudited(
            "site_moved",
            f"The site could not be audited: {order.domain} leads to {origin_of(final)}, which is not a domain of "
            "this brand. Change the brand's domain, or add that one to its own domains, and audit again.",
        )
    if origin_of(final) != origin:  # robots.txt counts for one host and scheme only
        robots = await _robots(client, child, origin_of(final))
        if barred := _barred(robots, final, client.user_agent):
            return Gathered(final, barred, robots), None
    unused = f"{origin_of(final)}/{order.unused_path}"
    if Rules(robots, client.user_agent).allow(unused) and await _tests_visitors(client, child, home, unused):
        raise site_refused(_TESTED, client.user_agent)
    return Gathered(final, "", robots), home


async def _tests_visitors(client: Client, child: ReadingChild, home: Response, unused: str) -> bool:
    """Whether the home page is a test for people: a short page with something that solves it, no link into the site
    and no word for search engines, which speaks of such a test, and is also at an address where nothing can be."""
    if len(home.body) > MAX_TEST_BYTES or not _SOLVES.search(home.body):
        return False
    page = await _page(child, home)
    if page is None or not _looks_like_test(page):
        return False
    other = await _page(child, await client.page(unused, ()))
    return other is not None and other.title == page.title and _looks_like_test(other)


def _looks_like_test(page: ParsedPage) -> bool:
    for_search = page.meta("description", "og:title", "og:description") or page.linked("canonical") or page.markup
    inside = any(same_site(link.url, page.url) and not same_page(link.url, page.url) for link in page.links)
    short = page.visible_words <= MAX_TEST_WORDS
    return short and not for_search and not inside and bool(_TEST.search(f"{page.title}\n{page.visible_text}"))


async def _page(child: ReadingChild, reply: Response) -> ParsedPage | None:
    page = await read(child.page, reply, content_type=reply.fetched.content_type, cut=reply.fetched.cut)
    return page if isinstance(page, ParsedPage) else None


async def _first_that_answers(client: Client, child: ReadingChild, domain: str) -> tuple[str, Robots]:
    """The first origin of the domain that answers for robots.txt, else for its home page."""
    silent: list[tuple[str, Robots]] = []
    for origin in (f"{scheme}://{www}{domain}" for scheme in ("https", "http") for www in ("", "www.")):
        robots = await _robots(client, child, origin)
        if not robots.fetched.error:
            return origin, robots
        silent.append((origin, robots))
    for origin, robots in silent:
        # Only robots.txt may be at fault: that closes a site to all crawlers, even if it answers otherwise.
        if robots.fetched.error in UNREADABLE and not (await client.page(f"{origin}/", ())).fetched.error:
            return origin, robots
    raise site_unreachable(f"{silent[0][0]} did not answer ({silent[0][1].fetched.detail.rstrip('.')})")


async def _robots(client: Client, child: ReadingChild, origin: str) -> Robots:
    reply = await client.page(f"{origin}/robots.txt", BUSY | SERVER_ERRORS)
    rules = await read(child.robots, reply) if reply.fetched.answered else None
    return Robots(reply.fetched, rules) if isinstance(rules, RobotsRules) else Robots(reply.fetched)


def _barred(robots: Robots, home_url: str, user_agent: str) -> str:
    """Why robots.txt bars us and others; empty where it does not. Raises NotAudited where it bars only us."""
    status = robots.fetched.status
    if status == 429:
        raise site_refused("its robots.txt answered 429 (too many requests), twice", user_agent)
    if robots.unreachable:
        what = f"answered {status}" if status else "could not be fetched"
        return f"robots.txt {what}: crawlers must fetch nothing then."
    if robots.allows(user_agent, home_url):
        return ""
    searchers = [name for name in SEARCH if not robots.allows(name, home_url)]
    if not searchers:
        raise site_refused("its robots.txt bars our crawler", user_agent)
    return f"robots.txt bars our crawler, and {', '.join(searchers)}."


def _require_home(home: Response, user_agent: str) -> None:
    fetched = home.fetched
    if fetched.error:
        raise site_unreachable(f"{fetched.url} did not answer ({fetched.detail.rstrip('.')})")
    if fetched.challenge:
        raise site_refused(_TESTED, user_agent)
    if fetched.status in REFUSALS:
        raise site_refused(f"its home page answered {fetched.status} to our crawler, twice", user_agent)
    if fetched.status != 200:
        raise site_unreachable(f"its home page {fetched.final_url} answered {fetched.status}")
    if not is_html(home):
        raise site_unreachable(f"its home page {fetched.final_url} is no HTML page")


def is_html(reply: Response) -> bool:
    """Whether an answer is an HTML page, by its type; without one, by how it begins."""
    media = reply.fetched.content_type.partition(";")[0].strip().lower()
    return media in ("text/html", "application/xhtml+xml") if media else reply.body[:200].lstrip()[:1] == b"<"


async def sitemaps_of(client: Client, child: ReadingChild, home_url: str, robots: Robots) -> tuple[Sitemap, ...]:
    """The sitemaps that robots.txt names, else the usual place, at most 12 files, an index before what it lists.

    One that robots.txt names by a relative address, which crawlers pass over, is looked for next to robots.txt.
    """
    robots_url = robots.fetched.final_url or home_url
    named = robots.rules.sitemaps
    relative = {joined(robots_url, written): written for written in named if not split(written).scheme}
    absolute = [written for written in named if split(written).scheme]
    waiting: deque[tuple[str, ListedIn, int]] = deque((url, "robots.txt", 0) for url in [*absolute, *relative] if url)
    if not waiting:
        waiting.append((f"{origin_of(home_url)}/sitemap.xml", "guess", 0))
    known: set[str] = set()
    sitemaps: list[Sitemap] = []
    while waiting and len(sitemaps) < MAX_FILES and not client.out_of_bytes:
        url, place, depth = waiting.popleft()
        if url in known:
            continue
        known.add(url)
        reply = await client.sitemap(on_site(url, home_url) or url)
        text = await _sitemap_text(child, reply)
        written = relative.get(url, "") if place == "robots.txt" else ""
        sitemaps.append(Sitemap(reply.fetched, place, text, written))
        if depth < MAX_DEPTH:
            waiting.extend((child_url, "index", depth + 1) for child_url in spread(text.children, MAX_OF_AN_INDEX))
    return tuple(sitemaps)


async def _sitemap_text(child: ReadingChild, reply: Response) -> SitemapText:
    fetched = reply.fetched
    if not fetched.answered:
        return SitemapText("", problem=fetched.detail or f"The address answered {fetched.status}.")
    text = await read(child.sitemap, reply, cut=fetched.cut)
    return SitemapText("", problem=text.detail) if isinstance(text, Unparsed) else text


async def probes_of(
    client: Client, child: ReadingChild, home_url: str, rules: Rules, unused_path: str
) -> dict[ProbeName, Probe]:
    """What a few further addresses answer that robots.txt lets us ask for: how the server behaves, and what it has
    for agents."""
    origin = origin_of(home_url)
    scheme, _, host = origin.partition("://")
    twin = host.removeprefix("www.") if host.startswith("www.") else f"www.{host}"
    urls: dict[ProbeName, str] = {name: f"{origin}{path}" for name, path in PATHS.items()}
    urls |= {"missing page": f"{origin}/{unused_path}", "markdown": home_url}
    urls |= {"plain http": f"http://{host}/", "other host": f"{scheme}://{twin}/"}
    allowed = {name: url for name, url in urls.items() if rules.allow(url)}

    async def probe(named: tuple[ProbeName, str]) -> Probe:
        name, url = named
        reply = await client.probe(url, ACCEPT_MARKDOWN if name == "markdown" else None)
        fetched = reply.fetched
        if not fetched.answered or name not in PATHS:
            return Probe(fetched)
        text = await read(child.small, reply, cut=fetched.cut)
        return Probe(fetched, text if isinstance(text, SmallFile) else SmallFile())

    return dict(zip(allowed, await in_order(allowed.items(), probe), strict=True))


async def statuses_of(
    client: Client,
    home_url: str,
    rules: Rules,
    sitemaps: Sequence[Sitemap],
    pages: Sequence[ParsedPage],
    crawled: set[str],
) -> tuple[Fetched, ...]:
    """What addresses answer that are named on the pages and in sitemaps, as far as robots.txt allows asking for them.
    `crawled`: the keys of the addresses that the crawl asked for."""
    chosen: dict[str, str] = {}
    for urls, most in _named(sitemaps, pages):
        here = {page_key(url): url for url in (on_site(url, home_url) for url in urls) if url and rules.allow(url)}
        unknown = (key for key in here if key not in crawled and key not in chosen)
        chosen |= {key: here[key] for key in spread(unknown, most)}
    silent = 0

    async def ask(url: str) -> Fetched | None:
        nonlocal silent
        if silent >= MAX_SILENT or client.out_of_bytes:
            return None
        answer = await client.status(url)
        silent = silent + 1 if answer.is_silent else 0
        return answer

    return tuple(await in_order(chosen.values(), ask))


def _named(sitemaps: Sequence[Sitemap], pages: Sequence[ParsedPage]) -> Iterator[tuple[Iterator[str], int]]:
    """The addresses of each kind, and how many of them are asked for, evenly over all: what pages say of themselves
    first, as an error there takes a page out of search."""
    yield (head.url for page in pages for head in page.linked("canonical")), 100
    yield (head.url for page in pages for head in page.versions), 100
    yield (link.url for page in pages for link in page.links), 300
    yield (entry.url for sitemap in sitemaps for entry in sitemap.text.entries), 50
