"""Addresses of pages, compared as people mean them."""

import re
from collections.abc import Iterable
from urllib.parse import SplitResult, urljoin, urlsplit

_INDEX = re.compile(r"/(?:index|default)\.(?:html?|php|aspx?)$", re.IGNORECASE)
_DEFAULT_PORTS = {"http": 80, "https": 443}
_NOWHERE = SplitResult("", "", "", "", "")


def split(url: str) -> SplitResult:
    """The parts of an address; all empty where it is none."""
    try:
        parts = urlsplit(url)
        _ = parts.port
    except ValueError:
        return _NOWHERE
    return parts


def joined_to(url: str, reference: str) -> str:
    """The absolute address that a reference on a page means; empty where it means none."""
    try:
        return urljoin(url, reference)
    except ValueError:
        return ""


def host_of(url: str) -> str:
    """The host of an address in lower case, with its port where that is not the usual one."""
    parts = split(url)
    port = "" if parts.port in (None, _DEFAULT_PORTS.get(parts.scheme)) else f":{parts.port}"
    return f"{parts.hostname or ''}{port}"


def site_of(url: str) -> str:
    """The host without a leading `www.`."""
    return host_of(url).removeprefix("www.")


def path_of(url: str) -> str:
    """Path and query, as robots.txt rules see them."""
    parts = split(url)
    return (parts.path or "/") + (f"?{parts.query}" if parts.query else "")


def same_site(url: str, other: str) -> bool:
    """Whether two addresses stand on one host, with or without `www.`."""
    return bool(site_of(url)) and site_of(url) == site_of(other)


def page_key(url: str) -> str:
    """Equal for two addresses that are, as good as always, one page: http and https, with and without `www.`, a slash
    at the end, a fragment or the name of the index file."""
    parts = split(url)
    path = _INDEX.sub("/", parts.path).rstrip("/")
    return f"{site_of(url)}{path}" + (f"?{parts.query}" if parts.query else "")


def same_page(url: str, other: str) -> bool:
    """Whether two addresses are one page in all likelihood: see `page_key`."""
    return page_key(url) == page_key(other)


def spread(urls: Iterable[str], most: int) -> list[str]:
    """At most so many of the addresses, without doubles, evenly over their order."""
    distinct = list(dict.fromkeys(urls))
    if len(distinct) <= most:
        return distinct
    return [distinct[at * len(distinct) // most] for at in range(most)]
