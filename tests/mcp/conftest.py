"""What tests of the agent door share: the endpoint in this process, spoken to by the official client over HTTP."""

import json
from dataclasses import dataclass
from functools import cache
from types import SimpleNamespace
from typing import Any

import httpx2
import pytest
from asgiref.sync import async_to_sync, sync_to_async
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from mcp_bridge.endpoint import agent_endpoint
from mcp_bridge.tools import ALL_TOOLS
from tests.factories import ApiKeyFactory
from tests.mcp.codes import EVERY_CALL, known_errors
from tests.rest.conftest import api, callers, scopes_without

__all__ = ["api", "callers", "scopes_without"]

URL = "http://testserver/mcp"
PREFIX = "svc_"
MODES = ("auto", "legacy")
FULL = {"detail": "full"}
"""Asks for a result from which nothing is left out."""
KNOWN_ERRORS = {tool.name: known_errors(tool) | EVERY_CALL for tool in ALL_TOOLS}
"""What each tool can be refused with, as the reference says."""
HEADERS = {"Accept": "application/json, text/event-stream", "Content-Type": "application/json"}


class CallersThread:
    """Jobs in the thread of the test, which alone sees its transaction."""

    async def run(self, function):
        return await sync_to_async(function, thread_sensitive=True)()

    def close(self):
        pass


@dataclass(frozen=True)
class Agent:
    """The endpoint as clients see it. Keys are given as rows or left out."""

    app: Any

    def post(self, body: Any, key=None, *, method="POST", **headers: str):
        """One HTTP request; `body` is bytes, or what is to be written as JSON."""
        content = body if isinstance(body, bytes) else json.dumps(body).encode()
        sent = {**HEADERS, **{name.replace("_", "-"): value for name, value in headers.items()}}

        async def send():
            async with self._http(key) as client:
                return await client.request(method, URL, content=content, headers=sent)

        return async_to_sync(send)()

    def call(self, key, tool: str, arguments: dict[str, Any] | None = None, *, mode="auto"):
        """The result of a tool, whose name is given without its prefix, through the official client."""
        result = self.session(key, lambda client: client.call_tool(PREFIX + tool, arguments or {}), mode=mode)
        if result.is_error and tool in KNOWN_ERRORS:
            assert error_of(result).code in KNOWN_ERRORS[tool], f"{tool} does not declare {error_of(result).code}"
        return result

    def session(self, key, act, *, mode="auto"):
        """What `act` returns of a client that is connected with the key."""

        async def talk():
            async with (
                self._http(key) as http,
                Client(streamable_http_client(URL, http_client=http), mode=mode) as client,
            ):
                return await act(client)

        return async_to_sync(talk)()

    def run(self, coroutine):
        """What an awaitable gives, its jobs in the thread of the test."""

        async def wait():
            return await coroutine

        return async_to_sync(wait)()

    def _http(self, key) -> httpx2.AsyncClient:
        headers = {"Authorization": f"Bearer {key.raw}"} if key is not None else {}
        return httpx2.AsyncClient(transport=httpx2.ASGITransport(app=self.app), headers=headers)


@cache
def whole_endpoint():
    """The endpoint with all tools; making their schemas takes longer than most tests."""
    return endpoint()


def endpoint(tools=ALL_TOOLS, hosts=("testserver",), slow_jobs=None):
    """An endpoint with these tools, its jobs in the thread of the test."""
    return agent_endpoint(
        tools, prefix=PREFIX, allowed_hosts=hosts, jobs=CallersThread(), slow_jobs=slow_jobs or CallersThread()
    )


@pytest.fixture
def agent(db):
    return Agent(whole_endpoint())


@pytest.fixture
def key(cast):
    """A key of the brand's owner with every scope."""
    return ApiKeyFactory(owner=cast.owner)


def error_of(result) -> SimpleNamespace:
    """Code, message and details of a failed call, which says them twice and has no structured content."""
    assert result.is_error and result.structured_content is None
    [block] = result.content
    body = json.loads(block.text)
    assert result.meta["error"] == body["error"]
    return SimpleNamespace(**body["error"])


def data_of(result) -> Any:
    """The structured content of a call that went well, which stands in its text too."""
    assert not result.is_error, result.content
    [block] = result.content
    assert json.loads(block.text) == result.structured_content
    return result.structured_content
