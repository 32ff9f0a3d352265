"""How many of the topics that are asked about are the brand's own, as its people said."""

from dataclasses import dataclass
from uuid import UUID

from visibility.detection.detector import named_in
from visibility.detection.types import BRAND
from visibility.measured.generations import topic_choices, tracked_names_by_brand
from visibility.measured.topics import read_topics


@dataclass(frozen=True, slots=True)
class TopicCounts:
    """Topics that scans ask about in prompts that do not name the brand."""

    own: int
    not_own: int
    undecided: int


def count_topics(brand_id: UUID) -> TopicCounts:
    """Of a brand that is measured; as the choices are now, which the figures follow once they are counted again."""
    tracked = tracked_names_by_brand([brand_id]).get(brand_id)
    topics, choices = read_topics(brand_id), topic_choices(brand_id)
    names = tracked.dictionary if tracked else None
    keys = {
        topics.key_of[prompt]
        for prompt, text in topics.wordings.items()
        if names is None or BRAND not in named_in(text, names)
    }
    chosen = [choices.get(key) for key in keys]
    return TopicCounts(chosen.count(True), chosen.count(False), chosen.count(None))
