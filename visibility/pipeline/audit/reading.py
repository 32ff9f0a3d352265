"""Reads what was fetched, in a process of its own: pages, unless the same page was read before, and other files."""

import asyncio
from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from datetime import datetime
from functools import partial
from typing import TypeVar

from asgiref.sync import sync_to_async
from django.utils import timezone

from visibility.audit.page import ParsedPage, Unparsed
from visibility.audit.parse.child import ParsingChild
from visibility.audit.parse.sitemaps import ReadSitemap
from visibility.audit.parse.version import PARSER_VERSION
from visibility.audit.robots import RobotsRules
from visibility.audit.site import Probe, Robots, TextFacts
from visibility.models import Run
from visibility.pipeline.audit.client import Reply
from visibility.pipeline.audit.facts import FileFacts
from visibility.pipeline.audit.judging import State, judge
from visibility.pipeline.audit.storing import Visited, content_key, known_keys

_Facts = TypeVar("_Facts", RobotsRules, ReadSitemap, TextFacts)


class PageReader:
    """Reads the pages of one run; `now` is when a page was fetched."""

    def __init__(
        self,
        run: Run,
        child: ParsingChild,
        now: Callable[[], datetime] = timezone.now,
    ) -> None:
        self._run = run
        self._child = child
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
        where, cut = reply.fetched.final_url, reply.fetched.cut
        parse = partial(self._child.parse, url=where, content_type=reply.content_type, is_home=is_home, cut=cut)
        return await asyncio.to_thread(parse, reply.body)


class FileReader:
    """Reads files that are no pages. `known`: what was said of the files of an earlier audit, by key."""

    def __init__(self, child: ParsingChild, known: Mapping[str, FileFacts]) -> None:
        self._child = child
        self._known = dict(known)

    async def robots(self, reply: Reply) -> Robots:
        """What robots.txt says where the answer has one. One that cannot be read is no answer."""
        if reply.fetched.error or not 200 <= reply.fetched.status < 300:
            return Robots(reply.fetched)
        key, rules = await self._said("robots", reply, RobotsRules, self._child.robots)
        if isinstance(rules, RobotsRules):
            return Robots(reply.fetched, rules, key)
        return Robots(replace(reply.fetched, error="bad_response", detail=rules.detail))

    async def sitemap(self, reply: Reply) -> tuple[str, ReadSitemap]:
        """What an answer holds as a sitemap, and its key."""
        read = partial(self._child.sitemap, cut=reply.fetched.cut)
        key, said = await self._said("sitemap", reply, ReadSitemap, read)
        return (key, said) if isinstance(said, ReadSitemap) else ("", ReadSitemap("", problem=said.detail))

    async def probe(self, reply: Reply) -> Probe:
        """What an answer tells of a small file; nothing where it is none, or cannot be read."""
        if not reply.fetched.answered:
            return Probe(reply.fetched)
        key, said = await self._said("text", reply, TextFacts, partial(self._child.text, cut=reply.fetched.cut))
        return Probe(reply.fetched, said, key) if isinstance(said, TextFacts) else Probe(reply.fetched)

    async def _said(
        self, kind: str, reply: Reply, facts: type[_Facts], read: Callable[..., _Facts | Unparsed]
    ) -> tuple[str, _Facts | Unparsed]:
        """What is known of these bytes, or a reader says of them, with their key."""
        url = reply.fetched.final_url
        what = f"{kind} {PARSER_VERSION}{' cut' if reply.fetched.cut else ''}"
        key = await asyncio.to_thread(content_key, what, url, reply.content_type, reply.body)
        known = self._known.get(key)
        if isinstance(known, facts):
            return key, known
        said = await asyncio.to_thread(read, reply.body, url=url)
        if isinstance(said, facts):
            self._known[key] = said
        return key, said
