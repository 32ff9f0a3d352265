"""The searches behind answers as recommendations look at them: those that ask for the same, by their words of
content, with the answers that made them; and which answers could have shown one."""

import hashlib
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from operator import add
from uuid import UUID

from visibility.insights.recommendations.citing import MIN_TOPIC_ANSWERS, tallies
from visibility.insights.recommendations.kind import Effect, Effort, Factors, Observation, Standing
from visibility.insights.recommendations.material import Material
from visibility.measured.facts import AnswerFacts
from visibility.measured.generations import tracked_names_of
from visibility.measured.own_pages import Match
from visibility.measured.searches import Search
from visibility.writers.stems import terms_of
from visibility.writers.words import names_any

WORDS = range(2, 13)
"""Words of content of a search that a page can answer: one alone is a field, more are no question."""


@dataclass(frozen=True, slots=True)
class Asked:
    """Searches that ask for the same: `query` is the most frequent of them, `topic` (a key) the one of most of the
    answers that made one of them; `match` the own page that comes nearest."""

    query: str
    topic: str
    queries: tuple[str, ...]
    answers: frozenset[UUID]
    match: Match | None = None

    @property
    def subject(self) -> str:
        """Stays the same as long as what is asked for does."""
        return hashlib.sha256(" ".join(sorted(terms_of(self.query))).encode()).hexdigest()


def read_asked(searches: Iterable[Search]) -> list[Asked]:
    """The searches that a page could answer, those that ask for the same as one; of most answers first."""
    groups: dict[frozenset[str], list[Search]] = defaultdict(list)
    for search in searches:
        terms = frozenset(terms_of(search.query))
        if len(terms) in WORDS:
            groups[terms].append(search)
    rows = [_asked(group) for group in groups.values()]
    return sorted(rows, key=lambda row: (-len(row.answers), row.query))


def _asked(group: Sequence[Search]) -> Asked:
    """The searches come with those of most answers first."""
    topics: Counter[str] = reduce(add, (search.topics for search in group))
    topic = min(topics, key=lambda key: (-topics[key], key))
    answers = frozenset[UUID]().union(*(search.made_by for search in group))
    return Asked(group[0].query, topic, tuple(search.query for search in group), answers)


Names = Mapping[str, Sequence[str]]
"""By subject all names under which it is tracked."""


def read_names(material: Material) -> Names:
    """The names of the brand and its competitors."""
    names: dict[str, list[str]] = defaultdict(list)
    for name in tracked_names_of(material.brand).vocabulary.names:
        names[name.subject].append(name.text)
    return names


def named_by(query: str, names: Names) -> frozenset[str]:
    """The subjects that a search names, in whatever letters: who searches types none large."""
    return frozenset(subject for subject, texts in names.items() if names_any(query, texts))


def answers_by_topic(material: Material) -> Mapping[str, Sequence[AnswerFacts]]:
    """The answers of now to questions that do not name the brand, by topic."""
    topics: dict[str, list[AnswerFacts]] = defaultdict(list)
    for answer in material.unbranded:
        topics[material.subject.prompts[answer.prompt].topic].append(answer)
    return topics


def told(
    material: Material,
    subject: str,
    standing: Standing,
    topic: str,
    showing: Sequence[AnswerFacts],
    of: Sequence[AnswerFacts],
) -> Observation:
    """What `showing` of these answers on a topic say of a page that is to be written."""
    return Observation(
        subject=subject,
        standing=standing,
        factors=Factors(
            answers=len(showing),
            of_answers=len(of),
            engines=len({answer.engine for answer in showing}),
            of_engines=len(material.engines),
            reach=len(showing) / max(1, len(material.unbranded)),
            effect=Effect.LIKELY,
            effort=Effort.MEDIUM,
        ),
        topic=topic,
        tallies=tallies(of, showing),
        prompts=tuple(sorted({answer.prompt for answer in showing}, key=str)),
    )


def closed_rows(
    material: Material, kind: str, subjects: Collection[str], could: Mapping[str, Sequence[AnswerFacts]]
) -> list[Observation]:
    """The stored ones that no answer of now shows, where enough answers on their topic could."""
    return [
        told(material, subject, Standing.CLOSED, topic, (), could[topic])
        for subject, topic in material.standing.get(kind, ())
        if subject not in subjects and len(could.get(topic, ())) >= MIN_TOPIC_ANSWERS
    ]
