"""Puts the agent door together."""

from collections.abc import Iterable, Sequence
from typing import Any

from mcp_bridge.application import AgentEndpoint
from mcp_bridge.dispatch import Dispatcher
from mcp_bridge.jobs import Jobs
from mcp_bridge.registry import Registry, Tool
from mcp_bridge.server import build_server


def agent_endpoint(
    tools: Iterable[Tool[Any]], *, prefix: str, allowed_hosts: Sequence[str], jobs: Jobs, slow_jobs: Jobs
) -> AgentEndpoint:
    """The ASGI application of POST /mcp with these tools. `jobs` run what uses the database, `slow_jobs` what waits
    for engines."""
    registry = Registry(tools, prefix=prefix)
    scopes = {tool.name: tool.scope for tool in registry.tools.values()}
    server = build_server(registry, Dispatcher(jobs, slow_jobs, prefix, scopes))
    return AgentEndpoint(server, jobs, allowed_hosts, closed_with=(jobs, slow_jobs))
