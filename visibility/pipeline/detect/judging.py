"""Whom the answers of a comparison prefer, by what was found in them."""

from collections.abc import Sequence

from visibility.detection.stance.preference import preferred
from visibility.detection.types import BRAND, FoundMention
from visibility.measured.names import TrackedNames
from visibility.models import Answer, Preference


def preference_of(tracked: TrackedNames, answer: Answer, mentions: Sequence[FoundMention]) -> Preference | None:
    """The preference of an answer, unsaved; None where its question puts the brand against nobody that is watched."""
    rival = str(answer.prompt.rival_id)
    if rival not in tracked.subjects:
        return None
    judged = preferred(answer.text, mentions, (BRAND, rival))
    side = {BRAND: Preference.Side.BRAND, rival: Preference.Side.RIVAL, None: Preference.Side.NOBODY}[judged.subject]
    return Preference(
        generation_id=tracked.generation,
        answer=answer,
        side=side,
        rule=judged.rule.value,
        start=judged.start,
        end=judged.end,
    )
