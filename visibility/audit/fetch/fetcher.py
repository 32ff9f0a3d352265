"""Fetches pages of the public web for audits: bounded in time, size and number, and only where the guard allows."""

import asyncio
import ssl
from collections.abc import Awaitable, Callable, Collection, Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import Literal, Self
from weakref import WeakValueDictionary

import aiohttp
from yarl import URL

from visibility.audit.facts import Fetched
from visibility.audit.fetch.failures import BadResponse, FetchError, Hops, failure_of
from visibility.audit.fetch.urls import checked_url
from visibility.net import BodyError, Bounded, Guard, open_session, read_body

MAX_BYTES = 4 * 2**20
DEADLINE = 14.0
MAX_REDIRECTS = 5
_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_ACCEPT = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"


@dataclass(frozen=True, slots=True)
class Response:
    """What an address answered, whatever its status, and its body, inflated and not stored."""

    fetched: Fetched
    body: bytes = b""
    seconds: float = 0.0
    """Of the whole fetch, redirects and connecting included, without waiting for a free connection."""
    received: int = 0
    """Bytes of the body as it was sent, compressed where it was."""


class Fetcher:
    """An asynchronous context manager; `get` may be called many times at once.

    `local_hosts` are names that lead to an address and port of this machine, for the demo and tests; `own_hosts` are
    names of the service itself, which it does not fetch. At most `per_host` connections to a host are open at a time.
    `turn` is awaited with the name of the host before each request, those of redirects included. `authorities`, as
    PEM, are trusted in place of the system's.
    """

    def __init__(
        self,
        *,
        user_agent: str,
        local_hosts: Mapping[str, tuple[str, int]] | None = None,
        own_hosts: Collection[str] = frozenset(),
        per_host: int = 2,
        turn: Callable[[str], Awaitable[None]] | None = None,
        authorities: str | None = None,
    ) -> None:
        self._user_agent = user_agent
        self._local_hosts = dict(local_hosts or {})
        self._own_hosts = frozenset(own_hosts)
        self._per_host = per_host
        self._turn = turn
        self._authorities = authorities
        # By host; forgotten when no connection is used or awaited.
        self._slots: WeakValueDictionary[str, asyncio.Semaphore] = WeakValueDictionary()

    async def __aenter__(self) -> Self:
        self._guard = Guard(self._local_hosts)
        self._session = open_session(
            aiohttp.ClientTimeout(total=None, sock_connect=None),  # one deadline, here
            resolver=self._guard,
            socket_factory=self._guard.open_socket,
            ssl=_tls(self._authorities),
            limit_per_host=self._per_host,
        )
        return self

    async def __aexit__(self, *error: object) -> None:
        await self._session.close()
        await self._guard.close()

    async def get(
        self,
        url: str,
        *,
        method: Literal["GET", "HEAD"] = "GET",
        headers: Mapping[str, str] | None = None,
        max_bytes: int = MAX_BYTES,
        deadline: float = DEADLINE,
    ) -> Response:
        """The response to a GET of an address, or a HEAD, after its redirects. Raises FetchError.

        `headers` are sent to every host on the way, in place of our own of the same name. Of a body at most
        `max_bytes` are read, as sent and as inflated. `deadline`: seconds that it may take, redirects included, and
        without waiting for a free connection or a turn.
        """
        sent = {"Accept": _ACCEPT, "User-Agent": self._user_agent, **(headers or {}), "Accept-Encoding": "gzip"}
        hops: Hops = ()
        target = self._checked(url)
        clock, spent = asyncio.get_running_loop().time, 0.0
        while True:
            async with self._slots.setdefault(target.raw_host or "", asyncio.Semaphore(self._per_host)):
                if self._turn:
                    await self._turn(target.raw_host or "")
                began = clock()
                try:
                    async with asyncio.timeout(deadline - spent):
                        answer = await self._exchange(method, target, sent, max_bytes)
                except (aiohttp.ClientError, OSError, BadResponse, BodyError) as error:
                    reason, detail = failure_of(error, deadline)
                    raise FetchError(reason, str(target), detail, hops=hops) from error
                spent += clock() - began
            fetched = answer.fetched
            locations = [value for name, value in fetched.headers if name == "location"]
            if not locations or fetched.status not in _REDIRECTS:
                return replace(answer, fetched=replace(fetched, url=url, hops=hops), seconds=spent)
            if len(hops) == MAX_REDIRECTS:
                detail = f"More than {MAX_REDIRECTS} redirects."
                raise FetchError("too_many_redirects", str(target), detail, hops=hops)
            hops += ((str(target), fetched.status),)
            target = self._checked(locations[0], target, hops)

    def _checked(self, text: str, base: URL | None = None, hops: Hops = ()) -> URL:
        try:
            return checked_url(text, base, local_hosts=self._local_hosts, own_hosts=self._own_hosts)
        except FetchError as error:
            error.hops = hops
            raise

    async def _exchange(self, method: str, url: URL, headers: Mapping[str, str], max_bytes: int) -> Response:
        async with self._session.request(method, url, headers=headers, allow_redirects=False) as answer:
            if answer.status < 200:
                raise BadResponse(f"The server answers with the status {answer.status}, which is no answer.")
            is_redirect = answer.status in _REDIRECTS and "Location" in answer.headers
            left_unread = is_redirect or method == "HEAD"
            body = Bounded(b"", False, 0) if left_unread else await read_body(answer, max_bytes)
        length = len(body.content)
        fetched = Fetched(str(url), answer.status, str(url), _fields(answer), bytes=length, cut=body.cut)
        return Response(fetched, body.content, received=body.received)


def _fields(answer: aiohttp.ClientResponse) -> tuple[tuple[str, str], ...]:
    """The header fields in the order received; what is not UTF-8 in a value is replaced."""
    return tuple(
        (name.decode("ascii", "replace").lower(), value.decode("utf-8", "replace"))
        for name, value in answer.raw_headers
    )


@cache
def _tls(authorities: str | None) -> ssl.SSLContext:
    """Certificates and names are verified, as browsers do. Reading the authorities takes a while: once a process."""
    context = ssl.create_default_context(cadata=authorities)
    context.hostname_checks_common_name = False
    context.set_alpn_protocols(["http/1.1"])
    return context
