"""Hosts and registrable domains of addresses, by the bundled list of public suffixes; no network."""

from collections.abc import Iterable
from functools import lru_cache
from urllib.parse import urlsplit

import tldextract

EXTRACT = tldextract.TLDExtract(suffix_list_urls=(), cache_dir=None)
"""Splits a host at its public suffix, such as "co.uk"."""
SITES = tldextract.TLDExtract(suffix_list_urls=(), cache_dir=None, include_psl_private_domains=True)
"""As EXTRACT, and at the domains below which anybody may have a site, such as "github.io"."""


def host_of(address: str) -> str:
    """The host of an address or bare domain, in small letters and without "www."; empty where there is none."""
    try:
        host = urlsplit(address if "//" in address else f"//{address}").hostname or ""
    except ValueError:
        return ""
    return host.removeprefix("www.")


@lru_cache(maxsize=16_384)
def registrable_domain(host: str) -> str:
    """The domain of one site, "acme.co.uk" of "shop.acme.co.uk" and "acme.github.io" of "docs.acme.github.io"; the
    host itself where it has none."""
    return SITES(host).top_domain_under_public_suffix or host


def is_below(host: str, owned: Iterable[str]) -> bool:
    """Whether a host is one of these or below one."""
    return any(host == domain or host.endswith(f".{domain}") for domain in owned)
