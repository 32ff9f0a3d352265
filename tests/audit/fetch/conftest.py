"""Fetching from servers on loopback under names of the public web."""

import asyncio

import pytest

from tests.audit.fetch.servers import serving
from visibility.audit.fetch.failures import FetchError
from visibility.audit.fetch.fetcher import Fetcher

HOST = "shop.com"
PATIENCE = 60
"""Seconds after which a fetch without an end fails its test."""


@pytest.fixture
def fetch():
    """Fetch an address of a server under names of the web; gives the response, or the FetchError. `get`: how."""

    def run(server, address, *, names=(HOST,), get=None, **more):
        async def one():
            options = {"user_agent": "TestBot/1.0", "local_hosts": dict.fromkeys(names, server.address), **more}
            async with Fetcher(**options) as fetcher:
                try:
                    return await fetcher.get(address, **(get or {}))
                except FetchError as error:
                    return error

        return asyncio.run(asyncio.wait_for(one(), PATIENCE))

    return run


@pytest.fixture
def site(fetch):
    """Fetch a path of a server that behaves as told; gives the server and what came."""

    def run(behaviours, path="/", *, scheme="http", tls=None, **more):
        with serving(behaviours, tls=tls) as server:
            return server, fetch(server, f"{scheme}://{HOST}{path}", **more)

    return run
