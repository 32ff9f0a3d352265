"""The one way of a tool call: key → plan → scope → arguments → brand and role → idempotency → service → result →
call log.

All that touches the database happens in jobs; between them a call holds neither thread nor connection.
"""

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from apikeys.caller import Caller
from apikeys.scopes import Scope
from apikeys.services.idempotency import (
    LEASE,
    Finished,
    Request,
    Reserved,
    Running,
    execute_once,
    release,
    renew,
    reserve,
)
from mcp_bridge.arguments import Arguments, CreatingArguments, parse
from mcp_bridge.call import Call, NotAdmitted
from mcp_bridge.jobs import Jobs
from mcp_bridge.missing import Steps
from mcp_bridge.reading import for_reader
from mcp_bridge.registry import Effect, Tool
from mcp_bridge.results import failure, success, tool_error, written

WAITS = (0.05, 0.1, 0.2, 0.4, 0.8)
"""Seconds between the looks of a repeated call at the first one, which is still running."""
RENEW_SECONDS = LEASE.total_seconds() / 3


Entry = Reserved | Finished | Running | None


@dataclass(frozen=True, slots=True)
class Dispatcher:
    """Carries out tool calls. `jobs` are short and use the database; `slow_jobs` wait for engines."""

    jobs: Jobs
    slow_jobs: Jobs
    prefix: str
    scopes: Mapping[str, Scope] = field(default_factory=dict)
    """The scopes of all tools, by name without the prefix."""
    _running: "set[asyncio.Future[dict[str, Any]]]" = field(default_factory=set, init=False, compare=False)

    async def call(self, call: Call, tool: Tool[Any], raw_arguments: Mapping[str, Any]) -> dict[str, Any]:
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
            work.exception()  # is seen here, where nobody waits for it any more

    async def _outcome(self, call: Call, tool: Tool[Any], raw_arguments: Mapping[str, Any]) -> dict[str, Any]:
        try:
            return success(await self._result(call, tool, raw_arguments))
        except NotAdmitted:
            raise
        except Exception as exc:
            error = tool_error(exc, self.prefix, tool.arguments.model_fields, raw_arguments)
            call.failed(error)
            await self.jobs.run(call.record)
            return failure(error)

    async def _result(self, call: Call, tool: Tool[Any], raw_arguments: Mapping[str, Any]) -> str:
        """The resource as JSON. The call log has a success before the caller has it."""
        if tool.only_reads:
            return await self.jobs.run(partial(_read, call, tool, raw_arguments, self.scopes))
        arguments, entry = await self.jobs.run(partial(_begin, call, tool, raw_arguments))
        caller = call.known_caller
        entry = await self._waited(entry, partial(_enter, tool, caller, arguments))
        if isinstance(entry, Finished):
            return entry.result
        slow = partial(tool.effect, caller, arguments)
        effect = slow() if tool.writer is None else await self._held(entry, slow)
        return await self.jobs.run(partial(_take_effect, call, entry, effect))

    async def _waited(self, entry: Entry, enter: Callable[[], Entry]) -> Reserved | Finished | None:
        """The entry of a call, which waits a little where it repeats one that still runs."""
        for wait in WAITS:
            if not isinstance(entry, Running):
                return entry
            await asyncio.sleep(wait)
            entry = await self.jobs.run(enter)
        if isinstance(entry, Running):
            raise entry.refusal()
        return entry

    async def _held(self, reserved: Reserved | None, slow: Callable[[], Effect]) -> Effect:
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


def _read(call: Call, tool: Tool[Any], raw_arguments: Mapping[str, Any], scopes: Mapping[str, Scope]) -> str:
    """The whole call of a tool that only reads, in one job."""
    arguments, _ = _begin(call, tool, raw_arguments)
    result = _take_effect(call, None, tool.effect(call.known_caller, arguments))
    return for_reader(tool, arguments, result, Steps(scopes, call.known_caller.scopes))


def _begin(call: Call, tool: Tool[Any], raw_arguments: Mapping[str, Any]) -> tuple[Arguments, Entry]:
    """Past key, plan, scope and arguments, and what `_enter` looks at."""
    caller = call.admit()
    caller.require(tool.scope)
    arguments = parse(tool.arguments, raw_arguments)
    return arguments, _enter(tool, caller, arguments)


def _enter(tool: Tool[Any], caller: Caller, arguments: Arguments) -> Entry:
    """Brand and role, then the reservation where the call has an idempotency key."""
    if tool.brand_of is None:
        return None
    brand = tool.brand_of(caller, arguments)
    if not isinstance(arguments, CreatingArguments) or arguments.idempotency_key is None or caller.user is None:
        return None
    return reserve(
        Request(
            user=caller.user,
            tool=tool.name,
            key=arguments.idempotency_key,
            arguments=arguments.canonical(),
            subject=brand.pk,
        )
    )


def _take_effect(call: Call, reserved: Reserved | None, effect: Effect) -> str:
    def result() -> str:
        return written(effect())

    done = execute_once(reserved, result) if reserved else result()
    call.record()
    return done
