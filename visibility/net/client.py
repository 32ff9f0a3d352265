"""One way to open connections: without cookies, with bounded headers, bodies as they are sent."""

from typing import Any

import aiohttp

MAX_HEADER_LINE = 16_384
MAX_HEADER_FIELDS = 200


def open_session(timeout: aiohttp.ClientTimeout, **connector: Any) -> aiohttp.ClientSession:
    """A session of the running loop. `connector`: options of aiohttp's TCPConnector, a guard's `socket_factory` among
    them. Bodies are not decompressed: `read_body` does it within a bound."""
    return aiohttp.ClientSession(
        connector=aiohttp.TCPConnector(**connector),
        cookie_jar=aiohttp.DummyCookieJar(),
        trust_env=False,
        auto_decompress=False,
        timeout=timeout,
        max_line_size=MAX_HEADER_LINE,
        max_field_size=MAX_HEADER_LINE,
        max_headers=MAX_HEADER_FIELDS,
    )
