"""Reads what the latest measured day shows, in a fixed number of queries and without the texts of its answers."""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any
from uuid import UUID

from django.db.models import Min, QuerySet

from brands.models import Brand, Competitor
from visibility.detection.detector import named_in
from visibility.detection.types import BRAND
from visibility.engines.local_search import is_local
from visibility.models import Answer, Citation, DailyScore, Mention, Prompt
from visibility.recommendations.types import AnswerFacts, PromptFacts
from visibility.recommendations.wording import Subject
from visibility.scans.generations import lexicon_of


@dataclass(frozen=True, slots=True)
class MeasuredDay:
    """The latest measured day: its date, the runs that were pooled and the engines that its score is made of."""

    date: date
    runs: tuple[UUID, ...]
    engines: tuple[str, ...]


def latest_day(brand: Brand) -> MeasuredDay | None:
    """The latest day on which the brand was measured. local-search counts only where it is alone."""
    row = (
        DailyScore.objects.filter(brand=brand, competitor=None, score__isnull=False)
        .order_by("-date")
        .values_list("date", "runs", "engines")
        .first()
    )
    if row is None:
        return None
    day, runs, engines = row
    counted = tuple(item["engine"] for item in engines if item["score"] is not None)
    averaged = tuple(name for name in counted if not is_local(name))
    return MeasuredDay(day, tuple(UUID(run) for run in runs), averaged or counted)


def read_subject(brand: Brand, day: MeasuredDay) -> Subject:
    """The names of the brand, its competitors and the questions that were answered on that day."""
    asked = Answer.objects.filter(run__in=day.runs, state=Answer.State.ANSWERED).order_by()
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
    return Subject(brand.name, brand.domain, competitors, prompts, day.date)


def read_answers(day: MeasuredDay) -> Iterator[AnswerFacts]:
    """What each of the day's answers shows."""
    answers = Answer.objects.filter(run__in=day.runs, engine__in=day.engines, state=Answer.State.ANSWERED).order_by()
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
