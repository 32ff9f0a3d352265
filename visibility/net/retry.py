"""How long a server asks its callers to wait."""

import re
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

LONGEST_FIELD = 100
_SECONDS = re.compile(r"[0-9]+(?:\.[0-9]+)?")


def seconds_to_wait(text: str, now: datetime) -> float | None:
    """The seconds that a Retry-After asks for, by a number or a date (RFC 9110, 10.2.3); below zero for a date that
    has passed, None for what is neither."""
    text = text[:LONGEST_FIELD].strip()
    if _SECONDS.fullmatch(text):
        return float(text)
    try:
        moment = parsedate_to_datetime(text)
        return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp() - now.timestamp()
    except (ValueError, TypeError, OverflowError, IndexError):
        return None
