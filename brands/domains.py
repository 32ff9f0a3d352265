"""Domains as people type them, brought to one form: the host name in lower case, IDNA-encoded."""

import ipaddress
import re
from urllib.parse import urlsplit

import idna
import tldextract
from django.utils.translation import gettext

from apikeys.errors import ServiceError, invalid

# The bundled public suffix list, never the network; and the domains that RFC 2606 sets aside for examples and tests.
_SUFFIXES = tldextract.TLDExtract(cache_dir=None, suffix_list_urls=(), extra_suffixes=("example", "test"))
_WITH_AUTHORITY = re.compile(r"([a-z][a-z0-9+.-]*:)?//", re.IGNORECASE)


def normalise_domain(argument: str, text: str) -> str:
    """The host name in `text`, which may be an address with scheme and port; a leading `www.` is dropped.

    Raises invalid_arguments, naming `argument`, for what is no domain that can be registered: an IP address, a single
    label, a public suffix such as `co.uk`, an unknown top-level domain; and for an address with a path.
    """
    host = _host(argument, text.strip())
    try:
        host = idna.encode(host, uts46=True, std3_rules=True, transitional=False).decode("ascii")
    except idna.IDNAError as error:
        raise _refusal(argument, text, gettext("it is not a valid host name")) from error
    if host.startswith("www.") and _is_registrable(host.removeprefix("www.")):
        host = host.removeprefix("www.")
    if not _is_registrable(host):
        raise _refusal(argument, text, gettext("it does not end in a known public suffix such as .com or .co.uk"))
    return host


def _is_registrable(host: str) -> bool:
    return bool(_SUFFIXES(host).top_domain_under_public_suffix)


def without_path(address: str) -> str:
    """An address without what stands behind its host, as `normalise_domain` takes it."""
    authority = _WITH_AUTHORITY.match(address)
    start = authority.end() if authority else 0
    return address[:start] + re.split(r"[/?#]", address[start:], maxsplit=1)[0]


def _host(argument: str, text: str) -> str:
    """The host in a host name or URL, before any check of its form."""
    if not text.isprintable() or " " in text:
        raise _refusal(argument, text, gettext("it contains spaces or invisible characters"))
    try:
        parts = urlsplit(text if _WITH_AUTHORITY.match(text) else f"//{text}")
        host, user = (parts.hostname or "").rstrip("."), parts.username
    except ValueError as error:
        raise _refusal(argument, text, gettext("it is not an address")) from error
    if user is not None:
        raise _refusal(argument, text, gettext("it looks like an email address"))
    if not host:
        raise _refusal(argument, text, gettext("it has no host name"))
    if parts.path.strip("/") or parts.query:
        raise invalid(
            argument,
            gettext(
                "{text!a} is one page or section of a site, and all pages of {host!a} would count as its own. Give "
                "the "
                "host name alone, if all of it is."
            ).format(text=text[:100], host=host[:100]),
        )
    if _is_ip_address(host):
        raise _refusal(argument, text, gettext("it is an IP address"))
    return host


def _is_ip_address(host: str) -> bool:
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True


def _refusal(argument: str, text: str, reason: str) -> ServiceError:
    return invalid(
        argument,
        gettext("{text!a} is not a domain: {reason}. Give a host name such as acme.com.").format(
            text=text[:100], reason=reason
        ),
    )
