"""The outermost layer: every request of every door is counted here, once, before anything else looks at it."""

import asyncio
from collections.abc import MutableMapping, Sequence
from typing import Any

from django.conf import settings

from apikeys.errors import rate_limited
from apikeys.http.asgi import App, Receive, Scope, Send, header, refuse, with_headers
from apikeys.http.clientaddress import client_address, trusted_networks
from apikeys.http.limiter import Rate, SharedCounter, Usage
from apikeys.http.refusals import RefusalTally
from apikeys.http.targets import in_origin_form
from apikeys.services.authentication import bearer_of
from apikeys.services.calls import door_of

EXEMPT_PATHS = frozenset({"/healthz", "/readyz"})
MCP_PATH = "/mcp"


class RateLimitMiddleware:
    """One budget for each client address over REST, agent endpoint and pages; static files and health are exempt."""

    def __init__(self, app: App, *, rate: str, trusted_proxies: Sequence[str], cache_timeout: float) -> None:
        self.app = app
        self.rate = Rate.parse(rate)
        self.trusted = trusted_networks(trusted_proxies)
        self.counter = SharedCounter(self.rate, deadline=cache_timeout)
        self.tally = RefusalTally()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self.app(scope, self._living(receive), send)
            return
        scope = in_origin_form(scope)
        if not _exempt(scope["path"]):
            peer = (scope.get("client") or (None,))[0]
            address = client_address(peer, [header(scope, b"x-forwarded-for")], self.trusted)
            usage = await self.counter.count(address)
            send = with_headers(send, self._standing(usage))
            if not usage.allowed:
                await self._refuse(scope, send, usage)
                return
        await self.app(scope, receive, send)

    def _living(self, receive: Receive) -> Receive:
        """Open before the server takes requests, and close before it hears that the shutdown is complete: then it may
        end the process."""

        async def living() -> MutableMapping[str, Any]:
            message = await receive()
            if message["type"] == "lifespan.startup":
                await self.counter.open()
            elif message["type"] == "lifespan.shutdown":
                await asyncio.to_thread(self.close)
            return message

        return living

    def close(self) -> None:
        """Write the tally and leave the threads. Blocks."""
        self.counter.close()
        self.tally.close()

    async def _refuse(self, scope: Scope, send: Send, usage: Usage) -> None:
        """429, in JSON for every door; a refusal of a known key is tallied for the call log."""
        self.tally.add(bearer_of(header(scope, b"authorization")), door_of(scope["path"]))
        await refuse(scope, send, rate_limited(usage.resets_in), {"Retry-After": str(usage.resets_in)})

    def _standing(self, usage: Usage) -> dict[str, str]:
        """How the budget stands after this request, for every answer that is counted."""
        return {
            "RateLimit": f'"default";r={usage.remaining};t={usage.resets_in}',
            "RateLimit-Policy": f'"default";q={self.rate.limit};w={self.rate.seconds}',
        }


def _exempt(path: str) -> bool:
    return path.startswith(settings.STATIC_URL) or path in EXEMPT_PATHS
