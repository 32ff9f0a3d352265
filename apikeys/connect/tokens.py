"""What an app gets: a code, which it exchanges once, then tokens, which it renews. Raw forms leave these functions
once and are stored nowhere."""

import hashlib
from base64 import urlsafe_b64encode
from dataclasses import dataclass
from datetime import datetime, timedelta
from http import HTTPStatus
from secrets import compare_digest
from uuid import UUID

from django.conf import settings
from django.db import transaction
from django.db.models import F, Q, QuerySet
from django.utils import timezone
from django.views.decorators.debug import sensitive_variables

from apikeys.accounts import keyformat
from apikeys.accounts.keys import end_connections
from apikeys.connect.errors import OAuthError
from apikeys.errors import not_found
from apikeys.models import ApiKey, App, Connection, ConnectionSecret, User

CODE_LASTS = timedelta(seconds=60)
REPEATS_WITHIN = timedelta(seconds=30)
"""A spent code or refresh token that comes again within this time comes from an app that repeats itself, or asks
several times at once; later, from somebody else."""
MOST_REPEATS = 10
KEEP_CODES = timedelta(hours=1)
KEEP_IDLE_APPS = timedelta(days=1)
KEEP_ENDED = timedelta(days=30)

Kind = ConnectionSecret.Kind


@dataclass(frozen=True, slots=True)
class Tokens:
    """What the app of a connection holds; `seconds` until the access token expires."""

    access: str
    refresh: str
    seconds: int
    scopes: list[str]


def connectable_keys(user: User, now: datetime) -> list[ApiKey]:
    """The keys that a person may let apps use: their own, active, and open to apps; none without API access."""
    keys = user.api_keys.select_related("owner").filter(may_connect=True) if user.has_api_access else []
    return [key for key in keys if key.state_at(now) == "active"]


@sensitive_variables("raw")
@transaction.atomic
def connect(*, key: ApiKey, app: App, scopes: list[str], challenge: str, redirect_uri: str) -> str:
    """Make a connection with these scopes of the key, and return the code that its app exchanges for tokens."""
    connection = Connection.objects.create(key=key, app=app, scopes=[each for each in scopes if each in key.scopes])
    return _issue(connection, Kind.CODE, timezone.now() + CODE_LASTS, challenge=challenge, redirect_uri=redirect_uri)


@sensitive_variables("code", "verifier")
def exchange(*, app: App, code: str, redirect_uri: str, verifier: str) -> Tokens:
    """The tokens for a code that has not been exchanged. Raises invalid_grant.

    A spent code that comes again ends the connection, unless the app itself seems to repeat its request.
    """
    with transaction.atomic():
        now = timezone.now()
        secret = _locked(app, Kind.CODE, code)
        if secret is not None and _is_alive(secret, now):
            is_of_app = secret.redirect_uri == redirect_uri and _answers(secret.challenge, verifier)
            if secret.spent_at is None and secret.expires_at > now and is_of_app:
                _spend(secret, now)
                return _issue_tokens(secret.connection, now)
            is_repeat = is_of_app and secret.spent_at is not None and now - secret.spent_at <= REPEATS_WITHIN
            if secret.spent_at is not None and not is_repeat:
                end_connections(Connection.objects.filter(pk=secret.connection.pk), "a code was used twice")
    raise _invalid_grant()


@sensitive_variables("token")
def renew(*, app: App, token: str) -> Tokens:
    """New tokens for a refresh token, which is spent by that. Raises invalid_grant.

    A spent one works MOST_REPEATS times more within REPEATS_WITHIN, as apps renew in parallel; later it ends the
    connection.
    """
    with transaction.atomic():
        now = timezone.now()
        secret = _locked(app, Kind.REFRESH, token)
        if secret is not None and _is_alive(secret, now) and secret.expires_at > now:
            if secret.spent_at is None:
                _spend(secret, now)
                return _issue_tokens(secret.connection, now)
            if now - secret.spent_at > REPEATS_WITHIN:
                end_connections(Connection.objects.filter(pk=secret.connection.pk), "a spent refresh token was used")
            elif secret.repeats < MOST_REPEATS:
                ConnectionSecret.objects.filter(pk=secret.pk).update(repeats=F("repeats") + 1)
                return _issue_tokens(secret.connection, now)
    raise _invalid_grant()


