"""Where the web server listens, and the address by which people and programs reach it."""

import os
from urllib.parse import urlsplit

from django.core.exceptions import ImproperlyConfigured

from config.postgres import var_folder

FORM = "Write the scheme and the host by which people reach the service, such as https://visibility.example.com."
EVERYWHERE = ("", "0.0.0.0", "[::]")  # noqa: S104 - these are not bound here, but understood


def bound() -> str:
    """What the web server is bound to, by BIND or PORT."""
    return os.environ.get("BIND") or f"127.0.0.1:{os.environ.get('PORT') or 8000}"


def remember_bound() -> None:
    """Note for other commands where `serve` listens."""
    (var_folder() / "bound").write_text(bound())


def public_url() -> str:
    """The origin of every absolute address that the service writes: PUBLIC_URL, else where it is or was bound.

    Raises ImproperlyConfigured for what is no origin, and for a path, below which the service cannot be served.
    """
    given = os.environ.get("PUBLIC_URL", "").strip().rstrip("/")
    if not given:
        return _local()
    try:
        parts = urlsplit(given)
        is_origin = parts.scheme in ("http", "https") and parts.hostname and (parts.port or True)
    except ValueError:
        is_origin = False
    if not is_origin:
        raise ImproperlyConfigured(f"PUBLIC_URL is no address of a website. {FORM}")
    if given != f"{parts.scheme}://{parts.netloc}" or "@" in parts.netloc:
        raise ImproperlyConfigured(
            f"PUBLIC_URL has more than a host: the service needs one of its own, not a path below it. {FORM}"
        )
    return given


def _local() -> str:
    noted = var_folder() / "bound"
    is_named = os.environ.get("BIND") or os.environ.get("PORT")
    first = (noted.read_text() if noted.exists() and not is_named else bound()).split(",")[0]
    host, _, port = first.rpartition(":")
    if not port.isdigit():
        return "http://127.0.0.1"  # a socket in a folder, behind a proxy
    return f"http://{'127.0.0.1' if host in EVERYWHERE else host}:{port}"
