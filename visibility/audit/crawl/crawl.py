"""Gathers the facts of an audit, going on from those that are stored, so that a killed worker loses nothing."""

import asyncio
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Protocol

from visibility.audit.addresses import on_site, page_key, same_site, spread
from visibility.audit.crawl.agents import agents_of
from visibility.audit.crawl.client import MAX_SILENT, Client, in_order, read
from visibility.audit.crawl.frontier import Candidate, choose, depths_of
from visibility.audit.crawl.order import Gathered, Order, Rules
from visibility.audit.crawl.stages import arrive, is_html, probes_of, sitemaps_of, statuses_of
from visibility.audit.facts import NOWHERE, Link, ParsedPage, Site, SitePage
from visibility.audit.fetch.fetcher import Response
from visibility.audit.read.child import ReadingChild

ROUND = 10
"""At most so many pages are asked for before their links are read."""
ROWS_OF_A_PAGE, FREE_ROWS = 3, 20
"""Addresses that turn out to be no pages do not count as pages, but they are bounded, too."""
MAX_LISTED = 5_000
"""Addresses of sitemaps that can be chosen from, evenly over all."""
FOR_NOW = frozenset({"timeout", "connection", "tls", "no_such_host"})
"""Reasons of failed fetches that may pass, and are no fault of the page."""


class Store(Protocol):
    """Where an audit stores its facts, each time before it goes on."""

    async def save_facts(self, gathered: Gathered) -> None:
        """Store all facts besides the pages."""

    async def save_page(self, page: SitePage) -> None:
        """Store a further page."""


async def gather(
    order: Order,
    store: Store,
    *,
    gathered: Gathered | None = None,
    pages: Sequence[SitePage] = (),
    earlier: Sequence[SitePage] = (),
    is_halted: Callable[[], bool] = lambda: False,
) -> tuple[Gathered, tuple[SitePage, ...]]:
    """Fetch and read what is missing; returns all facts, and the pages in the order in which they came.

    `gathered` and `pages`: what was stored before; `earlier`: pages of the audit before, as the same READER_VERSION
    read them. Every page with an answer (`fetched.status`) is a credit. Raises NotAudited, and Halted once
    `is_halted` is true.
    """
    before = {page.fetched.url: page for page in earlier}
    with ReadingChild() as child:
        async with Client(order, before, is_halted) as client:
            audit = _Audit(order, store, client, child, before, gathered or Gathered(), list(pages))
            await audit.run()
    return audit.gathered, tuple(audit.pages)


