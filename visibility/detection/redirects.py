"""Addresses that lead to another page: redirects, caches and translations, which carry the page's own address."""

import base64
import binascii
import re
from collections.abc import Iterator
from itertools import chain
from urllib.parse import SplitResult, parse_qsl, unquote, urlsplit

from visibility.detection.addresses import EXTRACT

_ADDRESS = re.compile(r"https?://[\w-]+(?:\.[\w-]+)+(?:[:/?#]\S*)?", re.IGNORECASE)
_IN_PATH = re.compile(r"https?(?:(?P<plain>:/{1,2})|%3a(?:%2f){2})", re.IGNORECASE)
_ENCODED = re.compile(r"(?:\w\d)?(aHR0c[\w+/-]+)=*")  # "http" in base64; Bing writes two characters before it
# What the words of a host or path say of an address that only leads on.
_LEADS_ON = re.compile(
    r"[\w-]*redir[\w-]*|out(?:bound|going|link)?|away|leav(?:e|ing)|exit|external|go(?:to)?|jump|cli?c?k|aclk|aclick|lm?"
    r"|(?:deep|safe)?links?|linkfilter|url|r|translate",
    re.IGNORECASE,
)
# A page on which the address is sent to others is a page of its own.
_SHARES = re.compile(r"[\w-]*share[\w-]*|submit|create|intent|compose|bookmark|save", re.IGNORECASE)
_AMP = re.compile(r"/(?:amp|[a-z]{1,2})/(?:s/|(?=www\.))(?P<host>[\w-]+(?:\.[\w-]+)+)(?P<rest>(?:/.*)?)")
_AMP_HOST = re.compile(r"(?:^|[.-])amp")
_MAY_LEAD_ON = re.compile(r".https?(?::|%)|aHR0c|amp|\.translate\.goog", re.IGNORECASE)


def target_of(url: str) -> str:
    """The address that a redirect, a cache of AMP pages or a translation carries; any other address as it is.

    An archive's copy, a page for sharing and a report on an address are pages of their own.
    """
    if not _MAY_LEAD_ON.search(url):
        return url
    try:
        parts = urlsplit(url)
    except ValueError:
        return url
    host = parts.hostname or ""
    if host.endswith(".translate.goog"):
        name = host.removesuffix(".translate.goog").replace("--", "\0").replace("-", ".").replace("\0", "-")
        return parts._replace(netloc=name).geturl()
    cached = _AMP.fullmatch(parts.path)
    if cached and (_AMP_HOST.search(host) or parts.path.startswith("/amp/")) and EXTRACT(cached["host"]).suffix:
        return parts._replace(netloc=cached["host"], path=cached["rest"]).geturl()
    return next(chain(_in_query(parts, host), _in_path(parts, host)), url)


def _in_query(parts: SplitResult, host: str) -> Iterator[str]:
    """The addresses that parameters carry, those that name the page before those that name where the click was."""
    values = parse_qsl(parts.query)
    yield from filter(None, (_decoded(value) for _, value in values))
    if _ADDRESS.fullmatch(whole := unquote(parts.query)):
        yield whole
    segments = [re.sub(r"\.\w+$", "", segment) for segment in parts.path.split("/") if segment]
    if any(map(_SHARES.fullmatch, segments)):
        return
    if any(map(_LEADS_ON.fullmatch, [*_labels(host), *segments[-1:]])):
        ordered = sorted(values, key=lambda item: "ref" in item[0].lower())
        yield from filter(_ADDRESS.fullmatch, (_plain(value) for _, value in ordered))


def _in_path(parts: SplitResult, host: str) -> Iterator[str]:
    found = _IN_PATH.search(parts.path)
    if found is None or not any(map(_LEADS_ON.fullmatch, [*_labels(host), *parts.path[: found.start()].split("/")])):
        return
    rest = parts.path[found.start() :]
    if found["plain"]:
        address = parts._replace(scheme="", netloc="", path=re.sub(r"(?<=:)/+", "//", rest, count=1)).geturl()
    else:
        address = unquote(rest.split("/")[0])
    if _ADDRESS.fullmatch(address):
        yield address


def _labels(host: str) -> list[str]:
    """The labels of a host before its public suffix."""
    return host.removesuffix(EXTRACT(host).suffix).strip(".").split(".")


def _plain(value: str) -> str:
    """An address without a second layer of percent-encoding."""
    return unquote(value) if re.match(r"https?%3a", value, re.IGNORECASE) else value


def _decoded(value: str) -> str:
    """The address that a value is in base64, else nothing."""
    found = _ENCODED.fullmatch(value)
    if found is None:
        return ""
    text = found[1]
    try:
        address = base64.urlsafe_b64decode(text.replace("+", "-").replace("/", "_") + "=" * (-len(text) % 4)).decode()
    except (binascii.Error, UnicodeDecodeError):
        return ""
    return address if _ADDRESS.fullmatch(address) else ""
