"""Reads fetched pages: each is judged, and parsed in a process of its own unless the same page was before."""

import asyncio
from collections.abc import Callable, Collection
from datetime import datetime
from functools import partial

from asgiref.sync import sync_to_async
from django.utils import timezone

from visibility.audit.page import ParsedPage, Unparsed
from visibility.audit.parse.child import ParsingChild
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
        key = content_key(where, reply.content_type, reply.body)
        if key in self._known:
            return visit(key=key)
        page = await self._parsed(reply, is_home=position == 0)
        return visit(key=key, page=page)

    async def words(self, reply: Reply, key: str, words: int) -> int | None:
        """Words of the main text of an answer; null where it is no page. What has this key has so many of them."""
        if content_key(reply.fetched.final_url, reply.content_type, reply.body) == key:
            return words
        page = await self._parsed(reply)
        return page.words if isinstance(page, ParsedPage) else None

    async def _parsed(self, reply: Reply, *, is_home: bool = False) -> ParsedPage | Unparsed:
        await self._started
        where, cut = reply.fetched.final_url, reply.fetched.cut
        parse = partial(self._child.parse, url=where, content_type=reply.content_type, is_home=is_home, cut=cut)
        return await asyncio.to_thread(parse, reply.body)
