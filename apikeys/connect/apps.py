"""Which app asks: one that published a document about itself, registered itself, or was entered by an operator."""

import secrets
from collections.abc import Callable, Mapping
from datetime import timedelta
from typing import Any
from urllib.parse import urlsplit

import orjson
from django.utils import timezone
from django.utils.translation import gettext

from apikeys.connect.errors import UnsoundApp
from apikeys.connect.redirects import check_redirects
from apikeys.models import App
from apikeys.text import clean, storable

FRESH_FOR = timedelta(hours=1)
LONGEST_NAME = 100
LONGEST_ID = 500

Fetch = Callable[[str], bytes]
"""Gets the document at an address of a stranger; raises UnsoundApp with a sentence for people."""


def find_app(client_id: str, fetch: Fetch | None = None) -> App:
    """The app with this id. The document of one is read again by `fetch` when it is not fresh any more.

    Raises UnsoundApp for an app that is unknown, blocked, or whose document is not what it has to be.
    """
    is_id = len(client_id) <= LONGEST_ID and client_id.isascii() and client_id.isprintable()
    app = App.objects.filter(client_id=client_id).first() if is_id else None
    if app is not None and app.blocked_at is not None:
        raise UnsoundApp(gettext("The operator of this service has blocked this app."))
    is_fresh = app is not None and (app.fresh_until is None or app.fresh_until > timezone.now())
    if fetch is not None and not is_fresh and is_document_address(client_id):
        return _read_document(client_id, fetch)
    if app is None:
        raise UnsoundApp(gettext("No app with this id is known here. Add the connection to your app anew."))
    return app


def register_app(metadata: Mapping[str, Any]) -> App:
    """A new app that describes itself (RFC 7591), without a secret. Raises UnsoundApp."""
    redirects = check_redirects(metadata.get("redirect_uris"))
    _check_flow(metadata)
    name = _name(metadata, "") or "An app without a name"
    client_id = f"app_{secrets.token_urlsafe(24)}"
    return App.objects.create(client_id=client_id, source=App.Source.REGISTERED, name=name, redirect_uris=redirects)


def is_document_address(client_id: str) -> bool:
    """Whether an id is an address whose document may be read: https, with a path, and nothing that hides its host."""
    if len(client_id) > LONGEST_ID or not client_id.isascii() or not client_id.isprintable():
        return False
    try:
        parts = urlsplit(client_id)
        is_address = parts.scheme == "https" and bool(parts.hostname) and parts.path not in ("", "/")
        is_address = is_address and parts.port in (None, 443)
    except ValueError:
        return False
    if not is_address or any(sign in client_id for sign in "@#\\ "):
        return False
    segments = parts.path.lower().replace("%2e", ".").split("/")
    return not {".", ".."}.intersection(segments)


def app_of_document(client_id: str, content: bytes) -> dict[str, Any]:
    """Name and redirect addresses of the app, by the document at its id; raises UnsoundApp."""
    try:
        document = orjson.loads(content)
    except orjson.JSONDecodeError:
        raise UnsoundApp(gettext("The address that the app gives for itself holds no JSON.")) from None
    if not isinstance(document, dict) or document.get("client_id") != client_id:
        raise UnsoundApp(gettext("The document of the app is about another address than its own."))
    offered = document.get("token_endpoint_auth_methods_supported")
    methods = offered if isinstance(offered, list) else [document.get("token_endpoint_auth_method", "none")]
    if "none" not in methods or "client_secret" in document:
        raise UnsoundApp(
            gettext("The app can only be let in with a secret or a signature, which this service does not take.")
        )
    _check_flow(document)
    redirects = check_redirects(document.get("redirect_uris"))
    return {"name": _name(document, urlsplit(client_id).hostname or ""), "redirect_uris": redirects}


def _read_document(client_id: str, fetch: Fetch) -> App:
    values = app_of_document(client_id, fetch(client_id))
    values |= {"source": App.Source.DOCUMENT, "fresh_until": timezone.now() + FRESH_FOR}
    app, _ = App.objects.update_or_create(client_id=client_id, defaults=values)
    return app


def _check_flow(metadata: Mapping[str, Any]) -> None:
    """Refuse an app that cannot take a code."""
    for name, needed in (("grant_types", "authorization_code"), ("response_types", "code")):
        given = metadata.get(name)
        if given is not None and not (isinstance(given, list) and needed in given):
            raise UnsoundApp(
                gettext("The app does not list %(value)s among its %(name)s.") % {"value": needed, "name": name},
                "invalid_client_metadata",
            )


def _name(metadata: Mapping[str, Any], default: str) -> str:
    given = metadata.get("client_name")
    line = " ".join(clean(storable(given)).split()) if isinstance(given, str) else ""
    return line[:LONGEST_NAME].strip() or default
