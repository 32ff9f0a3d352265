"""How every provider is spoken to: one transport under the vendors' three clients, which reads bodies whole.

A body is read no further than a bound, counted after decompression. It is given on in UTF-8, so that all adapters
read equal bytes alike. A response that is no success never comes to the vendors' clients: they lose what it says.
"""

from functools import cache, partial
from ssl import SSLContext
from urllib.request import getproxies, proxy_bypass

import aiohttp
import httpx2

from visibility.engines.addresses import open_socket
from visibility.engines.bodies import in_utf8
from visibility.engines.failures import http_failure, too_large, transport_failure
from visibility.engines.protocol import Bill
from visibility.engines.spec import EngineSpec

CONNECT_SECONDS = 10.0
KEEPALIVE_SECONDS = 60.0
MAX_CONNECTIONS = 2_000
"""More than calls may ever be under way, which is what bounds them: connections that are being closed count too."""
READ_AT_ONCE = 65_536
SUCCESS = range(200, 300)


@cache
def _tls() -> SSLContext:
    """Whose certificates are trusted: one for all clients, because reading them takes longer than a short call."""
    return httpx2.create_ssl_context()


def http_client(spec: EngineSpec) -> httpx2.AsyncClient:
    """A client for the provider and key of `spec`, for the running event loop.

    A request ends in a whole response of status 200, or in an EngineError, which the vendors' clients may wrap. No
    redirect is followed: it would carry the key elsewhere.
    """
    return httpx2.AsyncClient(transport=WholeBodies(spec), timeout=None, follow_redirects=False)


class WholeBodies(httpx2.AsyncBaseTransport):
    """Sends requests over aiohttp and gives whole, bounded responses.

    A provider may be silent as long as the engine's own patience; a connection is there soon or not at all. Every
    connection is kept for the next call. Proxies come from the environment, credentials never.
    """

    def __init__(self, spec: EngineSpec) -> None:
        self._secret = spec.api_key
        plain_key = bool(spec.api_key) and not spec.address.lower().startswith("https:")
        self._max_bytes = spec.max_body_bytes
        self._timeout = aiohttp.ClientTimeout(sock_connect=CONNECT_SECONDS, sock_read=spec.timeout)
        self._proxies = getproxies()
        self._session = aiohttp.ClientSession(
            connector=aiohttp.TCPConnector(
                ssl=_tls(),
                limit=MAX_CONNECTIONS,
                keepalive_timeout=KEEPALIVE_SECONDS,
                socket_factory=partial(open_socket, plain_key=plain_key),
            ),
            cookie_jar=aiohttp.DummyCookieJar(),
        )

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        """See the class. Raises EngineError."""
        proxy = self._proxy(request.url)
        try:
            response = await self._session.request(
                request.method,
                str(request.url),
                headers=request.headers.multi_items(),
                data=await request.aread() or None,
                allow_redirects=False,
                timeout=self._timeout,
                proxy=str(proxy.url) if proxy else None,
                proxy_auth=aiohttp.BasicAuth(*proxy.auth) if proxy and proxy.auth else None,
            )
        except (aiohttp.ClientError, OSError) as error:
            raise transport_failure(error) from None
        try:
            body = await self._body(response)
        finally:
            # The connection is kept, but not to wait for the rest of a body that is not read.
            if response.content.at_eof():
                response.release()
            else:
                response.close()
        return httpx2.Response(200, headers={"content-type": "application/json; charset=utf-8"}, content=body)

    async def aclose(self) -> None:
        """Close all connections."""
        await self._session.close()

    async def _body(self, response: aiohttp.ClientResponse) -> bytes:
        """The body of a success. Raises EngineError where it is none, or cannot be read."""
        if response.status not in SUCCESS:
            headers = {name.lower(): value for name, value in response.headers.items()}
            raise http_failure(response.status, headers, await self._said(response), self._secret)
        try:
            raw = await self._read(response)
        except (aiohttp.ClientError, OSError) as error:
            failure = transport_failure(error)
            # A success was told, so it is charged; for how much stood in what did not come.
            failure.bill = Bill()
            raise failure from None
        if raw is None:
            raise too_large(self._max_bytes)
        return in_utf8(raw, response.charset or "")

    async def _said(self, response: aiohttp.ClientResponse) -> bytes:
        """What a failure says; its status tells the most also where this cannot be read."""
        try:
            return in_utf8(await self._read(response) or b"", response.charset or "")
        except (aiohttp.ClientError, OSError):
            return b""

    async def _read(self, response: aiohttp.ClientResponse) -> bytes | None:
        """The decompressed body; None as soon as it is larger than the bound."""
        parts, size = [], 0
        async for part in response.content.iter_chunked(READ_AT_ONCE):
            size += len(part)
            if size > self._max_bytes:
                return None
            parts.append(part)
        return b"".join(parts)

    def _proxy(self, url: httpx2.URL) -> httpx2.Proxy | None:
        address = self._proxies.get(url.scheme) or self._proxies.get("all")
        return httpx2.Proxy(address) if address and not proxy_bypass(url.host) else None
