"""Web addresses: one canonical form for all the ways a page's address is written, hosts and registrable domains."""

import re
from contextlib import suppress
from functools import lru_cache
from urllib.parse import SplitResult, parse_qs, quote, urlsplit

import idna
from tldextract import TLDExtract

_LONGEST = 8192
KEPT = 1_024
"""Addresses that are kept: those of an answer are asked for by each who looks at it, and come again in the next."""
_DEFAULT_PORTS = {"http": 80, "https": 443}
_TRACKING = re.compile(
    r"utm_\w+|_?g[ac]lid|gclsrc|gad_\w+|gbraid|wbraid|dclid|fbclid|msclkid|yclid|ttclid|twclid|igshid?|li_fat_id|epik"
    r"|mc_[ce]id|_hs(?:enc|mi)|__hs\w+|hsa_\w+|hsctatracking|mkt_tok|vero_id|oly_\w+|pk_\w+|mtm_\w+|matomo_\w+|_ga"
    r"|_gl|_gsid|_branch_match_id|srsltid|ref_src|ref_url|cmpid|s_cid|ved|ei|sca_esv|ascsubtag|spm|trk|amp",
    re.IGNORECASE,
)
_UNSAFE = re.compile(r"[\x00-\x20\x7f-\x9f\ud800-\udfff\u2028\u2029\\<>\"]")
_ESCAPED = re.compile(r"%([0-9A-Fa-f]{2})")
_HOST = re.compile(r"(?!-)[a-z0-9_-]{1,63}(?<!-)(?:\.(?!-)[a-z0-9_-]{1,63}(?<!-))*")
_UNRESERVED = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")

_AMP_CACHE = re.compile(r"/[a-z]/(?:(s)/)?([^/].*)", re.DOTALL)
_AMP_VIEWER = re.compile(r"/amp/(?:(s)/)?([^/].*)", re.DOTALL)
_GOOGLE = re.compile(r"(?:www\.)?google\.[a-z]{2,3}(?:\.[a-z]{2})?")
_FORWARDING = {
    "duckduckgo.com": ("/l/", ("uddg",)),
    "l.facebook.com": ("/l.php", ("u",)),
    "lm.facebook.com": ("/l.php", ("u",)),
}

# The list of suffixes inside the package: never the network, never a cache on disk.
_suffixes = TLDExtract(suffix_list_urls=(), cache_dir=None)


@lru_cache(maxsize=KEPT)
def canonical_url(url: str) -> str | None:
    """The one address of a page: scheme and host in lower case, no default port, user, fragment (text fragments
    included) or tracking parameter, dot segments resolved, escapes in one form (RFC 3986, section 6.2).

    The page behind a forwarding link of a search engine and behind Google's copies of AMP pages. What may be another
    page stays apart: http and https, `www.`, `m.`, a site's own AMP pages, a slash at the end, the order of
    parameters. None for what is no web address: another scheme, no sound host, control characters, more than 8,192
    characters.
    """
    while (parts := _split(url)) is not None and (target := _forwarded(parts)) is not None:
        url = target
    if parts is None:
        return None
    host = _host(parts)
    port = _port(parts)
    if not host or port is None:
        return None
    shown = f"[{host}]" if ":" in host else host
    address = f"{parts.scheme}://{shown}" + (f":{port}" if port and port != _DEFAULT_PORTS[parts.scheme] else "")
    query = "&".join(
        _escape(pair) for pair in parts.query.split("&") if pair and not _TRACKING.fullmatch(pair.split("=")[0])
    )
    return address + _without_dots(_escape(parts.path)) + (f"?{query}" if query else "")


def host_of(url: str) -> str:
    """The host of a web address in lower case and ASCII; empty for what is no web address."""
    parts = _split(url)
    return _host(parts) if parts else ""


@lru_cache(maxsize=KEPT)
def registrable_domain(host: str) -> str:
    """The domain that someone registered: `bbc.co.uk` for `news.bbc.co.uk`; the host itself where there is none."""
    return _suffixes.extract_str(host).top_domain_under_public_suffix or host


def public_suffix(host: str) -> str:
    """The suffix below which domains are registered, `co.uk` for `news.bbc.co.uk`; empty where there is none."""
    return _suffixes.extract_str(host).suffix


def ascii_host(name: str) -> str:
    """A host name in lower case and ASCII (IDNA 2008 as browsers apply it, UTS 46), without a trailing dot; empty
    where it cannot be one."""
    lowered = name.strip().lower().rstrip(".")
    if len(lowered) > 253:
        return ""
    encoded = lowered if lowered.isascii() else _encoded(lowered)
    return encoded if len(encoded) <= 253 and _HOST.fullmatch(encoded) else ""


def _encoded(name: str) -> str:
    """The name in ASCII; the older IDNA 2003 for symbols that the newer one forbids but that are in use."""
    try:
        return idna.encode(name, uts46=True).decode("ascii")
    except UnicodeError:
        with suppress(UnicodeError):
            return name.encode("idna").decode("ascii")
    return ""


def _split(url: str) -> SplitResult | None:
    address = url.strip()
    if len(address) > _LONGEST or _UNSAFE.search(address):
        return None
    try:
        parts = urlsplit(address.replace("&amp;", "&"))
    except ValueError:
        return None
    return parts if parts.scheme in _DEFAULT_PORTS else None


def _forwarded(parts: SplitResult) -> str | None:
    """Where a link of a search engine or of an AMP cache leads; None for a page of its own."""
    host = _host(parts)
    is_google = bool(_GOOGLE.fullmatch(host))
    copy = _AMP_VIEWER if is_google else _AMP_CACHE if host.endswith(".cdn.ampproject.org") else None
    if copy and (found := copy.fullmatch(parts.path)):
        return _sound(f"http{found[1] or ''}://{found[2]}" + (f"?{parts.query}" if parts.query else ""))
    path, parameters = ("/url", ("q", "url")) if is_google else _FORWARDING.get(host, ("", ()))
    if not path or parts.path != path:
        return None
    values = parse_qs(parts.query)
    return next((_sound(values[name][0]) for name in parameters if name in values), None)


def _sound(target: str) -> str | None:
    parts = _split(target)
    return target if parts and "." in _host(parts) else None


def _host(parts: SplitResult) -> str:
    try:
        host = parts.hostname or ""
    except ValueError:
        return ""
    return host if ":" in host else ascii_host(host)


def _port(parts: SplitResult) -> int | None:
    """The port, 0 where none is given, None where it is none."""
    try:
        return parts.port or 0
    except ValueError:
        return None


def _escape(text: str) -> str:
    """Escapes in one form: unreserved characters plain, all else that needs it in upper-case hexadecimal."""
    quoted = quote(text, safe="%/:@!$&'()*+,;=?-._~[]|")
    return _ESCAPED.sub(_plain_or_upper, quoted)


def _plain_or_upper(escape: re.Match[str]) -> str:
    char = chr(int(escape[1], 16))
    return char if char in _UNRESERVED else escape[0].upper()


def _without_dots(path: str) -> str:
    """The path with `.` and `..` resolved (RFC 3986, section 5.2.4); `/` where it is empty."""
    kept: list[str] = []
    segments = path.split("/")[1:]
    for segment in segments:
        if segment == "..":
            kept = kept[:-1]
        elif segment != ".":
            kept.append(segment)
    if segments and segments[-1] in (".", ".."):
        kept.append("")
    return "/" + "/".join(kept)
