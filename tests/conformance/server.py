"""The agent endpoint for the conformance suite: with its fixture tools, and with a key for callers who send none.

The suite speaks to servers without credentials. CONFORMANCE_KEY is put on each request; all else is the service's.
"""

import os
from typing import Any

import django

django.setup()

from django.conf import settings  # noqa: E402

from mcp_bridge.dispatch import ThreadJobs  # noqa: E402
from mcp_bridge.endpoint import AgentEndpoint  # noqa: E402
from mcp_bridge.tools import ALL_TOOLS  # noqa: E402
from tests.conformance.fixtures import add_fixtures  # noqa: E402

jobs = ThreadJobs(settings.TOOL_THREADS, "tool")
agent = AgentEndpoint(
    ALL_TOOLS,
    prefix=settings.TOOL_PREFIX,
    allowed_hosts=["localhost", "127.0.0.1", "[::1]"],
    jobs=jobs,
    slow_jobs=jobs,
)
add_fixtures(agent.server)


async def application(scope: Any, receive: Any, send: Any) -> None:
    """The endpoint at /mcp, and nothing else. A request without a key gets one."""
    if scope["type"] != "http" or scope["path"] != "/mcp":
        await send({"type": "http.response.start", "status": 404, "headers": []})
        await send({"type": "http.response.body", "body": b""})
        return
    if not any(name == b"authorization" for name, _ in scope["headers"]):
        key = (b"authorization", f"Bearer {os.environ['CONFORMANCE_KEY']}".encode())
        scope = {**scope, "headers": [*scope["headers"], key]}
    await agent(scope, receive, send)
