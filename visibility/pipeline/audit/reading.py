"""Reads fetched pages: each is judged, and parsed in a process of its own unless the same page was before."""

import asyncio
from collections.abc import Callable, Collection
from datetime import datetime
from functools import partial

from asgiref.sync import sync_to_async
from django.utils import timezone

from visibility.audit.parse.child import ParsingChild
from visibility.audit.parse.version import PARSER_VERSION
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
        if self._known is None:
            self._known = await sync_to_async(known_keys)(self._run)
        where = reply.fetched.final_url
        key = content_key(str(PARSER_VERSION), where, reply.content_type, reply.body)
        if key in self._known:
            return visit(key=key)
        await self._started
        parse = partial(self._child.parse, url=where, content_type=reply.content_type, cut=reply.fetched.cut)
        page = await asyncio.to_thread(parse, reply.body, is_home=position == 0)
        return visit(key=key, page=page)
