"""Addresses that others wrote, as links that do no harm."""

from dataclasses import dataclass
from urllib.parse import urlsplit

from apikeys.text.sentences import one_line, shortened

MAX_SHOWN = 100
MAX_ADDRESS = 2_000


@dataclass(frozen=True, slots=True)
class Link:
    """An address to show; `href` is empty where it is not to be followed."""

    label: str
    href: str


def link_to(url: str | None) -> Link | None:
    """The address: one of the web that says openly where it leads can be followed, every other one is only shown.
    None for nothing."""
    address = one_line(url or "")
    if not address:
        return None
    return Link(shortened(address, MAX_SHOWN), address if _can_be_followed(address) else "")


def _can_be_followed(address: str) -> bool:
    try:
        parts = urlsplit(address)
        named = parts.hostname and parts.username is None and parts.password is None
        # Looking at the port has it parsed.
        return bool(named and parts.scheme in ("http", "https") and parts.port != 0 and len(address) <= MAX_ADDRESS)
    except ValueError:
        return False
