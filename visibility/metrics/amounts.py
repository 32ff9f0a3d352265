"""What a scan would take, and what it cost, in words, for people."""

from decimal import Decimal

from visibility.metrics.shown import shown


def dollars(cost: Decimal | None) -> str:
    """An expected cost in US dollars."""
    return "cost unknown" if cost is None else f"about ${shown(cost, 2)}"


def exact_dollars(cost: Decimal) -> str:
    """A cost that is known, in US dollars; calls cost fractions of a cent."""
    return f"${shown(cost, 2 if cost >= 1 else 4)}"


def duration(seconds: float | None) -> str:
    """An expected time, no more precise than it is known."""
    if seconds is None:
        return "time unknown"
    if seconds < 90:
        return f"about {max(round(seconds, -1), 10):.0f} seconds"
    if seconds < 5_400:
        return f"about {shown(seconds / 60, 0)} minutes"
    return f"about {shown(seconds / 3600)} hours"
