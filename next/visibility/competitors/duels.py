"""Head to head: the brand's answers on each topic against those of each competitor."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from brands.models import Brand
from visibility.models import Topic
from visibility.scores.pivot import count_period, pivot


@dataclass(frozen=True, slots=True)
class TopicDuel:
    """One topic: of so many answers (`of`) so many mention the brand, and so many each competitor."""

    topic: str
    topic_id: UUID | None
    of: int
    own: int
    theirs: Mapping[UUID, int]

    @property
    def worst(self) -> float:
        """The share of answers by which the best competitor is ahead; negative where the brand is."""
        return (max(self.theirs.values(), default=0) - self.own) / self.of if self.of else 0.0


@dataclass(frozen=True, slots=True)
class Duels:
    """All topics, those where the brand is furthest behind first, and the competitors by name."""

    names: Mapping[UUID, str]
    topics: Sequence[TopicDuel]

    def ahead(self, competitor: UUID) -> int:
        """On how many topics more answers mention the brand."""
        return sum(each.own > each.theirs[competitor] for each in self.topics)

    def behind(self, competitor: UUID) -> int:
        """On how many topics more answers mention the competitor."""
        return sum(each.own < each.theirs[competitor] for each in self.topics)

    def lost(self, competitor: UUID) -> list[TopicDuel]:
        """The topics where answers mention the competitor and never the brand."""
        return [each for each in self.topics if not each.own and each.theirs[competitor]]


def duels_of(brand: Brand) -> Duels:
    """Head to head in the answers of now."""
    counted = count_period(brand)
    own: dict[str, tuple[int, int]] = {}
    theirs: dict[str, dict[UUID, int]] = {}
    for row in pivot(counted, ["subject", "topic"]):
        topic = row.topic or ""
        if row.competitor_id is None:
            own[topic] = row.mentioned, row.of
        else:
            theirs.setdefault(topic, {})[row.competitor_id] = row.mentioned
    ids = dict(Topic.objects.filter(brand=brand).values_list("name", "pk"))
    topics = [
        TopicDuel(
            name, ids.get(name), of, mentioned, {key: theirs.get(name, {}).get(key, 0) for key in counted.names}
        )
        for name, (mentioned, of) in own.items()
    ]
    return Duels(counted.names, sorted(topics, key=lambda each: (-each.worst, each.topic)))
