"""Where a browser may be sent back to. Pure functions."""

import re
from urllib.parse import SplitResult, urlsplit

from django.utils.translation import gettext

from apikeys.connect.errors import UnsoundApp

LOOPBACK = frozenset({"127.0.0.1", "::1", "localhost"})
APP_SCHEMES = frozenset({"cursor", "vscode", "vscode-insiders", "windsurf"})
"""Of programs on a person's own machine, which open such addresses themselves."""
SCHEMES = ["http", "https", *sorted(APP_SCHEMES)]
MOST_REDIRECTS = 20
LONGEST_REDIRECT = 2_000
_CHARACTERS = re.compile(r"[!-~]+")


def check_redirects(given: object) -> list[str]:
    """The redirect addresses that an app names, at least one; raises UnsoundApp when one may not be used."""
    if not isinstance(given, list) or not 0 < len(given) <= MOST_REDIRECTS:
        raise UnsoundApp(
            gettext("The app names no redirect_uris, or more than %(most)d.") % {"most": MOST_REDIRECTS},
            "invalid_redirect_uri",
        )
    for each in given:
        if not (isinstance(each, str) and may_redirect(each)):
            raise UnsoundApp(
                gettext(
                    "A redirect address of the app is not accepted: it has to be https, http on this very machine, "
                    "or of an editor that is known here, and without a fragment or a user name."
                ),
                "invalid_redirect_uri",
            )
    return list(dict.fromkeys(given))


def may_redirect(address: str) -> bool:
    """Whether browsers may be sent to an address at all: https, http on loopback, or one of APP_SCHEMES."""
    if (
        len(address) > LONGEST_REDIRECT
        or not _CHARACTERS.fullmatch(address)
        or any(sign in address for sign in "\\#")
    ):
        return False
    parts = _parts(address)
    if parts is None or not parts.hostname or "@" in parts.netloc:
        return False
    return parts.scheme == "https" or parts.scheme in APP_SCHEMES or is_loopback(address)


def is_loopback(address: str) -> bool:
    """Whether it is http on the machine of the person."""
    parts = _parts(address)
    return parts is not None and parts.scheme == "http" and parts.hostname in LOOPBACK


def is_among(address: str, registered: list[str]) -> bool:
    """Whether an address is exactly one that the app named, except for the port on loopback (RFC 8252, 7.3)."""
    if address in registered:
        return True
    return is_loopback(address) and any(
        is_loopback(each) and _without_port(each) == _without_port(address) for each in registered
    )


def _without_port(address: str) -> tuple[str | None, str, str]:
    parts = urlsplit(address)
    return parts.hostname, parts.path, parts.query


def _parts(address: str) -> SplitResult | None:
    """None for what is no address."""
    try:
        parts = urlsplit(address)
        _ = parts.port  # raises for what is no port
    except ValueError:
        return None
    return parts
