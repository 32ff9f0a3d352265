"""Reads of topics."""

from difflib import get_close_matches

from brands.models import Brand
from visibility.models import Topic

MOST_NAMES = 10


def find_topic(brand: Brand, name: str) -> Topic | None:
    """The topic of this name, in whatever case."""
    topic: Topic | None = Topic.objects.filter(brand=brand, name__iexact=" ".join(name.split())).first()
    return topic


def nearest_topics(brand: Brand, name: str) -> list[str]:
    """The names of a brand's topics that are most like this one; its own come first among others."""
    topics = {topic.name.casefold(): topic for topic in Topic.objects.filter(brand=brand).order_by("name")}
    near = get_close_matches(name.casefold(), topics, n=MOST_NAMES, cutoff=0.3)
    others = sorted(topics.keys() - set(near), key=lambda key: (topics[key].own is False, key))
    return [topics[key].name for key in [*near, *others][:MOST_NAMES]]
