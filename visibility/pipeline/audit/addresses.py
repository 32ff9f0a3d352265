"""Addresses as they are asked for."""

import re
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

_TRACKING = re.compile(
    r"utm_\w+|gclid|gbraid|wbraid|dclid|fbclid|msclkid|yclid|twclid|ttclid|mc_cid|mc_eid|_ga|_gl|igshid|_hs\w+|"
    r"hsa_\w+|mkt_tok|phpsessid|jsessionid|sessionid|sid",
    re.IGNORECASE,
)
_DEFAULT_PORTS = {"http": ":80", "https": ":443"}
MAX_ADDRESS = 2048


def canonical(url: str) -> str:
    """The address without its fragment, tracking parameters and default port, its host in lower case.

    Empty for what is no address of a page.
    """
    try:
        parts = urlsplit(url)
        host = parts.netloc.lower().removesuffix(_DEFAULT_PORTS.get(parts.scheme, ""))
        query = parts.query
        if any(_TRACKING.fullmatch(name) for name, _ in parse_qsl(query, keep_blank_values=True)):
            query = urlencode([
                (name, value)
                for name, value in parse_qsl(query, keep_blank_values=True)
                if not _TRACKING.fullmatch(name)
            ])  # fmt: skip
    except ValueError:
        return ""
    if parts.scheme not in _DEFAULT_PORTS or not host:
        return ""
    found = urlunsplit((parts.scheme, host, parts.path or "/", query, ""))
    return found if len(found) <= MAX_ADDRESS else ""


def origin_of(url: str) -> str:
    """Scheme and host of an address, as a request has them."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}"
