"""Where the server of an engine may be: on the internet, in the operator's network or on this machine, but never
where clouds give their machines secrets. A key is sent without TLS only within the operator's network."""

import socket
from ipaddress import IPv4Address, IPv6Address, ip_address
from typing import Any
from urllib.parse import urlsplit

from visibility.net import RefusedAddress, is_barred, unwrapped

_BARRED_NAMES = ("metadata.google.internal", "metadata.goog")
BARRED = (
    "This address is link-local, or one where clouds give their machines secrets: no engine is reached there. "
    "Correct the engine's base URL."
)
PLAIN_KEY = (
    "A key goes over plain http only to this machine or a private address. "
    "Give the engine a base URL that begins with https."
)
NO_URL = "The engine's base URL is none that can be asked. Give one that begins with https:// or http:// and a host."


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
    if is_barred(address):
        return BARRED
    return PLAIN_KEY if plain_key and not unwrapped(address).is_private else ""
