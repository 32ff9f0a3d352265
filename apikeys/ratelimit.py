"""The outermost layer: every request of every door is counted here, once, before anything else looks at it."""

import asyncio
from collections.abc import Awaitable, Callable, MutableMapping, Sequence
from typing import Any

from apikeys.api.requests import sane_request_id
from apikeys.api.responses import COMMON_HEADERS, error_body, weak_etag
from apikeys.clientaddress import client_address, trusted_networks
from apikeys.errors import rate_limited
from apikeys.limiter import Rate, SharedCounter, Usage
from apikeys.models import CallLog
from apikeys.refusals import RefusalTally
from apikeys.services.authentication import bearer_of

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
App = Callable[[Any, Any, Any], Awaitable[None]]

EXEMPT_PATHS = frozenset({"/healthz", "/readyz"})
EXEMPT_PREFIX = "/static/"
MCP_PATH = "/mcp"


class RateLimitMiddleware:
    """One budget for each client address over REST, agent endpoint and pages; static files and health are exempt."""

    def __init__(self, app: App, *, rate: str, trusted_proxies: Sequence[str]) -> None:
        self.app = app
        self.rate = Rate.parse(rate)
        self.trusted = trusted_networks(trusted_proxies)
        self.counter = SharedCounter(self.rate)
        self.tally = RefusalTally()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self.app(scope, self._closing(receive), send)
            return
        if scope["type"] == "http" and not _exempt(scope["path"]):
            peer = (scope.get("client") or (None,))[0]
            address = client_address(peer, _headers(scope, b"x-forwarded-for"), self.trusted)
            usage = await self.counter.count(address)
            if not usage.allowed:
                await self._refuse(scope, send, usage)
                return
        await self.app(scope, receive, send)

    def _closing(self, receive: Receive) -> Receive:
        """Close before the server hears that the shutdown is complete: then it may end the process."""

        async def closing() -> MutableMapping[str, Any]:
            message = await receive()
            if message["type"] == "lifespan.shutdown":
                await asyncio.to_thread(self.close)
            return message

        return closing

    def close(self) -> None:
        """Write the tally and leave the threads. Blocks."""
        self.counter.close()
        self.tally.close()

    async def _refuse(self, scope: Scope, send: Send, usage: Usage) -> None:
        """429, in JSON for every door; a refusal of a known key is tallied for the call log."""
        door = CallLog.Door.MCP if scope["path"] == MCP_PATH else CallLog.Door.REST
        self.tally.add(bearer_of(",".join(_headers(scope, b"authorization"))), door)
        request_id = sane_request_id(",".join(_headers(scope, b"x-request-id")))
        body = error_body(rate_limited(usage.resets_in), request_id)
        headers = {
            **COMMON_HEADERS,
            "Content-Type": "application/json",
            "Content-Length": str(len(body)),
            "ETag": weak_etag(body),
            "X-Request-ID": request_id,
            "Retry-After": str(usage.resets_in),
            "RateLimit": f'"default";r=0;t={usage.resets_in}',
            "RateLimit-Policy": f'"default";q={self.rate.limit};w={self.rate.seconds}',
        }
        encoded = [(name.lower().encode(), value.encode()) for name, value in headers.items()]
        await send({"type": "http.response.start", "status": 429, "headers": encoded})
        await send({"type": "http.response.body", "body": b"" if scope["method"] == "HEAD" else body})


def _exempt(path: str) -> bool:
    return path.startswith(EXEMPT_PREFIX) or path in EXEMPT_PATHS


def _headers(scope: Scope, name: bytes) -> list[str]:
    """All values of a header, in the order they came."""
    return [value.decode("latin-1") for key, value in scope["headers"] if key.lower() == name]
