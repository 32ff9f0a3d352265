"""How many requests an address may make: counted in the shared cache, or in the process while the cache is silent."""

import asyncio
import re
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import structlog
from django.core.exceptions import ImproperlyConfigured
from django.http import HttpRequest
from django_ratelimit.core import get_usage

log = structlog.get_logger(__name__)

CACHE_DEADLINE = 0.2
CACHE_PAUSE = 1.0
MAX_ADDRESSES = 100_000
_RATE = re.compile(r"([1-9][0-9]*)/([1-9][0-9]*)?([smhd])")
_NO_REQUEST = HttpRequest()
_SECONDS = {"s": 1, "m": 60, "h": 3_600, "d": 86_400}


@dataclass(frozen=True, slots=True)
class Rate:
    """So many requests in so many seconds."""

    limit: int
    seconds: int

    @classmethod
    def parse(cls, text: str, setting: str = "RATE_LIMIT") -> "Rate":
        """From `300/m` or `10/5s`, the value of `setting`; raises ImproperlyConfigured otherwise."""
        found = _RATE.fullmatch(text)
        if not found:
            raise ImproperlyConfigured(f"{setting} is {text!r}; write for example 300/m (s, m, h or d).")
        return cls(int(found[1]), int(found[2] or 1) * _SECONDS[found[3]])


@dataclass(frozen=True, slots=True)
class Usage:
    """Whether a request passes, and the seconds until the budget is renewed."""

    allowed: bool
    resets_in: int


class ProcessCounter:
    """Fixed windows in the memory of this process; an address more than `MAX_ADDRESSES` begins all anew."""

    def __init__(self, rate: Rate) -> None:
        self.rate = rate
        self._window = -1
        self._counts: Counter[str] = Counter()

    def count(self, address: str) -> Usage:
        """Count one request. For one thread only: the event loop's."""
        now = time.time()
        window = int(now // self.rate.seconds)
        full = len(self._counts) >= MAX_ADDRESSES and address not in self._counts
        if full or window != self._window:
            self._window = window
            self._counts.clear()
        self._counts[address] += 1
        return Usage(self._counts[address] <= self.rate.limit, int((window + 1) * self.rate.seconds - now) + 1)

    def take_off(self, address: str) -> None:
        """One less, if it was counted in this window."""
        if self._counts[address] > 0:
            self._counts[address] -= 1


class SharedCounter:
    """The count in the cache that all processes share, asked in a thread of its own with a deadline.

    Requests ask one after the other, and each one's deadline begins at its turn: a crowd is no sign of a silent
    cache. When the cache does not answer in time, the counter of the process takes over, also for all that wait, and
    the cache is left alone for a moment so that requests do not queue up behind it.
    """

    def __init__(self, rate: Rate) -> None:
        self.rate = rate
        self._executor = ThreadPoolExecutor(max_workers=1, thread_name_prefix="rate-limit")
        self._fallback = ProcessCounter(rate)
        self._turn = asyncio.Lock()
        self._silent_until = 0.0

    async def count(self, address: str) -> Usage:
        """Count one request of `address`, exactly once in the counter that answers."""
        async with self._turn:
            if time.monotonic() >= self._silent_until:
                try:
                    return await asyncio.wait_for(
                        asyncio.get_running_loop().run_in_executor(self._executor, self._in_cache, address),
                        CACHE_DEADLINE,
                    )
                except Exception as exc:  # each cache backend has its own family of errors
                    self._silent_until = time.monotonic() + CACHE_PAUSE
                    log.warning("cache silent, requests are counted in the process", reason=repr(exc))
        return self._fallback.count(address)

    def close(self) -> None:
        """Leave the thread; what waits for the cache is dropped."""
        self._executor.shutdown(wait=False, cancel_futures=True)

    def _in_cache(self, address: str) -> Usage:
        found = get_usage(
            _NO_REQUEST,
            group="all",
            key=lambda group, request: address,
            rate=(self.rate.limit, self.rate.seconds),
            increment=True,
        )
        if found["limit"] != self.rate.limit:  # how django-ratelimit says that the cache failed
            raise ConnectionError("the cache did not count")
        return Usage(not found["should_limit"], max(found["time_left"], 1))
