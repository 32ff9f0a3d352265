"""Asks a site politely: two requests at a time and five in a second, slower where the site is slow or says so, again
where it says when, and only for changes of what was read before."""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import partial
from typing import Any, Self, TypeVar
from urllib.parse import urlsplit

from visibility.audit.crawl.order import Order
from visibility.audit.facts import Fetched, SitePage
from visibility.audit.fetch.failures import FetchError
from visibility.audit.fetch.fetcher import Fetcher, Response
from visibility.net import seconds_to_wait

AT_ONCE = 2
PER_SECOND = 5.0
"""Requests to one host, at most; robots.txt (Crawl-delay) and 429 make it fewer."""
AGAIN_SECONDS, MAX_AGAIN_SECONDS = 3.0, 30.0
"""How long to wait before a second try: where the site does not say, and at most."""
SLOW_SECONDS, MAX_PAUSE_SECONDS = 1.0, 5.0
"""An answer that took longer than that is followed by as long a pause, at most so long."""
MAX_BYTES = 150 * 10**6
"""The most that one audit reads of a site, as it is sent: 50 pages of shops take some 20 MB."""
MAX_SILENT = 8
"""After so many requests in a row without an answer the site is left alone."""
PROBE_BYTES = 65_536
SITEMAP_BYTES, SITEMAP_SECONDS = 50 * 2**20, 60.0
LOOK_SECONDS = 0.5
"""How often a waiting request checks whether the audit was halted."""
BUSY = frozenset({429, 503})
REFUSALS = frozenset({401, 403, 429})
_MAX_HEADERS, _MAX_HEADER_VALUE = 100, 2_000
_CHALLENGES = (
    b"_cf_chl_opt", b"captcha-delivery.com", b"px-captcha", b"_Incapsula_Resource",
    b"sgcaptcha", b"awsWafCookieDomainList", b"Pardon Our Interruption", b"anubis_challenge", b"/.within.website/x/",
    b"/.well-known/ddos-guard/js-challenge", b"check.ddos-guard.net", b"sucuri_cloudproxy_js",
)  # fmt: skip
"""Marks of products in pages that ask visitors to prove that they are people; `stages.arrive` knows others by their
form. Not Cloudflare's `challenge-platform`: ordinary pages load a script from there, too."""
_MAX_CHALLENGE_BYTES = 100_000
Item = TypeVar("Item")
Answer = TypeVar("Answer")


class Halted(Exception):
    """No further request is made: the audit is no longer wanted, or its worker is asked to end."""


@dataclass(slots=True)
class _Host:
    """When a host may be asked next, on the clock of the loop; `gap`: seconds between the starts of two requests."""

    gap: float
    next_start: float = 0.0
    turn: asyncio.Lock = field(default_factory=asyncio.Lock)


