"""Gathers what an audit needs, from what is stored of it to its end: a worker that was killed at any line goes on."""

import asyncio
from collections import deque
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import partial
from typing import Protocol

from visibility.audit.addresses import on_site, page_key, same_site, spread
from visibility.audit.crawl.agents import agents_of
from visibility.audit.crawl.client import AT_ONCE, MAX_SILENT, Client, Halted, Reply
from visibility.audit.crawl.frontier import NOWHERE, Candidate, choose, depths_of
from visibility.audit.crawl.order import Gathered, Order, Rules
from visibility.audit.crawl.stages import arrive, is_html, probes_of, reach_of, sitemaps_of
from visibility.audit.facts import EarlierPage, FoundBy, ParsedPage, Site, SitePage
from visibility.audit.read.child import ReadingChild

BATCH = 10
"""At most so many pages are stored at once, and chosen at once."""
ROWS_OF_A_PAGE, FREE_ROWS = 3, 20
"""Addresses that turn out to be no pages do not count, but even of them not without end."""
MAX_LISTED = 5_000
"""Addresses of sitemaps that can be chosen from, evenly over all."""
FOR_NOW = frozenset({"timeout", "connection", "tls", "no_such_host"})
"""Reasons of failed fetches that say nothing of the page itself."""


class Store(Protocol):
    """Where an audit puts what it gathers, each time before it goes on."""

    async def save_facts(self, gathered: Gathered) -> None:
        """Put away all that is known besides the pages."""

    async def save_pages(self, pages: Sequence[SitePage]) -> None:
        """Put away 1 to 10 further pages, in this order."""


async def gather(
    order: Order,
    store: Store,
    *,
    gathered: Gathered | None = None,
    pages: Sequence[SitePage] = (),
    earlier: Mapping[str, SitePage] | None = None,
    is_halted: Callable[[], bool] = lambda: False,
) -> tuple[Gathered, tuple[SitePage, ...]]:
    """Fetch and read what is missing; gives all that is known then, pages in the order in which they were asked for.

    `gathered` and `pages`: what was stored before; `earlier`: pages of the audit before, by address, as the same
    READER_VERSION read them. Every page with an answer (`fetched.status`) is a credit. Raises NotAudited, and Halted
    once `is_halted` gives true.
    """
    client = Client(
        order.user_agent,
        local_hosts=order.local_hosts,
        own_hosts=order.own_hosts,
        earlier=earlier or {},
        is_halted=is_halted,
    )
    audit = _Audit(order, store, client, gathered or Gathered(), list(pages), earlier or {})
    with ReadingChild() as child:
        async with client:
            try:
                await audit.run(child)
            except BaseExceptionGroup as group:
                raise _first(group) from None
    return audit.gathered, tuple(audit.pages)


