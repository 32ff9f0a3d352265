"""Rows as one sentence, the same at every door."""

from collections.abc import Sequence

from apikeys.text import marked
from visibility.counts.rows import CountRow

MOST_NAMED = 8
MOST_COMPARED = 3


def standing_sentence(row: CountRow, engines: Sequence[CountRow], where: str) -> str:
    """In how many answers a subject is named, of each engine, and how."""
    parts = [f"{each.engine} {_of(each)}" for each in sorted(engines, key=lambda each: str(each.engine))]
    split = f": {', '.join(parts)}" if len(parts) > 1 else ""
    sentence = f"{_name(row)} is mentioned in {_of(row)} answers{where}{split}."
    if row.first is None:
        return sentence
    return f"{sentence} {stances(row).capitalize()}."


def stances(row: CountRow) -> str:
    """How answers speak of a tracked subject. Stances are read where a name is offered: there may be more."""
    return (
        f"first in {row.first}, recommended in at least {row.recommended}, warned against in at least {row.cautioned}"
    )


def against_sentence(own: CountRow, row: CountRow, where: str) -> str:
    """A subject and the brand in the same answers, and whether one is ahead."""
    names = _name(row), own.subject
    counts = f"{names[0]} is mentioned in {_of(row)} answers{where}, {names[1]} in {_of(own)}"
    if row.relation is None:
        return f"{counts}."
    both, alone = row.mentioned - (row.without_brand or 0), f"{names[0]} without {names[1]} in {row.without_brand}"
    alone = f"Both are in {both} answers, {alone}, the reverse in {row.only_brand}"
    together = (
        "all competitors looked at together" if row.tracked else "looked at with the untracked names offered most"
    )
    luck = f"chance alone makes such a difference {_percent(row.chance)} of the time ({together}, over {row.units})"
    if row.relation == "level":
        return f"{counts}: they are level, as a difference of 10 points would have shown. {alone}."
    if row.relation == "too_close":
        return f"{counts}: too close to call. {alone}; {luck}, and a lead needs at most 5 %."
    verdict = f"{names[0] if row.relation == 'ahead' else names[1]} is ahead beyond chance"
    return f"{counts}: {verdict}. {alone}; {luck}."


def where_named_sentence(pairs: Sequence[tuple[CountRow, CountRow]], topics: int, where: str) -> str:
    """The brand and another on each topic where answers name the other, of so many topics."""
    ranked = sorted(pairs, key=lambda pair: -pair[1].mentioned / pair[1].of)
    verdicts = {"ahead": "{1} is ahead", "behind": "{0} is ahead", "level": "level"}
    parts = [
        f"{marked(row.topic or '')} {_of(row)}, {own.subject} {own.mentioned} ("
        + verdicts.get(str(row.relation), "too close to call").format(own.subject, _name(row))
        + ")"
        for own, row in ranked[:MOST_COMPARED]
    ]
    more = f"; {len(pairs) - len(parts)} more" if len(pairs) > len(parts) else ""
    named = f"{_name(pairs[0][1])} is named on {len(pairs)} of {topics} topics only, in answers{where}"
    return f"{named}: {'; '.join(parts)}{more}."


def rivals_sentence(own: CountRow, others: Sequence[CountRow], where: str, *, are_asked: bool) -> str | None:
    """How often the brand and others are named, those named most first, and who is ahead; None where nobody is
    compared. `are_asked`: they were asked for by name, so that one may be compared with another."""
    if not others:
        return None
    rows = sorted((own, *others), key=lambda row: (-row.mentioned / row.of, not row.is_own))
    shown = [row for place, row in enumerate(rows) if place < MOST_NAMED or row.is_own]
    parts = [f"{_name(row)} {_of(row)}{'' if row.tracked else ' (not tracked)'}" for row in shown]
    more = f"; {len(rows) - len(shown)} more" if len(rows) > len(shown) else ""
    counts = f"Named in answers{where}: {'; '.join(parts)}{more}."
    ahead = ", ".join(_name(row) for row in rows if row.relation == "ahead") or "nobody"
    lead = f"Ahead of {own.subject} beyond chance: {ahead}."
    return f"{counts} {lead} Others are not tested against each other." if are_asked else f"{lead} {counts}"


def topics_sentence(own: Sequence[CountRow], others: Sequence[CountRow], where: str) -> str:
    """On which topics the brand is named least and most, and on how many somebody is ahead."""
    ranked = sorted(own, key=lambda row: row.mentioned / row.of)
    least, most = (_topic_of(row, ranked) for row in (ranked[0], ranked[-1]))
    sentence = f"In answers{where} {ranked[0].subject} is named least on {least} and most on {most}."
    if not others:
        return sentence
    topics = {row.topic for row in own}
    lost = {row.topic for row in others if row.relation == "ahead"}
    won = topics - {row.topic for row in others if row.relation != "behind"}
    return (
        f"{sentence} Beyond chance a competitor is ahead on {len(lost)} of {len(topics)} topics, and "
        f"{ranked[0].subject} ahead of all on {len(won)}."
    )


def _topic_of(row: CountRow, rows: Sequence[CountRow]) -> str:
    """A topic with its count, and how many others have the same share."""
    same = sum(each.mentioned * row.of == row.mentioned * each.of for each in rows) - 1
    return f"{marked(row.topic or '')} ({_of(row)}{f'; {same} more alike' if same else ''})"


def _name(row: CountRow) -> str:
    """The name; an untracked one comes from answers, so it is put between marks."""
    return row.subject if row.tracked else marked(row.subject)


def _of(row: CountRow) -> str:
    return f"{row.mentioned} of {row.of}"


def _percent(part: float | None) -> str:
    return "less than 0.1 %" if not part else f"{100 * part:.3g} %"
