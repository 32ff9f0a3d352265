"""What may be said of changes in plain words, for people: a change only where it is confirmed or was raised."""

from collections.abc import Iterable, Sequence
from datetime import date
from typing import Protocol, TypeVar

from django.utils.formats import date_format

from apikeys.text.sentences import counted, joined, one_line
from visibility.engines.display import display_name, display_names, with_display_names
from visibility.metrics.shown import on_questions, shown
from visibility.resources.brands import ReportedChange
from visibility.resources.change_records import ChangeRecord, DatedChange
from visibility.resources.changes import (
    Cause,
    Change,
    ChangeFigures,
    Confirmation,
    EngineChange,
    MetricChange,
    Monitor,
)

DatedRecord = TypeVar("DatedRecord", bound=DatedChange)
MAX_CAUSES = 3
"""Causes that are told; where more differ, the first ones are reason enough."""


NO_CHANGE = "no clear change"


class Developed(Protocol):
    """Whatever says whether a figure changed."""

    @property
    def confirmation(self) -> Confirmation | None:
        """Whether a move is confirmed."""

    @property
    def monitor(self) -> Monitor | None:
        """What looking on every day says."""


class DevelopedScore(Developed, Protocol):
    """A score with its change since the measured day before."""

    @property
    def change(self) -> Change | None:
        """None on the first measured day."""


class ChangeSpans(Protocol):
    """A score held against a week and a month before."""

    @property
    def change_week(self) -> ChangeFigures | None:
        """Null where no comparable day lies there."""

    @property
    def change_month(self) -> ChangeFigures | None:
        """Null where no comparable day lies there."""


def is_called(figure: Developed) -> bool:
    """Whether it may be called a change: confirmed, or raised by the monitor."""
    return _is_confirmed(figure) or (figure.monitor is not None and figure.monitor.raised)


def development_in_words(score: DevelopedScore, told_rows: Sequence[ChangeRecord]) -> str:
    """What is told as a change of the score, or else of engines; where nothing is, that there is no clear change, and
    why, or what would have shown."""
    for of in ("score", "engine"):
        if records := [record.words for record in told_rows if record.of == of]:
            return ". ".join(records)
    if told_rows:
        return f"{NO_CHANGE} over all topics, but on {counted(len(told_rows), 'topic')}"
    change, confirmation = score.change, score.confirmation
    if change is None:
        return f"{NO_CHANGE} yet: that takes two measured days"
    if confirmation or score.monitor:
        return NO_CHANGE + (_why_not(confirmation) or _what_would_show(change))
    if any(engine.confirmation or engine.monitor for engine in change.by_engine):
        return f"{NO_CHANGE}: the engines were last measured on different days"
    if change.verdict != "not_comparable":
        return f"{NO_CHANGE} yet: the earlier days are counted for it soon"
    return f"{NO_CHANGE}: no earlier day can be compared with the latest one"


def short_words(record: ChangeRecord) -> str:
    """A change within a sentence that speaks of the brand: “it fell by 37.1 points on 2 Nov 2026”."""
    where = display_name(record.engine) if record.engine else f"“{one_line(record.topic)}”" if record.topic else ""
    it = f"on {where} it" if where else "it"
    if record.state == "recovered":
        return f"{it} has recovered from the change of {date_format(record.began)}"
    verb, sign = ("rose", 1) if record.direction == "up" else ("fell", -1)
    when = "since about" if record.known_by == "monitor" else "on"
    return f"{it} {verb} by {shown(sign * record.delta)} points {when} {date_format(record.began)}"


def once_each(records: Iterable[DatedRecord]) -> list[DatedRecord]:
    """Without the records of an engine that say what one of the score says: where it alone makes up the score."""
    records = list(records)
    of_score = {_figures(record) for record in records if record.of == "score"}
    return [record for record in records if record.of != "engine" or _figures(record) not in of_score]


def _figures(record: DatedChange) -> tuple[date, float, float, float]:
    return record.began, record.before, record.delta, record.after


def _what_would_show(change: Change) -> str:
    least = change.minimum_detectable
    return f" (an even ±{shown(least, 0)} would be visible)" if least is not None else ""


def figure_in_words(figure: Developed) -> str:
    """The same of a figure of which no change is recorded: of a competitor, or a share. A change is told of it where
    the days around confirm it, or daily monitoring found it."""
    confirmation, monitor = figure.confirmation, figure.monitor
    if confirmation and _is_confirmed(figure):
        return _called(confirmation, confirmation.moved_on, "since", "confirmed on two days")
    if monitor and monitor.raised:
        return _called(monitor, monitor.since, "since about", "found by daily monitoring")
    return NO_CHANGE + _why_not(confirmation)


def _is_confirmed(figure: Developed) -> bool:
    return figure.confirmation is not None and figure.confirmation.state == "confirmed"


def _called(size: Confirmation | Monitor, since: date | None, when: str, reason: str) -> str:
    if size.delta is None:
        return f"changed {f'{when} {date_format(since)}, ' if since else ''}{reason}"
    verb = "rose" if size.delta > 0 else "fell"
    words = f"by {shown(abs(size.delta))} points{_span(size.delta, size.low, size.high)}"
    return ", ".join([" ".join([verb, words, *([f"{when} {date_format(since)}"] if since else [])]), reason])


def _span(delta: float, low: float | None, high: float | None) -> str:
    """The interval of a change of `delta`; of a fall that of its size, the smaller end first."""
    if low is None or high is None:
        return ""
    ends = (low, high) if delta > 0 else (-high, -low)
    return f" ({shown(ends[0])} to {shown(ends[1])})"


