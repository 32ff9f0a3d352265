"""The one way of a tool call: key → plan → scope → arguments → brand and role → idempotency → service → result →
call log.

All that touches the database happens in jobs; between them a call has neither thread nor connection.
"""

import asyncio
import contextvars
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from typing import Any, TypeVar

from django.db import close_old_connections, transaction
from pydantic.alias_generators import to_camel

from apikeys.accounts.caller import Caller
from apikeys.accounts.idempotency import LEASE, Finished, Reserved, Running, execute_once, release, renew, reserve
from apikeys.accounts.usage import quotas
from apikeys.errors import ErrorCode, ServiceError
from apikeys.snapshot import snapshot
from mcp_bridge.arguments import Arguments, Creating, parse
from mcp_bridge.call import AgentCall, NotAdmitted
from mcp_bridge.registry import Registry, Tool
from mcp_bridge.results import failure, success, written

WAITS = (0.05, 0.1, 0.2, 0.4, 0.8)
"""Seconds between the looks of a repeated call at the first one, which is still running."""
RENEW_SECONDS = LEASE.total_seconds() / 3

Entry = Reserved | Finished | Running | None
T = TypeVar("T")


class ThreadJobs:
    """Runs blocking functions for the event loop in a bounded pool. What exceeds it waits without thread and
    connection."""

    def __init__(self, threads: int, name: str) -> None:
        self._executor = ThreadPoolExecutor(max_workers=threads, thread_name_prefix=name)

    async def run(self, function: Callable[[], T]) -> T:
        """The result of `function`, run in the context of the caller (its request id, for the log).

        Raises unavailable once the pool is closed, as the server leaves.
        """
        job = partial(contextvars.copy_context().run, _with_fresh_connections, function)
        try:
            running = self._executor.submit(job)
        except RuntimeError:
            raise ServiceError(ErrorCode.UNAVAILABLE) from None
        return await asyncio.wrap_future(running)

    def close(self) -> None:
        """Take no more work; what has not begun is dropped. Does not wait for what has."""
        self._executor.shutdown(wait=False, cancel_futures=True)


