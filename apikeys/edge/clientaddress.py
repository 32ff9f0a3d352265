"""Whose request it is: the address that the rate limit counts. Pure functions."""

from collections.abc import Sequence
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network

Address = IPv4Address | IPv6Address
Network = IPv4Network | IPv6Network

IPV6_PREFIX = 64
UNKNOWN = "unknown"


def client_address(peer: str | None, forwarded: Sequence[str], trusted: Sequence[Network]) -> str:
    """The client's address: IPv4 as it is, IPv6 as its /64, since one host commonly has a whole one.

    The peer's own, unless the peer is a trusted proxy: then the first untrusted address of the X-Forwarded-For
    headers from the right. Anyone may have written what comes before it, or before something that is no address.
    """
    current = _parse(peer or "")
    if current is None:
        return UNKNOWN
    for text in reversed(",".join(forwarded).split(",")):
        if not any(current in network for network in trusted):
            break
        before = _parse(text)
        if before is None:
            break
        current = before
    if isinstance(current, IPv6Address):
        return str(ip_network((current, IPV6_PREFIX), strict=False))
    return str(current)


def _parse(text: str) -> Address | None:
    """An address, also as `1.2.3.4:567` and `[::1]:567` as some proxies write it; IPv4 within IPv6 is IPv4."""
    text = text.strip()
    if text.startswith("["):
        text = text[1:].partition("]")[0]
    elif text.count(":") == 1:
        text = text.partition(":")[0]
    try:
        address = ip_address(text.partition("%")[0])
    except ValueError:
        return None
    mapped = address.ipv4_mapped if isinstance(address, IPv6Address) else None
    return mapped or address