def _first(error: BaseException) -> BaseException:
    """What went wrong first in tasks that ended together."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error


@dataclass
class _Audit:
    order: Order
    store: Store
    client: Client
    gathered: Gathered
    pages: list[SitePage]
    earlier: Mapping[str, SitePage]
    home: Reply | None = None
    silent: int = 0
    listed: list[Candidate] = field(default_factory=list)
    """What sitemaps list, as far as we may fetch it."""
    taken: set[str] = field(default_factory=set)
    """The keys of addresses that pages have, or led to."""

    async def run(self, child: ReadingChild) -> None:
        """Stage after stage, those that are stored left out."""
        if self.gathered.robots is None:
            gathered, self.home = await arrive(self.client, child, self.order)
            await self._save(gathered)
        known = self.gathered
        assert known.robots is not None  # noqa: S101 (arriving sets it)
        if known.barred:
            return
        rules, home_url = Rules(known.robots, self.client.user_agent), known.home_url
        self.client.crawl_delay = rules.crawl_delay
        if known.sitemaps is None:
            sitemaps = await sitemaps_of(self.client, child, home_url, rules)
            await self._save(replace(self.gathered, sitemaps=sitemaps))
        await self._crawl(child, rules)
        if known.probes is None:
            probes = await probes_of(self.client, child, home_url, rules, self.order.unused_path)
            await self._save(replace(self.gathered, probes=probes))
        if known.agents is None:
            agents = await agents_of(self.client, rules, child, self.pages)
            await self._save(replace(self.gathered, agents=agents))
        if known.reach is None:
            pages, sitemaps = read_pages(self.pages), self.gathered.sitemaps or ()
            reach = await reach_of(self.client, home_url, rules, sitemaps, pages, self.taken)
            await self._save(replace(self.gathered, reach=reach))

    async def _save(self, gathered: Gathered) -> None:
        self.gathered = gathered
        await self.store.save_facts(gathered)

    async def _crawl(self, child: ReadingChild, rules: Rules) -> None:
        """Ask round after round until the pages are enough, or no further address is known."""
        self.taken = {page_key(where) for page in self.pages for where in (page.fetched.url, page.url)}
        entries = (entry.url for sitemap in self.gathered.sitemaps or () for entry in sitemap.text.entries)
        urls = (on_site(url, self.gathered.home_url) for url in spread(entries, MAX_LISTED))
        self.listed = [Candidate(url) for url in urls if url and rules.allow(url)]
        if not self.pages:
            await self._round(child, [Candidate(self.gathered.home_url, depth=0)])
        while self.silent < MAX_SILENT and not self.client.out_of_bytes:
            counted = sum(not page.aside for page in self.pages)
            rows = self.order.max_pages * ROWS_OF_A_PAGE + FREE_ROWS - len(self.pages)
            crawled = [where for page in self.pages for where in (page.fetched.url, page.url)]
            chosen = choose(self._candidates(rules), crawled, min(self.order.max_pages - counted, rows, BATCH))
            if not chosen:
                return
            await self._round(child, chosen)

    def _candidates(self, rules: Rules) -> Iterator[Candidate]:
        """The pages of the site that read pages link and that sitemaps list, as far as we may fetch them."""
        home_url, read = self.gathered.home_url, read_pages(self.pages)
        depths = depths_of(read)
        for address, parsed in read:
            depth = min(depths.get(page_key(address), NOWHERE) + 1, NOWHERE)
            for link in parsed.links:
                url = on_site(link.url, home_url)
                if url and rules.allow(url):
                    yield Candidate(url, link.text, link.place == "navigation", depth)
        yield from self.listed

    async def _round(self, child: ReadingChild, chosen: Sequence[Candidate]) -> None:
        """Ask for these pages; each is read and stored while others are fetched."""
        left, read = deque(chosen), asyncio.Queue[SitePage | None]()
        async with asyncio.TaskGroup() as tasks:
            asking = [tasks.create_task(self._ask(child, left, read)) for _ in range(AT_ONCE)]
            storing = tasks.create_task(self._store(read))
            halted = any([await task for task in asking])
            await read.put(None)
            await storing
        if halted:
            raise Halted

    async def _ask(self, child: ReadingChild, left: deque[Candidate], read: "asyncio.Queue[SitePage | None]") -> bool:
        """Fetch and read what is left, page by page; true where that was halted."""
        while left and self.silent < MAX_SILENT and not self.client.out_of_bytes:
            candidate = left.popleft()
            try:
                reply, self.home = self.home or await self.client.page(candidate.url), None
            except Halted:
                return True
            self.silent = self.silent + 1 if reply.fetched.is_silent else 0
            await read.put(await self._read(child, candidate, reply))
        return False

    async def _read(self, child: ReadingChild, candidate: Candidate, reply: Reply) -> SitePage:
        """What came of an address."""
        is_home = candidate.depth == 0
        found_by: FoundBy = "home" if is_home else "link" if candidate.depth < NOWHERE else "sitemap"
        aside = "" if is_home else _aside(reply, self.gathered.home_url, self.taken)
        self.taken |= {page_key(candidate.url), page_key(reply.fetched.final_url or candidate.url)}
        page = SitePage(reply.fetched, found_by, candidate.depth, aside=aside)
        if not reply.fetched.answered or reply.fetched.challenge or page.aside:
            return page
        if reply.fetched.unchanged:
            return replace(page, parsed=self.earlier[candidate.url].parsed)
        url, media, cut = reply.fetched.final_url, reply.content_type, reply.fetched.cut
        read = partial(child.page, reply.body, url=url, content_type=media, is_home=is_home, cut=cut)
        parsed = await asyncio.to_thread(read)
        return replace(page, parsed=parsed) if isinstance(parsed, ParsedPage) else replace(page, unparsed=parsed)

    async def _store(self, read: "asyncio.Queue[SitePage | None]") -> None:
        """Store what was read while the batch before was being stored, until the end mark."""
        ended = False
        while not ended:
            batch = [await read.get()]
            while len(batch) < BATCH and not read.empty():
                batch.append(read.get_nowait())
            ended = batch[-1] is None
            pages = [page for page in batch if page is not None]
            if pages:
                await self.store.save_pages(pages)
                self.pages.extend(pages)


def _aside(reply: Reply, home_url: str, taken: Collection[str]) -> str:
    """Why an answer is no page of its own; empty where it is, or fails as a page may. `taken`: the keys of addresses
    that other pages have."""
    fetched = reply.fetched
    if fetched.error:
        return "" if fetched.error in FOR_NOW else fetched.error
    if fetched.status == 429 or fetched.status >= 500 or fetched.challenge:
        return ""
    if fetched.status != 200:
        return f"http_{fetched.status}"
    if not same_site(fetched.final_url, home_url):
        return "elsewhere"
    if page_key(fetched.final_url) in taken:
        return "same_page"
    return "" if is_html(reply) or fetched.unchanged else "not_html"


def read_pages(pages: Sequence[SitePage]) -> list[tuple[str, ParsedPage]]:
    """The pages that were read, with the addresses where they are, the home page first."""
    return [(page.url, page.parsed) for page in pages if page.parsed is not None]


def site_of(
    order: Order,
    gathered: Gathered,
    pages: Sequence[SitePage],
    *,
    audited_at: datetime,
    earlier: Mapping[str, EarlierPage] | None = None,
) -> Site:
    """All that checks read, of what an audit gathered. What is no page of its own counts as an address that was asked
    for."""
    assert gathered.robots is not None  # noqa: S101 (no audit is without)
    depths, links = depths_of(read_pages(pages)), _first_links(pages)
    reach = gathered.reach
    own = [page for page in pages if not page.aside]
    asked = {page.fetched.url: links.get(page_key(page.fetched.url), "") for page in pages}
    return Site(
        home_url=gathered.home_url,
        names=order.names,
        audited_at=audited_at,
        user_agent=order.user_agent,
        robots=gathered.robots,
        pages=tuple(replace(page, depth=depths.get(page_key(page.url), NOWHERE)) for page in own),
        sitemaps=gathered.sitemaps or (),
        probes=gathered.probes or {},
        agents=gathered.agents or (),
        sampled=(*(page.fetched for page in pages if page.aside), *(reach.sampled if reach else ())),
        coverage=reach.coverage if reach else {},
        linked_from={url: page for url, page in {**asked, **(reach.linked_from if reach else {})}.items() if page},
        earlier=earlier or {},
        out_of_bytes=bool(reach and reach.out_of_bytes),
    )


def _first_links(pages: Sequence[SitePage]) -> dict[str, str]:
    """The first page that links an address, by the address's key."""
    sources: dict[str, str] = {}
    for url, parsed in read_pages(pages):
        for link in parsed.links:
            if link.url:
                sources.setdefault(page_key(link.url), url)
    return sources
