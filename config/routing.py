"""Which application answers a request of the one port."""

import string
from asyncio import to_thread
from collections.abc import Callable
from urllib.parse import quote_from_bytes

from apikeys.http.asgi import UNREAD_HEADERS, App, Receive, Scope, Send, refuse, with_headers
from apikeys.http.ratelimit import EXEMPT_PATHS, MCP_PATH
from apikeys.http.targets import refusal_of_form
from config.starting import NotReady
from config.webworker import REFUSAL
from mcp_bridge.application import AgentEndpoint


class Router:
    """The agent endpoint and static files to their own applications, all else to Django; answers the lifespan, and
    requests that no application could serve.

    `health` is Django, too, with threads of its own: those of `django` may all be waiting for a database that hangs.
    `prepare` is called before the first request, beside the event loop; it raises NotReady where none can be served.
    """

    def __init__(
        self,
        *,
        django: App,
        agent: AgentEndpoint,
        static: App,
        static_prefix: str,
        health: App | None = None,
        prepare: Callable[[], None] = lambda: None,
    ) -> None:
        self.django = django
        self.health = health or django
        self.agent = agent
        self.static = static
        self.static_prefix = static_prefix
        self.prepare = prepare

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._lifespan(scope, receive, send)
        elif refusal := refusal_of_form(scope):
            await refuse(scope, send, refusal)
        elif scope["path"] == MCP_PATH:
            await self.agent(scope, receive, with_headers(send, UNREAD_HEADERS))
        elif scope["path"].startswith(self.static_prefix):
            await self.static(scope, receive, with_headers(send, UNREAD_HEADERS))
        elif scope["path"] in EXEMPT_PATHS:
            await self.health(_ascii_query(scope), receive, send)
        else:
            await self.django(_ascii_query(scope), receive, send)

    async def _lifespan(self, scope: Scope, receive: Receive, send: Send) -> None:
        """From the server's start to its end; Django's own handler would refuse the question."""
        await receive()
        try:
            await to_thread(self.prepare)
        except NotReady as refusal:
            scope.get("state", {})[REFUSAL] = str(refusal)
            await send({"type": "lifespan.startup.failed", "message": str(refusal)})
            return
        async with self.agent.running():
            await send({"type": "lifespan.startup.complete"})
            await receive()
        await send({"type": "lifespan.shutdown.complete"})


def _ascii_query(scope: Scope) -> Scope:
    """Percent-encode raw bytes above ASCII, which some servers let through and WSGI has no place for."""
    query: bytes = scope.get("query_string", b"")
    if query.isascii():
        return scope
    return {**scope, "query_string": quote_from_bytes(query, safe=string.punctuation).encode()}
