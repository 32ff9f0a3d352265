"""Facts about scores as sentences, the same at every door."""

from collections.abc import Mapping, Sequence
from datetime import date
from math import log

from django.utils.translation import gettext

from apikeys.resources import Worded, worded
from visibility.counts.words import engine_name
from visibility.scores.now_resources import ChangeResource, Event, Instrument
from visibility.scores.resources import Change

MOST_FEATURES = 3
RECOUNTING = Worded(
    "Names, prompts or topics have changed and history is being counted again; until then some figures are of before."
)


def change_words(name: str, changes: Sequence[ChangeResource], days: int) -> Worded:
    """The latest confirmed change of the score, or that there is none."""
    open_changes = [change for change in changes if change.engine is None and change.state != "recovered"]
    if open_changes:
        change = open_changes[0]
        how = f"{'rose' if change.delta > 0 else 'fell'} by {abs(change.delta):.0f} points"
        ends = f"from {change.from_.value:.0f} to {change.to.value:.0f} % since {change.since}"
        more = f"{instrument_words(change.instrument)}{_event_words(change.events)}"
        return worded(lambda theirs: f"{theirs(name)}'s score {how}: {ends}.{more}")
    if days < 2:
        return Worded("Nothing can be said of changes here: that needs at least two measured days.")
    return worded(lambda theirs: f"No change of {theirs(name)}'s score is confirmed over the measured days.")


def instrument_words(instrument: Instrument | None) -> str:
    """Which engines changed themselves at the time of a change, and how much of it is theirs; empty without any."""
    if instrument is None:
        return ""
    names = ", ".join(dict.fromkeys(engine_name(each.engine) for each in instrument.changes))
    most = "It moved when the engine changed: " if instrument.is_most else ""
    theirs = f"{most}the answers of {names} have another form since {instrument.changes[0].since}, over all brands"
    points = f"{abs(instrument.points):.0f} of the points are of it"
    others = " No other engine was asked."
    if instrument.others_before is not None and instrument.others_after is not None:
        ends = f"from {instrument.others_before:.0f} to {instrument.others_after:.0f} %"
        others = f" On the other engines the score went {ends}."
    return f" {theirs[0].upper()}{theirs[1:]}; {points}.{others}"


def feature_words(features: Mapping[str, Sequence[float]]) -> str:
    """What of an engine's answers has another form, the largest changes first."""
    names = {
        "length": gettext("{before:.0f} → {after:.0f} characters"),
        "headings": gettext("{before:.1f} → {after:.1f} headings"),
        "items": gettext("{before:.1f} → {after:.1f} list items"),
        "bold": gettext("{before:.1f} → {after:.1f} bold parts"),
        "tables": gettext("{before:.1f} → {after:.1f} table rows"),
        "links": gettext("{before:.1f} → {after:.1f} links"),
        "sources": gettext("{before:.1f} → {after:.1f} sources"),
        "searched": gettext("searched {before:.0%} → {after:.0%}"),
    }
    by_size = sorted(features.items(), key=lambda each: -abs(log((each[1][1] + 1) / (each[1][0] + 1))))
    shown = (names[name].format(before=before, after=after) for name, (before, after) in by_size[:MOST_FEATURES])
    return ", ".join(shown)


def _event_words(events: Sequence[Event]) -> str:
    return "".join(f" At the same time, on {each.day}: {each.text}." for each in events)


def difference_words(name: str, day: date, change: Change) -> Worded:
    """Whether a score of one day differs from that of an earlier one."""
    delta, since = change.delta or 0.0, change.from_
    match change.verdict:
        case "moved":
            how = f"{abs(delta):.0f} points {'more' if delta > 0 else 'less'} than on {since}, beyond chance"
            return worded(lambda theirs: f"On {day} the score of {theirs(name)} is {how}.")
        case "within_noise":
            verdict = f"is seen beyond chance ({delta:+.0f})"
            return worded(
                lambda theirs: f"Between {since} and {day} no change of the score of {theirs(name)} {verdict}."
            )
        case "cannot_detect":
            days = f"between {since} and {day}"
            return worded(
                lambda theirs: f"Too little was measured to tell a change of the score of {theirs(name)} {days}."
            )
    why = "too few of the same prompts, engines and samples"
    return worded(lambda theirs: f"The scores of {theirs(name)} on {since} and {day} are not comparable: {why}.")
