"""Bounds on what is tried again and again: passwords, invitations. Counted before it is tried, so that a hundred tries
at once count as a hundred."""

from django.http import HttpRequest
from django_ratelimit.core import get_usage

from apikeys.errors import tried_too_often

_NO_REQUEST = HttpRequest()


def take(group: str, subject: str, *, limit: int, seconds: int) -> None:
    """Count one try of `subject`. Raises rate_limited, with the seconds to wait in `retryAfterSeconds`, once it had
    more than `limit` in a window of `seconds`."""
    usage = get_usage(
        _NO_REQUEST,
        group=group,
        key=lambda _group, _request: subject,
        rate=(limit, seconds),
        increment=True,
    )
    if usage["should_limit"]:
        raise tried_too_often(max(usage["time_left"], 1))
