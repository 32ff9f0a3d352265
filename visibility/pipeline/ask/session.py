"""Asks the pending answers of a run: all engines side by side, results stored as they arrive."""

import asyncio
import math
import random
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from typing import TypeVar

from asgiref.sync import sync_to_async
from django.db import OperationalError
from django.utils import timezone

from apikeys.db.outages import DATABASE
from visibility.engines.protocol import Engine, EngineError
from visibility.jobs.failures import first_failure
from visibility.jobs.lease import LeaseLost, LeaseState
from visibility.jobs.patience import unless_away
from visibility.pipeline.ask.account import Account
from visibility.pipeline.ask.asker import Asker, Results
from visibility.pipeline.ask.bookings import Book, Booking, Bookings, book_nothing
from visibility.pipeline.ask.items import AskResult, Pending, Store
from visibility.pipeline.ask.ledger import WHOLE, Claim
from visibility.pipeline.ask.sharing import Alone, Shared, Sharing
from visibility.pipeline.provider_calls import Booked

Result = TypeVar("Result")

BATCH = 100
"""At most this many answers are stored at once."""
WAITING = 500
"""So many answers may wait to be stored before no more are asked for."""
LOOK_SECONDS = 0.5
EXCHANGE_SECONDS, MAX_EXCHANGE_SECONDS = 1.0, 5.0
CROWD = 20
"""With more runs than that each exchanges more seldom, so that all together ask the cache as often."""
STORE_AGAIN_SECONDS = 1.0


@dataclass(frozen=True, slots=True)
class Terms:
    """On which terms a run asks; times are in seconds.

    `member` is what other runs know this one by. `patience` is how long a provider may answer nothing, `storing` how
    long the database may take nothing. `grace` is how long calls under way are waited for once no more are begun.
    `book` has calls booked before they are made, in the thread that called.
    """

    member: str = "alone"
    patience: float = 600.0
    storing: float = 300.0
    grace: Mapping[LeaseState, float] = field(default_factory=dict)
    book: Book = book_nothing


async def ask_all(
    pending: Mapping[str, Sequence[Pending]],
    engines: Iterable[Engine],
    store: Store,
    lease_state: Callable[[], LeaseState],
    terms: Terms,
    meanwhile: Callable[[], bool] = lambda: False,
) -> LeaseState:
    """Ask everything and hand the results to `store` in batches while further ones are on their way.

    `meanwhile` does a little of what else there is to do, while nothing waits to be stored, and says whether there
    was anything. All three run in the thread that called; what they raise ends the asking, but for a database that
    is away for a while. Soon after `lease_state` says that the run is cancelled or its worker stops, no call begins,
    and that is returned once the calls under way have ended or their grace has; what was not asked stays pending.
    Raises LeaseLost when it says so. The engines' connections are closed in the end, however it comes.
    """
    by_name = {engine.name: engine for engine in engines}
    try:
        return await _Session(pending, by_name, store, lease_state, terms, meanwhile).run()
    except BaseExceptionGroup as group:
        raise first_failure(group) from None
    finally:
        await asyncio.gather(*(engine.aclose() for engine in by_name.values()), return_exceptions=True)