def _why_not(confirmation: Confirmation | None) -> str:
    if confirmation is None:
        return ""
    moved = f"the move of {date_format(confirmation.moved_on)}" if confirmation.moved_on else "the latest move"
    reasons = {
        "open": f": {moved} waits for the next measured day",
        "too_few_days": f": {moved} cannot be confirmed, as fewer than three days before it can be compared",
        "not_confirmed": f": {moved} is not borne out by the measured days around it",
    }
    return reasons.get(confirmation.state, "")


def in_words(change: Change | MetricChange) -> str:
    """What may be said of a change, with its numbers in points, or why nothing can be, and what can be of engines."""
    if change.delta is None or change.verdict == "not_comparable":
        return _apart(change) if isinstance(change, Change) else "not comparable"
    return _verdict(change)


def causes_in_words(causes: Sequence[Cause]) -> str:
    """Why days cannot be compared; empty where nothing is known of it."""
    messages = [with_display_names(cause.message) for cause in causes[:MAX_CAUSES]]
    return "; ".join([*messages, *(["and more differs"] if len(causes) > MAX_CAUSES else [])])


def engine_in_words(change: EngineChange) -> str:
    """What may be said of the change of one engine, and since when."""
    if change.delta is None or change.verdict == "not_comparable":
        return ": ".join(filter(None, ["not comparable", causes_in_words(change.causes)]))
    kind, colon, size = _verdict(change).partition(":")
    return f"{kind} since {date_format(change.since)}{colon}{size}"


def _apart(change: Change) -> str:
    words = ": ".join(filter(None, ["not comparable", causes_in_words(change.causes)]))
    sentences = [
        f"On {display_name(engine_change.engine)} alone it {_it(engine_in_words(engine_change))}"
        for engine_change in change.by_engine
        if _is_told(engine_change)
    ]
    if common := common_in_words(change):
        sentences.insert(0, common)
    return ". ".join([words, *sentences])


def common_in_words(change: Change) -> str:
    """What part of a difference is on what both days have, and what makes the rest; empty where there is no such
    part, or an engine tells the same."""
    common = change.common
    if common is None or common.delta is None:
        return ""
    codes = {cause.code for cause in change.causes}
    of_prompts = not codes or bool(codes & {"prompts", "locale"})
    if not of_prompts and len(common.engines) == 1:
        return ""
    prompts = f" on the {common.prompts} prompts that both days asked" if of_prompts and common.prompts else ""
    span = "" if common.low is None or common.high is None else f" ({shown(common.low)} to {shown(common.high)})"
    others = joined([*(["prompts"] if of_prompts else []), *(["engines"] if codes - {"prompts", "locale"} else [])])
    rest = f"; {shown(common.rest, signed=True)} points are due to other {others}" if common.rest is not None else ""
    engines = joined(display_names(common.engines))
    return f"With {engines}{prompts} the score differs by {shown(common.delta, signed=True)} points{span}{rest}"


def _is_told(change: ChangeFigures) -> bool:
    return change.delta is not None


def _it(words: str) -> str:
    """The words as the end of a sentence that begins with what may have changed."""
    if words.startswith("cannot"):
        return f"may have changed, which {words}"
    if words.startswith("not comparable"):
        return words.replace("not comparable", "cannot be compared", 1)
    return f"changed {words}" if words.startswith("within") else words


def _verdict(change: ChangeFigures | MetricChange) -> str:
    delta = change.delta or 0.0
    if change.verdict == "moved":
        return (
            f"moved {'up' if delta > 0 else 'down'} {shown(abs(delta))} points{_span(delta, change.low, change.high)}"
            f"{on_questions(change.interval)}"
        )
    if change.verdict == "within_noise":
        return f"within noise: {shown(delta, signed=True)} points{_span(1, change.low, change.high)}" + on_questions(
            change.interval
        )
    if change.minimum_detectable is None:
        return "cannot be told yet: too few prompts or topics, or no differences to compare"
    return f"cannot be told yet: an even change of {shown(change.minimum_detectable, 0)} points would show"


def figures_in_words(change: ChangeFigures) -> str:
    """The verdict of a difference with its numbers, of one that can be compared."""
    return _verdict(change)


def with_note(figure: ReportedChange | EngineChange, told_rows: Sequence[ChangeRecord]) -> str:
    """What is told as a change of one score of the brand, and behind it, as a note, how the latest day differs."""
    note = engine_in_words(figure) if isinstance(figure, EngineChange) else in_words(figure)
    if not told_rows and not (figure.confirmation or figure.monitor):
        return note
    words = ". ".join(record.words for record in told_rows) or NO_CHANGE + _why_not(figure.confirmation)
    return f"{words}; the latest day: {note}"


def spans_in_words(score: ChangeSpans) -> list[str]:
    """The comparisons with a week and a month before, each with its day; those without a comparable day left out."""
    return _spans(score.change_week, score.change_month)


def engine_spans_in_words(change: Change) -> list[str]:
    """The same of each engine that is told of by itself."""
    return [
        f"{display_name(engine.engine)} {words}"
        for engine in change.by_engine
        for words in _spans(engine.week, engine.month)
    ]


def _spans(week: ChangeFigures | None, month: ChangeFigures | None) -> list[str]:
    return [
        f"since {date_format(change.since)} (about {distance} before): {_verdict(change)}"
        for change, distance in ((week, "a week"), (month, "a month"))
        if change and _is_told(change)
    ]
