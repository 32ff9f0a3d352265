"""What answers, the questions that they answer and the pages that they cite come down to, without their texts."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date
from uuid import UUID

from apikeys.text.sentences import one_line
from visibility.detection.types import SourceClass


@dataclass(frozen=True, slots=True)
class PromptFacts:
    """A question that was asked. `branded`: it names the brand itself; `named`: competitors that it names. `stage`
    and `intent` are those of its prompt, empty where it states none."""

    id: UUID
    text: str
    topic: str
    branded: bool = False
    named: frozenset[UUID] = frozenset()
    stage: str = ""
    intent: str = ""


@dataclass(frozen=True, slots=True)
class AnswerFacts:
    """What one answer shows.

    `rivals` maps each mentioned competitor to the character offset of its first mention; `domains` are cited
    domains that belong neither to the brand nor to a competitor; `cites_brand`: an own domain is cited; `day` is the
    day that it counts on.
    """

    id: UUID
    prompt: UUID
    engine: str
    brand_named: bool
    rivals: Mapping[UUID, int]
    domains: frozenset[str] = frozenset()
    cites_brand: bool = False
    day: date = date.min


@dataclass(frozen=True, slots=True)
class BrandFacts:
    """The brand, its competitors and the questions that are answered now, by the names they have.

    `day` is the latest of the engines' `days`; `topics` are their names by the topics of questions.
    """

    brand: str
    domain: str
    competitors: Mapping[UUID, str]
    prompts: Mapping[UUID, PromptFacts]
    day: date
    days: Mapping[str, date] = field(default_factory=dict)
    topics: Mapping[str, str] = field(default_factory=dict)

    def topic_name(self, topic: str) -> str:
        """What people read for the topic of a question."""
        return self.topics.get(topic, topic)

    def day_of(self, engine: str) -> date:
        """The engine's own day."""
        return self.days.get(engine, self.day)

    def question(self, prompt: UUID) -> str:
        """The wording of a question on one line."""
        return one_line(self.prompts[prompt].text)


def most_named(answers: Mapping[UUID, int], names: Mapping[UUID, str]) -> list[UUID]:
    """The competitors by how many answers name them, most first; of equals by their `names`, as ids are by chance."""
    return sorted(answers, key=lambda rival: (-answers[rival], names.get(rival, ""), str(rival)))


def main_topic(topics: Iterable[str], among: Iterable[str] = ()) -> str:
    """The topic that most of these answers are on, each told by its topic; of equals the one of most answers `among`
    all that could show it, then the first by name, as the order of rows is by chance. Empty where there is none."""
    answers, others = Counter(topics), Counter(among)
    return min(answers, key=lambda topic: (-answers[topic], -others[topic], topic), default="")


@dataclass(frozen=True, slots=True)
class CitedPage:
    """A page as an answer cites it: the digest of its canonical URL, its registrable domain, and of which class it
    is. `owner` is one of `Citation.Owner`: below one domain there may be pages of the brand and of others."""

    digest: str
    domain: str
    cls: SourceClass
    owner: str
