"""Rows as one sentence, the same at every door."""

from collections.abc import Sequence

from apikeys.resources import Theirs, Worded, worded
from visibility.counts.rows import CountRow
from visibility.counts.words import listed

MOST_NAMED = 8
HALF = 0.5
"""Above this, a chance that was adjusted for many comparisons says no more than that."""


def standing_sentence(row: CountRow, engines: Sequence[CountRow], where: str) -> Worded:
    """In how many answers a subject is named, of each engine, and how."""
    parts = [f"{each.engine} {_of(each)}" for each in sorted(engines, key=lambda each: str(each.engine))]
    split = f": {', '.join(parts)}" if len(parts) > 1 else ""
    how = "" if row.first is None else f" {stances(row).capitalize()}."
    return worded(lambda theirs: f"{theirs(row.subject)} is mentioned in {_of(row)} answers{where}{split}.{how}")


def stances(row: CountRow) -> str:
    """How answers speak of a tracked subject. Stances are read where a name is offered: there may be more."""
    at_least = f"recommended in at least {row.recommended}, warned against in at least {row.cautioned}"
    return f"named first of the tracked names in {row.first}, {at_least}"


def against_sentence(own: CountRow, row: CountRow, where: str) -> Worded:
    """A subject and the brand in the same answers, and whether one is ahead."""

    def write(theirs: Theirs) -> str:
        counts = (
            f"{theirs(row.subject)} is mentioned in {_of(row)} answers{where}, {theirs(own.subject)} in {_of(own)}"
        )
        return f"{counts}{verdict}."

    verdict = _verdict(row)
    return worded(write)


def _verdict(row: CountRow) -> str:
    """Whether a subject is ahead of the brand or behind it, and what that rests on; empty where it is not tested."""
    if row.relation is None:
        return ""
    both, alone = row.mentioned - (row.without_brand or 0), f"the former without the latter in {row.without_brand}"
    alone = f"Both are in {both} answers, {alone}, the reverse in {row.only_brand}"
    together = (
        "all competitors looked at together" if row.tracked else "looked at with the untracked names offered most"
    )
    often = "as often as not" if (row.chance or 0) > HALF else f"{_percent(row.chance)} of the time"
    luck = f"chance alone makes such a difference {often} ({together}, over {row.units})"
    if row.relation == "level":
        return f": they are level, as a difference of 10 points would have shown. {alone}"
    if row.relation == "too_close":
        return f": too close to call. {alone}; {luck}, and a lead needs at most 5 %"
    return f": the {'former' if row.relation == 'ahead' else 'latter'} is ahead beyond chance. {alone}; {luck}"


def rivals_sentence(own: CountRow, others: Sequence[CountRow], where: str, *, are_asked: bool) -> Worded | None:
    """How often the brand and others are named, those named most first, and who is ahead; None where nobody is
    compared. `are_asked`: they were asked for by name, so that one may be compared with another."""
    if not others:
        return None
    rows = sorted((own, *others), key=lambda row: (-row.mentioned / row.of, not row.is_own))
    shown = [row for place, row in enumerate(rows) if place < MOST_NAMED or row.is_own]
    more = f"; {len(rows) - len(shown)} more" if len(rows) > len(shown) else ""

    def write(theirs: Theirs) -> str:
        parts = [f"{theirs(row.subject)} {_of(row)}{'' if row.tracked else ' (not tracked)'}" for row in shown]
        counts = f"Named in answers{where}: {'; '.join(parts)}{more}."
        ahead = listed([theirs(row.subject) for row in rows if row.relation == "ahead"]) or "nobody"
        lead = f"Ahead of {theirs(own.subject)} beyond chance: {ahead}."
        return f"{counts} {lead} Others are not tested against each other." if are_asked else f"{lead} {counts}"

    return worded(write)


def topics_sentence(own: Sequence[CountRow], others: Sequence[CountRow], where: str) -> Worded:
    """On which topics the brand is named least and most, and on how many somebody is ahead."""
    ranked = sorted(own, key=lambda row: row.mentioned / row.of)
    least, most = (_topic_of(row, ranked) for row in (ranked[0], ranked[-1]))
    topics = {row.topic for row in own}
    lost = {row.topic for row in others if row.relation == "ahead"}
    won = topics - {row.topic for row in others if row.relation != "behind"}
    counts = f" Beyond chance a competitor is ahead on {len(lost)} of {len(topics)} topics, and it on {len(won)}."

    def write(theirs: Theirs) -> str:
        ends = f"least on {theirs(least)} and most on {theirs(most)}"
        return f"In answers{where} {theirs(ranked[0].subject)} is named {ends}.{counts if others else ''}"

    return worded(write)


def _topic_of(row: CountRow, rows: Sequence[CountRow]) -> Worded:
    """A topic with its count, and how many others have the same share."""
    same = sum(each.mentioned * row.of == row.mentioned * each.of for each in rows) - 1
    return worded(lambda theirs: f"{theirs(row.topic or '')} ({_of(row)}{f'; {same} more alike' if same else ''})")


def _of(row: CountRow) -> str:
    return f"{row.mentioned} of {row.of}"


def _percent(part: float | None) -> str:
    return "less than 0.1 %" if not part else f"{100 * part:.3g} %"
