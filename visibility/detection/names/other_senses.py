"""Where names of people, places, days and stars, and words in fixed phrases, mean these and no company."""

import re
from collections.abc import Mapping, Sequence

from visibility.detection.names.context import Context
from visibility.detection.names.lists import BEARERS, OTHER_SENSES, OtherSense
from visibility.detection.names.verdicts import Evidence, Verdict

_WORD = re.compile(r"[a-z]+")
_JOINTS = (" ", "\u00a0", "-", ", ")


def _by_name() -> Mapping[str, Sequence[OtherSense]]:
    found: dict[str, list[OtherSense]] = {}
    for sense in OTHER_SENSES:
        for name in sense.names or getattr(BEARERS, sense.bearers):
            found.setdefault(name, []).append(sense)
    return found


_SENSES = _by_name()


def other_sense(place: Context, evidence: Evidence) -> Verdict | None:
    """What the words beside a name, or in its clause, show it to mean."""
    for sense in _SENSES.get(place.name.lower(), ()):
        if _is_near(sense, place, evidence) or (
            _is_beside(sense, place) and not (sense.alone and (evidence.kin or place.precedes_capital))
        ):
            return Verdict(False, sense.kind)
    return None


def _is_beside(sense: OtherSense, place: Context) -> bool:
    if place.after.lower() in sense.after and place.gap_after in _JOINTS:
        return True
    return place.before.lower() in sense.before and place.gap_before in _JOINTS


def _is_near(sense: OtherSense, place: Context, evidence: Evidence) -> bool:
    if not sense.near:
        return False
    words = _WORD.findall(f"{place.clause} {evidence.question}".lower())
    return not sense.near.isdisjoint(word for word in words if word != place.name.lower())
