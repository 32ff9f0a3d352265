"""Reads of topics: by id or name, and the nearest to a name that there is not."""

import re
from collections.abc import Iterable, Sequence
from difflib import SequenceMatcher
from uuid import UUID

from apikeys.accounts.caller import Caller
from apikeys.errors import invalid
from apikeys.resources import Theirs, worded
from brands.access import readable_brand
from visibility.detection import is_function_word
from visibility.detection.folding import fold
from visibility.models import Topic
from visibility.topics.pooling import stems

MOST_NEAR = 5
_SIGNS = re.compile(r"[\W_]+")


def topic_of(caller: Caller, brand_id: UUID, given: str | None) -> Topic | None:
    """The topic of a brand by its id, its name, or words that one own topic alone has; None for none.

    Raises not_found; invalid_arguments with the nearest names.
    """
    if given is None:
        return None
    brand = readable_brand(caller, brand_id)
    topics = list(Topic.objects.filter(brand=brand))
    found = topics_like(topics, given)
    if len(found) != 1:
        near = nearest_topics(topics, given)

        def write(theirs: Theirs) -> str:
            advice = f"Give one of these: {', '.join(map(theirs, near))}." if near else "It has none yet."
            return f"This is no topic of this brand. {advice}"

        raise invalid("topic", worded(write))
    return found[0]


def topics_like(topics: Sequence[Topic], given: str) -> list[Topic]:
    """The topic of this name or id, else those own ones that hold all of the words; a topic that is not the site's
    own is taken by its words where no own one has them."""
    if topic := find_topic(topics, given):
        return [topic]
    words = {word for word in stems(fold(given)) if not is_function_word(word)}
    holding = [topic for topic in topics if words and words <= stems(fold(topic.name).replace("_", " "))]
    return [topic for topic in holding if topic.own is not False] or holding


def find_topic(topics: Iterable[Topic], given: str) -> Topic | None:
    """The topic whose id this is, or its full name in whatever case and however its words are joined."""
    folded = _folded(given)
    found = [topic for topic in topics if given == str(topic.pk) or (folded and _folded(topic.name) == folded)]
    same = [topic for topic in found if topic.name == given] or found
    return same[0] if len(same) == 1 else None


def nearest_topics(topics: Iterable[Topic], given: str) -> list[str]:
    """The names that share most words with this one, and of these the most alike; those that count first."""

    def distance(topic: Topic) -> tuple[int, bool, float, str]:
        alike = SequenceMatcher(None, given.casefold(), topic.name.casefold()).ratio()
        return -len(wanted & stems(topic.name)), topic.own is False, -alike, topic.name

    wanted = stems(given)
    return [topic.name for topic in sorted(topics, key=distance)[:MOST_NEAR]]


def _folded(name: str) -> str:
    return _SIGNS.sub(" ", name.casefold()).strip()
