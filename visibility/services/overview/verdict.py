"""Whether what is measured is good: held against the rivals in the same answers, as there is no general mark."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from apikeys.text.sentences import counted, joined
from visibility.metrics.rivalry import Lead
from visibility.metrics.shown import shown
from visibility.metrics.verdicts import Verdict

MAX_TOLD = 2
"""Rivals that a sentence names."""


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


def good_or_not(leads: Mapping[str, Lead], names: Mapping[str, str]) -> GoodOrNot:
    """By the rivals' leads by subject and their names; those that cannot be compared say nothing."""
    known = [NamedLead(names[rival], lead) for rival, lead in leads.items() if lead.delta is not None]
    known.sort(key=lambda row: (row.lead.delta or 0.0, row.name))
    behind = [row for row in known if row.lead.is_behind]
    ahead = [row for row in known if row.lead.is_ahead]
    even = [row for row in known if row not in behind and row not in ahead]
    if not known:
        return GoodOrNot(Good.ALONE, "That takes a rival to hold it against.", "")
    if behind:
        words = " ".join(filter(None, [f"{_by(behind)}, beyond chance.", _also(ahead, even)]))
        return GoodOrNot(Good.BEHIND, f"Not yet: behind {_names(behind)}.", words)
    if not even:
        whole = f"all {len(known)} rivals" if len(known) > 1 else known[0].name
        return GoodOrNot(Good.AHEAD, f"Yes: ahead of {whole}.", f"{_by(ahead)}, beyond chance.")
    if ahead:
        return GoodOrNot(Good.FRONT, "Yes: nobody is ahead beyond chance.", _also(ahead, even))
    if all(row.lead.verdict is Verdict.WITHIN_NOISE for row in even):
        return GoodOrNot(Good.LEVEL, f"Level with {_names(even)}.", "A difference of ten points would have shown.")
    return GoodOrNot(
        Good.OPEN, "That cannot be told yet.", f"What lies between you and {_names(even)} may be chance."
    )


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
    names = [row.name for row in rows[:MAX_TOLD]]
    rest = len(rows) - len(names)
    return joined([*names, *([counted(rest, "other")] if rest else [])])
