"""The agent endpoint for the conformance suite: with its fixture tools, and with a key for callers who send none.

The suite speaks to servers without credentials. CONFORMANCE_KEY is put on each request; all else is the service's.
"""

import os
from typing import Any

import django

django.setup()

from django.conf import settings  # noqa: E402 -- after the applications are loaded

from config.routing import Router  # noqa: E402
from mcp_bridge.application import AgentEndpoint  # noqa: E402
from mcp_bridge.dispatch import Dispatcher  # noqa: E402
from mcp_bridge.jobs import ThreadJobs  # noqa: E402
from mcp_bridge.registry import Registry  # noqa: E402
from mcp_bridge.server import build_server  # noqa: E402
from mcp_bridge.tools import ALL_TOOLS  # noqa: E402
from tests.conformance.fixtures import add_fixtures  # noqa: E402

HOSTS = ["localhost", "127.0.0.1", "[::1]"]


async def nothing_here(scope: Any, receive: Any, send: Any) -> None:
    """All paths but the endpoint's."""
    await send({"type": "http.response.start", "status": 404, "headers": []})
    await send({"type": "http.response.body", "body": b""})


def build() -> Router:
    """The endpoint as config.asgi builds it, with the fixtures in its server."""
    jobs = ThreadJobs(settings.TOOL_THREADS, "tool")
    registry = Registry(ALL_TOOLS, prefix=settings.TOOL_PREFIX)
    server = build_server(registry, Dispatcher(jobs, jobs, settings.TOOL_PREFIX))
    add_fixtures(server)
    agent = AgentEndpoint(server, jobs, HOSTS)
    return Router(django=nothing_here, agent=agent, static=nothing_here, static_prefix="/static/")


_service = build()


async def application(scope: Any, receive: Any, send: Any) -> None:
    """Put the key on the request where it has none."""
    if scope["type"] == "http" and not any(name == b"authorization" for name, _ in scope["headers"]):
        key = (b"authorization", f"Bearer {os.environ['CONFORMANCE_KEY']}".encode())
        scope = {**scope, "headers": [*scope["headers"], key]}
    await _service(scope, receive, send)
