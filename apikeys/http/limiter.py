"""How many requests an address may make: counted in the shared cache, or in the process while the cache is silent."""

import asyncio
import re
import time
import zlib
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import structlog
from django.core.exceptions import ImproperlyConfigured
from django.http import HttpRequest
from django_ratelimit.core import get_usage

log = structlog.get_logger(__name__)

CACHE_PAUSE = 1.0
MAX_ADDRESSES = 100_000
_RATE = re.compile(r"([1-9][0-9]*)/([1-9][0-9]*)?([smhd])")
NO_REQUEST = HttpRequest()
_SECONDS = {"s": 1, "m": 60, "h": 3_600, "d": 86_400}


@dataclass(frozen=True, slots=True)
class Rate:
    """So many requests in so many seconds."""

    limit: int
    seconds: int

    @classmethod
    def parse(cls, text: str, setting: str = "RATE_LIMIT") -> "Rate":
        """From `300/m` or `10/5s`, the value of `setting`; raises ImproperlyConfigured otherwise."""
        match = _RATE.fullmatch(text)
        if not match:
            raise ImproperlyConfigured(f"{setting} is {text!r}; write for example 300/m (s, m, h or d).")
        return cls(int(match[1]), int(match[2] or 1) * _SECONDS[match[3]])


@dataclass(frozen=True, slots=True)
class Usage:
    """Whether a request passes, how many more will, and the seconds until the budget is renewed."""

    allowed: bool
    remaining: int
    resets_in: int


def end_of_window(address: str, seconds: int) -> int:
    """When the window of so many seconds ends that an address is in now, in seconds since 1970: as django-ratelimit
    has it, at another moment for each address."""
    now = int(time.time())
    end = now - now % seconds + zlib.crc32(address.encode()) % seconds
    return end if end >= now else end + seconds


class ProcessCounter:
    """Windows of time in the memory of this process, the very ones of the cache. An address more than `MAX_ADDRESSES`
    begins all anew.

    It knows what the cache last counted, so that a budget which is spent stays spent when the cache falls silent,
    and what was counted here in between, when it comes back.
    """

    def __init__(self, rate: Rate) -> None:
        self.rate = rate
        self._counts: dict[str, tuple[int, int]] = {}
        """The end of the window, and the requests in it, by address."""

    def count(self, address: str, end: int, cache_count: int = 0) -> Usage:
        """Count one request in the window that ends at `end`; `cache_count` is what the cache counted with it, 0
        where it did not. For one thread only: the event loop's."""
        known_end, known = self._counts.get(address, (end, 0))
        if address not in self._counts and len(self._counts) >= MAX_ADDRESSES:
            self._counts.clear()
        count = max(cache_count, known + 1 if known_end == end else 1)
        self._counts[address] = end, count
        remaining = max(self.rate.limit - count, 0)
        return Usage(count <= self.rate.limit, remaining, max(end - int(time.time()), 1))

    def take_off(self, address: str) -> None:
        """One less in the window that was counted last."""
        end, count = self._counts.get(address, (0, 0))
        if count > 0:
            self._counts[address] = end, count - 1


class SharedCounter:
    """The count in the cache that all processes share, asked in a thread of its own with a deadline.

    Requests ask one after the other, and each one's deadline begins at its turn: a crowd is no sign of a silent
    cache. When the cache does not answer in time, the counter of the process takes over, also for all that wait, and
    the cache is left alone for a moment so that requests do not queue up behind it.
    """

    def __init__(self, rate: Rate, *, deadline: float) -> None:
        self.rate = rate
        self._deadline = deadline
        self._executor = ThreadPoolExecutor(max_workers=1, thread_name_prefix="rate-limit")
        self._in_process = ProcessCounter(rate)
        self._turn = asyncio.Lock()
        self._silent_until = 0.0

    async def count(self, address: str) -> Usage:
        """Count one request of `address`, exactly once in the counter that answers."""
        async with self._turn:
            end = end_of_window(address, self.rate.seconds)
            cache_count = await self._asked(address) if time.monotonic() >= self._silent_until else 0
            return self._in_process.count(address, end, cache_count)

    async def open(self) -> None:
        """Have the cache opened before the first request needs it, however long that takes."""
        try:
            await asyncio.get_running_loop().run_in_executor(self._executor, self._in_cache, "", False)
        except Exception as exc:  # each cache backend has its own family of errors
            log.warning("cache silent at the start", reason=repr(exc))

    def close(self) -> None:
        """Leave the thread; what waits for the cache is dropped."""
        self._executor.shutdown(wait=False, cancel_futures=True)

    async def _asked(self, address: str) -> int:
        """What the cache counted, this request included; 0 when it is silent."""
        answer = asyncio.get_running_loop().run_in_executor(self._executor, self._in_cache, address)
        # Unlike a time limit on the answer, this takes one that came while the process was too busy to look.
        await asyncio.wait({answer}, timeout=self._deadline)
        try:
            if not answer.done():
                answer.cancel()
                raise TimeoutError
            return answer.result()
        except Exception as exc:  # each cache backend has its own family of errors
            self._silent_until = time.monotonic() + CACHE_PAUSE
            log.warning("cache silent, requests are counted in the process", reason=repr(exc))
            return 0

    def _in_cache(self, address: str, increment: bool = True) -> int:
        usage = get_usage(
            NO_REQUEST,
            group="all",
            key=lambda group, request: address,
            rate=(self.rate.limit, self.rate.seconds),
            increment=increment,
        )
        if usage["limit"] != self.rate.limit:  # how django-ratelimit says that the cache failed
            raise ConnectionError("the cache did not count")
        return int(usage["count"])
