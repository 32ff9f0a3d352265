"""What tests of the agent door share: the endpoint in this process, spoken to by the official client over HTTP."""

import json
from dataclasses import dataclass
from datetime import date
from functools import cache
from types import SimpleNamespace
from typing import Any

import httpx2
import pytest
from asgiref.sync import async_to_sync, sync_to_async
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from apikeys.accounts.operators import system_caller
from apikeys.text import unmarked
from mcp_bridge.endpoint import AgentEndpoint
from mcp_bridge.tools import ALL_TOOLS
from tests.factories import EngineFactory, RunFactory
from tests.rest.conftest import callers, cast, key, quiet
from visibility.models import Answer, Cell, Page, Reading
from visibility.prompts.services import PromptDraft, add_prompts

__all__ = ["callers", "cast", "key", "quiet"]

URL = "http://testserver/mcp"
PREFIX = "svc_"
MODES = ("auto", "legacy")
HEADERS = {"Accept": "application/json, text/event-stream", "Content-Type": "application/json"}
PING = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
LIST = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
MODERN = {
    "_meta": {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
    }
}


class CallersThread:
    """Jobs in the thread of the test, which alone sees its transaction."""

    async def run(self, function):
        return await sync_to_async(function, thread_sensitive=True)()

    def close(self):
        pass


@dataclass(frozen=True)
class Agent:
    """The endpoint as clients see it. `key` is a raw key or None."""

    app: Any

    def post(self, body: Any, key=None, *, method="POST", **headers: str):
        """One HTTP request; `body` is bytes, or what is to be written as JSON."""
        content = body if isinstance(body, bytes) else json.dumps(body).encode()
        sent = {**HEADERS, **{name.replace("_", "-"): value for name, value in headers.items()}}

        async def send():
            async with self.http(key) as client:
                return await client.request(method, URL, content=content, headers=sent)

        return async_to_sync(send)()

    def call(self, key, tool: str, arguments: dict[str, Any] | None = None, *, mode="auto"):
        """The result of a tool, whose name is given without its prefix, through the official client."""
        return self.session(key, lambda client: client.call_tool(PREFIX + tool, arguments or {}), mode=mode)

    def data(self, key, tool: str, **arguments: Any) -> Any:
        """The structured content of a call that has to go well."""
        return data_of(self.call(key, tool, arguments))

    def plain(self, key, tool: str, **arguments: Any) -> Any:
        """The same without the marks around words of others."""
        return plain(self.data(key, tool, **arguments))

    def error(self, key, tool: str, **arguments: Any) -> SimpleNamespace:
        """Code, message and details of a call that has to fail."""
        return error_of(self.call(key, tool, arguments))

    def session(self, key, act, *, mode="auto"):
        """What `act` returns of a client that is connected with the key."""

        async def talk():
            async with (
                self.http(key) as http,
                Client(streamable_http_client(URL, http_client=http), mode=mode) as client,
            ):
                return await act(client)

        return async_to_sync(talk)()

    def http(self, key) -> httpx2.AsyncClient:
        """A client of the endpoint that sends the key."""
        headers = {"Authorization": f"Bearer {key}"} if key is not None else {}
        return httpx2.AsyncClient(transport=httpx2.ASGITransport(app=self.app), headers=headers)


@cache
def whole_endpoint():
    """The endpoint with all tools; making their schemas takes longer than most tests."""
    return endpoint()


def endpoint(tools=ALL_TOOLS, hosts=("testserver",), slow_jobs=None):
    """An endpoint with these tools, its jobs in the thread of the test."""
    return AgentEndpoint(
        tools, prefix=PREFIX, allowed_hosts=hosts, jobs=CallersThread(), slow_jobs=slow_jobs or CallersThread()
    )


@pytest.fixture
def agent(db):
    return Agent(whole_endpoint())


def error_of(result) -> SimpleNamespace:
    """Code, message and details of a failed call, which are in it twice, without structured content."""
    assert result.is_error and result.structured_content is None, result
    [block] = result.content
    body = json.loads(block.text)
    assert result.meta["error"] == body["error"]
    return SimpleNamespace(**body["error"])


def plain(value: Any) -> Any:
    """A result with the words of others as they are, without marks."""
    if isinstance(value, dict):
        return {name: plain(each) for name, each in value.items()}
    if isinstance(value, list):
        return [plain(each) for each in value]
    return unmarked(value) if isinstance(value, str) else value


def data_of(result) -> Any:
    """The structured content of a call that went well, which is its text, too."""
    assert not result.is_error, result.content
    [block] = result.content
    assert json.loads(block.text) == result.structured_content
    return result.structured_content


def let_scan(brand):
    """Make a scan of the brand possible without any provider: an engine that quotes the brand's own pages."""
    EngineFactory(preset="local-search", is_enabled=True)
    Page.objects.create(brand=brand, url=f"https://{brand.domain}/bikes", title="Bikes", text="A bike for Rome.")


def make_prompt(brand, text="Which bike is best?", topic="bikes"):
    """A prompt of a brand with its first wording."""
    drafts = [PromptDraft(text, topic)]
    return add_prompts(system_caller("command:test"), brand_id=brand.pk, drafts=drafts).prompts[0]


def give_evidence(brand, prompt):
    """A measured answer to the prompt that names the brand and was read, and for which an engine searched: what
    drafts and prompts are made of."""
    run = RunFactory(brand=brand, day=date(2026, 11, 1), trigger="import")
    place = {"engine": EngineFactory(), "surface": "pages", "version": prompt.versions.get()}
    Cell.objects.create(brand=brand, run=run, day=run.day, mentioned=1, answers=1, **place)
    searches = ["what is the best bike for the rain"]
    answer = Answer.objects.create(
        brand=brand, run=run, day=run.day, prompt=prompt, position=0, state="answered", searches=searches, **place
    )
    Reading.objects.create(brand=brand, topic=prompt.topic, version=1, read=[answer.pk])
