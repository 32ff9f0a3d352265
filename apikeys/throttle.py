"""Bounds on what is tried again and again: passwords, invitations. Counted before it is tried, so that a hundred
tries at once count as a hundred."""

import hashlib
import time
from contextlib import suppress

from django.core.cache import cache

from apikeys.errors import tried_too_often


def take(group: str, subject: str, *, limit: int, seconds: int) -> str:
    """Count one try of `subject` and return its counter, to `give_back` to. No subject is stored, only its SHA-256.

    Raises rate_limited, with the seconds to wait in `retryAfterSeconds`, once there were more than `limit` in a
    window of `seconds`. Windows begin and end for all subjects together.
    """
    window, passed = divmod(int(time.time()), seconds)
    counter = f"tries:{hashlib.sha256(f'{group} {subject}'.encode()).hexdigest()}:{window}"
    cache.add(counter, 0, timeout=seconds)
    if cache.incr(counter) > limit:
        raise tried_too_often(seconds - passed)
    return counter


def give_back(counter: str) -> None:
    """Uncount a try that turned out well."""
    with suppress(ValueError):  # the counter has expired
        cache.incr(counter, -1)