class _Session:
    def __init__(
        self,
        pending: Mapping[str, Sequence[Pending]],
        engines: Mapping[str, Engine],
        store: Store,
        lease_state: Callable[[], LeaseState],
        terms: Terms,
        meanwhile: Callable[[], bool],
    ) -> None:
        self._store = store
        self._meanwhile = meanwhile
        self._lease_state = lease_state
        self._terms = terms
        self._results: Results = asyncio.Queue(maxsize=WAITING)
        self._bookings = Bookings()
        self._gone = [item for name, items in pending.items() if name not in engines for item in items]
        self._halted = LeaseState.WORKING
        self._accounts: dict[str, Account] = {}
        self._askers: dict[str, list[Asker]] = {}
        for name in pending.keys() & engines.keys():
            self._add(engines[name], pending[name])

    def _add(self, engine: Engine, items: Sequence[Pending]) -> None:
        key = engine.account or f" {engine.name}"
        account = self._accounts.setdefault(key, Account())
        asker = Asker(
            engine,
            items,
            account,
            self._bookings,
            self._results,
            patience=self._terms.patience,
            wake_all=self._wake_all,
        )
        self._askers.setdefault(key, []).append(asker)

    async def run(self) -> LeaseState:
        """Ask until nothing is left to be asked, or no more may be; everything that came is stored."""
        executor = ThreadPoolExecutor(max_workers=1, thread_name_prefix="provider-limits")
        sharing = {key: Alone() if key.startswith(" ") else Shared(key, executor) for key in self._accounts}
        try:
            return await self._run(sharing)
        finally:
            for engine_sharing in sharing.values():
                await engine_sharing.exchange(Claim(self._terms.member, used=0, wants=0, place=WHOLE))
            executor.shutdown(wait=False, cancel_futures=True)

    async def _run(self, sharing: Mapping[str, Sharing]) -> LeaseState:
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(self._store_as_they_arrive())
            asking = tasks.create_task(self._ask())
            beside = [tasks.create_task(self._share(key, engine_sharing)) for key, engine_sharing in sharing.items()]
            beside.append(tasks.create_task(self._watch(asking)))
            beside.append(tasks.create_task(self._bookings.run(self._book_patiently)))
            await asyncio.wait([asking])
            await self._results.put(None)
            for task in beside:
                task.cancel()
        return self._halted

    async def _ask(self) -> None:
        for item in self._gone:
            error = EngineError("engine_unavailable", "The brand no longer has this engine.", retryable=False)
            await self._results.put(AskResult(item.answer_id, 0, 0, timezone.now(), error))
        async with asyncio.TaskGroup() as asking:
            for askers in self._askers.values():
                for asker in askers:
                    asking.create_task(asker.run())

    def _wake_all(self) -> None:
        for askers in self._askers.values():
            for asker in askers:
                asker.wake()

    async def _share(self, key: str, sharing: Sharing) -> None:
        """Keep what the account's ledger knows of this run fresh, and at once when the provider wants a pause."""
        account, askers = self._accounts[key], self._askers[key]
        while True:
            account.urgent.clear()
            waiting = [(asker.part, asker.waiting) for asker in askers]
            grant = await sharing.exchange(account.claim(self._terms.member, waiting, time.monotonic()))
            account.take(grant)
            # Whoever was woken first takes what is free: not always the same one.
            askers.append(askers.pop(0))
            self._wake_all()
            with suppress(TimeoutError):
                async with asyncio.timeout(_until_exchange(grant.members)):
                    await account.urgent.wait()

    async def _watch(self, asking: asyncio.Task[None]) -> None:
        """End the asking when the run is no longer to be worked on: at once when it is lost, else with its grace."""
        deadline = math.inf
        while time.monotonic() < deadline:
            lease_state = await sync_to_async(unless_away)(self._lease_state, LeaseState.WORKING)
            if lease_state is LeaseState.LOST:
                raise LeaseLost
            if lease_state is not LeaseState.WORKING and self._halted is LeaseState.WORKING:
                self._halted = lease_state
                deadline = time.monotonic() + self._terms.grace.get(lease_state, 0.0)
                for askers in self._askers.values():
                    for asker in askers:
                        asker.halt()
            await asyncio.sleep(min(LOOK_SECONDS, max(deadline - time.monotonic(), 0.0)))
        asking.cancel()

    async def _store_as_they_arrive(self) -> None:
        """Store what has arrived while the batch before was being stored, until the end mark."""
        ended = idle = False
        while not ended:
            if self._results.empty() and not idle:
                idle = not await sync_to_async(unless_away)(self._meanwhile, False)
                continue
            batch = [await self._results.get()]
            while len(batch) < BATCH and not self._results.empty():
                batch.append(self._results.get_nowait())
            ended = batch[-1] is None
            arrived = [result for result in batch if result is not None]
            if arrived:
                await self._store_patiently(arrived)
                idle = False

    async def _store_patiently(self, arrived: Sequence[AskResult]) -> None:
        """Answers were paid for: they are not given up because the database is away for a while."""
        await self._patiently(partial(self._store, arrived))
        self._bookings.settled(sum(result.call is not None for result in arrived))
        self._wake_all()

    async def _book_patiently(self, bookings: Sequence[Booking]) -> Booked:
        """While the database is away no call can be booked, and none is made."""
        return await self._patiently(partial(self._terms.book, bookings))

    async def _patiently(self, work: Callable[[], Result]) -> Result:
        """Do it in the database as soon as that is there."""

        def attempt() -> list[Result]:
            return unless_away(lambda: [work()], [])

        deadline = time.monotonic() + self._terms.storing
        while not (result := await sync_to_async(attempt)()):
            if time.monotonic() > deadline:
                raise OperationalError(f"The database took nothing for {self._terms.storing:.0f} seconds.")
            await asyncio.sleep(STORE_AGAIN_SECONDS)
        DATABASE.works()
        return result[0]


def _until_exchange(members: int) -> float:
    """Seconds until the next exchange, spread, so that runs do not meet at the cache each time."""
    seconds = min(EXCHANGE_SECONDS * max(members / CROWD, 1.0), MAX_EXCHANGE_SECONDS)
    return seconds * random.uniform(0.8, 1.0)  # noqa: S311 -- no secret
