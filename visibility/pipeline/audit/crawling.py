"""The stage of the crawl: round by round, each page fetched, parsed in a process of its own, and stored.

A round is planned when the one before is stored, from what is stored: whoever goes on after a crash plans the same.
"""

import asyncio
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from asgiref.sync import sync_to_async

from visibility.audit.checks.addresses import page_key
from visibility.audit.page import ParsedPage
from visibility.audit.site import Sitemap
from visibility.models import AuditPage, Run
from visibility.pipeline.audit.addresses import on_site
from visibility.pipeline.audit.client import AT_ONCE, MAX_BYTES, MAX_IN_A_ROW, Client, Halted, Reply, is_silent
from visibility.pipeline.audit.depths import depths_of
from visibility.pipeline.audit.frontier import Candidate, choose
from visibility.pipeline.audit.judging import State
from visibility.pipeline.audit.reading import PageReader
from visibility.pipeline.audit.rules import Rules
from visibility.pipeline.audit.storing import Contents, Visited, abandon_waiting, keep_pages, plan_pages

BATCH = 10
"""At most so many pages are stored at once."""
FIRST, FIRST_PART = 12, 4
"""So many pages of the sitemap are asked for first, and a fourth of all at most: links tell better what matters."""
WAITING = 12
"""So many fetched pages may wait for the parser before no more are fetched: each is up to 4 MB."""
MAX_ROWS_OF_A_PAGE, FREE_ROWS = 3, 20
"""Addresses that turn out to be no pages are not counted, but even of them not without end."""


