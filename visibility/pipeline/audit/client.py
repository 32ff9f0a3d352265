"""Asks a site politely: two requests at a time, slower where the site is slow, and again where it says when."""

import asyncio
from collections.abc import Collection, Mapping
from contextlib import AsyncExitStack
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from functools import partial
from types import TracebackType
from typing import Self

from django.conf import settings
from django.utils import timezone

from visibility.audit.fetch.failures import FetchError
from visibility.audit.fetch.fetcher import ACCEPT_PAGES, Fetcher, Response
from visibility.audit.site import Fetched, Hop
from visibility.jobs.lease import LeaseState

AT_ONCE = 2
AGAIN_SECONDS, MAX_AGAIN_SECONDS = 3.0, 30.0
"""How long to wait before a second try: where the site does not say, and at most."""
SLOW_SECONDS, MAX_PAUSE_SECONDS = 1.0, 5.0
"""An answer that took longer than that is followed by as long a pause, at most so long."""
MAX_CRAWL_DELAY = 5.0
PROBE_BYTES = 65_536
SITEMAP_BYTES, SITEMAP_SECONDS = 50 * 2**20, 60.0
"""As many bytes as a sitemap may have (sitemaps.org), and time for them."""
NEUTRAL_AGENT = "Mozilla/5.0 (compatible)"
BUSY = frozenset({429, 503})
_KEPT_HEADERS = 100
_MAX_HEADER_VALUE = 2_000
_CHALLENGES = (
    b"_cf_chl_opt", b"/cdn-cgi/challenge-platform/", b"captcha-delivery.com", b"px-captcha", b"_Incapsula_Resource",
    b"sgcaptcha", b"awsWafCookieDomainList", b"Pardon Our Interruption",
)  # fmt: skip
_MAX_CHALLENGE_BYTES = 100_000


class Halted(Exception):
    """No further request is made: the run was cancelled, or its worker is asked to end."""


@dataclass(frozen=True, slots=True)
class Reply:
    """What an address answered, as it is stored, and its body, which is not."""

    fetched: Fetched
    body: bytes = b""

    @property
    def content_type(self) -> str:
        return self.fetched.header("content-type")

    @property
    def is_challenge(self) -> bool:
        """Whether it is a page that asks visitors to prove that they are people."""
        header = self.fetched.header
        if header("cf-mitigated") or header("x-amzn-waf-action"):
            return True
        return len(self.body) <= _MAX_CHALLENGE_BYTES and any(mark in self.body for mark in _CHALLENGES)


class Client:
    """An asynchronous context manager around the fetchers of one audit: for pages, sitemaps and probes, and a neutral
    one.

    `halted` says what ended the asking; each further request raises Halted then.
    """

    def __init__(self, user_agent: str, local_hosts: Mapping[str, tuple[str, int]]) -> None:
        self.user_agent = user_agent
        self.halted = LeaseState.WORKING
        self.crawl_delay = 0.0
        fetcher = partial(Fetcher, local_hosts=local_hosts, own_hosts=settings.ALLOWED_HOSTS)
        self._pages = fetcher(user_agent=user_agent)
        self._sitemaps = fetcher(user_agent=user_agent, max_bytes=SITEMAP_BYTES, deadline=SITEMAP_SECONDS)
        self._probes = fetcher(user_agent=user_agent, max_bytes=PROBE_BYTES)
        self._neutral = fetcher(user_agent=NEUTRAL_AGENT, max_bytes=PROBE_BYTES)
        self._places = asyncio.Semaphore(AT_ONCE)
        self._turn = asyncio.Lock()
        self._next_start = 0.0
        self._stack = AsyncExitStack()

    async def __aenter__(self) -> Self:
        for fetcher in (self._pages, self._sitemaps, self._probes, self._neutral):
            await self._stack.enter_async_context(fetcher)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._stack.aclose()

    async def page(self, url: str, again_on: Collection[int] = BUSY) -> Reply:
        """What an address answers; asked a second time where it answers one of these statuses or nothing for now."""
        return await self._ask(self._pages, url, ACCEPT_PAGES, again_on)

    async def sitemap(self, url: str) -> Reply:
        """What the address of a sitemap answers, asked as pages are; it may be longer and take longer."""
        return await self._ask(self._sitemaps, url, ACCEPT_PAGES, BUSY)

    async def probe(self, url: str, *, accept: str = ACCEPT_PAGES, neutral: bool = False) -> Reply:
        """The beginning of what an address answers, asked once; `neutral`: not under our name."""
        return await self._ask(self._neutral if neutral else self._probes, url, accept, ())

    async def _ask(self, fetcher: Fetcher, url: str, accept: str, again_on: Collection[int]) -> Reply:
        async with self._places:
            reply = await self._once(fetcher, url, accept)
            if _is_for_now(reply, again_on):
                await self._pause(_seconds_until_again(reply.fetched))
                reply = await self._once(fetcher, url, accept)
            return reply

    async def _once(self, fetcher: Fetcher, url: str, accept: str) -> Reply:
        await self._await_turn()
        try:
            response = await fetcher.get(url, accept=accept)
        except FetchError as error:
            hops = tuple(Hop(hop.url, hop.status) for hop in error.hops)
            failed = Fetched(url, final_url=error.url, hops=hops, error=error.reason, detail=error.detail)
            return Reply(failed)
        if response.seconds > SLOW_SECONDS:
            await self._pause(min(response.seconds, MAX_PAUSE_SECONDS))
        return Reply(_fetched(url, response), response.body)

    async def _await_turn(self) -> None:
        """Wait as long as robots.txt asks between two requests. Raises Halted."""
        async with self._turn:
            clock = asyncio.get_running_loop().time
            await self._pause(self._next_start - clock())
            self._next_start = clock() + self.crawl_delay
        if self.halted is not LeaseState.WORKING:
            raise Halted

    async def _pause(self, seconds: float) -> None:
        """Wait, unless no further request is made anyway."""
        while seconds > 0 and self.halted is LeaseState.WORKING:
            await asyncio.sleep(min(seconds, 0.5))
            seconds -= 0.5


def _is_for_now(reply: Reply, again_on: Collection[int]) -> bool:
    """Whether a second try may fare better."""
    return reply.fetched.status in again_on or (bool(again_on) and reply.fetched.error in ("timeout", "connection"))


def _fetched(url: str, response: Response) -> Fetched:
    headers = tuple((name, value[:_MAX_HEADER_VALUE]) for name, value in response.headers[:_KEPT_HEADERS])
    return Fetched(
        url=url,
        status=response.status,
        final_url=response.url,
        headers=headers,
        hops=tuple(Hop(hop.url, hop.status) for hop in response.hops),
        first_byte_seconds=round(response.first_byte_seconds, 4),
        bytes=len(response.body),
        cut=response.cut,
    )


def _seconds_until_again(fetched: Fetched) -> float:
    """What Retry-After says, in seconds or as a time, within the bounds."""
    text = fetched.header("retry-after")[:100].strip()
    if text.isdecimal():
        return min(float(text[:6]), MAX_AGAIN_SECONDS)
    try:
        seconds = (parsedate_to_datetime(text) - timezone.now()).total_seconds()
    except (ValueError, TypeError):
        return AGAIN_SECONDS
    return min(max(seconds, 0.0), MAX_AGAIN_SECONDS)
