"""Whether what is measured is good: held against the rivals in the same answers, as there is no general mark."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from apikeys.text.sentences import counted, joined
from visibility.metrics.rivalry import Lead, places_of
from visibility.metrics.shown import shown
from visibility.metrics.verdicts import Verdict
from visibility.services.overview.standing import places_in_words

MAX_TOLD = 3
"""Rivals that a sentence names, or all but the last together."""


class Good(StrEnum):
    """What can be said; `FRONT`: nobody is ahead of the brand, and it is ahead of some."""

    AHEAD = "ahead"
    FRONT = "front"
    LEVEL = "level"
    OPEN = "open"
    BEHIND = "behind"
    ALONE = "alone"


@dataclass(frozen=True, slots=True)
class NamedLead:
    """A rival, and the brand beside it."""

    name: str
    lead: Lead


@dataclass(frozen=True, slots=True)
class GoodOrNot:
    """The verdict in a few words (`answer`), and what it rests on (`because`), which may be empty."""

    verdict: Good
    answer: str
    because: str


def good_or_not(leads: Mapping[str, Lead], names: Mapping[str, str], place: str = "") -> GoodOrNot:
    """By the rivals' leads by subject and their names; those that cannot be compared only widen the interval of the
    place. `place` is that by score, in words."""
    known = [NamedLead(names[rival], lead) for rival, lead in leads.items() if lead.delta is not None]
    known.sort(key=lambda row: (row.lead.delta or 0.0, row.name))
    behind = [row for row in known if row.lead.is_behind]
    ahead = [row for row in known if row.lead.is_ahead]
    even = [row for row in known if row not in behind and row not in ahead]
    places = f"Your place: {places_in_words(places_of(leads.values()))}."
    if not known:
        return GoodOrNot(Good.ALONE, "That takes a rival to hold it against.", "")
    if behind:
        words = " ".join(filter(None, [f"{_by(behind)}, beyond chance.", _also(ahead, even), places]))
        return GoodOrNot(Good.BEHIND, f"Not yet: behind {_names(behind)}.", words)
    if not even:
        whole = f"all {len(known)} rivals" if len(known) > 1 else known[0].name
        return GoodOrNot(Good.AHEAD, f"Yes: ahead of {whole}.", f"{_by(ahead)}, beyond chance.")
    if ahead:
        return GoodOrNot(Good.FRONT, "Yes: nobody is ahead beyond chance.", f"{_also(ahead, even)} {places}")
    if all(row.lead.verdict is Verdict.WITHIN_NOISE for row in even):
        return GoodOrNot(Good.LEVEL, f"Level with {_names(even)}.", "A difference of ten points would have shown.")
    now = f"{place}, though " if place else ""
    return GoodOrNot(
        Good.OPEN, f"Undecided: {now}chance allows {'any' if len(leads) > 1 else 'either'} place.", _open(even)
    )


def _open(even: Sequence[NamedLead]) -> str:
    """Whom nothing can be told of, and what would have to be so that it could."""
    least = [row.lead.least for row in even if row.lead.least is not None]
    words = f"What lies between you and {_names(even)} may be chance"
    return f"{words}: the smallest lead that would show is {shown(min(least), 0)} points." if least else f"{words}."


def _also(ahead: Sequence[NamedLead], even: Sequence[NamedLead]) -> str:
    """Of whom the brand is ahead, and to whom the difference may be chance."""
    parts = [
        *([f"You are ahead of {_names(ahead)}"] if ahead else []),
        *([f"what lies between you and {_names(even)} may be chance"] if even else []),
    ]
    words = "; ".join(parts)
    return f"{words[:1].upper()}{words[1:]}." if words else ""


def _by(rows: Sequence[NamedLead]) -> str:
    """By how many points in the same answers, of the first of them: the one furthest ahead, or the closest behind."""
    lead = rows[0].lead
    ends = sorted(abs(end) for end in (lead.low, lead.high) if end is not None)
    span = f" ({shown(ends[0])} to {shown(ends[1])})" if len(ends) == 2 else ""
    points = f"{shown(abs(lead.delta or 0.0))} points{span}"
    more = "less" if lead.is_behind else "more"
    than = f" than {rows[0].name}" if len(rows) > 1 else ""
    return f"In the same answers named {points} {more} often{than}"


def _names(rows: Sequence[NamedLead]) -> str:
    names = [row.name for row in rows]
    if len(names) > MAX_TOLD:
        names[MAX_TOLD - 1 :] = [counted(len(names) - MAX_TOLD + 1, "other")]
    return joined(names)
