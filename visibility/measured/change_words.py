"""A change record in words: the one sentence that every door says of it."""

from datetime import date

from django.utils.formats import date_format

from apikeys.text.sentences import one_line
from visibility.engines.display import display_name
from visibility.metrics.shown import shown
from visibility.models import ChangeRecord

LEAST_TOLD = 0.05
"""Points: what is less reads as 0.0."""
_STATES = {ChangeRecord.State.HOLDS: "still holds", ChangeRecord.State.WENT_ON: "has gone on since {since}"}


def words(row: ChangeRecord) -> str:
    """What changed, from which figure to which, how it is known and whether it holds; without a full stop."""
    before = f"{shown(row.before)} %{_of_days(row)}"
    if row.state == ChangeRecord.State.RECOVERED:
        after = f"{shown(row.after)} % on {date_format(row.after_day)}"
        return f"{_subject(row)} has recovered: {after}, against {before} before the change of {_day(row, row.began)}"
    known = "found by daily monitoring on" if row.known_by == ChangeRecord.KnownBy.MONITOR else "confirmed on"
    state = _STATES[ChangeRecord.State(row.state)].format(since=_day(row, row.state_since))
    return (
        f"{_subject(row)} {_moved(row)}: from {before} to {shown(row.after)} % on {_day(row, row.after_day)}"
        f"{_rest(row)}; {known} {_day(row, row.known_on)}, {state}"
    )


def topic_name(row: ChangeRecord) -> str:
    """The topic of a change as people write it; its key where the record does not name it."""
    names = (part["name"] for part in row.content.get("topics", ()) if part["key"] == row.topic)
    return one_line(next(names, row.topic))


def _subject(row: ChangeRecord) -> str:
    return "The score" if row.of == ChangeRecord.Of.SCORE else f"The score on {_where(row)}"


def _where(row: ChangeRecord) -> str:
    return one_line(display_name(row.engine)) if row.of == ChangeRecord.Of.ENGINE else f"“{topic_name(row)}”"


def _moved(row: ChangeRecord) -> str:
    """With the size up to the latest day, which may lie on the other side before the change counts as recovered."""
    sign = 1 if row.direction == ChangeRecord.Direction.UP else -1
    verb = "rose" if sign > 0 else "fell"
    when = "since about" if row.known_by == ChangeRecord.KnownBy.MONITOR else "on"
    size = shown(sign * row.delta)
    ends = sorted(sign * end for end in (row.low, row.high) if end is not None)
    interval = f" ({shown(ends[0])} to {shown(ends[1])})" if len(ends) == 2 else ""
    return f"{verb} by {size} points{interval} {when} {date_format(row.began)}"


def _of_days(row: ChangeRecord) -> str:
    first, last = _day(row, row.before_first), _day(row, row.before_last)
    return f" (on {last})" if row.before_first == row.before_last else f" (mean of {first} to {last})"


def _rest(row: ChangeRecord) -> str:
    if abs(row.prompts_changed) < LEAST_TOLD:
        return ""
    return f" ({shown(row.prompts_changed, signed=True)} of the difference is due to other prompts or engines)"


def _day(row: ChangeRecord, day: date) -> str:
    """Without the year where it is that of the change, which is told."""
    return date_format(day, "j M") if day.year == row.began.year else date_format(day)
