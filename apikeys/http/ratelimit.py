"""The outermost layer: every request of every door is counted here, once, before anything else looks at it."""

import asyncio
from collections.abc import MutableMapping, Sequence
from functools import cache
from http import HTTPStatus
from typing import Any

from django.conf import settings
from django.template.loader import render_to_string

from apikeys.errors import rate_limited
from apikeys.http.asgi import UNREAD_HEADERS, App, Receive, Scope, Send, answer, header, refuse, with_headers
from apikeys.http.clientaddress import client_address, trusted_networks
from apikeys.http.limiter import Rate, SharedCounter, Usage
from apikeys.http.negotiation import qualities_of
from apikeys.http.refusals import RefusalTally
from apikeys.http.requests import is_api_path, sane_request_id
from apikeys.http.targets import in_origin_form
from apikeys.services.authentication import bearer_of
from apikeys.services.calls import door_of
from apikeys.text.sentences import counted

EXEMPT_PATHS = frozenset({"/healthz", "/readyz"})
MCP_PATH = "/mcp"
_WAIT = b"[wait]"
_PAGE_HEADERS = {
    **UNREAD_HEADERS,
    "Content-Security-Policy": "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'",
    "Content-Type": "text/html; charset=utf-8",
    "Cache-Control": "private, no-store",
}


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
        """429: a page for people, JSON for every other; a refusal of a known key is tallied for the call log."""
        self.tally.add(bearer_of(header(scope, b"authorization")), door_of(scope["path"]))
        wait = {"Retry-After": str(usage.resets_in)}
        if _is_read_by_people(scope):
            page = _page().replace(_WAIT, counted(usage.resets_in, "second").encode())
            request_id = sane_request_id(header(scope, b"x-request-id"))
            headers = {**_PAGE_HEADERS, **wait, "X-Request-ID": request_id}
            await answer(scope, send, HTTPStatus.TOO_MANY_REQUESTS, page, headers)
            return
        await refuse(scope, send, rate_limited(usage.resets_in), wait)

    def _standing(self, usage: Usage) -> dict[str, str]:
        """How the budget stands after this request, for every answer that is counted."""
        return {
            "RateLimit": f'"default";r={usage.remaining};t={usage.resets_in}',
            "RateLimit-Policy": f'"default";q={self.rate.limit};w={self.rate.seconds}',
        }


def _is_read_by_people(scope: Scope) -> bool:
    """Whether a browser asks for a page."""
    if scope["type"] != "http" or is_api_path(scope["path"]):
        return False
    return qualities_of(header(scope, b"accept")).get("text/html", 0.0) > 0


@cache
def _page() -> bytes:
    """The page of a refusal, drawn once: whoever sends too much is answered in no time."""
    message = (
        "Too many requests came from your network address, so this one was not carried out. "
        f"Wait {_WAIT.decode()}, then load the page again."
    )
    return render_to_string(
        "errors/error.html", {"status": HTTPStatus.TOO_MANY_REQUESTS, "message": message}
    ).encode()


def _exempt(path: str) -> bool:
    return path.startswith(settings.STATIC_URL) or path in EXEMPT_PATHS
