"""Verdicts on changes in plain words, for people."""

from collections.abc import Sequence

from django.utils.formats import date_format

from apikeys.text.sentences import joined
from visibility.metrics.shown import shown
from visibility.resources.brands import Change, MetricChange, ReportedChange
from visibility.resources.changes import Cause, ChangeFigures, EngineChange

MAX_CAUSES = 3
"""Causes that are told; where more differ, the first ones are reason enough."""


def in_words(change: Change | MetricChange) -> str:
    """What may be said of a change, with its numbers in points, or why nothing can be, and what can be of engines."""
    if change.delta is None or change.verdict == "not_comparable":
        return _apart(change) if isinstance(change, Change) else "not comparable"
    return _verdict(change)


def in_short(change: Change) -> str:
    """As `in_words` where days can be compared; the causes and engines have a place of their own."""
    return "not comparable" if change.verdict == "not_comparable" else in_words(change)


def causes_in_words(causes: Sequence[Cause]) -> str:
    """Why days cannot be compared; empty where nothing is known of it."""
    messages = [cause.message for cause in causes[:MAX_CAUSES]]
    return "; ".join([*messages, *(["and more differs"] if len(causes) > MAX_CAUSES else [])])


def engine_in_words(change: EngineChange) -> str:
    """What may be said of the change of one engine, and since when."""
    if change.delta is None or change.verdict == "not_comparable":
        return ": ".join(filter(None, ["not comparable", causes_in_words(change.causes)]))
    return f"{_verdict(change)} since {date_format(change.since)}"


def _apart(change: Change) -> str:
    words = ": ".join(filter(None, ["not comparable", causes_in_words(change.causes)]))
    sentences = [
        f"On {engine_change.engine} alone it {_it(engine_in_words(engine_change))}"
        for engine_change in change.by_engine
        if _is_told(engine_change)
    ]
    if change.common and _is_told(change.common):
        sentences.insert(0, f"On {joined(change.common.engines)} together it {_it(_verdict(change.common))}")
    return ". ".join([words, *sentences])


def _is_told(change: ChangeFigures) -> bool:
    return change.delta is not None


def _it(words: str) -> str:
    """The words as the end of a sentence that begins with what may have changed."""
    if words.startswith("cannot"):
        return f"may have changed, which {words}"
    if words.startswith("not comparable"):
        return words.replace("not comparable", "cannot be compared", 1)
    return f"changed {words}" if words.startswith("within") else words


def in_a_sentence(change: Change | MetricChange | EngineChange) -> str:
    """As `in_words`, behind "the score of …"."""
    return _it(engine_in_words(change) if isinstance(change, EngineChange) else in_words(change))


def _verdict(change: ChangeFigures | MetricChange) -> str:
    delta = change.delta or 0.0
    span = "" if change.low is None or change.high is None else f" ({shown(change.low)} to {shown(change.high)})"
    if change.verdict == "moved":
        return f"moved {'up' if delta > 0 else 'down'} {shown(abs(delta))} points{span}"
    if change.verdict == "within_noise":
        return f"within noise: {shown(delta, signed=True)} points{span}"
    if change.minimum_detectable is None:
        return "cannot be told yet: too few prompts, or no differences to compare"
    return f"cannot be told yet: the smallest change that would show is {shown(change.minimum_detectable, 0)} points"


def reported_in_words(change: ReportedChange) -> str:
    """As `in_words`, and whether the change is confirmed: only then is it worth acting on."""
    if change.verdict != "moved":
        return in_words(change)
    confirmation = "confirmed: on two measured days in a row" if change.confirmed else "not confirmed yet"
    return f"{in_words(change)}, {confirmation}"
