"""How tools find the topic that an argument names."""

from uuid import UUID

from apikeys.caller import Caller
from apikeys.errors import invalid
from apikeys.text import marked
from brands.access import readable_brand
from visibility.models import Topic
from visibility.topics.reads import find_topic, nearest_topics


def topic_of(caller: Caller, site_id: UUID, name: str | None) -> Topic | None:
    """The topic of a site by its name; None for none. Raises not_found, invalid_arguments with the nearest names."""
    brand = readable_brand(caller, site_id)
    if name is None:
        return None
    topic = find_topic(brand, name)
    if topic is None:
        near = ", ".join(map(marked, nearest_topics(brand, name)))
        advice = f"Give one of these: {near}." if near else "It has none yet."
        raise invalid("topic", f"This is no topic of {brand.name}. {advice}")
    return topic
