"""Reads what the answers of now show, in a fixed number of queries and without their texts."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any
from uuid import UUID

from django.db.models import Min, QuerySet

from apikeys.db.snapshot import remembered
from apikeys.text.sentences import one_line
from brands.models import Brand, Competitor
from visibility.detection.detector import named_in
from visibility.detection.types import BRAND
from visibility.measured.basis import Basis, EngineDay
from visibility.measured.generations import tracked_names_of
from visibility.measured.reading import answers_of
from visibility.measured.topics import read_topics
from visibility.models import Answer, Citation, Mention


@dataclass(frozen=True, slots=True)
class PromptFacts:
    """A question that was asked. `branded`: it names the brand itself; `named`: competitors that it names."""

    id: UUID
    text: str
    topic: str
    branded: bool = False
    named: frozenset[UUID] = frozenset()


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


@remembered
def read_brand_facts(brand: Brand, basis: Basis) -> BrandFacts:
    """The names of the brand, its competitors and the questions that are answered now. Not before the first
    measured day."""
    answers = answers_of(basis.engines).filter(state=Answer.State.ANSWERED)
    wordings = dict(
        answers.order_by("version__number").values_list("prompt_id", "version__text").distinct()
    )  # the latest wording of each prompt that was asked
    topics = read_topics(brand.pk)
    dictionary = tracked_names_of(brand).dictionary
    prompts = {
        prompt: _prompt_facts(prompt, text, topics.key_of.get(prompt, str(prompt)), named_in(text, dictionary))
        for prompt, text in wordings.items()
    }
    competitors = dict(Competitor.objects.filter(brand=brand).values_list("pk", "name"))
    days = {engine_day.engine: engine_day.day for engine_day in basis.engines}
    return BrandFacts(brand.name, brand.domain, competitors, prompts, max(days.values()), days, topics.names)


def read_answers(engines: Sequence[EngineDay]) -> Iterator[AnswerFacts]:
    """What each of these engines' answers of its day shows."""
    answers = answers_of(engines).filter(state=Answer.State.ANSWERED)
    days = {engine_day.engine: engine_day.day for engine_day in engines}
    ids = answers.values("pk")
    rivals, brand_named = _mentions(ids)
    domains, cites_brand = _citations(ids)
    for pk, prompt, engine in answers.values_list("pk", "prompt_id", "engine").iterator():
        yield AnswerFacts(
            id=pk,
            prompt=prompt,
            engine=engine,
            brand_named=pk in brand_named,
            rivals=rivals.get(pk, {}),
            domains=frozenset(domains.get(pk, ())),
            cites_brand=pk in cites_brand,
            day=days[engine],
        )


def _prompt_facts(prompt: UUID, text: str, topic: str, named: frozenset[str]) -> PromptFacts:
    return PromptFacts(
        id=prompt,
        text=text,
        topic=topic,
        branded=BRAND in named,
        named=frozenset(UUID(subject) for subject in named if subject != BRAND),
    )


def _mentions(answers: QuerySet[Answer, Any]) -> tuple[Mapping[UUID, Mapping[UUID, int]], set[UUID]]:
    """By answer: where each competitor is first mentioned; and the answers that mention the brand."""
    rows = Mention.objects.filter(answer__in=answers).visible().order_by().values_list("answer_id", "competitor_id")
    rivals: dict[UUID, dict[UUID, int]] = defaultdict(dict)
    brand_named = set()
    for answer, competitor, start in rows.annotate(first=Min("start")).iterator():
        if competitor is None:
            brand_named.add(answer)
        else:
            rivals[answer][competitor] = start
    return rivals, brand_named


def _citations(answers: QuerySet[Answer, Any]) -> tuple[Mapping[UUID, set[str]], set[UUID]]:
    """By answer: the cited domains of others; and the answers that cite the brand."""
    rows = Citation.objects.filter(answer__in=answers).exclude(owner=Citation.Owner.COMPETITOR).order_by()
    domains: dict[UUID, set[str]] = defaultdict(set)
    cites_brand = set()
    for answer, domain, owner in rows.values_list("answer_id", "domain", "owner").distinct().iterator():
        if owner == Citation.Owner.OWN:
            cites_brand.add(answer)
        else:
            domains[answer].add(domain)
    return domains, cites_brand
