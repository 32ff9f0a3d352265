"""The call log: one row for each authenticated call, one row a minute for what the rate limit refused."""

from collections.abc import Mapping
from datetime import datetime
from uuid import UUID

import structlog
from django.contrib.sessions.models import Session
from django.db import IntegrityError, transaction
from django.db.models import F
from django.utils import timezone

from apikeys.db.outages import DATABASE
from apikeys.db.prepared import PreparedInsert
from apikeys.db.purging import purge_batch
from apikeys.models import ApiKey, CallLog

log = structlog.get_logger(__name__)

REFUSED = "rate_limited"
_CALLS = PreparedInsert(CallLog)


def door_of(path: str) -> CallLog.Door:
    """The door that a call of this path knocks at."""
    return CallLog.Door.MCP if path[1:].split("/", 1)[0] == "mcp" else CallLog.Door.REST


def record_call(
    *, key: ApiKey, door: CallLog.Door, name: str, error_code: str = "", duration_ms: float, request_id: str
) -> None:
    """Keep one call of a known key; a call without an error code is a success.

    A key that was deleted while its call ran takes its log with it: then nothing is kept.
    """
    try:
        _CALLS.add(
            CallLog(
                key_id=key.pk,
                door=door,
                name=name[:120],
                success=not error_code,
                error_code=error_code,
                duration_ms=round(duration_ms, 3),
                request_id=request_id,
            )
        )
        DATABASE.works()
    except IntegrityError:
        log.warning("call of a deleted key not logged", name=name)


def record_refusals(counts: Mapping[tuple[str, datetime, CallLog.Door], int]) -> None:
    """Add refusals by the rate limit, counted by (digest of the key, minute, door), to one row per key and minute.

    Digests that belong to no key are dropped: calls without a known key are not logged.
    """
    digests = {digest for digest, _, _ in counts}
    keys = dict(ApiKey.objects.filter(digest__in=digests).values_list("digest", "pk"))
    for (digest, minute, door), count in counts.items():
        if digest in keys:
            _add_refusals(keys[digest], minute, door, count)


def purge_calls(*, older_than: datetime) -> int:
    """Delete the calls before a moment, in batches that hold no lock for long; return how many rows went."""
    deleted = 0
    while batch := purge_call_batch(older_than):
        deleted += batch
    return deleted


def purge_call_batch(older_than: datetime) -> int:
    """Delete the oldest calls before a moment, a batch of them; return how many rows went."""
    return purge_batch(CallLog.objects.filter(created_at__lt=older_than).order_by("created_at"))


def purge_session_batch() -> int:
    """Delete sessions that have expired, a batch of them; return how many."""
    return purge_batch(Session.objects.filter(expire_date__lt=timezone.now()).order_by("expire_date"))


def _add_refusals(key_id: UUID, minute: datetime, door: CallLog.Door, count: int) -> None:
    """Update the row of this minute, or make it; another process may make it first, then update that one."""
    row = CallLog.objects.filter(key_id=key_id, created_at=minute, error_code=REFUSED)
    if row.update(count=F("count") + count):
        return
    try:
        with transaction.atomic():
            CallLog.objects.create(
                key_id=key_id,
                door=door,
                name="rate limit",
                success=False,
                error_code=REFUSED,
                created_at=minute,
                count=count,
            )
    except IntegrityError:
        row.update(count=F("count") + count)