@dataclass
class _Audit:
    order: Order
    store: Store
    client: Client
    child: ReadingChild
    earlier: Mapping[str, SitePage]
    gathered: Gathered
    pages: list[SitePage]
    home: Response | None = None
    silent: int = 0
    taken: set[str] = field(default_factory=set)
    """The keys of addresses that pages have, or led to."""
    storing: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def run(self) -> None:
        """Stage after stage, those that are stored left out."""
        client, child, known = self.client, self.child, self.gathered
        if known.robots is None:
            known, self.home = await arrive(client, child, self.order)
            await self._save(known)
        assert known.robots is not None  # noqa: S101 (arriving sets it)
        if known.barred:
            return
        rules, home_url = Rules(known.robots, client.user_agent), known.home_url
        client.crawl_delay = rules.crawl_delay
        if known.sitemaps is None:
            await self._save(replace(known, sitemaps=await sitemaps_of(client, child, home_url, known.robots)))
        await self._crawl(rules)
        if known.probes is None:
            probes = await probes_of(client, child, home_url, rules, self.order.unused_path)
            await self._save(replace(self.gathered, probes=probes))
        if known.agents is None:
            await self._save(replace(self.gathered, agents=await agents_of(client, known.robots, child, self.pages)))
        if known.sampled is None:
            sitemaps = self.gathered.sitemaps or ()
            sampled = await statuses_of(client, home_url, rules, sitemaps, read_pages(self.pages), self.taken)
            await self._save(replace(self.gathered, sampled=sampled))

    async def _save(self, gathered: Gathered) -> None:
        self.gathered = gathered
        await self.store.save_facts(gathered)

    async def _crawl(self, rules: Rules) -> None:
        """Ask round after round until the pages are enough, or no further address is known."""
        self.taken = {page_key(where) for page in self.pages for where in (page.fetched.url, page.url)}
        entries = (entry.url for sitemap in self.gathered.sitemaps or () for entry in sitemap.text.entries)
        urls = (on_site(url, self.gathered.home_url) for url in spread(entries, MAX_LISTED))
        listed = [Candidate(url) for url in urls if url and rules.allow(url)]
        chosen = [] if self.pages else [Candidate(self.gathered.home_url, depth=0)]
        while True:
            await in_order(chosen, self._visit)
            counted = sum(not page.aside for page in self.pages)
            rows = self.order.max_pages * ROWS_OF_A_PAGE + FREE_ROWS - len(self.pages)
            crawled = [where for page in self.pages for where in (page.fetched.url, page.url)]
            known = [*self._linked(rules), *listed]
            chosen = choose(known, crawled, min(self.order.max_pages - counted, rows, ROUND))
            if not chosen or self._is_over():
                return

    def _is_over(self) -> bool:
        """Whether no further page is asked for, whatever is known."""
        return self.silent >= MAX_SILENT or self.client.out_of_bytes

    def _linked(self, rules: Rules) -> Iterator[Candidate]:
        """The pages of the site that read pages link, as far as we may fetch them."""
        pages = read_pages(self.pages)
        depths = depths_of(pages)
        for page in pages:
            depth = min(depths.get(page_key(page.url), NOWHERE) + 1, NOWHERE)
            for link in (*page.links, Link(page.leads_to, "", 0, "other")):
                url = on_site(link.url, self.gathered.home_url)
                if url and rules.allow(url):
                    yield Candidate(url, link.text, link.place == "navigation", depth)

    async def _visit(self, candidate: Candidate) -> SitePage | None:
        """Fetch, read and store a page; null where no further one is to be asked for."""
        if self._is_over():
            return None
        reply, self.home = self.home or await self.client.page(candidate.url), None
        self.silent = self.silent + 1 if reply.fetched.is_silent else 0
        page = await self._read(candidate, reply)
        async with self.storing:
            await self.store.save_page(page)
            self.pages.append(page)
        return page

    async def _read(self, candidate: Candidate, reply: Response) -> SitePage:
        """The page that an address gave."""
        is_home, fetched = candidate.depth == 0, reply.fetched
        aside = "" if is_home else _aside(reply, self.gathered.home_url, self.taken)
        self.taken |= {page_key(candidate.url), page_key(fetched.final_url or candidate.url)}
        page = SitePage(fetched, candidate.depth, aside=aside)
        if not fetched.answered or fetched.challenge or aside:
            return page
        if fetched.unchanged:
            return replace(page, parsed=self.earlier[candidate.url].parsed)
        details = {"content_type": fetched.content_type, "is_home": is_home, "cut": fetched.cut}
        parsed = await read(self.child.page, reply, **details)
        return replace(page, parsed=parsed) if isinstance(parsed, ParsedPage) else replace(page, unparsed=parsed)


def _aside(reply: Response, home_url: str, taken: Collection[str]) -> str:
    """Why an answer is no page of its own; empty where it is, or fails as a page may. `taken`: the keys of addresses
    that other pages have."""
    fetched = reply.fetched
    if fetched.error:
        return "" if fetched.error in FOR_NOW else fetched.error
    if fetched.is_silent or fetched.challenge:
        return ""
    if fetched.status != 200:
        return f"http_{fetched.status}"
    if not same_site(fetched.final_url, home_url):
        return "elsewhere"
    if page_key(fetched.final_url) in taken:
        return "same_page"
    return "" if is_html(reply) or fetched.unchanged else "not_html"


def read_pages(pages: Sequence[SitePage]) -> list[ParsedPage]:
    """What the pages say that were read, the home page first."""
    return [page.parsed for page in pages if page.parsed is not None]


def site_of(
    order: Order,
    gathered: Gathered,
    pages: Sequence[SitePage],
    *,
    audited_at: datetime,
    earlier: Sequence[SitePage] = (),
) -> Site:
    """All that checks read, of what an audit and the one before (`earlier`) gathered. What is no page of its own
    counts as an address that was asked for."""
    assert gathered.robots is not None  # noqa: S101 (no audit is without)
    depths = depths_of(read_pages(pages))
    return Site(
        home_url=gathered.home_url,
        names=order.names,
        audited_at=audited_at,
        user_agent=order.user_agent,
        robots=gathered.robots,
        pages=tuple(replace(page, depth=depths.get(page_key(page.url), NOWHERE)) for page in pages if not page.aside),
        sitemaps=gathered.sitemaps or (),
        probes=gathered.probes or {},
        agents=gathered.agents or (),
        sampled=(*(page.fetched for page in pages if page.aside), *(gathered.sampled or ())),
        earlier={page.url: page.parsed for page in earlier if page.parsed},
    )
