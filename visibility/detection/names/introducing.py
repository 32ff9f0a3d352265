"""How an answer first shows a name that also means other things, which decides for its other places."""

from collections import defaultdict
from collections.abc import Sequence

from visibility.detection.names.context import Context
from visibility.detection.names.matching import Claim
from visibility.detection.names.verdicts import Verdict

_MADE = Verdict(False, "maker")
_PART_OF_OTHER = frozenset({"maker", "longer_name"})
_WEAK = frozenset({"capital", "described", "product", "subject", "support", "open", "kin", "part"})
"""The rules of verdicts that lean on the words around alone."""

Judged = Sequence[tuple[Claim, Verdict]]


def introduced(judged: Sequence[Judged], places: Sequence[Context]) -> Sequence[Judged]:
    """The verdicts as they are in the light of the first place that tells.

    Shown as another maker's product first, no place counts that is not certain by itself ("Amazon Prime", then
    "Prime members"). Shown by itself at the head of an entry first, the same product counts behind its owner's name,
    too ("Beats Fit Pro", then "Apple Beats Fit Pro").
    """
    made, alone = _first_shown(judged, places)
    return [
        [(claim, _reconsidered(claim, verdict, place, made, alone)) for claim, verdict in verdicts]
        for verdicts, place in zip(judged, places, strict=True)
    ]


def _first_shown(judged: Sequence[Judged], places: Sequence[Context]) -> tuple[set[str], dict[str, set[str]]]:
    """The subjects shown as another's product first, and for the others the words behind them where they stand by
    themselves."""
    made: set[str] = set()
    alone: dict[str, set[str]] = defaultdict(set)
    for verdicts, place in zip(judged, places, strict=True):
        for claim, verdict in verdicts:
            subject = claim.subject
            if verdict.meant is False and verdict.rule in _PART_OF_OTHER and subject not in alone:
                made.add(subject)
            elif verdict.meant and not _is_weak(claim, verdict):
                made.discard(subject)
                alone[subject].add(place.after)
            elif verdict.meant and (place.opens or place.begins) and subject not in made:
                alone[subject].add(place.after)
    return made, alone


def _is_weak(claim: Claim, verdict: Verdict) -> bool:
    return claim.kind in ("word", "proper") and len(claim.text) > 1 and verdict.rule in _WEAK


def _reconsidered(
    claim: Claim, verdict: Verdict, place: Context, made: set[str], alone: dict[str, set[str]]
) -> Verdict:
    if claim.subject in made and _is_weak(claim, verdict):
        return _MADE
    if verdict == _MADE and place.precedes_capital and place.after in alone.get(claim.subject, ()):
        return Verdict(True, "product")
    return verdict
