"""Where the server of an engine may be: on the internet, in the operator's network or on this machine, but never
where clouds give their machines secrets. A key is sent without TLS only within the operator's network."""

import socket
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address, ip_network
from typing import Any
from urllib.parse import urlsplit

_BARRED_NAMES = ("metadata.google.internal", "metadata.goog")
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

BARRED = (
    "This address is link-local, or one where clouds give their machines secrets: no engine is reached there. "
    "Correct the engine's base URL."
)
PLAIN_KEY = (
    "A key goes over plain http only to this machine or a private address. "
    "Give the engine a base URL that begins with https."
)
NO_URL = "The engine's base URL is none that can be asked. Give one that begins with https:// or http:// and a host."


class RefusedAddress(OSError):
    """A connection that is not made. The message says why."""


def refusal_of_url(url: str, *, with_key: bool) -> str:
    """Why no engine may be at this base URL, as far as known before its name is looked up; empty where it may."""
    try:
        parts = urlsplit(url)
        host = (parts.hostname or "").rstrip(".")
        _ = parts.port  # raises where it is none
    except ValueError:
        return NO_URL
    if parts.scheme not in ("http", "https") or not host or parts.username is not None:
        return NO_URL
    if host in _BARRED_NAMES:
        return BARRED
    try:
        address = ip_address(host)
    except ValueError:
        return ""
    return _refusal(address, plain_key=with_key and parts.scheme == "http")


def open_socket(info: tuple[Any, ...], *, plain_key: bool) -> socket.socket:
    """A socket for an address as `getaddrinfo` gives it, checked when connecting. Raises RefusedAddress."""
    family, kind, protocol, _, address = info
    if refusal := _refusal(ip_address(address[0].partition("%")[0]), plain_key=plain_key):
        raise RefusedAddress(refusal)
    return socket.socket(family, kind, protocol)


def _refusal(address: IPv4Address | IPv6Address, *, plain_key: bool) -> str:
    if isinstance(address, IPv6Address):
        if address.ipv4_mapped:
            address = address.ipv4_mapped
        elif address in _NAT64:
            address = IPv4Address(int(address) & 0xFFFFFFFF)
    if any(address in network for network in _BARRED):  # networks of the other IP version contain none of them
        return BARRED
    return PLAIN_KEY if plain_key and not address.is_private else ""
