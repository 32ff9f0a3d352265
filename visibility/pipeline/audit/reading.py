"""Reads what was fetched, in a process of its own: pages, unless the same page was read before, and other files."""

import asyncio
from collections.abc import Callable, Collection
from dataclasses import replace
from datetime import datetime
from functools import partial

from asgiref.sync import sync_to_async
from django.utils import timezone

from visibility.audit.page import ParsedPage, Unparsed
from visibility.audit.parse.child import ParsingChild
from visibility.audit.parse.parsing import PARSER_VERSION
from visibility.audit.parse.sitemaps import ReadSitemap
from visibility.audit.robots import RobotsRules
from visibility.audit.site import Probe, Robots, TextFacts
from visibility.models import Run
from visibility.pipeline.audit.client import Reply
from visibility.pipeline.audit.judging import State, judge
from visibility.pipeline.audit.storing import Visited, content_key, known_keys


class PageReader:
    """Reads the pages of one run. `child` parses, once it has `started`; `now` is when a page was fetched."""

    def __init__(
        self,
        run: Run,
        child: ParsingChild,
        started: asyncio.Task[None],
        now: Callable[[], datetime] = timezone.now,
    ) -> None:
        self._run = run
        self._child = child
        self._started = started
        self._now = now
        self._known: set[str] | None = None

    async def visited(self, position: int, reply: Reply, home_url: str, taken: Collection[str] = ()) -> Visited:
        """What came of a page; `taken` as `judge` has it."""
        state, code = judge(reply, home_url, taken)
        visit = partial(Visited, position, state, reply.fetched, self._now(), code)
        if state != State.FETCHED:
            return visit()
        if reply.key:
            return visit(key=reply.key)
        if self._known is None:
            self._known = await sync_to_async(known_keys)(self._run)
        where = reply.fetched.final_url
        key = content_key(str(PARSER_VERSION), where, reply.content_type, reply.body)
        if key in self._known:
            return visit(key=key)
        page = await self._parsed(reply, is_home=position == 0)
        return visit(key=key, page=page)

    async def words(self, reply: Reply, key: str, words: int) -> int | None:
        """Words of the main text of an answer; null where it is no page. What has this key has so many of them."""
        if content_key(str(PARSER_VERSION), reply.fetched.final_url, reply.content_type, reply.body) == key:
            return words
        page = await self._parsed(reply)
        return page.words if isinstance(page, ParsedPage) else None

    async def _parsed(self, reply: Reply, *, is_home: bool = False) -> ParsedPage | Unparsed:
        await self._started
        where, cut = reply.fetched.final_url, reply.fetched.cut
        parse = partial(self._child.parse, url=where, content_type=reply.content_type, is_home=is_home, cut=cut)
        return await asyncio.to_thread(parse, reply.body)


class FileReader:
    """Reads files that are no pages. `child` parses, once it has `started`."""

    def __init__(self, child: ParsingChild, started: asyncio.Task[None]) -> None:
        self._child = child
        self._started = started

    async def robots(self, reply: Reply) -> Robots:
        """What robots.txt says where the answer has one. One that cannot be read is no answer."""
        if reply.fetched.error or not 200 <= reply.fetched.status < 300:
            return Robots(reply.fetched)
        await self._started
        rules = await asyncio.to_thread(self._child.robots, reply.body, url=reply.fetched.final_url)
        if isinstance(rules, RobotsRules):
            return Robots(reply.fetched, rules)
        return Robots(replace(reply.fetched, error="bad_response", detail=rules.detail))

    async def sitemap(self, reply: Reply) -> ReadSitemap:
        """What an answer holds as a sitemap."""
        await self._started
        read = partial(self._child.sitemap, url=reply.fetched.final_url, cut=reply.fetched.cut)
        said = await asyncio.to_thread(read, reply.body)
        return ReadSitemap("", problem=said.detail) if isinstance(said, Unparsed) else said

    async def probe(self, reply: Reply) -> Probe:
        """What an answer tells of a small file; nothing where it is none, or cannot be read."""
        if not reply.fetched.answered:
            return Probe(reply.fetched)
        await self._started
        read = partial(self._child.text, url=reply.fetched.final_url, cut=reply.fetched.cut)
        said = await asyncio.to_thread(read, reply.body)
        return Probe(reply.fetched, said if isinstance(said, TextFacts) else TextFacts())
