"""Where connections may go. A name is resolved once, what it leads to is checked, connected to, and checked again."""

import asyncio
import socket
from collections import Counter
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any

from aiohttp.abc import AbstractResolver, ResolveResult

from visibility.audit.fetch.addresses import is_public
from visibility.audit.fetch.failures import RefusedAddress
from visibility.audit.fetch.urls import PORTS

AddressInfo = tuple[Any, ...]
"""As `socket.getaddrinfo` gives it: family, kind, protocol, canonical name, address."""
Lookup = Callable[..., list[AddressInfo]]
MAX_OF_A_FAMILY = 2
"""Addresses of each family that are tried: a name with a thousand addresses makes no scan of them."""
_THREADS = 4
_NUMERIC = socket.AI_NUMERICHOST | socket.AI_NUMERICSERV


class Guard(AbstractResolver):
    """The resolver and the maker of sockets of one Fetcher.

    `local_hosts` are names that lead to an address and port of this machine instead, and the only ones that may.
    """

    def __init__(self, local_hosts: Mapping[str, tuple[str, int]], *, lookup: Lookup = socket.getaddrinfo) -> None:
        self._local_hosts = dict(local_hosts)
        self._lookup = lookup
        # Of its own, and never waited for: the system's resolver knows no deadline.
        self._threads = ThreadPoolExecutor(_THREADS, thread_name_prefix="audit-dns")

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_UNSPEC
    ) -> list[ResolveResult]:
        """The addresses of a host. Raises RefusedAddress when any of them is not public."""
        local = self._local_hosts.get(host)
        if local:
            return [_result(host, *local)]
        # The dot at the end: no search list, whose completions lead into the network of the machine.
        ask = partial(self._lookup, f"{host}.", port, type=socket.SOCK_STREAM, flags=socket.AI_ADDRCONFIG)
        infos = await asyncio.get_running_loop().run_in_executor(self._threads, ask)
        records = list(dict.fromkeys((info[0], str(info[4][0])) for info in infos))
        if not records or not all(is_public(address) for _, address in records):
            raise RefusedAddress(host)
        tried: Counter[int] = Counter()
        passed = []
        for kind, address in records:
            tried[kind] += 1
            if tried[kind] <= MAX_OF_A_FAMILY:
                passed.append(_result(host, address, port))
        return passed

    def open_socket(self, info: AddressInfo) -> socket.socket:
        """A socket for an address that may be connected to. Raises RefusedAddress for any other."""
        family, kind, protocol, _, target = info
        address, port = target[:2]
        if (address, port) not in self._local_hosts.values() and not (port in PORTS and is_public(address)):
            raise RefusedAddress(address)
        return socket.socket(family, kind, protocol)

    async def close(self) -> None:
        """Ask nothing any more."""
        self._threads.shutdown(wait=False, cancel_futures=True)


def _result(host: str, address: str, port: int) -> ResolveResult:
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    return ResolveResult(hostname=host, host=address, port=port, family=family, proto=0, flags=_NUMERIC)
