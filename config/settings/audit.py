"""How site audits reach sites: under which name, and which names lead to this machine instead."""

import re
from collections.abc import Sequence
from ipaddress import ip_address

import idna
from django.core.exceptions import ImproperlyConfigured

from brands.domains import ascii_host
from visibility.audit.fetch.agent import product_token
from visibility.audit.fetch.urls import is_public_name

_LOCAL_HOST = re.compile(r"([^=\s]+\.[^=\s]+)=(\[[0-9a-f:]+\]|[0-9.]+):(\d{1,5})", re.IGNORECASE)
_BOT = "BrandVisibilityBot/1.0"


def local_hosts(entries: Sequence[str]) -> dict[str, tuple[str, int]]:
    """Host names and where on this machine each leads to, from entries such as `demo.example=127.0.0.1:8000`.

    Raises ImproperlyConfigured.
    """
    return dict(_local_host(entry.strip()) for entry in entries)


def _local_host(entry: str) -> tuple[str, tuple[str, int]]:
    match = _LOCAL_HOST.fullmatch(entry)
    try:
        if not match:
            raise ValueError
        host, address, port = ascii_host(match[1]), ip_address(match[2].strip("[]")), int(match[3])
    except (ValueError, idna.IDNAError):
        raise ImproperlyConfigured(
            f"AUDIT_LOCAL_HOSTS: {entry!r} is not a host name, '=', a loopback address, ':' and a port. "
            "Write it as demo.example=127.0.0.1:8000, several separated by commas."
        ) from None
    if not address.is_loopback:
        raise ImproperlyConfigured(
            f"AUDIT_LOCAL_HOSTS: {entry!r} leads to {address}, which is not this machine. Name a loopback address "
            "such as 127.0.0.1; no other may be reached."
        )
    if not 0 < port < 65536:
        raise ImproperlyConfigured(f"AUDIT_LOCAL_HOSTS: {entry!r} names port {port}, which does not exist.")
    return host, (str(address), port)


def default_user_agent(allowed_hosts: Sequence[str]) -> str:
    """How audits introduce themselves, with the address of the page that explains them where the service knows it.

    It knows it from the first public name among the hosts that it answers for.
    """
    named = [host.removeprefix(".").lower() for host in allowed_hosts]
    public = [host for host in named if re.fullmatch(r"[a-z0-9.-]+", host) and is_public_name(host)]
    return f"{_BOT} (+https://{public[0]}/bot)" if public else _BOT


def checked_user_agent(text: str) -> str:
    """The text, where it can stand in a request and begins with a product's name. Raises ImproperlyConfigured."""
    try:
        product_token(text)
    except ValueError as error:
        raise ImproperlyConfigured(f"AUDIT_USER_AGENT: {error}") from None
    return text
