"""Registrable domains of addresses."""

from functools import lru_cache

from tldextract import TLDExtract

from visibility.audit.checks.addresses import split

_KEPT = 10_000
# The list of suffixes inside the package: never the network, never a cache on disk. Demonstrations and tests stand on
# the domains that RFC 2606 sets aside.
_suffixes = TLDExtract(suffix_list_urls=(), cache_dir=None, extra_suffixes=("example", "test"))


@lru_cache(maxsize=_KEPT)
def domain_of(url: str) -> str:
    """The registrable domain of a web address, its host where it has none, empty for what is no web address."""
    parts = split(url)
    if parts.scheme not in ("http", "https"):
        return ""
    host = parts.hostname or ""
    return _suffixes(host).top_domain_under_public_suffix or host
