"""Reads what the answers of now show, in a fixed number of queries and without their texts."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any
from uuid import UUID

from django.db.models import Min, QuerySet

from brands.models import Brand, Competitor
from visibility.detection.detector import named_in
from visibility.detection.types import BRAND
from visibility.measured.basis import Basis, EngineDay
from visibility.measured.reading import answers_of
from visibility.models import Answer, Citation, Mention, Prompt
from visibility.recommendations.types import AnswerFacts, PromptFacts
from visibility.recommendations.wording import Subject
from visibility.scans.generations import lexicon_of


def read_subject(brand: Brand, basis: Basis) -> Subject:
    """The names of the brand, its competitors and the questions that are answered now. Not before the first
    measured day."""
    asked = answers_of(basis.engines).filter(state=Answer.State.ANSWERED)
    wordings = dict(
        asked.order_by("version__number").values_list("prompt_id", "version__text").distinct()
    )  # the latest wording of each prompt that was asked
    topics = dict(Prompt.objects.filter(pk__in=wordings).values_list("pk", "topic"))
    dictionary = lexicon_of(brand).dictionary
    prompts = {
        prompt: _prompt_facts(prompt, text, topics[prompt], named_in(text, dictionary))
        for prompt, text in wordings.items()
    }
    competitors = dict(Competitor.objects.filter(brand=brand).values_list("pk", "name"))
    days = {each.engine: each.day for each in basis.engines}
    return Subject(brand.name, brand.domain, competitors, prompts, max(days.values()), days)


def read_answers(engines: Sequence[EngineDay]) -> Iterator[AnswerFacts]:
    """What each of these engines' answers of its day shows."""
    answers = answers_of(engines).filter(state=Answer.State.ANSWERED)
    days = {each.engine: each.day for each in engines}
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
        topic=topic or str(prompt),
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
