"""One POST of JSON to a provider, and its whole, bounded body back."""

import json
from collections.abc import Callable
from functools import partial
from urllib.request import getproxies, proxy_bypass

import aiohttp

from visibility.engines.addresses import open_socket, refusal_of_url
from visibility.engines.bodies import Body, Secret, in_utf8
from visibility.engines.failures import http_failure, too_large, transport_failure
from visibility.engines.types import Bill, EngineError, EngineSettings
from visibility.net import BodyError, open_session, read_body

CONNECT_SECONDS = 20.0
KEEPALIVE_SECONDS = 60.0
MAX_BODY_BYTES = 8_000_000
"""Of a response, decompressed: the longest recorded answers have half a megabyte."""
LONGEST = 3
"""A provider that only sends a byte now and then is given up after so many times the allowed silence."""
BAD_KEY = "The key holds signs that no key has, such as a line break. Correct the engine's environment variable."


class Transport:
    """Sends requests to the provider of one engine; belongs to the loop in which it was first used.

    Connections are reused, cookies never stored, and no redirect is followed: it would carry the key elsewhere.
    Proxies come from the environment.
    """

    def __init__(self, settings: EngineSettings, base_url: str, error_of: Callable[[Body], Body]) -> None:
        key = settings.api_key
        self._error_of = error_of
        self._secret = Secret(key)
        self._base_url = base_url.rstrip("/")
        self._plain_key = bool(key) and not base_url.lower().startswith("https:")
        self._refusal = refusal_of_url(base_url, with_key=bool(key))
        if not (key.isascii() and key.isprintable()):
            self._refusal = BAD_KEY
        self._timeout = aiohttp.ClientTimeout(
            total=settings.timeout * LONGEST, connect=CONNECT_SECONDS, sock_read=settings.timeout
        )
        self._proxy = _proxy_to(base_url) if not self._plain_key else None  # no proxy sees a key without TLS
        self._opened: aiohttp.ClientSession | None = None

    async def post(self, path: str, headers: dict[str, str], payload: Body) -> bytes:
        """The body of a success, in UTF-8 and without the key. Raises EngineError."""
        if self._refusal:
            code = "auth" if self._refusal is BAD_KEY else "invalid_request"
            raise EngineError(code, self._refusal, can_retry=False)
        content = json.dumps(payload, ensure_ascii=False).encode("utf-8", "replace")
        try:
            response = await self._session().post(
                self._base_url + path,
                data=content,
                headers={"content-type": "application/json", **headers, "accept-encoding": "gzip"},
                allow_redirects=False,
                proxy=self._proxy,
            )
            try:
                return await self._read(response)
            finally:
                # A connection is reused, but not where it would have to wait for the rest of an unread body.
                if response.content.at_eof():
                    response.release()
                else:
                    response.close()
        except (aiohttp.ClientError, OSError, ValueError) as error:
            unanswered = transport_failure(error)
        # Raised here, so that its context does not contain the request, and with it the key.
        raise unanswered

    async def close(self) -> None:
        """Close all connections; the next request opens new ones."""
        session, self._opened = self._opened, None
        if session is not None:
            await session.close()

    def _session(self) -> aiohttp.ClientSession:
        if self._opened is None:
            self._opened = open_session(
                self._timeout,
                limit=0,  # the caller bounds the number of calls
                keepalive_timeout=KEEPALIVE_SECONDS,
                socket_factory=partial(open_socket, plain_key=self._plain_key),
            )
        return self._opened

    async def _read(self, response: aiohttp.ClientResponse) -> bytes:
        """The body of a success. Raises EngineError where it is none or cannot be read."""
        if not 200 <= response.status < 300:
            headers = {name.lower(): value for name, value in response.headers.items()}
            raise http_failure(response.status, headers, await self._message(response), self._error_of)
        try:
            body = await read_body(response, MAX_BODY_BYTES)
        except (aiohttp.ClientError, OSError, BodyError) as error:
            cut = transport_failure(error)
        else:
            if body.cut:
                raise too_large(MAX_BODY_BYTES)
            return self._secret.hide(in_utf8(body.content))
        cut.bill = Bill()  # a success, so it is charged; the amount was in the part that did not come
        raise cut

    async def _message(self, response: aiohttp.ClientResponse) -> bytes:
        """The body of a failure; empty where it cannot be read, as the status is enough."""
        try:
            body = await read_body(response, MAX_BODY_BYTES)
            return b"" if body.cut else self._secret.hide(in_utf8(body.content))
        except (aiohttp.ClientError, OSError, BodyError):
            return b""


def _proxy_to(base_url: str) -> str | None:
    """The proxy that the environment names for an address, if any."""
    scheme, _, rest = base_url.partition("://")
    proxies = getproxies()
    address = proxies.get(scheme.lower()) or proxies.get("all")
    return address if address and not proxy_bypass(rest.partition("/")[0]) else None
