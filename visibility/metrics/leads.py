"""The relation of the brand to its rivals in the words of verdicts, for callers that do not speak of relations."""

from dataclasses import dataclass

from visibility.metrics.counts import Counts, Key
from visibility.metrics.relation import Kind, Relation, find_relations
from visibility.metrics.units import Units
from visibility.metrics.verdicts import Verdict

_VERDICTS = {
    None: Verdict.NOT_COMPARABLE,
    Kind.AHEAD: Verdict.MOVED,
    Kind.BEHIND: Verdict.MOVED,
    Kind.LEVEL: Verdict.WITHIN_NOISE,
    Kind.TOO_CLOSE: Verdict.CANNOT_DETECT,
}


@dataclass(frozen=True, slots=True)
class Lead:
    """As in `Relation`: `alone` are its `only_one`, `rival_alone` its `only_other`, `adjusted_p` its chance."""

    verdict: Verdict
    delta: float | None
    low: float | None
    high: float | None
    adjusted_p: float | None
    alone: int
    rival_alone: int
    units: Units | None


def find_leads(counts: Counts) -> dict[Key, Lead]:
    """As `find_relations`."""
    return {other: _lead(relation) for other, relation in find_relations(counts).items()}


def _lead(relation: Relation) -> Lead:
    ends = relation.delta, relation.low, relation.high
    counted = relation.only_one, relation.only_other
    return Lead(_VERDICTS[relation.kind], *ends, relation.chance, *counted, relation.units)
