"""What stands in front of Django and beside it: the words of ASGI, and how a request is refused before both."""

from collections.abc import Awaitable, Callable, Mapping, MutableMapping
from typing import Any

from apikeys.errors import ServiceError
from apikeys.http.requests import sane_request_id
from apikeys.http.responses import COMMON_HEADERS, error_body, weak_etag

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
App = Callable[[Any, Any, Any], Awaitable[None]]


def header(scope: Scope, name: bytes) -> str:
    """The values of a header in the order they came, joined by commas; empty where there is none."""
    return ",".join(value.decode("latin-1") for key, value in scope.get("headers", ()) if key.lower() == name)


def with_headers(send: Send, headers: Mapping[str, str]) -> Send:
    """`send`, with these headers on whatever answer goes through it."""
    added = [(name.lower().encode(), value.encode()) for name, value in headers.items()]

    async def send_with_headers(message: MutableMapping[str, Any]) -> None:
        if message["type"] == "http.response.start":
            message = {**message, "headers": [*message.get("headers", ()), *added]}
        await send(message)

    return send_with_headers


UNREAD_HEADERS: Mapping[str, str] = {
    "Content-Security-Policy": "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
}
"""Of answers that Django does not give and nobody reads as a page: opened in a browser they do nothing."""


async def refuse(scope: Scope, send: Send, error: ServiceError, headers: Mapping[str, str] | None = None) -> None:
    """Answer with the body that every door has for this error. A WebSocket is closed before it is open."""
    if scope["type"] == "websocket":
        await send({"type": "websocket.close", "code": 1008, "reason": error.message})
        return
    request_id = sane_request_id(header(scope, b"x-request-id"))
    body = error_body(error, request_id)
    answered = {
        **COMMON_HEADERS,
        **UNREAD_HEADERS,
        "Content-Type": "application/json",
        "ETag": weak_etag(body),
        "X-Request-ID": request_id,
        **(headers or {}),
    }
    await answer(scope, send, error.code.status, body, answered)


async def answer(scope: Scope, send: Send, status: int, body: bytes, headers: Mapping[str, str]) -> None:
    """Send a whole answer; of one to HEAD the headers alone."""
    sized = {**headers, "Content-Length": str(len(body))}
    encoded = [(name.lower().encode(), value.encode()) for name, value in sized.items()]
    await send({"type": "http.response.start", "status": status, "headers": encoded})
    await send({"type": "http.response.body", "body": b"" if scope["method"] == "HEAD" else body})
