"""What the two doors, REST API and agent endpoint, do first and last: authenticate a key, and log the call."""

import logging
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import F, Q
from django.utils import timezone

from apikeys.accounts.caller import Caller
from apikeys.accounts.keyformat import CONNECTION_PREFIX, digest, looks_valid
from apikeys.errors import ErrorCode, ServiceError
from apikeys.models import ApiKey, CallLog, Connection, ConnectionSecret

logger = logging.getLogger(__name__)

LAST_USED_EVERY = timedelta(minutes=1)


CONNECT_AGAIN = (
    "This connection does not work any more: it has ended or expired, or its key has. Connect the app again."
)


@dataclass(frozen=True, slots=True)
class Credential:
    """What a caller sent, as it is stored: a key itself, or a connection that uses it, by a token that has not
    expired and is one for calls (`is_current`)."""

    key: ApiKey
    connection: Connection | None = None
    is_current: bool = True

    def works_at(self, now: datetime) -> bool:
        """Whether calls with it are answered, as far as the plan allows."""
        return self.is_current and (self.connection or self.key).state_at(now) == "active"


class RefusedKey(ServiceError):
    """invalid_api_key for what is known but does not work: `credential` is for the call log only."""

    def __init__(self, credential: Credential) -> None:
        super().__init__(ErrorCode.INVALID_API_KEY, CONNECT_AGAIN if credential.connection else "")
        self.credential = credential


def bearer_of(authorization: str | None) -> str | None:
    """The token of an Authorization header with the scheme Bearer (in any case), else None."""
    scheme, _, token = (authorization or "").strip().partition(" ")
    return token.strip() or None if scheme.lower() == "bearer" else None


def authenticate(raw_key: str | None, *, opens_to_apps: bool = False) -> Caller:
    """The caller of a working key, with its owner and the owner's plan. A door that `opens_to_apps` takes their
    tokens, too: then the caller has the scopes of the connection that its key has.

    Raises missing_bearer_token for None; invalid_api_key for what matches no active key, as RefusedKey where the key
    is known. A malformed key costs no query.
    """
    if raw_key is None:
        raise ServiceError(ErrorCode.MISSING_BEARER_TOKEN)
    credential = known_credential(raw_key)
    if credential is None:
        is_of_app = raw_key.startswith(CONNECTION_PREFIX)
        raise ServiceError(ErrorCode.INVALID_API_KEY, CONNECT_AGAIN if is_of_app else "")
    now, connection = timezone.now(), credential.connection
    if not credential.works_at(now) or (connection is not None and not opens_to_apps):
        raise RefusedKey(credential)
    write_last_used(credential.key, now)
    if connection is not None:
        write_last_used(connection, now)
    return Caller.from_key(credential.key, connection)


def write_last_used(row: Any, now: datetime) -> None:
    """Note that a key or a link was used: at most once a minute, however many calls arrive together."""
    before = now - LAST_USED_EVERY
    if row.last_used_at is None or row.last_used_at < before:
        stale = Q(last_used_at=None) | Q(last_used_at__lt=before)
        type(row).objects.filter(stale, pk=row.pk).update(last_used_at=now)


def known_credential(raw_key: str | None) -> Credential | None:
    """What is stored of this raw form, by one query, whether it works or not; a malformed one costs none."""
    if raw_key is None or not looks_valid(raw_key):
        return None
    if not raw_key.startswith(CONNECTION_PREFIX):
        key = ApiKey.objects.select_related("owner__plan").filter(digest=digest(raw_key)).first()
        return None if key is None else Credential(key)
    secrets = ConnectionSecret.objects.select_related("connection__app", "connection__key__owner__plan")
    secret = secrets.filter(digest=digest(raw_key)).first()
    if secret is None:
        return None
    is_current = secret.kind == ConnectionSecret.Kind.ACCESS and secret.expires_at > timezone.now()
    return Credential(secret.connection.key, secret.connection, is_current)


def door_of(path: str) -> CallLog.Door:
    """The door that a path belongs to."""
    return CallLog.Door.MCP if path[1:].split("/", 1)[0] == "mcp" else CallLog.Door.REST


def record_call(
    credential: Credential,
    *,
    door: CallLog.Door,
    name: str,
    error_code: str = "",
    duration_ms: float,
    request_id: str,
) -> None:
    """Log one call of a known key; without an error code it is a success. A failure here fails the call.

    A key that was deleted during its call takes its log with it: then nothing is logged.
    """
    call = CallLog(
        key=credential.key,
        connection=credential.connection,
        door=door,
        name=name[:120],
        success=not error_code,
        error_code=error_code,
        duration_ms=round(duration_ms, 3),
        request_id=request_id,
    )
    try:
        call.save(force_insert=True)  # outside of a transaction: only the commit checks foreign keys
    except IntegrityError:
        logger.warning("The key of a call to %s was deleted meanwhile; the call is not logged.", name)


def record_rate_refusals(counts: Mapping[tuple[str, datetime, CallLog.Door], int]) -> None:
    """Add refusals by the rate limit, counted by (digest of the key, minute, door), to one row per key and minute.

    That row names the door that was refused first. Digests that belong to no key are dropped: calls without a known
    key are not logged.
    """
    digests = {key_digest for key_digest, _, _ in counts}
    keys = {key.digest: key for key in ApiKey.objects.filter(digest__in=digests)}
    secrets = ConnectionSecret.objects.select_related("connection__key").filter(digest__in=digests)
    keys.update({secret.digest: secret.connection.key for secret in secrets})
    for (key_digest, minute, door), count in counts.items():
        if key_digest in keys:
            _add_refusals(keys[key_digest], minute, door, count)


def _add_refusals(key: ApiKey, minute: datetime, door: CallLog.Door, count: int) -> None:
    """Update the row of this minute, or make it; another process may make it first, then update that one."""
    place = {"key": key, "created_at": minute, "error_code": ErrorCode.RATE_LIMITED}
    row = CallLog.objects.filter(**place)
    if row.update(count=F("count") + count):
        return
    try:
        with transaction.atomic():
            row.create(**place, door=door, name="rate limit", success=False, duration_ms=0, count=count)
    except IntegrityError:
        row.update(count=F("count") + count)
