"""Addresses as they are asked for."""

import re
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

from visibility.audit.checks.addresses import same_site

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
    address = urlunsplit((parts.scheme, host, parts.path or "/", query, ""))
    return address if len(address) <= MAX_ADDRESS else ""


def origin_of(url: str) -> str:
    """Scheme and host of an address, as a request has them."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}"


def on_site(url: str, home_url: str) -> str:
    """The address as it is asked for, empty where it is not of the site.

    Where the site does not answer encrypted, which is asked for first, its https addresses are asked for without.
    """
    address = canonical(url)
    if not address or not same_site(address, home_url):
        return ""
    return address.replace("https://", "http://", 1) if home_url.startswith("http://") else address
