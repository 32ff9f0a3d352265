"""Asks a site politely: two requests at a time and five in a second, slower where the site is slow or says so, again
where it says when, and only for changes of what was read before."""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from email.utils import parsedate_to_datetime
from types import TracebackType
from typing import Any, Self, TypeVar
from urllib.parse import urlsplit

from django.conf import settings
from django.utils import timezone

from visibility.audit.fetch.failures import FetchError
from visibility.audit.fetch.fetcher import ACCEPT_PAGES, Fetcher, Response
from visibility.audit.site import Fetched, Hop
from visibility.jobs.lease import LeaseState

AT_ONCE = 2
PER_SECOND = 5.0
"""Requests to one host, at most; robots.txt (Crawl-delay) and 429 make it fewer."""
AGAIN_SECONDS, MAX_AGAIN_SECONDS = 3.0, 30.0
"""How long to wait before a second try: where the site does not say, and at most."""
SLOW_SECONDS, MAX_PAUSE_SECONDS = 1.0, 5.0
"""An answer that took longer than that is followed by as long a pause, at most so long."""
MAX_CRAWL_DELAY = 5.0
LOOK_SECONDS = 0.5
"""How often who waits looks whether the audit was halted."""
MAX_BYTES = 150 * 10**6
"""What one audit reads of a site, as it is sent: 50 pages of shops take some 20 MB."""
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
_Item = TypeVar("_Item")
_Answer = TypeVar("_Answer")
MAX_IN_A_ROW = 8
"""After so many requests in a row without an answer the site is left alone."""


class Halted(Exception):
    """No further request is made: the run was cancelled, or its worker is asked to end."""


@dataclass(frozen=True, slots=True)
class Reply:
    """What an address answered, as it is stored, and its body, which is not."""

    fetched: Fetched
    body: bytes = b""
    key: str = ""
    """Of what is stored of the page already, where it has not changed; there is no body then."""

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


@dataclass(frozen=True, slots=True)
class Kept:
    """What an earlier audit stored of an address: how it answered then, and the key of what it said."""

    fetched: Fetched
    key: str

    def conditions(self) -> dict[str, str]:
        """The header fields that ask for the page only where it has changed; empty where it named no mark."""
        marks = {
            "If-None-Match": self.fetched.header("etag"),
            "If-Modified-Since": self.fetched.header("last-modified"),
        }
        return {name: mark for name, mark in marks.items() if mark}


@dataclass(slots=True)
class _Host:
    """When a host may be asked next, on the clock of the loop."""

    gap: float
    """Seconds from the beginning of one request to the next."""
    next_start: float = 0.0
    turn: asyncio.Lock = field(default_factory=asyncio.Lock)


