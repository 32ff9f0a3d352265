"""The outermost layer: every request of every door is counted here, once, before anything else looks at it."""

import asyncio
import atexit
import logging
import re
import threading
import time
import zlib
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import datetime
from http import HTTPStatus
from ipaddress import ip_network
from types import MappingProxyType

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.db import connection
from django.http import HttpRequest
from django.template.loader import render_to_string
from django.utils import timezone
from django_ratelimit.core import get_usage

from apikeys.accounts.keyformat import digest, looks_valid
from apikeys.edge.clientaddress import UNKNOWN, Network, client_address
from apikeys.edge.counters import COUNTED_TOGETHER
from apikeys.edge.door import bearer_of, door_of, record_rate_refusals
from apikeys.edge.http import (
    COMMON_HEADERS,
    HEALTH_PATHS,
    Message,
    Receive,
    Send,
    door_name,
    error_body,
    header,
    is_api_path,
    qualities_of,
    weak_etag,
)
from apikeys.edge.monitoring import note_refusal
from apikeys.edge.requestid import sane_request_id
from apikeys.errors import ErrorCode, rate_limited
from apikeys.models import CallLog

logger = logging.getLogger(__name__)

App = Callable[[Message, Receive, Send], Awaitable[None]]

SILENT_AFTER = 1.0
"""Seconds without an answer of the shared counters after which the process counts by itself."""
SILENT_FOR = 2.0
MAX_ADDRESSES = 100_000
FLUSH_SECONDS = 5.0
MAX_REFUSED_KEYS = 10_000
_RATE = re.compile(r"([1-9][0-9]*)/([1-9][0-9]*)?([smhd])")
_SECONDS = {"s": 1, "m": 60, "h": 3_600, "d": 86_400}
_NO_REQUEST = HttpRequest()


class RateLimit:
    """One budget for each client address over REST, agent endpoint and pages; static files and health are exempt.

    `rates`: other budgets, for each address of these networks; of two that hold it, the smaller network decides.
    """

    def __init__(
        self,
        app: App,
        *,
        rate: str,
        trusted_proxies: Sequence[Network],
        rates: Mapping[Network, str] = MappingProxyType({}),
    ) -> None:
        self.app = app
        self.rate = Rate.parse(rate)
        self.rates = {network: Rate.parse(text) for network, text in rates.items()}
        self.trusted = trusted_proxies
        self.counters = Counters()
        self.refusals = Refusals()

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        is_exempt = scope["type"] != "http" or scope["path"] in HEALTH_PATHS
        if is_exempt or scope["path"].startswith(settings.STATIC_URL):
            await self.app(scope, receive, send)
            return
        peer = (scope.get("client") or (None,))[0]
        address = client_address(peer, [header(scope, b"x-forwarded-for")], self.trusted)
        scope = {**scope, "client": (address, 0)}  # REMOTE_ADDR, by which wrong passwords are counted
        rate = self._rate_of(address)
        usage = await self.counters.count(address, rate)
        headers = {
            "RateLimit": f'"default";r={usage.remaining};t={usage.resets_in}',
            "RateLimit-Policy": f'"default";q={rate.limit};w={rate.seconds}',
        }
        if usage.allowed:
            await self.app(scope, receive, _with_headers(send, headers))
            return
        self.refusals.add(bearer_of(header(scope, b"authorization")), door_of(scope["path"]))
        note_refusal(door=door_name(scope["path"]), name="rate limit", reason=ErrorCode.RATE_LIMITED)
        headers["Retry-After"] = str(usage.resets_in)
        await _refuse(scope, send, usage.resets_in, headers)

    def _rate_of(self, address: str) -> "Rate":
        if not self.rates or address == UNKNOWN:
            return self.rate
        own = ip_network(address)
        around = [network for network in self.rates if own.version == network.version and own.subnet_of(network)]  # type: ignore[arg-type]
        return self.rates[max(around, key=lambda network: network.prefixlen)] if around else self.rate


@dataclass(frozen=True, slots=True)
class Rate:
    """So many requests in so many seconds."""

    limit: int
    seconds: int

    @classmethod
    def parse(cls, text: str) -> "Rate":
        """From `300/m` or `10/5s`; raises ImproperlyConfigured otherwise."""
        match = _RATE.fullmatch(text)
        if not match:
            raise ImproperlyConfigured(f"RATE_LIMIT is {text!r}; write for example 300/m (s, m, h or d).")
        return cls(int(match[1]), int(match[2] or 1) * _SECONDS[match[3]])

    def end_of_window(self, address: str) -> int:
        """When the window ends that an address is in now, in seconds since 1970: at another moment for each address,
        as django-ratelimit has it."""
        now = int(time.time())
        end = now - now % self.seconds + zlib.crc32(address.encode()) % self.seconds
        return end if end >= now else end + self.seconds


@dataclass(frozen=True, slots=True)
class Usage:
    """Whether a request passes, how many more will, and the seconds until the budget is renewed."""

    allowed: bool
    remaining: int
    resets_in: int


@dataclass(slots=True)
class _Known:
    """What a process knows of an address in the window that ends then: the highest count of the shared counters, and
    how many requests it counted alone."""

    end: int
    shared: int = 0
    alone: int = 0


