"""Limits on repeated tries: passwords, invitations. Each is counted before it is made, so that a hundred at once
count as a hundred."""

import hashlib
import time
from contextlib import suppress

from django.core.cache import caches

from apikeys.errors import ErrorCode, ServiceError


def take(group: str, subject: str, *, limit: int, seconds: int) -> str:
    """Count one try of `subject` and return its counter, to `give_back` to. No subject is stored, only its SHA-256.

    Raises rate_limited, with the seconds to wait in `retryAfterSeconds`, once there were more than `limit` in a
    window of `seconds`. Windows begin and end for all subjects together.
    """
    window, passed = divmod(int(time.time()), seconds)
    counter = f"tries:{hashlib.sha256(f'{group} {subject}'.encode()).hexdigest()}:{window}"
    counters = caches["counters"]
    counters.add(counter, 0, timeout=seconds)
    if counters.incr(counter) > limit:
        wait = seconds - passed
        message = f"This was tried too often. Try again in {wait} seconds."
        raise ServiceError(ErrorCode.RATE_LIMITED, message, retryAfterSeconds=wait)
    return counter


def give_back(counter: str) -> None:
    """Uncount a try that turned out well."""
    with suppress(ValueError):  # the counter has expired
        caches["counters"].incr(counter, -1)
