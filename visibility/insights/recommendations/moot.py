"""Which open recommendations later scans can neither show nor close."""

from collections.abc import Collection, Sequence
from uuid import UUID

from visibility.detection.detector import named_in
from visibility.detection.types import BRAND
from visibility.insights.recommendations.material import Material
from visibility.measured.basis import Reason
from visibility.measured.generations import tracked_names_of
from visibility.models import Recommendation

NOT_ASKED = "No question that leaves the brand unnamed asks about its topic any more."
NOT_OWN = "The brand does not sell what its topic is about, as its people said."
NO_RIVAL = "None of its competitors is watched any more."
NO_ENGINE = "None of its engines is in use any more."


def moot_reasons(material: Material, rows: Sequence[Recommendation]) -> dict[UUID, str]:
    """Those whose topic is asked about no more (without naming the brand) or is not the brand's own, of whose rivals
    none is watched any more, or whose engines are all out of use, by id, and why. They come back with the gap."""
    if not rows or not material.basis.engines:
        return {}  # before the first measured day nothing is known of topics
    topics = _asked_topics(material)
    rivals = material.topics.names
    in_use = _in_use(material)
    reasons = {}
    for row in rows:
        engines = [tally["engine"] for tally in row.payload.get("engines", []) if tally["gaps"]]
        if row.topic in material.not_own:
            reasons[row.pk] = NOT_OWN
        elif row.topic and row.topic not in topics:
            reasons[row.pk] = NOT_ASKED
        elif _are_gone(row.payload.get("rivals", []), rivals):
            reasons[row.pk] = NO_RIVAL
        elif _are_gone(engines, in_use):
            reasons[row.pk] = NO_ENGINE
    return reasons


def _asked_topics(material: Material) -> set[str]:
    """The topics that a question asks about which does not name the brand."""
    topics, dictionary = material.topics.topics, tracked_names_of(material.brand).dictionary
    return {
        topics.key_of[prompt] for prompt, text in topics.wordings.items() if BRAND not in named_in(text, dictionary)
    }


def _are_gone(names: Collection[str], still: Collection[str]) -> bool:
    return bool(names) and not set(names) & set(still)


def _in_use(material: Material) -> set[str]:
    basis = material.basis
    left_out = {row.engine for row in basis.left_out if row.reason is not Reason.NOT_IN_USE}
    return {row.engine for row in basis.engines} | left_out | set(basis.missing)
