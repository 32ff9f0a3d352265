"""The home page and two key pages asked for under the names of AI crawlers, and compared with what we get.

The commonest way to shut AI systems out is in no file: servers and the networks before them refuse by user agent.
"""

import re
from collections.abc import Sequence
from dataclasses import replace

from visibility.audit.addresses import page_key
from visibility.audit.crawl.client import BUSY, MAX_SILENT, Client, in_order, read
from visibility.audit.crawlers import CRAWLERS, Crawler
from visibility.audit.facts import AgentProbe, AgentVerdict, Fetched, PageKind, ParsedPage, Robots, SitePage
from visibility.audit.fetch.fetcher import Response
from visibility.audit.read.child import ReadingChild

KEY_PAGES = 2
KEY_KINDS: tuple[PageKind, ...] = ("article", "product", "pricing", "docs", "about", "contact")
"""Those that answers cite most come first."""
FACTOR, SLACK = 2, 50
"""The same amount of text: at most so many times as many words, or so many words more."""
_OUR_PAGE = re.compile(r"\+(https?://[^\s;)]+)")
Pair = tuple[Crawler, SitePage, ParsedPage]


def user_agent_of(token: str, ours: str) -> str:
    """A user agent with the token of a crawler, as its vendor's has it, and the page that explains our own crawler,
    for those who see it in a log."""
    page = _OUR_PAGE.search(ours)
    return f"Mozilla/5.0 (compatible; {token}/1.0{f'; +{page[1]}' if page else ''})"


async def agents_of(
    client: Client, robots: Robots, child: ReadingChild, pages: Sequence[SitePage]
) -> tuple[AgentProbe, ...]:
    """What the pages answer to each crawler that robots.txt lets in; training crawlers on the home page only.

    Where an answer is not the same as ours, and we still get the page, the crawler's second answer counts.
    """
    pairs = [
        (crawler, page, parsed)
        for crawler in CRAWLERS
        for place, (page, parsed) in enumerate(_chosen(pages))
        if crawler.fetches and not (crawler.purpose == "training" and place)
        if robots.allows(crawler.token, page.fetched.url)
    ]
    silent = 0
    open_to_us: dict[str, bool] = {}

    async def ask(pair: Pair) -> AgentProbe | None:
        nonlocal silent
        if silent >= MAX_SILENT or client.out_of_bytes:
            return None
        probe = await _probe(client, child, *pair)
        url = probe.url
        if probe.verdict != "same":
            if url not in open_to_us:
                fetched = (await client.as_agent(url, client.user_agent)).fetched
                open_to_us[url] = fetched.answered and not fetched.challenge
            if open_to_us[url]:
                probe = await _probe(client, child, *pair)
            else:
                probe = replace(probe, verdict="unknown")
        silent = silent + 1 if probe.fetched.status in BUSY or probe.fetched.error == "timeout" else 0
        return probe

    return tuple(await in_order(pairs, ask))


async def _probe(
    client: Client, child: ReadingChild, crawler: Crawler, page: SitePage, parsed: ParsedPage
) -> AgentProbe:
    """Ask for a page under a crawler's name, and compare. A body of the same length counts as the same page."""
    url = page.fetched.url
    reply = await client.as_agent(url, user_agent_of(crawler.token, client.user_agent))
    alike = reply.fetched.answered and reply.fetched.bytes == page.fetched.bytes
    words = parsed.words if alike else await _words(child, reply)
    verdict = _verdict(reply.fetched, page.fetched, words, parsed.words)
    fetched = replace(reply.fetched, headers=reply.fetched.headers[:20])
    return AgentProbe(crawler.token, crawler.purpose, url, fetched, verdict, words, parsed.words)


async def _words(child: ReadingChild, reply: Response) -> int | None:
    """Words of the main text of an answer; null where it is no page."""
    if not reply.fetched.answered:
        return None
    page = await read(child.page, reply, content_type=reply.fetched.content_type, cut=reply.fetched.cut)
    return page.words if isinstance(page, ParsedPage) else None


def _chosen(pages: Sequence[SitePage]) -> list[tuple[SitePage, ParsedPage]]:
    """The home page and two more, of different key kinds where there are such."""
    known = [(page, page.parsed) for page in pages if page.parsed and not page.aside]
    if not known or known[0][0].depth:
        return []
    first: dict[PageKind, int] = {}
    for place, (_, parsed) in enumerate(known[1:], 1):
        first.setdefault(parsed.kind, place)
    places = dict.fromkeys([*(first[kind] for kind in KEY_KINDS if kind in first), *range(1, len(known))])
    return [known[place] for place in [0, *list(places)[:KEY_PAGES]]]


def _verdict(theirs: Fetched, ours: Fetched, words: int | None, our_words: int) -> AgentVerdict:
    if theirs.status in BUSY:
        return "unknown"
    if theirs.error or theirs.status >= 400 or theirs.challenge:
        return "refused"
    if theirs.status != ours.status or page_key(theirs.final_url) != page_key(ours.final_url) or words is None:
        return "different"
    less, more = sorted((words, our_words))
    return "same" if more <= FACTOR * less or more - less <= SLACK else "different"
