"""The limits of the agent endpoint, each an ASGI application of its own, chosen by BENCH_LIMIT.

`sql`: a bare view that runs the recorded SQL in a bounded pool and dumps the same payload with orjson.
`sdk`: the protocol's library, which knows the tools' arguments, answers with the same payload; no database.
`http`: an ASGI application that sends a fixed body, whose cost is a part of both others.
"""

import asyncio
import json
import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import django
import orjson

django.setup()

from django.conf import settings  # noqa: E402 -- after the settings are loaded
from django.db import close_old_connections, connection  # noqa: E402
from mcp.server.lowlevel import Server  # noqa: E402
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager  # noqa: E402

from mcp_bridge.registry import Registry  # noqa: E402
from mcp_bridge.results import success  # noqa: E402
from mcp_bridge.tools import ALL_TOOLS  # noqa: E402

REPLAY = json.loads(Path(os.environ["BENCH_REPLAY"]).read_text())
POOL = ThreadPoolExecutor(max_workers=8)


async def body_of(receive):
    """The whole request body."""
    parts, more = [], True
    while more:
        message = await receive()
        parts.append(message.get("body", b""))
        more = message.get("more_body", False)
    return b"".join(parts)


async def send_json(send, body):
    """A 200 with this body."""
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": body})


def run_sql(statements):
    """The statements of one call, on a connection that is given back."""
    close_old_connections()
    try:
        with connection.cursor() as cursor:
            for sql in statements:
                cursor.execute(sql)
                if cursor.description:
                    cursor.fetchall()
    finally:
        close_old_connections()


async def sql(scope, receive, send):
    """Same SQL, same payload, nothing else."""
    recorded = REPLAY[orjson.loads(await body_of(receive))["params"]["name"]]
    await asyncio.get_running_loop().run_in_executor(POOL, run_sql, recorded["sql"])
    await send_json(send, orjson.dumps(recorded["payload"]))


async def http(scope, receive, send):
    """A fixed body."""
    await body_of(receive)
    await send_json(send, b"{}")


async def call_tool(context, params):
    """The same payload as the service's."""
    return success(REPLAY[params.name]["result"])


REGISTRY = Registry(ALL_TOOLS, prefix=settings.TOOL_PREFIX)
SERVER = Server("limit", on_call_tool=call_tool, get_tool_input_schema=REGISTRY.input_schema)
MANAGER = StreamableHTTPSessionManager(SERVER, json_response=True, stateless=True)
LIMITS = {"sql": sql, "http": http, "sdk": MANAGER.handle_request}


async def application(scope, receive, send):
    """The chosen limit; the library's manager lives as long as the server."""
    if scope["type"] != "lifespan":
        await LIMITS[os.environ["BENCH_LIMIT"]](scope, receive, send)
        return
    await receive()
    async with MANAGER.run():
        await send({"type": "lifespan.startup.complete"})
        await receive()
    await send({"type": "lifespan.shutdown.complete"})
