"""What operators do with apps and connections."""

import secrets

from django.utils import timezone

from apikeys.accounts.caller import Caller
from apikeys.accounts.keyformat import digest
from apikeys.accounts.keys import end_connections
from apikeys.connect.errors import UnsoundApp
from apikeys.connect.redirects import check_redirects
from apikeys.errors import invalid
from apikeys.models import App, Connection
from apikeys.text import clean_line


def enter_app(caller: Caller, *, name: str, redirect_uris: list[str], secret: str = "") -> App:
    """An app that neither has a document nor registers itself; of its secret only the fingerprint is stored.

    Raises invalid_arguments for an empty name and for addresses to which no browser may be sent.
    """
    caller.require_operator()
    try:
        checked = check_redirects(redirect_uris)
    except UnsoundApp as refusal:
        raise invalid("redirect_uris", refusal.message) from None
    return App.objects.create(
        client_id=f"app_{secrets.token_urlsafe(24)}",
        source=App.Source.OPERATOR,
        name=clean_line("name", name, longest=100),
        redirect_uris=checked,
        secret_digest=digest(secret) if secret else "",
    )


def set_blocked(caller: Caller, *, app: App, blocked: bool) -> None:
    """Refuse all calls of an app and each new connection, or let it in again."""
    caller.require_operator()
    blocked_at, blocked_by = (timezone.now(), caller.user) if blocked else (None, None)
    App.objects.filter(pk=app.pk).update(blocked_at=blocked_at, blocked_by=blocked_by)


def end_connection(caller: Caller, *, connection: Connection) -> None:
    """End a connection of anybody, at once and for good."""
    caller.require_operator()
    end_connections(Connection.objects.filter(pk=connection.pk), "by the operator")