@dataclass(slots=True)
class Crawl:
    """One worker's turn at the crawl of a run."""

    run: Run
    worker: str
    max_pages: int
    home_url: str
    rules: Rules
    sitemaps: Sequence[Sitemap]
    client: Client
    reader: PageReader
    contents: Contents
    home: Reply | None = None
    """The home page, where this turn has asked for it already."""
    in_a_row: int = 0

    async def go(self) -> None:
        """Ask round after round until the pages are enough, or no further address is known. Raises Halted."""
        await self._plan_what_is_listed()
        while True:
            pages = await sync_to_async(self.contents.of)(self.run)
            waiting = [page for page, _ in pages if page.state == State.WAITING]
            if waiting:
                await self._round(waiting, {page_key(where) for page, _ in pages for where in _addresses(page)})
                continue
            chosen = choose(self._candidates(pages), [page.url for page, _ in pages], self._room(pages))
            if not chosen:
                return
            await sync_to_async(plan_pages)(self.run, self.worker, chosen)

    async def _plan_what_is_listed(self) -> None:
        """Have some pages of the sitemap wait beside the home page, whose links are known only when it was read: that
        may take as long as its parser needs to start."""
        pages = await sync_to_async(self.contents.of)(self.run)
        if [page.state for page, _ in pages] == [State.WAITING]:
            home_urls = [pages[0][0].url, self.home_url]
            chosen = choose(self._listed(), home_urls, min(FIRST, self._room(pages) // FIRST_PART))
            await sync_to_async(plan_pages)(self.run, self.worker, chosen)

    def _room(self, pages: Sequence[tuple[AuditPage, object]]) -> int:
        counted = sum(page.state != State.ASIDE for page, _ in pages)
        rows = self.max_pages * MAX_ROWS_OF_A_PAGE + FREE_ROWS - len(pages)
        return max(min(self.max_pages - counted, rows), 0)

    def _candidates(self, pages: Sequence[tuple[AuditPage, object]]) -> Iterator[Candidate]:
        for candidate in _linked(pages, self.home_url):
            if self.rules.allow(candidate.url):
                yield candidate
        yield from self._listed()

    def _listed(self) -> Iterator[Candidate]:
        """The pages of the site that sitemaps list."""
        for sitemap in self.sitemaps:
            for entry in sitemap.entries:
                url = on_site(entry.url, self.home_url)
                if url and self.rules.allow(url):
                    day = entry.lastmod.date() if entry.lastmod else None
                    yield Candidate(url, "sitemap", listed=True, lastmod=day)

    async def _round(self, waiting: Sequence[AuditPage], taken: set[str]) -> None:
        """Ask these pages; each is parsed and stored while others are fetched."""
        left = deque(waiting)
        fetched: asyncio.Queue[tuple[AuditPage, Reply] | None] = asyncio.Queue(WAITING)
        parsed: asyncio.Queue[Visited | None] = asyncio.Queue()
        async with asyncio.TaskGroup() as tasks:
            asking = [tasks.create_task(self._fetch(left, fetched)) for _ in range(AT_ONCE)]
            tasks.create_task(self._parse(fetched, parsed, taken))
            tasks.create_task(self._store(parsed))
            halted = any([await task for task in asking])
            await fetched.put(None)
        if halted:
            raise Halted
        if self.in_a_row >= MAX_IN_A_ROW:
            await sync_to_async(abandon_waiting)(
                self.run, self.worker, "site_stopped", "Not asked: the site stopped answering."
            )
        elif self.client.out_of_bytes:
            await sync_to_async(abandon_waiting)(
                self.run,
                self.worker,
                "byte_budget",
                f"Not asked: an audit reads at most {MAX_BYTES // 10**6} MB of a site.",
            )

    async def _fetch(self, left: deque[AuditPage], fetched: asyncio.Queue[tuple[AuditPage, Reply] | None]) -> bool:
        """Fetch what is left, page by page; true where that was halted."""
        while left and self.in_a_row < MAX_IN_A_ROW and not self.client.out_of_bytes:
            page = left.popleft()
            try:
                reply = await self._asked(page)
            except Halted:
                return True
            self.in_a_row = self.in_a_row + 1 if is_silent(reply.fetched) else 0
            await fetched.put((page, reply))
        return False

    async def _asked(self, page: AuditPage) -> Reply:
        if page.position == 0 and self.home:
            reply, self.home = self.home, None
            return reply
        return await self.client.page(page.url)

    async def _parse(
        self,
        fetched: asyncio.Queue[tuple[AuditPage, Reply] | None],
        parsed: asyncio.Queue[Visited | None],
        taken: set[str],
    ) -> None:
        while (pair := await fetched.get()) is not None:
            page, reply = pair
            others = taken - {page_key(page.url)}
            await parsed.put(await self.reader.visited(page.position, reply, self.home_url, others))
            taken.add(page_key(reply.fetched.final_url))
        await parsed.put(None)

    async def _store(self, parsed: asyncio.Queue[Visited | None]) -> None:
        """Store what was parsed while the batch before was being stored, until the end mark."""
        ended = False
        while not ended:
            batch = [await parsed.get()]
            while len(batch) < BATCH and not parsed.empty():
                batch.append(parsed.get_nowait())
            ended = batch[-1] is None
            arrived = [visited for visited in batch if visited is not None]
            if arrived:
                await sync_to_async(keep_pages)(self.run, self.worker, arrived)
                self.contents.remember(arrived)


def _addresses(page: AuditPage) -> Iterable[str]:
    """Where the page was asked for, and where it led."""
    yield page.url
    if page.fetched.get("final_url"):
        yield page.fetched["final_url"]


def _linked(pages: Sequence[tuple[AuditPage, object]], home_url: str) -> Iterator[Candidate]:
    """The pages of the site that stored pages link."""
    read = [(page.fetched["final_url"], parsed) for page, parsed in pages if isinstance(parsed, ParsedPage)]
    depths = depths_of(read)
    for address, parsed in read:
        for link in parsed.links:
            url = on_site(link.url, home_url)
            if url:
                near = min(depths[page_key(address)] + 1, 99)
                yield Candidate(url, "link", link.text, link.place == "navigation", address, near)
