"""The yardstick of the agent door: a bare server of the same SDK, which makes the queries that a tool made, fetches
their rows and sends the same result; and at /door an empty tool behind the service's own door.

Run as the service is. REPLAY names a file with a pickled Replay for each tool.
"""

import asyncio
import os
import pickle
from collections.abc import Awaitable, Callable, MutableMapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import django

django.setup()

import orjson  # noqa: E402 - after the settings are loaded, as all below
from django.conf import settings  # noqa: E402
from django.db import close_old_connections  # noqa: E402
from django.db.models.sql import Query  # noqa: E402
from mcp.server.lowlevel import Server  # noqa: E402
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager  # noqa: E402
from mcp.server.transport_security import TransportSecuritySettings  # noqa: E402

from apikeys.accounts.caller import Caller  # noqa: E402
from apikeys.edge.ratelimit import RateLimit  # noqa: E402
from apikeys.resources import Resource  # noqa: E402
from apikeys.scopes import Scope  # noqa: E402
from mcp_bridge.arguments import Arguments  # noqa: E402
from mcp_bridge.dispatch import ThreadJobs  # noqa: E402
from mcp_bridge.endpoint import AgentEndpoint  # noqa: E402
from mcp_bridge.registry import tool  # noqa: E402

Message = MutableMapping[str, Any]
POOL = ThreadPoolExecutor(settings.TOOL_THREADS)


@tool("Empty", Scope.READ_SITES)
def empty(caller: Caller, arguments: Arguments) -> Resource:
    """Nothing."""
    return Resource()


@dataclass(frozen=True)
class Replay:
    """The queries of one call in their order, before they were compiled, and its result."""

    queries: list[Query]
    result: Any

    def fetch(self) -> None:
        """The rows of all, on a connection that is given back."""
        close_old_connections()
        for query in self.queries:
            for _chunk in query.clone().get_compiler("default").execute_sql() or ():
                pass
        close_old_connections()


async def call_tool(context: Any, params: Any) -> Any:
    """The same result as the service's."""
    replay = recorded[params.name]
    await asyncio.get_running_loop().run_in_executor(POOL, replay.fetch)
    content = [{"type": "text", "text": orjson.dumps(replay.result).decode()}]
    return {"content": content, "structuredContent": replay.result, "resultType": "complete"}


recorded: dict[str, Replay] = pickle.loads(Path(os.environ["REPLAY"]).read_bytes()) if "REPLAY" in os.environ else {}
bare = StreamableHTTPSessionManager(
    Server("bare", on_call_tool=call_tool),
    json_response=True,
    stateless=True,
    security_settings=TransportSecuritySettings(enable_dns_rebinding_protection=False),
)
jobs = ThreadJobs(settings.TOOL_THREADS, "tool")
guarded = AgentEndpoint([empty], prefix="", allowed_hosts=settings.ALLOWED_HOSTS, jobs=jobs, slow_jobs=jobs)
door = RateLimit(guarded, rate=settings.RATE_LIMIT, trusted_proxies=settings.TRUSTED_PROXIES)


async def application(
    scope: Message, receive: Callable[[], Awaitable[Message]], send: Callable[[Message], Awaitable[None]]
) -> None:
    """Both, for as long as the server lives; a GET says that it does."""
    if scope["type"] == "lifespan":
        await receive()
        async with bare.run(), guarded.running():
            await send({"type": "lifespan.startup.complete"})
            await receive()
        await send({"type": "lifespan.shutdown.complete"})
    elif scope["method"] == "GET":
        await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"0")]})
        await send({"type": "http.response.body", "body": b""})
    else:
        await (door if scope["path"] == "/door" else bare.handle_request)(scope, receive, send)