class Client:
    """An asynchronous context manager around the fetcher of one audit.

    `halted` says what ended the asking; each further request raises Halted then. `kept`: what an earlier audit
    stored, by address; of these pages only changes are asked for. `local_pause`: seconds between two requests to one
    of the `local_hosts`.
    """

    def __init__(
        self,
        user_agent: str,
        local_hosts: Mapping[str, tuple[str, int]],
        *,
        kept: Mapping[str, Kept] | None = None,
        local_pause: float = 0.0,
    ) -> None:
        self.user_agent = user_agent
        self.halted = LeaseState.WORKING
        self.crawl_delay = 0.0
        self.received = 0
        """Bytes of bodies, as they were sent."""
        self._kept = kept or {}
        self._hosts = {host: _Host(local_pause) for host in local_hosts}
        self._fetcher = Fetcher(
            user_agent=user_agent,
            local_hosts=local_hosts,
            own_hosts=settings.ALLOWED_HOSTS,
            per_host=AT_ONCE,
            turn=self._await_turn,
        )

    async def __aenter__(self) -> Self:
        await self._fetcher.__aenter__()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._fetcher.__aexit__(kind, error, trace)

    @property
    def out_of_bytes(self) -> bool:
        """Whether the audit has read all that it reads of a site."""
        return self.received >= MAX_BYTES

    async def page(self, url: str, again_on: Collection[int] = BUSY) -> Reply:
        """What an address answers; asked a second time where it answers one of these statuses or nothing for now."""
        kept = self._kept.get(url)
        conditions = kept.conditions() if kept else {}
        reply = await self._patiently(url, again_on, conditions)
        if kept and conditions and reply.fetched.status == 304:
            if reply.fetched.final_url == kept.fetched.final_url:
                return Reply(_unchanged(kept.fetched, reply.fetched), key=kept.key)
            reply = await self._patiently(url, again_on, {})
        return reply

    async def sitemap(self, url: str) -> Reply:
        """What the address of a sitemap answers, asked as pages are; it may be longer and take longer."""
        return await self._patiently(url, BUSY, {}, max_bytes=SITEMAP_BYTES, deadline=SITEMAP_SECONDS)

    async def probe(self, url: str, *, accept: str = ACCEPT_PAGES, agent: str | None = None) -> Reply:
        """The beginning of what an address answers, asked once; `agent`: under another name than ours."""
        return await self._once(url, accept=accept, user_agent=agent, max_bytes=PROBE_BYTES)

    async def as_agent(self, url: str, agent: str) -> Reply:
        """What an address answers under another name, asked once."""
        return await self._once(url, user_agent=agent)

    async def status(self, url: str) -> Fetched:
        """What an address answers, without its body. Servers that answer HEAD badly are asked with GET."""
        reply = await self._once(url, method="HEAD")
        fetched = reply.fetched
        if fetched.error in ("connection", "bad_response") or (fetched.status >= 400 and fetched.status not in BUSY):
            return (await self.probe(url)).fetched
        return fetched

    async def _patiently(
        self, url: str, again_on: Collection[int], headers: Mapping[str, str], **bounds: float
    ) -> Reply:
        reply = await self._once(url, headers=headers, **bounds)
        if _is_for_now(reply, again_on):
            self._hold(reply.fetched, _seconds_until_again(reply.fetched))
            reply = await self._once(url, headers=headers, **bounds)
        return reply

    async def _once(self, url: str, **how: Any) -> Reply:
        try:
            response = await self._fetcher.get(url, **how)
        except FetchError as error:
            hops = tuple(Hop(hop.url, hop.status) for hop in error.hops)
            failed = Fetched(url, final_url=error.url, hops=hops, error=error.reason, detail=error.detail)
            return Reply(failed)
        self.received += response.received
        fetched = _fetched(url, response)
        if fetched.status in BUSY:
            self._hold(fetched, _seconds_until_again(fetched), slower=True)
        elif response.seconds > SLOW_SECONDS:
            self._hold(fetched, min(response.seconds, MAX_PAUSE_SECONDS))
        return Reply(fetched, response.body)

    def _host(self, name: str) -> _Host:
        return self._hosts.setdefault(name, _Host(1 / PER_SECOND))

    def _hold(self, fetched: Fetched, seconds: float, *, slower: bool = False) -> None:
        """Leave the host that answered alone for so long; `slower`: and ask it half as often from then on."""
        host = self._host(urlsplit(fetched.final_url).hostname or "")
        host.next_start = max(host.next_start, asyncio.get_running_loop().time() + seconds)
        if slower:
            host.gap = min(2 * host.gap, MAX_PAUSE_SECONDS)

    async def _await_turn(self, name: str) -> None:
        """Wait until the host may be asked again. Raises Halted."""
        host, clock = self._host(name), asyncio.get_running_loop().time
        async with host.turn:
            while self.halted is LeaseState.WORKING and (left := host.next_start - clock()) > 0:
                await asyncio.sleep(min(left, LOOK_SECONDS))
            host.next_start = clock() + max(host.gap, self.crawl_delay)
        if self.halted is not LeaseState.WORKING:
            raise Halted


def _unchanged(then: Fetched, now: Fetched) -> Fetched:
    """What a page answered that is still as it was: the fields of the header that a 304 names are the new ones."""
    named = {name for name, _ in now.headers}
    headers = (*now.headers, *(field for field in then.headers if field[0] not in named))
    return replace(
        then,
        headers=headers[:_KEPT_HEADERS],
        hops=now.hops,
        first_byte_seconds=now.first_byte_seconds,
        unchanged=True,
    )


async def answers_in_order(
    items: Iterable[_Item], ask: Callable[[_Item], Awaitable[_Answer | None]]
) -> list[_Answer]:
    """What came of the items, in their order, as many asked at a time as a host may be. Once one gives null no more
    of them are begun."""
    left = deque(enumerate(items))
    answers: dict[int, _Answer] = {}

    async def ask_what_is_left() -> None:
        while left:
            place, item = left.popleft()
            answer = await ask(item)
            if answer is None:
                left.clear()
            else:
                answers[place] = answer

    async with asyncio.TaskGroup() as tasks:
        for _ in range(AT_ONCE):
            tasks.create_task(ask_what_is_left())
    return [answers[place] for place in sorted(answers)]


def is_silent(fetched: Fetched) -> bool:
    """Whether a host answers nothing for now: no answer, too many requests, or an error of its own."""
    return bool(fetched.error) or fetched.status == 429 or fetched.status >= 500


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
