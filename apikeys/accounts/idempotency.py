"""Calls that may be repeated without a second effect, however many arrive at once and whichever process dies.

A call is reserved in a statement of its own before its effect, so that others see it and need not wait for its
transaction. The effect and the record of its result are one transaction: both are there or neither. The holder
of the call, which reserved it, has a lease. If the holder dies, the lease runs out and the next caller takes the call
over; if it was only slow, its record then fails, and the effect with it.
"""

import hashlib
import uuid
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from math import ceil

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from apikeys.errors import ErrorCode, ServiceError
from apikeys.models import IdempotentCall, User

LEASE = timedelta(seconds=30)
"""How long a call stays with its holder unless `renew` is called."""
KEEP_FOR = timedelta(days=90)
"""How long a repeat gets the original result."""


@dataclass(frozen=True, slots=True)
class Reserved:
    """The call is the caller's now, to `execute_once` or to `release`."""

    pk: int
    token: uuid.UUID


@dataclass(frozen=True, slots=True)
class Finished:
    """The call was carried out before; this is its result, as JSON."""

    result: str


@dataclass(frozen=True, slots=True)
class Running:
    """The call is another caller's, until `until` unless that one renews it."""

    until: datetime

    def refusal(self) -> ServiceError:
        """The error for a caller that does not wait."""
        return _in_progress(ceil((self.until - timezone.now()).total_seconds()))


def reserve(
    *, user: User, tool: str, key: str, arguments: bytes, subject: uuid.UUID
) -> Reserved | Finished | Running:
    """Take the call if nobody has it, or if the lease of its holder ran out. Never waits for the holder.

    `arguments` is canonical JSON, `subject` the brand that the call is about. Raises idempotency_conflict when the
    key was used with other arguments. Not inside of a transaction: others have to see the reservation.
    """
    token, now = uuid.uuid4(), timezone.now()
    digest = hashlib.sha256(arguments).hexdigest()
    place = {"user": user, "tool": tool, "key": key}
    fresh = IdempotentCall(**place, digest=digest, subject=subject, token=token, lease_until=now + LEASE)
    IdempotentCall.objects.bulk_create([fresh], ignore_conflicts=True)
    call = IdempotentCall.objects.filter(**place).first()
    if call is None:  # its holder released it between the two statements
        return Running(now)
    if call.digest != digest:
        raise ServiceError(
            ErrorCode.IDEMPOTENCY_CONFLICT,
            "This idempotencyKey was used with other arguments. Use a new key for a new call; repeat the same "
            "arguments to get the original result.",
        )
    if call.finished_at is not None:
        return Finished(call.result)
    if call.token == token or (call.lease_until < now and _take_over(call, token, now)):
        return Reserved(call.pk, token)
    return Running(call.lease_until)


def execute_once(reserved: Reserved, effect: Callable[[], str]) -> str:
    """Run `effect`, which returns the result as JSON, and keep the result in the same transaction.

    When the effect raises, nothing has changed and the call is free again. Raises idempotency_in_progress when
    another took the call over meanwhile; then this effect is undone.
    """
    try:
        with transaction.atomic():
            result = effect()
            if not _held(reserved).update(result=result, finished_at=timezone.now()):
                raise _in_progress(1)
    except BaseException:
        release(reserved)
        raise
    return result


def renew(reserved: Reserved) -> None:
    """Keep the call for another lease, as a holder whose work takes long has to."""
    _held(reserved).update(lease_until=timezone.now() + LEASE)


def release(reserved: Reserved) -> None:
    """Delete the reservation of a call that changed nothing, so that the next with its key is the first."""
    _held(reserved).delete()


def forget(subject: uuid.UUID) -> None:
    """Delete the records of calls about a brand, in the transaction that deletes the brand."""
    IdempotentCall.objects.filter(subject=subject).delete()


def _held(reserved: Reserved) -> QuerySet[IdempotentCall]:
    """The call, as long as it is still the holder's and not finished."""
    return IdempotentCall.objects.filter(pk=reserved.pk, token=reserved.token, finished_at=None)


def _take_over(call: IdempotentCall, token: uuid.UUID, now: datetime) -> bool:
    """Become the holder of a call whose lease ran out; one of many that try succeeds."""
    expired = IdempotentCall.objects.filter(pk=call.pk, token=call.token, finished_at=None, lease_until__lt=now)
    return bool(expired.update(token=token, lease_until=now + LEASE))


def _in_progress(seconds: int) -> ServiceError:
    wait = min(max(seconds, 1), int(LEASE.total_seconds()))
    return ServiceError(
        ErrorCode.IDEMPOTENCY_IN_PROGRESS,
        f"The first call with this idempotencyKey is still running. Repeat the call in {wait} seconds.",
        retryAfterSeconds=wait,
    )
