"""Where connections may go. What strangers name is public: a name is resolved once; its addresses
are checked, then connected to, and checked again. What operators name is anywhere but where clouds keep secrets.

IPv4 is public except for the ranges that a registry sets aside. IPv6 is public only within 2000::/3, all that is
assigned so far, except for ranges that are set aside or contain an IPv4 address.
"""

import asyncio
import socket
from collections import Counter
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from typing import Any

from aiohttp.abc import AbstractResolver, ResolveResult

PORTS = frozenset({80, 443})
"""Where web sites are."""
# The IANA IPv4 special-purpose registry, whole (2026), those included that it calls reachable: none has a web site.
# https://www.iana.org/assignments/iana-ipv4-special-registry
_SET_ASIDE_V4 = tuple(
    IPv4Network(text)
    for text in (
        "0.0.0.0/8",  # this network
        "10.0.0.0/8",  # private use
        "100.64.0.0/10",  # carrier-grade NAT; 100.100.100.200 is the metadata of Alibaba
        "127.0.0.0/8",  # loopback
        "169.254.0.0/16",  # link local; 169.254.169.254 and 169.254.170.2 are the metadata of most clouds
        "172.16.0.0/12",  # private use
        "192.0.0.0/24",  # protocol assignments; 192.0.0.192 is the metadata of Oracle
        "192.0.2.0/24",  # documentation
        "192.31.196.0/24",  # AS112
        "192.52.193.0/24",  # AMT
        "192.88.99.0/24",  # 6to4 relays
        "192.168.0.0/16",  # private use
        "192.175.48.0/24",  # AS112
        "198.18.0.0/15",  # benchmarks
        "198.51.100.0/24",  # documentation
        "203.0.113.0/24",  # documentation
        "224.0.0.0/4",  # multicast, which has a registry of its own
        "240.0.0.0/4",  # reserved, and broadcast
        "168.63.129.16/32",  # in no registry: the host below each virtual machine of Azure
    )
)
_ASSIGNED_V6 = IPv6Network("2000::/3")
# https://www.iana.org/assignments/iana-ipv6-special-registry
_SET_ASIDE_V6 = tuple(
    IPv6Network(text)
    for text in (
        "2001::/23",  # protocol assignments: Teredo, benchmarks, AMT, AS112, ORCHID
        "2001:db8::/32",  # documentation
        "2002::/16",  # 6to4, which carries an IPv4 address
        "2620:4f:8000::/48",  # AS112
        "3fff::/20",  # documentation
    )
)
_BARRED = tuple(
    ip_network(text)
    for text in (
        "0.0.0.0/8",  # this network
        "100.100.100.200/32",  # metadata of Alibaba
        "168.63.129.16/32",  # the host below each virtual machine of Azure
        "169.254.0.0/16",  # link local; metadata of AWS, Azure, Google, Oracle and others
        "192.0.0.192/32",  # metadata of Oracle
        "224.0.0.0/3",  # multicast, reserved, broadcast
        "::/128",  # this machine, unspecified
        "fd00:ec2::/32",  # metadata of AWS
        "fd20:ce::254/128",  # metadata of Google
        "fe80::/10",  # link local
        "ff00::/8",  # multicast
    )
)
_NAT64 = IPv6Network("64:ff9b::/96")
_ISATAP = frozenset({0x00005EFE, 0x02005EFE})
"""The third quarter of an address that ends in the IPv4 address of a machine inside (RFC 5214)."""
AddressInfo = tuple[Any, ...]
"""As `socket.getaddrinfo` gives it: family, kind, protocol, canonical name, address."""
Lookup = Callable[..., list[AddressInfo]]
MAX_OF_A_FAMILY = 2
"""Addresses of each family that are tried, so that a name with a thousand addresses starts no scan."""
_THREADS = 4
_NUMERIC = socket.AI_NUMERICHOST | socket.AI_NUMERICSERV


class RefusedAddress(OSError):
    """A connection that is not made; an OSError, so that the HTTP library passes it on."""


def unwrapped(address: IPv4Address | IPv6Address) -> IPv4Address | IPv6Address:
    """The IPv4 address that an IPv6 one stands for; any other as it is."""
    if isinstance(address, IPv6Address):
        if address.ipv4_mapped:
            return address.ipv4_mapped
        if address in _NAT64:
            return IPv4Address(int(address) & 0xFFFFFFFF)
    return address


def is_barred(address: IPv4Address | IPv6Address) -> bool:
    """Whether nobody may be connected to it, whoever names it: no machine's, or where clouds give theirs secrets."""
    plain = unwrapped(address)
    return any(plain in network for network in _BARRED)  # networks of the other IP version contain none of them


def is_public(text: str) -> bool:
    """Whether an address, as text, is one of the public internet and no address of this machine.

    Text that is no address, or names a zone, is not public.
    """
    try:
        address = ip_address(text)
    except ValueError:
        return False
    known = _is_public_v4(address) if isinstance(address, IPv4Address) else _is_public_v6(address)
    return known and not _is_own(address)


def _is_public_v4(address: IPv4Address) -> bool:
    return not any(address in network for network in _SET_ASIDE_V4)


def _is_public_v6(address: IPv6Address) -> bool:
    if address.scope_id is not None:
        return False
    # Machines without IPv4 see every IPv4 site behind this prefix.
    if address in _NAT64:
        return _is_public_v4(IPv4Address(int(address) & 0xFFFFFFFF))
    if address not in _ASSIGNED_V6 or any(address in network for network in _SET_ASIDE_V6):
        return False
    return int(address) >> 32 & 0xFFFFFFFF not in _ISATAP


def _is_own(address: IPv4Address | IPv6Address) -> bool:
    """Whether it is an address of this machine: only then a packet to it would also come from it.

    Connecting a UDP socket chooses the sender's address and sends nothing.
    """
    family = socket.AF_INET if address.version == 4 else socket.AF_INET6
    try:
        with socket.socket(family, socket.SOCK_DGRAM) as probe:
            probe.connect((str(address), 9))
            return ip_address(probe.getsockname()[0]) == address
    except OSError:  # there is no way there
        return False


class Guard(AbstractResolver):
    """Resolves names and makes sockets for the public internet.

    `local_hosts` are names that lead to an address and port of this machine, and the only ones that may.
    """

    def __init__(self, local_hosts: Mapping[str, tuple[str, int]], *, lookup: Lookup = socket.getaddrinfo) -> None:
        self._local_hosts = dict(local_hosts)
        self._lookup = lookup
        # Separate threads, which are never waited for: the system's resolver has no deadline.
        self._threads = ThreadPoolExecutor(_THREADS, thread_name_prefix="dns")

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
        """Stop resolving names."""
        self._threads.shutdown(wait=False, cancel_futures=True)


def _result(host: str, address: str, port: int) -> ResolveResult:
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    return ResolveResult(hostname=host, host=address, port=port, family=family, proto=0, flags=_NUMERIC)
