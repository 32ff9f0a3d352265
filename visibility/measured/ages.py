"""How old a measured day is, in words, where that matters. Pure."""

from datetime import date, timedelta

from visibility.measured.basis import WINDOW_DAYS


def age(day: date, latest: date, today: date) -> str:
    """Empty for a day that is the latest measured one and at most fourteen days ago."""
    if (today - day).days > WINDOW_DAYS:
        return f"measured {_days(today - day)} ago"
    return f"measured {_days(latest - day)} before the latest measured day" if day < latest else ""


def _days(span: timedelta) -> str:
    return f"{span.days:,} day" if span.days == 1 else f"{span.days:,} days"
