"""The days that callers ask for, the same way through every door."""

from datetime import UTC, date, datetime, timedelta

from django.utils import timezone

DEFAULT_DAYS = 30
MAX_EPOCH_MS = int(datetime(2101, 1, 1, tzinfo=UTC).timestamp() * 1000) - 1
"""The end of 2100, in milliseconds since 1970."""


def days_between(begin_ms: int | None, end_ms: int | None) -> tuple[date, date]:
    """First and last UTC day of the window that two moments (epoch milliseconds, both included) touch.

    Without an end the window ends now; without a beginning it has 30 days, the day of the end included. Raises
    ValueError, with words for the caller, when it begins later than it ends.
    """
    end = timezone.now() if end_ms is None else _moment(end_ms)
    if begin_ms is None:
        return end.date() - timedelta(days=DEFAULT_DAYS - 1), end.date()
    begin = _moment(begin_ms)
    if begin > end:
        raise ValueError("from is later than to (without to: later than now). Give an earlier from.")
    return begin.date(), end.date()


def _moment(epoch_ms: int) -> datetime:
    return datetime(1970, 1, 1, tzinfo=UTC) + timedelta(milliseconds=epoch_ms)
