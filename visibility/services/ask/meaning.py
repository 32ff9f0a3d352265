"""Which facts are read for a question: for each of its kinds those that there are."""

from collections.abc import Mapping

from visibility.services.ask.about import About
from visibility.services.ask.topics import BY_KIND, TOPICS, Topic
from visibility.services.ask.types import Kind

_READ_AS: Mapping[Kind, Kind] = {
    Kind.TOPICS: Kind.SCORE,
    Kind.ABSENT_SOURCES: Kind.SOURCES,
    Kind.SURE: Kind.SCORE,
    Kind.NEXT_SCAN: Kind.RUNS,
    Kind.COST: Kind.QUOTAS,
    Kind.SITES: Kind.SCORE,
}


def meant_topics(about: About) -> tuple[Topic, ...]:
    """What facts are read of, the most important first."""
    topics = (BY_KIND[_READ_AS.get(kind, kind)] for kind in about.kinds)
    return tuple(dict.fromkeys(topic for topic in topics if topic in TOPICS))
