"""Keeps the ledgers of accounts where all workers find them: in the shared cache."""

import asyncio
import logging
import random
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Protocol

from django.core.cache import cache

from visibility.pipeline.ask.ledger import LEASE_SECONDS, WHOLE, Claim, Grant, Ledger

logger = logging.getLogger(__name__)

KEY = "engine-account"
KEPT_SECONDS = 3600
"""Long after the last lease and pause are over."""
LOCK_SECONDS = 2
"""Longer than a ledger is ever held: what a dead worker held is free again."""
LOCK_PATIENCE_SECONDS = 1.5
FIRST_WAIT_SECONDS, MAX_WAIT_SECONDS = 0.004, 0.1
CACHE_DEADLINE = 2.0
SILENT_PART = 4
"""While the cache is silent, a run that was granted nothing yet, or nothing for a lease, takes at most this part of
the account, and each run keeps this part of the pace: it cannot know how many others there are."""


class Sharing(Protocol):
    """Divides one account among those who ask through it."""

    async def exchange(self, claim: Claim) -> Grant:
        """Tell what a run has and wants, and hear what it may use. Never fails."""
        ...


class Alone(Sharing):
    """An account that no other run has."""

    def __init__(self) -> None:
        self._ledger = Ledger()

    async def exchange(self, claim: Claim) -> Grant:
        """All of it."""
        return self._ledger.settle(claim, time.time())


class Shared(Sharing):
    """An account of all workers. The cache is asked in a thread, with a deadline; `executor` has one thread only."""

    def __init__(self, account: str, executor: ThreadPoolExecutor) -> None:
        self._key = f"{KEY}:{account}"
        self._executor = executor
        self._latest = Grant(WHOLE // SILENT_PART, 0.0, 0.0)
        self._exchanged = self._heard = time.monotonic()

    async def exchange(self, claim: Claim) -> Grant:
        """What the ledger in the cache grants; while it is silent, what was granted last and a part of the pace.

        Silent for a lease, it may have given that away: then at most the part of a run that was granted nothing.
        """
        loop, asked_at = asyncio.get_running_loop(), time.monotonic()
        try:
            future = loop.run_in_executor(self._executor, self._settled, claim)
            # Not wait_for: in Python 3.11 it loses a cancellation that comes together with the result.
            async with asyncio.timeout(CACHE_DEADLINE):
                grant = await future
            self._heard = asked_at
        except Exception as error:  # each cache backend has its own family of errors
            logger.warning("The cache is silent: a provider's limits are divided by guess (%r)", error)
            grant = self._guess(claim)
        self._exchanged = time.monotonic()
        self._latest = grant
        return grant

    def _settled(self, claim: Claim) -> Grant:
        try:
            with _locked(f"{self._key}:lock"):
                state = cache.get(self._key)
                ledger = Ledger.from_json(state) if state else Ledger()
                grant = ledger.settle(claim, time.time())
                cache.set(self._key, ledger.as_json(), KEPT_SECONDS)
        finally:
            cache.close()  # the thread ends with its run, and would leave it open until the collector comes
        return grant

    def _guess(self, claim: Claim) -> Grant:
        elapsed = time.monotonic() - self._exchanged
        pace = min(claim.pace, elapsed / SILENT_PART)
        pause_until = max(self._latest.pause_until, claim.pause_until)
        places = self._latest.places
        if time.monotonic() - self._heard >= LEASE_SECONDS:
            places = min(places, WHOLE // SILENT_PART)
        return Grant(max(places, claim.place), pace, pause_until, self._latest.members)


@contextmanager
def _locked(key: str) -> Iterator[None]:
    """One at a time, over all machines. `add` is what all caches do atomically."""
    began, wait = time.monotonic(), FIRST_WAIT_SECONDS
    while not cache.add(key, True, LOCK_SECONDS):
        if time.monotonic() - began > LOCK_PATIENCE_SECONDS:
            raise TimeoutError("the ledger is held by others")
        # Ever longer, and not all at once: many who wait must not keep the cache from the one who holds it.
        time.sleep(random.uniform(0.5, 1.0) * wait)  # noqa: S311 -- no secret
        wait = min(2 * wait, MAX_WAIT_SECONDS)
    locked_at = time.monotonic()
    try:
        yield
    finally:
        # Held for too long it may be another's by now.
        if time.monotonic() - locked_at < LOCK_SECONDS / 2:
            cache.delete(key)
