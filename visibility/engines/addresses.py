"""Where the server of an engine may be: on the internet, in one's own network or on this machine, but never where
clouds tell their machines secrets; and a key goes without TLS to this machine alone.

Audits, which strangers point at addresses, reach the public internet only: that table is in `audit.fetch.addresses`.
"""

import socket
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address
from typing import Any

_BARRED_NAMES = ("metadata.google.internal", "metadata.goog")
_BARRED_V4 = tuple(
    IPv4Network(text)
    for text in (
        "0.0.0.0/8",  # this network
        "100.100.100.200/32",  # metadata of Alibaba
        "168.63.129.16/32",  # the host below each virtual machine of Azure
        "169.254.0.0/16",  # link local; metadata of AWS, Azure, Google, Oracle and others
        "192.0.0.192/32",  # metadata of Oracle
        "224.0.0.0/3",  # multicast, reserved, broadcast
    )
)
_BARRED_V6 = tuple(
    IPv6Network(text)
    for text in (
        "::/128",  # this machine, unspecified
        "fd00:ec2::/32",  # metadata of AWS
        "fd20:ce::254/128",  # metadata of Google
        "fe80::/10",  # link local
        "ff00::/8",  # multicast
    )
)
_NAT64 = IPv6Network("64:ff9b::/96")

BARRED = "This address is link-local, or one where clouds tell their machines secrets: no engine is reached there."
PLAIN_KEY = "A key goes over plain http to this machine alone. Give an address that begins with https."


class RefusedAddress(OSError):
    """A connection that is not made. The message says why."""


def refusal_of_host(host: str, *, plain_key: bool) -> str:
    """Why no engine may be at this host of a base URL, as far as can be told before it is looked up; empty where it
    may. `plain_key`: a key would be sent there without TLS."""
    name = host.lower().rstrip(".")
    try:
        address = ip_address(name)
    except ValueError:
        if name in _BARRED_NAMES:
            return BARRED
        return PLAIN_KEY if plain_key and name != "localhost" and not name.endswith(".localhost") else ""
    return _refusal(address, plain_key=plain_key)


def open_socket(info: tuple[Any, ...], *, plain_key: bool) -> socket.socket:
    """A socket for an address as `getaddrinfo` gives it: that to which the connection is made, whatever the name led
    to before. Raises RefusedAddress."""
    family, kind, protocol, _, address = info
    if refusal := _refusal(ip_address(address[0]), plain_key=plain_key):
        raise RefusedAddress(refusal)
    return socket.socket(family, kind, protocol)


def _refusal(address: IPv4Address | IPv6Address, *, plain_key: bool) -> str:
    if isinstance(address, IPv6Address):
        if address.ipv4_mapped:
            address = address.ipv4_mapped
        elif address in _NAT64:
            address = IPv4Address(int(address) & 0xFFFFFFFF)
    barred = _BARRED_V4 if isinstance(address, IPv4Address) else _BARRED_V6
    if any(address in network for network in barred):
        return BARRED
    return PLAIN_KEY if plain_key and not address.is_loopback else ""
