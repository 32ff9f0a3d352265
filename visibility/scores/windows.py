"""The days that callers ask for, the same way through every door."""

from datetime import UTC, date, datetime, timedelta

from django.utils import timezone

DEFAULT_DAYS = 30
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
MAX_EPOCH_MS = int(datetime(2101, 1, 1, tzinfo=UTC).timestamp() * 1000) - 1
"""The end of 2100, in milliseconds since 1970."""
TOO_LATE = "from is later than to (without to: later than now). Give an earlier from."


def days_between(begin_ms: int | None, end_ms: int | None) -> tuple[date, date]:
    """The UTC days that two moments (epoch milliseconds, both included) touch. See `window`."""
    moments = (begin_ms, end_ms)
    begin, end = (None if each is None else EPOCH + timedelta(milliseconds=each) for each in moments)
    if begin and begin > (end or timezone.now()):
        raise ValueError(TOO_LATE)
    return window(begin and begin.date(), end and end.date())


def window(first: date | None, last: date | None) -> tuple[date, date]:
    """These days, both included. Without a last one the window ends today; without a first one it has 30 days.

    Raises ValueError, with words for the caller, when it begins later than it ends.
    """
    last = last or timezone.now().date()
    first = first or last - timedelta(days=DEFAULT_DAYS - 1)
    if first > last:
        raise ValueError(TOO_LATE)
    return first, last
