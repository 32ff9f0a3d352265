"""What the two doors, REST API and agent endpoint, do first and last: authenticate a key, and log the call."""

import logging
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import F, Q
from django.utils import timezone

from apikeys.caller import Caller
from apikeys.errors import ErrorCode, ServiceError
from apikeys.keyformat import digest, looks_valid
from apikeys.models import ApiKey, CallLog

logger = logging.getLogger(__name__)

LAST_USED_EVERY = timedelta(minutes=1)


class RefusedKey(ServiceError):
    """invalid_api_key for a key that is known but does not work: `key` is for the call log only."""

    def __init__(self, key: ApiKey) -> None:
        super().__init__(ErrorCode.INVALID_API_KEY)
        self.key = key


def bearer_of(authorization: str | None) -> str | None:
    """The token of an Authorization header with the scheme Bearer (in any case), else None."""
    scheme, _, token = (authorization or "").strip().partition(" ")
    return token.strip() or None if scheme.lower() == "bearer" else None


def authenticate(raw_key: str | None) -> Caller:
    """The caller of a working key, with its owner and the owner's plan.

    Raises missing_bearer_token for None; invalid_api_key for what matches no active key, as RefusedKey where the key
    is known. A malformed key costs no query.
    """
    if raw_key is None:
        raise ServiceError(ErrorCode.MISSING_BEARER_TOKEN)
    key = known_key(raw_key)
    if key is None:
        raise ServiceError(ErrorCode.INVALID_API_KEY)
    now = timezone.now()
    if key.state_at(now) != "active":
        raise RefusedKey(key)
    write_last_used(key, now)
    return Caller.from_key(key)


def write_last_used(row: Any, now: datetime) -> None:
    """Note that a key or a link was used: at most once a minute, however many calls arrive together."""
    before = now - LAST_USED_EVERY
    if row.last_used_at is None or row.last_used_at < before:
        stale = Q(last_used_at=None) | Q(last_used_at__lt=before)
        type(row).objects.filter(stale, pk=row.pk).update(last_used_at=now)


def known_key(raw_key: str | None) -> ApiKey | None:
    """The stored key of this raw form, whether it works or not; a malformed one costs no query."""
    if raw_key is None or not looks_valid(raw_key):
        return None
    return ApiKey.objects.select_related("owner__plan").filter(digest=digest(raw_key)).first()


def door_of(path: str) -> CallLog.Door:
    """The door that a path belongs to."""
    return CallLog.Door.MCP if path[1:].split("/", 1)[0] == "mcp" else CallLog.Door.REST


def record_call(
    *, key: ApiKey, door: CallLog.Door, name: str, error_code: str = "", duration_ms: float, request_id: str
) -> None:
    """Log one call of a known key; without an error code it is a success. A failure here fails the call.

    A key that was deleted during its call takes its log with it: then nothing is logged.
    """
    call = CallLog(
        key=key,
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