class Counters:
    """Counts in the cache that all processes share; while that is silent, in the memory of this process.

    The process also keeps what the cache last counted, so that a spent budget stays spent when the cache falls
    silent. Some requests ask the cache at once, others after them, and the deadline of each begins at its turn: a
    crowd is no sign of a silent cache.
    """

    def __init__(self) -> None:
        self._executor = ThreadPoolExecutor(max_workers=COUNTED_TOGETHER, thread_name_prefix="rate-limit")
        self._turns = asyncio.Semaphore(COUNTED_TOGETHER)
        self._silent_until = 0.0
        self._counts: dict[str, _Known] = {}  # by address

    async def count(self, address: str, rate: Rate) -> Usage:
        """Count one request of an address, exactly once in the counter that answers."""
        async with self._turns:
            end = rate.end_of_window(address)  # before the cache counts: its count may be of a later window only
            shared = await self._count_shared(address, rate) if time.monotonic() >= self._silent_until else 0
        known = self._counts.get(address)
        if known is None and len(self._counts) >= MAX_ADDRESSES:
            self._counts.clear()
        if known is None or known.end != end:
            known = self._counts[address] = _Known(end)
        known.alone += not shared
        known.shared = max(known.shared, shared)
        count = (shared or known.shared) + known.alone
        return Usage(count <= rate.limit, max(rate.limit - count, 0), max(end - int(time.time()), 1))

    async def _count_shared(self, address: str, rate: Rate) -> int:
        """What the cache counted, this request included; 0 when it is silent."""
        answer = asyncio.get_running_loop().run_in_executor(self._executor, self._in_cache, address, rate)
        # Unlike a time limit on the answer, this takes one that came while the process was too busy to look.
        await asyncio.wait({answer}, timeout=SILENT_AFTER)
        try:
            if not answer.done():
                answer.cancel()
                raise TimeoutError("no answer in time")
            return answer.result()
        except Exception as error:  # each cache has its own family of errors
            self._silent_until = time.monotonic() + SILENT_FOR
            logger.warning("The shared counters are silent, this process counts by itself: %s", error)
            return 0

    @staticmethod
    def _in_cache(address: str, rate: Rate) -> int:
        allowed = (rate.limit, rate.seconds)
        usage = get_usage(_NO_REQUEST, group="all", key=lambda group, request: address, rate=allowed, increment=True)
        if usage["limit"] != rate.limit:  # how django-ratelimit says that the cache failed
            raise ConnectionError("the cache did not count")
        return int(usage["count"])


class Refusals:
    """Refused calls of keys, counted in the process; a thread of its own writes them to the call log.

    A process that is killed loses the counts of the last seconds; nothing else depends on them.
    """

    def __init__(self) -> None:
        self._counts: Counter[tuple[str, datetime, CallLog.Door]] = Counter()
        self._lock = threading.Lock()
        self._ended = threading.Event()
        self._thread: threading.Thread | None = None

    def add(self, raw_key: str | None, door: CallLog.Door) -> None:
        """Count one refusal, if `raw_key` has the form of a key. Above MAX_REFUSED_KEYS no new key is added."""
        if raw_key is None or not looks_valid(raw_key):
            return
        entry = (digest(raw_key), timezone.now().replace(second=0, microsecond=0), door)
        with self._lock:
            if entry in self._counts or len(self._counts) < MAX_REFUSED_KEYS:
                self._counts[entry] += 1
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="refusals", daemon=True)
                self._thread.start()
                atexit.register(self.close)

    def flush(self) -> None:
        """Write what has been counted; what cannot be written waits for the next time."""
        with self._lock:
            counts, self._counts = self._counts, Counter()
        try:
            record_rate_refusals(counts)
        except Exception:  # whatever fails, the thread goes on
            logger.exception("The refusals by the rate limit are not written yet.")
            with self._lock:
                self._counts.update(counts)
        finally:
            connection.close()

    def close(self) -> None:
        """Write the rest and end the thread."""
        self._ended.set()
        if self._thread is not None:
            self._thread.join()

    def _run(self) -> None:
        while not self._ended.wait(FLUSH_SECONDS):
            if self._counts:
                self.flush()
        self.flush()


async def _refuse(scope: Message, send: Send, seconds: int, headers: dict[str, str]) -> None:
    """429: a page for people, JSON for every other."""
    request_id = sane_request_id(header(scope, b"x-request-id"))
    if not is_api_path(scope["path"]) and qualities_of(header(scope, b"accept")).get("text/html", 0.0) > 0:
        message = f"Too many requests came from your network address. Wait {seconds} seconds, then reload the page."
        page = render_to_string("error.html", {"status": HTTPStatus.TOO_MANY_REQUESTS, "message": message})
        body, kind = page.encode(), "text/html; charset=utf-8"
        headers["Content-Security-Policy"] = "default-src 'none'; style-src 'self'; frame-ancestors 'none'"
    else:
        body, kind = error_body(rate_limited(seconds), request_id), "application/json"
    answered = {
        **COMMON_HEADERS,
        **headers,
        "Content-Type": kind,
        "Content-Length": str(len(body)),
        "ETag": weak_etag(body),
        "X-Request-ID": request_id,
    }
    encoded = [(name.lower().encode(), value.encode()) for name, value in answered.items()]
    await send({"type": "http.response.start", "status": HTTPStatus.TOO_MANY_REQUESTS, "headers": encoded})
    await send({"type": "http.response.body", "body": b"" if scope["method"] == "HEAD" else body})


def _with_headers(send: Send, headers: dict[str, str]) -> Send:
    """`send`, with these headers on whatever answer goes through it."""
    added = [(name.lower().encode(), value.encode()) for name, value in headers.items()]

    async def send_with_headers(message: Message) -> None:
        if message["type"] == "http.response.start":
            message = {**message, "headers": [*message.get("headers", ()), *added]}
        await send(message)

    return send_with_headers
