"""Rows of the pivot as one sentence, the same at every door."""

from collections.abc import Sequence

from apikeys.text import marked
from visibility.scores.pivot import PivotRow
from visibility.scores.words import listed

_AGAINST = {
    "ahead": "{rival} is ahead beyond chance",
    "behind": "{site} is ahead beyond chance",
    "tied": "they are tied",
    "not_told_apart": "chance alone may explain a difference",
}
_RIVALS = {
    "ahead": "Ahead of {site} beyond chance: {names}.",
    "behind": "Behind it: {names}.",
    "tied": "Tied with it: {names}.",
    "not_told_apart": "Not told apart from it: {names}.",
}


def standing_sentence(row: PivotRow, engines: Sequence[PivotRow], where: str) -> str:
    """In how many answers a subject is named, and of each engine."""
    verb = "is mentioned in" if row.tracked else "is not tracked; it is offered in"
    parts = [f"{each.engine} {_of(each)}" for each in sorted(engines, key=lambda each: str(each.engine))]
    split = f": {', '.join(parts)}" if len(parts) > 1 else ""
    return f"{_name(row)} {verb} {_of(row)} answers{where}{split}."


def against_sentence(own: PivotRow, rival: PivotRow, where: str) -> str:
    """The brand and one other in the same answers."""
    verb = "is mentioned" if rival.tracked else "(not tracked) is offered"
    counts = f"{own.subject} is mentioned in {_of(own)} answers{where}, {_name(rival)} {verb} in {_of(rival)}"
    if not rival.tracked and rival.relation != "ahead":
        return f"{counts}, a lower bound, so that nothing is said of who is ahead."
    if rival.without_brand is not None:
        counts = f"{counts} ({rival.mentioned - rival.without_brand} of them together)"
    words = _AGAINST[rival.relation].format(rival=_name(rival), site=own.subject) if rival.relation else ""
    return f"{counts}; {words}." if words else f"{counts}."


def rivals_sentence(site: str, rows: Sequence[PivotRow]) -> str | None:
    """Who is ahead and who behind; None where nobody is compared."""
    names = {relation: listed([_name(row) for row in rows if row.relation == relation]) for relation in _RIVALS}
    if not any(names.values()):
        return None
    names["ahead"] = names["ahead"] or "nobody"
    return " ".join(words.format(site=site, names=names[key]) for key, words in _RIVALS.items() if names[key])


def topics_sentence(site: str, own: Sequence[PivotRow], others: Sequence[PivotRow]) -> str:
    """On how many topics somebody is ahead, and on how many the brand is ahead of everybody."""
    topics = {row.topic for row in own}
    lost = {row.topic for row in others if row.relation == "ahead"}
    won = topics - {row.topic for row in others if row.relation != "behind"}
    return (
        f"Beyond chance a competitor is ahead of {site} on {len(lost)} of {len(topics)} topics, and {site} is "
        f"ahead of all competitors on {len(won)}."
    )


def _name(row: PivotRow) -> str:
    """An untracked name is a word of answers, so it stands between marks."""
    return row.subject if row.tracked else marked(row.subject)


def _of(row: PivotRow) -> str:
    return f"{row.mentioned} of {row.of}"
