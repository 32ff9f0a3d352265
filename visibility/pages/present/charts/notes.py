"""What a trend cannot show, in words: why days cannot be compared, and where days are missing."""

from django.utils.formats import date_format

from apikeys.text.sentences import counted
from visibility.pages.present.charts.lines import gaps_in
from visibility.pages.present.charts.series import Measurement, Series


def gaps_of(own: Series) -> list[str]:
    """The stretches without a measurement between days that can be compared, oldest first."""
    measured = own.measured
    return [_gap_words(measured[before], measured[after], own) for before, after in gaps_in(measured)]


def breaks_of(own: Series) -> list[str]:
    """The days that cannot be compared with the one before, and why, oldest first."""
    return [break_words(day) for day in own.measured[1:] if not day.comparable]


def break_words(day: Measurement) -> str:
    """Why this day cannot be compared."""
    return f"{date_format(day.day)} cannot be compared with the measured day before: {day.reason}"


def notes_of(own: Series) -> list[str]:
    """What happened on days without parting them, oldest first."""
    return [note_words(day) for day in own.measured if day.note]


def note_words(day: Measurement) -> str:
    """What happened on this day."""
    return f"{date_format(day.day)}: {day.note}"


def _gap_words(before: Measurement, after: Measurement, own: Series) -> str:
    between = [day for day in own.days if before.day < day.day < after.day]
    days = (after.day - before.day).days - 1
    span = f"{date_format(before.day)} to {date_format(after.day)}"
    words = f"{span}: {counted(days, 'day')} between them without a score"
    if not between:
        return f"{words}, as nothing was scanned"
    failed = sum(day.failed for day in between)
    calls = f": {counted(failed, 'call')} failed" if failed else ""
    return f"{words}, as {counted(len(between), 'scanned day')} brought too few answers{calls}"