class Client:
    """An asynchronous context manager around the fetcher of one audit.

    `is_halted` is looked at before each request, which raises Halted once it is true. `earlier`: what the audit
    before read, by address; of these pages only changes are asked for. `local_hosts` are asked without pauses.
    """

    def __init__(self, order: Order, earlier: Mapping[str, SitePage], is_halted: Callable[[], bool]) -> None:
        self.user_agent = order.user_agent
        self.crawl_delay = 0.0
        self.received = 0
        """Bytes of bodies, as they were sent."""
        self._earlier = earlier
        self._is_halted = is_halted
        self._hosts = {host: _Host(0.0) for host in order.local_hosts}
        self._fetcher = Fetcher(
            user_agent=order.user_agent,
            local_hosts=order.local_hosts,
            own_hosts=order.own_hosts,
            per_host=AT_ONCE,
            turn=self._await_turn,
        )

    async def __aenter__(self) -> Self:
        await self._fetcher.__aenter__()
        return self

    async def __aexit__(self, *error: object) -> None:
        await self._fetcher.__aexit__(*error)

    @property
    def out_of_bytes(self) -> bool:
        """Whether the audit has read all that it reads of a site."""
        return self.received >= MAX_BYTES

    async def page(self, url: str, again_on: Collection[int] = BUSY) -> Response:
        """What an address answers; asked a second time where it answers one of these statuses or nothing for now.
        `fetched.unchanged` where it is as the audit before read it: there is no body then."""
        before = self._earlier.get(url)
        conditions = _conditions(before.fetched) if before and before.parsed else {}
        reply = await self._patiently(url, again_on, headers=conditions)
        if reply.fetched.status != 304 or not before:
            return reply
        if reply.fetched.final_url != before.fetched.final_url:
            return await self._patiently(url, again_on)
        fresh = {name for name, _ in reply.fetched.headers}
        headers = (*reply.fetched.headers, *(pair for pair in before.fetched.headers if pair[0] not in fresh))
        hops = reply.fetched.hops
        return Response(replace(before.fetched, headers=headers[:_MAX_HEADERS], hops=hops, unchanged=True))

    async def sitemap(self, url: str) -> Response:
        """What the address of a sitemap answers, asked as pages are; it may be longer and take longer."""
        return await self._patiently(url, BUSY, max_bytes=SITEMAP_BYTES, deadline=SITEMAP_SECONDS)

    async def probe(self, url: str, headers: Mapping[str, str] | None = None) -> Response:
        """The beginning of what an address answers, asked once, with these header fields."""
        return await self._once(url, headers=headers, max_bytes=PROBE_BYTES)

    async def as_agent(self, url: str, agent: str) -> Response:
        """What an address answers under another name, asked once."""
        return await self._once(url, headers={"User-Agent": agent})

    async def status(self, url: str) -> Fetched:
        """What an address answers, without its body. Servers that answer HEAD badly are asked with GET."""
        fetched = (await self._once(url, method="HEAD")).fetched
        if fetched.error in ("connection", "bad_response") or (fetched.status >= 400 and fetched.status not in BUSY):
            return (await self.probe(url)).fetched
        return fetched

    async def _patiently(self, url: str, again_on: Collection[int], **how: Any) -> Response:
        reply = await self._once(url, **how)
        fetched = reply.fetched
        if fetched.status in again_on or (again_on and fetched.error in ("timeout", "connection")):
            self._pause(fetched, _seconds_until_again(fetched))
            reply = await self._once(url, **how)
        return reply

    async def _once(self, url: str, **how: Any) -> Response:
        try:
            response = await self._fetcher.get(url, **how)
        except FetchError as error:
            gone = Fetched(url, final_url=error.url, hops=error.hops, error=error.reason, detail=error.detail)
            return Response(gone)
        self.received += response.received
        fetched = _bounded(response)
        if fetched.status in BUSY:
            self._pause(fetched, _seconds_until_again(fetched), slower=True)
        elif response.seconds > SLOW_SECONDS:
            self._pause(fetched, min(response.seconds, MAX_PAUSE_SECONDS))
        return replace(response, fetched=fetched)

    def _host(self, name: str) -> _Host:
        return self._hosts.setdefault(name, _Host(1 / PER_SECOND))

    def _pause(self, fetched: Fetched, seconds: float, *, slower: bool = False) -> None:
        """Leave the host that answered alone for so long; `slower`: and ask it half as often from then on."""
        host = self._host(urlsplit(fetched.final_url).hostname or "")
        host.next_start = max(host.next_start, asyncio.get_running_loop().time() + seconds)
        if slower:
            host.gap = min(2 * host.gap, MAX_PAUSE_SECONDS)

    async def _await_turn(self, name: str) -> None:
        host, clock = self._host(name), asyncio.get_running_loop().time
        async with host.turn:
            while not self._is_halted() and (left := host.next_start - clock()) > 0:
                await asyncio.sleep(min(left, LOOK_SECONDS))
            host.next_start = clock() + max(host.gap, self.crawl_delay)
        if self._is_halted():
            raise Halted


async def read(reader: Callable[..., Answer], reply: Response, **details: Any) -> Answer:
    """What a reader of the child says of an answer, read while others are fetched."""
    return await asyncio.to_thread(partial(reader, reply.body, url=reply.fetched.final_url, **details))


async def in_order(items: Iterable[Item], ask: Callable[[Item], Awaitable[Answer | None]]) -> list[Answer]:
    """The answers for the items, in their order, asked AT_ONCE at a time. Once one gives null no more are begun.
    Raises the error of the first that failed."""
    left = deque(enumerate(items))
    answers: dict[int, Answer] = {}

    async def ask_what_is_left() -> None:
        while left:
            place, item = left.popleft()
            answer = await ask(item)
            if answer is None:
                left.clear()
            else:
                answers[place] = answer

    try:
        async with asyncio.TaskGroup() as tasks:
            for _ in range(AT_ONCE):
                tasks.create_task(ask_what_is_left())
    except BaseExceptionGroup as group:
        raise group.exceptions[0] from None
    return [answers[place] for place in sorted(answers)]


def _conditions(fetched: Fetched) -> dict[str, str]:
    """The header fields that ask for a page only if it has changed; empty where it sent no ETag or Last-Modified."""
    marks = {"If-None-Match": fetched.header("etag"), "If-Modified-Since": fetched.header("last-modified")}
    return {name: mark for name, mark in marks.items() if mark}


def _bounded(response: Response) -> Fetched:
    """What is stored of an answer: so much of its header, and whether it is a challenge."""
    fields = response.fetched.headers[:_MAX_HEADERS]
    asks_for_proof = any(name in ("cf-mitigated", "x-amzn-waf-action") for name, _ in fields)
    is_short = len(response.body) <= _MAX_CHALLENGE_BYTES
    return replace(
        response.fetched,
        headers=tuple((name, value[:_MAX_HEADER_VALUE]) for name, value in fields),
        challenge=asks_for_proof or (is_short and any(mark in response.body for mark in _CHALLENGES)),
    )


def _seconds_until_again(fetched: Fetched) -> float:
    """What Retry-After says, within the bounds."""
    seconds = seconds_to_wait(fetched.header("retry-after"), datetime.now(UTC))
    return AGAIN_SECONDS if seconds is None else min(max(seconds, 0.0), MAX_AGAIN_SECONDS)
