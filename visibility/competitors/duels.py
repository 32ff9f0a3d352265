"""Head to head: the brand's answers on each topic against those of each competitor."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from visibility.models import Topic
from visibility.scores.now_reads import Now, compared_rows


@dataclass(frozen=True, slots=True)
class TopicDuel:
    """One topic: of so many answers (`of`) so many mention the brand, and so many each competitor."""

    topic: str
    topic_id: UUID | None
    of: int
    own: int
    theirs: Mapping[UUID, int]

    @property
    def best(self) -> int:
        """How many answers mention the competitor that most of them mention."""
        return max(self.theirs.values(), default=0)

    @property
    def worst(self) -> float:
        """The share of answers by which the best competitor is ahead; negative where the brand is."""
        return (self.best - self.own) / self.of


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


def duels_of(now: Now, topics: Sequence[Topic]) -> Duels:
    """Head to head in the answers of now, those to prompts that name the brand left out. `topics`: the brand's."""
    mentioned: dict[UUID, Counter[UUID | None]] = defaultdict(Counter)
    of = Counter[UUID]()
    for row in compared_rows(now):
        mentioned[row["version__prompt__topic"]][row["competitor"]] += row["sum_mentioned"]
        of[row["version__prompt__topic"]] += row["sum_answers"] if row["competitor"] is None else 0
    names = {key: name for key, name in now.competitors.items() if key in now.scores}
    found = [
        TopicDuel(topic.name, topic.pk, of[topic.pk], counts[None], {key: counts[key] for key in names})
        for topic in topics
        if of[topic.pk]
        for counts in [mentioned[topic.pk]]
    ]
    return Duels(names, sorted(found, key=lambda each: (-each.worst, each.topic)))
