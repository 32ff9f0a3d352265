"""How tools find the topic that an argument names."""

from uuid import UUID

from apikeys.caller import Caller
from apikeys.errors import invalid
from apikeys.text import marked
from brands.access import readable_brand
from brands.models import Brand
from visibility.models import Topic
from visibility.topics.pooling import stems
from visibility.topics.reads import find_topic, nearest_topics

MOST_NEAR = 5


def topic_of(caller: Caller, site_id: UUID, name: str | None) -> Topic | None:
    """The topic of a site by its name, or by words that only one topic has; None for none.

    Raises not_found; invalid_arguments with the nearest names.
    """
    if name is None:
        return None
    brand = readable_brand(caller, site_id)
    topic = find_topic(brand, name) or _only_topic_with(brand, name)
    if topic is None:
        near = ", ".join(map(marked, nearest_topics(brand, name)[:MOST_NEAR]))
        advice = f"Give one of these: {near}." if near else "It has none yet."
        raise invalid("topic", f"This is no topic of {brand.name}. {advice}")
    return topic


def _only_topic_with(brand: Brand, words: str) -> Topic | None:
    """The topic whose name has all these words, in whatever form and order, if it is the only one."""
    wanted = stems(words)
    found = [topic for topic in Topic.objects.filter(brand=brand) if wanted and wanted <= stems(topic.name)]
    return found[0] if len(found) == 1 else None