@dataclass(frozen=True, slots=True)
class Dispatcher:
    """Carries out tool calls. `jobs` are short and use the database; `slow_jobs` wait for engines."""

    registry: Registry
    jobs: ThreadJobs
    slow_jobs: ThreadJobs
    _running: "set[asyncio.Future[dict[str, Any]]]" = field(default_factory=set, init=False, compare=False)

    async def call(self, call: AgentCall, tool: Tool, raw_arguments: Mapping[str, Any]) -> dict[str, Any]:
        """The result of the call as it goes out, a failure included; raises NotAdmitted.

        A client that leaves changes nothing: what has begun, and may cost, is finished, stored and logged.
        """
        work = asyncio.ensure_future(self._outcome(call, tool, raw_arguments))
        self._running.add(work)
        work.add_done_callback(self._end)
        return await asyncio.shield(work)

    def _end(self, work: "asyncio.Future[dict[str, Any]]") -> None:
        self._running.discard(work)
        if not work.cancelled():
            work.exception()  # where the client has left, nobody else looks at it

    async def _outcome(self, call: AgentCall, tool: Tool, raw_arguments: Mapping[str, Any]) -> dict[str, Any]:
        try:
            return success(await self._result(call, tool, raw_arguments))
        except NotAdmitted:
            raise
        except Exception as error:
            return await self.jobs.run(partial(self._fail, call, tool, raw_arguments, error))

    def _fail(
        self, call: AgentCall, tool: Tool, raw_arguments: Mapping[str, Any], error: Exception
    ) -> dict[str, Any]:
        result = failure(error, self.registry, tool, raw_arguments, call)
        call.note_step_up(error)
        call.record()
        return result

    async def _result(self, call: AgentCall, tool: Tool, raw_arguments: Mapping[str, Any]) -> str:
        """The result as JSON. A success is in the call log before the caller has it."""
        if not (tool.creates or tool.is_slow):
            return await self.jobs.run(partial(self._read, call, tool, raw_arguments))
        caller, arguments, entry = await self.jobs.run(partial(_begin, call, tool, raw_arguments))
        entry = await self._waited(entry, partial(_enter, tool, caller, arguments))
        if isinstance(entry, Finished):
            return entry.result
        effect = partial(tool.function, caller, arguments)
        if tool.is_slow:
            effect = (await self._done_slowly(entry, effect)).store
        return await self.jobs.run(partial(self._take_effect, call, tool, arguments, entry, effect))

    def _read(self, call: AgentCall, tool: Tool, raw_arguments: Mapping[str, Any]) -> str:
        """The whole call of a tool that only reads, in one job."""
        caller, arguments, _ = _begin(call, tool, raw_arguments)
        with snapshot():
            result = written(self.registry, tool, caller, arguments, tool.function(caller, arguments))
        call.record()
        return result

    def _take_effect(
        self, call: AgentCall, tool: Tool, arguments: Arguments, entry: Reserved | None, effect: Callable[[], Any]
    ) -> str:
        caller = call.admit()

        def result() -> str:
            if isinstance(arguments, Creating) and arguments.dry_run:
                return self._tried(tool, caller, arguments, effect)
            return written(self.registry, tool, caller, arguments, effect())

        done = execute_once(entry, result) if entry else result()
        call.record()
        return done

    def _tried(self, tool: Tool, caller: Caller, arguments: Creating, effect: Callable[[], Any]) -> str:
        """What the effect comes to and what it takes from the owner's quotas. All that it wrote or enqueued is
        undone."""
        owner = tool.brand(caller, arguments).owner
        with transaction.atomic():
            before = quotas(owner)
            outcome = effect()
            spent = {kind: quota for kind, quota in quotas(owner).items() if quota.used > before[kind].used}
            transaction.set_rollback(True)
        takes = {
            to_camel(str(kind)): {"amount": quota.used - before[kind].used, "left": quota.limit - quota.used}
            for kind, quota in spent.items()
        }
        return written(self.registry, tool, caller, arguments, outcome, {"dryRun": True, "wouldSpend": takes})

    async def _waited(self, entry: Entry, enter: Callable[[], Entry]) -> Reserved | Finished | None:
        """The entry of a call; where it repeats one that is still running, after waiting for that a little."""
        for wait in WAITS:
            if not isinstance(entry, Running):
                return entry
            await asyncio.sleep(wait)
            entry = await self.jobs.run(enter)
        if isinstance(entry, Running):
            raise entry.refusal()
        return entry

    async def _done_slowly(self, reserved: Reserved | None, slow: Callable[[], Any]) -> Any:
        """The outcome of `slow`; a reserved call is renewed meanwhile, and released when nothing came of it."""
        if reserved is None:
            return await self.slow_jobs.run(slow)
        work = asyncio.ensure_future(self.slow_jobs.run(slow))
        try:
            while not (await asyncio.wait({work}, timeout=RENEW_SECONDS))[0]:
                await self.jobs.run(partial(renew, reserved))
            return work.result()
        except Exception:
            await self.jobs.run(partial(release, reserved))
            raise


def _begin(call: AgentCall, tool: Tool, raw_arguments: Mapping[str, Any]) -> tuple[Caller, Arguments, Entry]:
    """Past key, plan, scope and arguments, and what `_enter` looks at."""
    caller = call.admit()
    caller.require(tool.scope)
    arguments = parse(tool.arguments, raw_arguments)
    return caller, arguments, _enter(tool, caller, arguments)


def _enter(tool: Tool, caller: Caller, arguments: Arguments) -> Entry:
    """Brand and role, then the reservation where the call has an idempotency key."""
    if not isinstance(arguments, Creating):
        return None
    brand = tool.brand(caller, arguments)
    if arguments.idempotency_key is None or arguments.dry_run or caller.user is None:
        return None
    return reserve(
        user=caller.user,
        tool=tool.name,
        key=arguments.idempotency_key,
        arguments=arguments.canonical(),
        subject=brand.pk,
    )


def _with_fresh_connections(function: Callable[[], T]) -> T:
    close_old_connections()
    try:
        return function()
    finally:
        close_old_connections()
