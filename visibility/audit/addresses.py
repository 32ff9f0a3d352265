"""Addresses of pages: compared as pages, split, and in the form in which they are requested."""

import re
from collections.abc import Iterable
from functools import lru_cache
from urllib.parse import SplitResult, parse_qsl, urlencode, urljoin, urlsplit, urlunsplit

import tldextract

MAX_ADDRESS = 2_048
MANY = 65_536
"""Size of the caches: pages of a site link the same addresses."""
_INDEX = re.compile(r"/(?:index|default)\.(?:html?|php|aspx?)$", re.IGNORECASE)
_TRACKING = re.compile(
    r"utm_\w+|gclid|gbraid|wbraid|dclid|fbclid|msclkid|yclid|twclid|ttclid|mc_cid|mc_eid|_ga|_gl|igshid|_hs\w+|"
    r"hsa_\w+|mkt_tok|phpsessid|jsessionid|sessionid|sid",
    re.IGNORECASE,
)
_PRIVATE = re.compile(
    r"/(?:cart|basket|bag|checkout|kasse|warenkorb|panier|carrito|carrello|winkelwagen|varukorg|account|my-?account|konto"
    r"|compte|cuenta|profile|wishlist|favou?rites|compare|log-?in|sign-?in|sign-?up|log-?out|register|registration"
    r"|password|auth|admin|wp-(?:admin|login|json)|cgi-bin|search|suche|recherche|tags?|print|unsubscribe|thank-?you"
    r"|preview|draft|404)(?:[/._-]|$)",
    re.IGNORECASE,
)
_PORTS = {"http": 80, "https": 443}
_NOWHERE = SplitResult("", "", "", "", "")
SUFFIXES = tldextract.TLDExtract(cache_dir=None, suffix_list_urls=(), extra_suffixes=("example", "test"))
"""The package's own list of public suffixes, and two names of RFC 2606 for demonstrations and tests."""


def split(url: str) -> SplitResult:
    """The parts of an address; all empty where it is none."""
    try:
        parts = urlsplit(url)
        _ = parts.port
    except ValueError:
        return _NOWHERE
    return parts


def joined(url: str, reference: str) -> str:
    """The absolute address of a reference on a page; empty where it has none."""
    try:
        return urljoin(url, reference)
    except ValueError:
        return ""


def origin_of(url: str) -> str:
    """Scheme and host of an address, as written."""
    parts = split(url)
    return f"{parts.scheme}://{parts.netloc}"


def host_of(url: str) -> str:
    """The host of an address in lower case, with its port unless that is the default one."""
    parts = split(url)
    port = "" if parts.port in (None, _PORTS.get(parts.scheme)) else f":{parts.port}"
    return f"{parts.hostname or ''}{port}"


def path_of(url: str) -> str:
    """Path and query, as rules of robots.txt see them."""
    parts = split(url)
    return (parts.path or "/") + (f"?{parts.query}" if parts.query else "")


def is_private(url: str) -> bool:
    """Whether an address is rightly left out of search: it is for one visitor, or of no use to others."""
    return _PRIVATE.search(split(url).path) is not None


@lru_cache(maxsize=MANY)
def domain_of(url: str) -> str:
    """The registrable domain of a web address, its host where it has none; empty for what is no web address."""
    parts = split(url)
    host = (parts.hostname or "") if parts.scheme in _PORTS else ""
    return SUFFIXES(host).top_domain_under_public_suffix or host


def same_site(url: str, other: str) -> bool:
    """Whether two addresses are on one host, with or without `www.`."""
    return bool(_site(url)) and _site(url) == _site(other)


@lru_cache(maxsize=MANY)
def page_key(url: str) -> str:
    """A key that is equal for two addresses of what is nearly always one page: http and https, with and without
    `www.`, a slash at the end, a fragment or the name of the index file."""
    parts = split(url)
    path = _INDEX.sub("/", parts.path).rstrip("/")
    return f"{_site(url)}{path}" + (f"?{parts.query}" if parts.query else "")


def same_page(url: str, other: str) -> bool:
    """Whether two addresses are very likely one page: see `page_key`."""
    return page_key(url) == page_key(other)


def spread(urls: Iterable[str], most: int) -> list[str]:
    """At most so many of the addresses, without doubles, evenly over their order."""
    distinct = list(dict.fromkeys(urls))
    if len(distinct) <= most:
        return distinct
    return [distinct[at * len(distinct) // most] for at in range(most)]


@lru_cache(maxsize=MANY)
def on_site(url: str, home_url: str) -> str:
    """The address as it is requested: without fragment, tracking parameters and default port; with http for all where
    the site itself has no https. Empty where it is not on the site."""
    parts = split(url)
    if parts.scheme not in _PORTS or not same_site(url, home_url):
        return ""
    pairs = parse_qsl(parts.query, keep_blank_values=True)
    own = [(name, value) for name, value in pairs if not _TRACKING.fullmatch(name)]
    query = parts.query if len(own) == len(pairs) else urlencode(own)
    scheme = "http" if home_url.startswith("http://") else parts.scheme
    address = urlunsplit((scheme, host_of(url), parts.path or "/", query, ""))
    return address if len(address) <= MAX_ADDRESS else ""


def _site(url: str) -> str:
    """The host without a leading `www.`."""
    return host_of(url).removeprefix("www.")
