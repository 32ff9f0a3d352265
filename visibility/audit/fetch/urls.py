"""Which URLs may be fetched: addresses of the public web, as their authors write them, and nothing else.

An address is parsed once; the parsed object is checked and fetched.
"""

import re
from collections.abc import Collection
from ipaddress import ip_address

import idna
from yarl import URL

from visibility.audit.addresses import SUFFIXES
from visibility.audit.fetch.failures import FetchError
from visibility.net.guard import PORTS

MAX_CHARACTERS = 2_048
_NEVER = re.compile(r"[\x00-\x20\x7f-\xa0\s\\\u200b-\u200f\u2028-\u202e\u2060-\u206f\ud800-\udfff\ufeff]")
_AUTHORITY = re.compile(r"(?:[a-z][a-z0-9+.-]*:)?//([^/?#]*)", re.IGNORECASE)
# A last label with which programs take the whole name for an IPv4 address: 127.1, 0x7f000001, 0177.0.0.1.
_NUMBER = re.compile(r"\d+|0x[0-9a-f]*")
# Names that are no names of the public DNS: RFC 6761 and its registry, RFC 8375, RFC 9476, what ICANN reserves
# for private use, and what routers, clusters and companies use without being asked.
SPECIAL_NAMES = frozenset(
    {"alt", "arpa", "example", "invalid", "local", "localhost", "onion", "test", "internal"}
    | {"corp", "domain", "home", "host", "lan", "localdomain", "mail", "private", "intranet", "workgroup"}
)


def checked_url(
    text: str, base: URL | None = None, *, local_hosts: Collection[str] = (), own_hosts: Collection[str] = ()
) -> URL:
    """The URL to fetch for an address as someone wrote it, without its fragment; relative ones need `base`.

    `local_hosts` are names that may be special ones; `own_hosts` are names of the service itself, with a leading dot
    for all below. Raises FetchError (bad_url, refused_address).
    """
    problem = _problem_of_text(text)
    if problem:
        raise FetchError("bad_url", _printable(text), problem)
    try:
        url = URL(text)
        url = (base.join(url) if base else url).with_fragment(None)
        if (url.raw_host or "").endswith("."):  # the same name; nothing else in the service writes it so
            url = url.with_host((url.raw_host or "").removesuffix("."))
        if url.raw_host and url.raw_path == "/":
            url = url.with_path("/", keep_query=True)  # as it is asked for, where the author left the slash out
    except ValueError:
        raise FetchError("bad_url", text, "The address cannot be read as a URL.") from None
    problem = _problem_of_url(url)
    if problem:
        raise FetchError("bad_url", text, problem)
    host = url.raw_host or ""
    if host in local_hosts:
        return url
    if is_own_host(host, own_hosts):
        raise FetchError("refused_address", text, "The address is one of this service itself.")
    if not is_public_name(host):
        raise FetchError("bad_url", text, "The host name does not belong to the public internet.")
    return url


def is_public_name(host: str) -> bool:
    """Whether an encoded host name, in lower case, can be in the public DNS."""
    labels = host.split(".")
    return (
        len(labels) > 1
        and not _is_address(host)
        and not _NUMBER.fullmatch(labels[-1])
        and labels[-1] not in SPECIAL_NAMES
        and bool(SUFFIXES(host).suffix)
    )


def is_own_host(host: str, own_hosts: Collection[str]) -> bool:
    """Whether a host name is one of the given ones, or below one of those with a leading dot."""
    return any(host == own or (own[:1] == "." and f".{host}".endswith(own)) for own in own_hosts)


def _problem_of_text(text: str) -> str | None:
    if len(text) > MAX_CHARACTERS:
        return f"The address is longer than {MAX_CHARACTERS:,} characters."
    if _NEVER.search(text):
        return "The address contains a space, a backslash or an invisible character."
    authority = _AUTHORITY.match(text)
    # The parser drops empty ones in silence; in full width it is one, too, once the host is encoded.
    if authority and ("@" in authority[1] or "\uff20" in authority[1]):
        return "The address contains a user name."
    return None


def _problem_of_url(url: URL) -> str | None:
    if url.scheme not in ("http", "https"):
        return "The address does not begin with http:// or https://."
    if not url.raw_host:
        return "The address has no host name."
    if url.port not in PORTS:
        return "The address names another port than 80 or 443."
    if len(str(url)) > MAX_CHARACTERS:
        return f"The address, encoded, is longer than {MAX_CHARACTERS:,} characters."
    if _is_address(url.raw_host) or _NUMBER.fullmatch(url.raw_host.rpartition(".")[2]):
        return "The address has an IP address in place of a host name."
    try:
        encoded = idna.encode(url.raw_host, uts46=True, std3_rules=True, transitional=False).decode("ascii")
    except (idna.IDNAError, UnicodeError):
        return "The host is not a valid host name."
    if encoded != url.raw_host or "." not in encoded or encoded.endswith("."):
        return "The host is not a full host name."
    return None


def _printable(text: str) -> str:
    """The beginning of an address, with a sign in place of each character that cannot be shown or stored."""
    return "".join(letter if letter.isprintable() else "\ufffd" for letter in text[:MAX_CHARACTERS])


def _is_address(host: str) -> bool:
    try:
        ip_address(host)
    except ValueError:
        return ":" in host
    return True
