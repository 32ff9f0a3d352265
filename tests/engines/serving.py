"""A server on loopback that says what a test wants said, and one question asked of it through an engine."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

import orjson
from aiohttp import web

from visibility.engines import EngineError, EngineSettings, Question, Reply, open_engine

KEY = "sk-test-4f1e9b7c2d"
NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)
"""When calls are made, as prices depend on the day and the hour."""
Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


@dataclass
class Said:
    """What the server says next, and the requests that it got."""

    body: bytes = b""
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    requests: list[tuple[str, Mapping[str, str], Any]] = field(default_factory=list)

    async def handle(self, request: web.Request) -> web.StreamResponse:
        """Note the request, say what is to be said."""
        self.requests.append((request.path, request.headers.copy(), orjson.loads(await request.read())))
        headers = {"content-type": "application/json", **self.headers}
        return web.Response(body=self.body, status=self.status, headers=headers)


@asynccontextmanager
async def serving(handler: Handler) -> AsyncIterator[str]:
    """The address of a server that answers every request by `handler`."""
    app = web.Application(client_max_size=100_000_000)
    app.router.add_route("*", "/{path:.*}", handler)
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    try:
        yield f"http://127.0.0.1:{runner.addresses[0][1]}"
    finally:
        await runner.cleanup()


def settings(preset: str, base_url: str = "", **changes: Any) -> EngineSettings:
    """Settings of an engine for tests."""
    chosen = {"name": "engine", "model": "model-1", "api_key": KEY, "timeout": 5.0, **changes}
    return EngineSettings(preset=preset, base_url=base_url, **chosen)


async def ask(chosen: EngineSettings, question: Question | None = None, at: datetime = NOON) -> Reply | EngineError:
    """The reply to one question, or the error instead."""
    engine = open_engine(chosen, lambda: at)
    try:
        return await engine.ask(question or Question("Which shoes are good?"))
    except EngineError as error:
        return error
    finally:
        await engine.close()


def ask_once(
    preset: str, handler: Handler, question: Question | None = None, at: datetime = NOON, **changes: Any
) -> Any:
    """As `ask`, of a server that lives as long as the question."""

    async def asked() -> Reply | EngineError:
        async with serving(handler) as url:
            return await ask(settings(preset, url, **changes), question, at)

    return asyncio.run(asked())
