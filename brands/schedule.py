"""When the cadence of a brand starts its next scan."""

import calendar
from datetime import datetime, timedelta

from brands.models import Cadence


def next_slot(cadence: str, after: datetime) -> datetime | None:
    """One day, week or calendar month after `after`; None for a brand that is scanned by hand.

    A month keeps the day of the month, or takes the last day of a shorter month.
    """
    match cadence:
        case Cadence.DAILY:
            return after + timedelta(days=1)
        case Cadence.WEEKLY:
            return after + timedelta(days=7)
        case Cadence.MONTHLY:
            year, month = (after.year, after.month + 1) if after.month < 12 else (after.year + 1, 1)
            return after.replace(year=year, month=month, day=min(after.day, calendar.monthrange(year, month)[1]))
        case _:
            return None