@sensitive_variables("token")
def revoke(token: str) -> None:
    """End the connection of a token, if there is one."""
    if keyformat.looks_valid(token):
        rows = Connection.objects.filter(secrets__digest=keyformat.digest(token), secrets__kind__in=_TOKENS)
        end_connections(rows, "by the app")


def disconnect(user: User, connection_id: UUID) -> None:
    """End a connection of a person's own key; not_found for any other."""
    if not end_connections(Connection.objects.filter(pk=connection_id, key__owner=user), "by its person"):
        raise not_found()


def open_connections(user: User, now: datetime) -> list[tuple[Connection, str]]:
    """The connections of a person's keys that have not ended, with their states. Without a token that could renew
    it, a connection has ended by itself."""
    rows = Connection.objects.filter(key__owner=user, ended_at=None, secrets__expires_at__gt=now).distinct()
    return [(row, row.state_at(now)) for row in rows.select_related("app", "key__owner")]


def expired(now: datetime) -> list[QuerySet[ConnectionSecret] | QuerySet[Connection] | QuerySet[App]]:
    """What is to be deleted, in this order: secrets that work no more, connections that have ended or that nobody can
    use, registered apps without a connection."""
    secrets = ConnectionSecret.objects.filter(expires_at__lt=now - KEEP_CODES)
    unusable = Q(ended_at=None, secrets=None, created_at__lt=now - KEEP_IDLE_APPS)
    connections = Connection.objects.filter(unusable | Q(ended_at__lt=now - KEEP_ENDED))
    apps = App.objects.filter(
        source=App.Source.REGISTERED, blocked_at=None, connections=None, created_at__lt=now - KEEP_IDLE_APPS
    )
    return [secrets, connections, apps]


_TOKENS = (Kind.ACCESS, Kind.REFRESH)


def _locked(app: App, kind: ConnectionSecret.Kind, raw: str) -> ConnectionSecret | None:
    """The secret of the app with this raw form, locked, so that of simultaneous requests one is first."""
    if not keyformat.looks_valid(raw):
        return None
    rows = ConnectionSecret.objects.select_related("connection__app", "connection__key__owner__plan")
    rows = rows.select_for_update(of=("self",), no_key=True)
    return rows.filter(digest=keyformat.digest(raw), kind=kind, connection__app=app).first()


def _is_alive(secret: ConnectionSecret, now: datetime) -> bool:
    connection = secret.connection
    return connection.state_at(now) == "active" and connection.key.owner.has_api_access


def _answers(challenge: str, verifier: str) -> bool:
    """Whether the verifier is that of the challenge (RFC 7636, S256)."""
    hashed = urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).rstrip(b"=").decode()
    return compare_digest(hashed, challenge)


def _spend(secret: ConnectionSecret, now: datetime) -> None:
    ConnectionSecret.objects.filter(pk=secret.pk).update(spent_at=now)


@sensitive_variables()
def _issue_tokens(connection: Connection, now: datetime) -> Tokens:
    key_ends = connection.key.expires_at or datetime.max.replace(tzinfo=now.tzinfo)
    access_ends = min(now + timedelta(hours=settings.ACCESS_TOKEN_HOURS), key_ends)
    refresh_ends = min(now + timedelta(days=settings.CONNECTION_DAYS), key_ends)
    return Tokens(
        access=_issue(connection, Kind.ACCESS, access_ends),
        refresh=_issue(connection, Kind.REFRESH, refresh_ends),
        seconds=int((access_ends - now).total_seconds()),
        scopes=[each for each in connection.scopes if each in connection.key.scopes],
    )


@sensitive_variables("raw")
def _issue(connection: Connection, kind: ConnectionSecret.Kind, expires_at: datetime, **fields: str) -> str:
    raw = keyformat.mint(keyformat.CONNECTION_PREFIX)
    ConnectionSecret.objects.create(
        connection=connection, kind=kind, digest=keyformat.digest(raw), expires_at=expires_at, **fields
    )
    return raw


def _invalid_grant() -> OAuthError:
    return OAuthError(
        "invalid_grant", "This code or token does not work any more. Connect the app again.", HTTPStatus.BAD_REQUEST
    )
