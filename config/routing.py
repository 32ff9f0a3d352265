"""Which application answers a request of the one port."""

import string
from urllib.parse import quote_from_bytes

from apikeys.ratelimit import App, Receive, Scope, Send


class Router:
    """Static files to their own application, all else to Django; answers the server's lifespan itself."""

    def __init__(self, *, django: App, static: App, static_prefix: str) -> None:
        self.django = django
        self.static = static
        self.static_prefix = static_prefix

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await _lifespan(receive, send)
        elif scope["type"] == "http" and scope["path"].startswith(self.static_prefix):
            await self.static(scope, receive, send)
        else:
            await self.django(_ascii_query(scope), receive, send)


async def _lifespan(receive: Receive, send: Send) -> None:
    """Nothing needs a start; Django's own handler would refuse the question."""
    while True:
        message = await receive()
        await send({"type": f"{message['type']}.complete"})
        if message["type"] == "lifespan.shutdown":
            return


def _ascii_query(scope: Scope) -> Scope:
    """Percent-encode raw bytes above ASCII, which some servers let through and WSGI has no place for."""
    query: bytes = scope.get("query_string", b"")
    if query.isascii():
        return scope
    return {**scope, "query_string": quote_from_bytes(query, safe=string.punctuation).encode()}
