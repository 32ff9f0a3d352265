"""One prompt: its wordings, what answers to it showed, and whom they name beside each other."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any
from uuid import UUID

from django.db.models import BigIntegerField, F, Max, Min, QuerySet, UUIDField, Value, Window
from django.db.models.functions import Cast, RowNumber
from django.utils import timezone

from apikeys.caller import Caller
from apikeys.db.snapshot import remembered, snapshot
from apikeys.errors import invalid, not_found
from apikeys.scopes import Scope
from brands.models import Brand
from visibility.detection.detector import named_in
from visibility.detection.names.matching import Dictionary
from visibility.detection.types import BRAND
from visibility.measured.ages import age
from visibility.measured.basis import Basis, EngineDay
from visibility.measured.generations import not_own_topics
from visibility.measured.reading import answers_of, read_basis
from visibility.measured.topics import read_topics
from visibility.models import Answer, Citation, Mention, Prompt, PromptVersion
from visibility.resources.prompts import (
    DomainCount,
    EngineResult,
    NamedIn,
    PromptCompetitorResults,
    PromptDetail,
    PromptVersionResource,
    StanceCounts,
    SubjectResult,
)
from visibility.services.prompts.answers import shown_answers, subject_names
from visibility.services.prompts.listing import names_in_use, prompt_item
from visibility.services.reading.mention_counts import CountedWording, counted_wordings

ANSWERS_OF_ENGINE = 2
MAX_ANSWERS = 12
MAX_DOMAINS = 5
_ANSWER, _MENTION, _CITATION = range(3)


@dataclass(frozen=True, slots=True)
class _Looked:
    """What both reports of a prompt are made from, read once."""

    prompt: Prompt
    versions: Sequence[PromptVersion]
    brand: Brand
    basis: Basis
    names: Mapping[UUID | None, str]
    dictionary: Dictionary


@snapshot()
def prompt_detail(caller: Caller, *, prompt_id: UUID, answer_ids: Collection[UUID] | None = None) -> PromptDetail:
    """The prompt with its versions, k of n by engine, and its latest answers, of `answer_ids` those
    alone. Raises not_found, and invalid_arguments for an id that is none of them.

    Counted are answers to the latest wording that was asked; the latest ones say which wording they answer.
    """
    looked = _look(caller, prompt_id)
    latest = _latest_answers(looked.prompt)
    if answer_ids is not None:
        latest = [answer for answer in latest if answer.pk in answer_ids]
        if len(latest) < len(set(answer_ids)):
            raise invalid("answer_ids", "One of these is none of the latest answers. Leave it out to see which are.")
    counts = counted_wordings(looked.basis.engines, among=[looked.prompt.pk])
    return _detail(looked, counts.get(looked.prompt.pk), latest)


@snapshot()
def prompt_competitor_results(caller: Caller, *, prompt_id: UUID) -> PromptCompetitorResults:
    """By brand and engine, each on its own day: k of n, mean rank, stances, cited domains. Raises not_found.

    Counted are answers to the latest wording of the prompt that was asked.
    """
    looked = _look(caller, prompt_id)
    return _results(looked, *_tallies(looked))


@snapshot()
def prompt_reports(caller: Caller, *, prompt_id: UUID) -> tuple[PromptDetail, PromptCompetitorResults]:
    """Both reports of a prompt, the first without answers, in fewer statements than one after the other."""
    looked = _look(caller, prompt_id)
    tallies, version = _tallies(looked)
    counts = [
        NamedIn(
            engine=engine,
            named=len(tally.ranks.get(None, ())),
            answers=len(tally.answers),
            as_of=tally.day,
            age=tally.age or None,
        )
        for engine, tally in sorted(tallies.items())
    ]
    counted = CountedWording(version, counts) if version else None
    return _detail(looked, counted, ()), _results(looked, tallies, version)


def _look(caller: Caller, prompt_id: UUID) -> _Looked:
    known = readable_prompt(caller, prompt_id)
    brand: Brand = known.prompt.brand
    return _Looked(
        known.prompt, known.versions, brand, read_basis(brand.pk), subject_names(brand), names_in_use(brand)
    )


def _detail(looked: _Looked, counts: CountedWording | None, latest: Sequence[Answer]) -> PromptDetail:
    prompt, brand = looked.prompt, looked.brand
    return PromptDetail(
        site=brand.pk,
        as_of=looked.basis.latest,
        prompt=prompt_item(prompt, read_topics(brand.pk), looked.dictionary, counts, not_own_topics(brand.pk)),
        versions=[PromptVersionResource.model_validate(version) for version in looked.versions],
        latest_answers=shown_answers(latest, looked.names) if latest else [],
    )


def _results(looked: _Looked, tallies: "Mapping[str, _Engine]", version: int | None) -> PromptCompetitorResults:
    prompt = looked.prompt
    prompt_subjects = {
        UUID(subject) if subject != BRAND else None for subject in named_in(prompt.text, looked.dictionary)
    }
    subjects = [
        _subject(competitor, name, competitor in prompt_subjects, sorted(tallies.items()))
        for competitor, name in looked.names.items()
    ]
    subjects.sort(key=lambda subject: (subject.competitor is not None, -subject.named, subject.name))
    return PromptCompetitorResults(
        site=looked.brand.pk,
        as_of=looked.basis.latest,
        prompt=prompt.pk,
        text=prompt.text,
        counted_version=version,
        subjects=subjects,
    )


@dataclass(frozen=True, slots=True)
class KnownPrompt:
    """A prompt with its brand, the brand's owner and plan, and its wordings, the first one first."""

    prompt: Prompt
    versions: Sequence[PromptVersion]


@remembered
def readable_prompt(caller: Caller, prompt_id: UUID) -> KnownPrompt:
    """The prompt in one statement. Raises insufficient_scope, and not_found for one that the caller cannot see."""
    caller.require(Scope.READ_PROMPTS)
    wordings = PromptVersion.objects.restrict(caller, "view").select_related("prompt__brand__owner__plan")
    versions: list[PromptVersion] = list(wordings.filter(prompt=prompt_id).order_by("number"))
    if not versions:
        raise not_found()
    return KnownPrompt(versions[-1].prompt, versions)


def _latest_answers(prompt: Prompt) -> Sequence[Answer]:
    """The newest answers of each engine; those of imports count by their own time."""
    newest = [F("answered_at").desc(nulls_last=True), F("pk").desc()]
    answers = Answer.objects.filter(prompt=prompt, state=Answer.State.ANSWERED).order_by(*newest)
    numbered = answers.annotate(number=Window(RowNumber(), partition_by="engine", order_by=newest))
    return list(numbered.filter(number__lte=ANSWERS_OF_ENGINE).select_related("version")[:MAX_ANSWERS])


@dataclass(slots=True)
class _Engine:
    """What one engine's answers to a prompt show. `ranks` are by subject and answer that names it, None where no rank
    can be told."""

    day: date
    age: str
    answers: set[UUID] = field(default_factory=set)
    ranks: dict[UUID | None, dict[UUID, int | None]] = field(default_factory=lambda: defaultdict(dict))
    stances: dict[UUID | None, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    domains: dict[UUID, set[str]] = field(default_factory=lambda: defaultdict(set))


def _tallies(looked: _Looked) -> tuple[Mapping[str, _Engine], int | None]:
    """What each engine's answers of its day to the latest wording that was asked show, and the number of it."""
    days, today = looked.basis.engines, timezone.now().date()
    engines = {
        engine_day.engine: _Engine(engine_day.day, age(engine_day.day, _latest(days), today)) for engine_day in days
    }
    of_prompt = answers_of(days, active=False, all_topics=True).filter(
        prompt=looked.prompt, state=Answer.State.ANSWERED
    )
    version = of_prompt.aggregate(latest=Max("version__number"))["latest"]
    answers = of_prompt.filter(version__number=version)
    engine_by_answer: dict[UUID, str] = {}
    for part, answer, rival, text, rank in _rows(answers):
        if part == _ANSWER:
            engine_by_answer[answer] = text
            engines[text].answers.add(answer)
            continue
        tally = engines[engine_by_answer[answer]]
        if part == _CITATION:
            tally.domains[answer].add(text)
            continue
        tally.stances[rival][text] += 1
        if text != Mention.Stance.NOT_FOUND:
            earlier = tally.ranks[rival].get(answer)
            tally.ranks[rival][answer] = rank if earlier is None or (rank and rank < earlier) else earlier
    return {engine: tally for engine, tally in engines.items() if tally.answers}, version


def _rows(answers: QuerySet[Answer, Any]) -> Iterable[tuple[Any, ...]]:
    """One statement: the answers with their engines, then the mentions with stance and best rank, and the cited
    domains."""
    ids = answers.values("pk")
    mentions = Mention.objects.filter(answer__in=ids).values("answer_id", "competitor_id", "stance")
    parts: QuerySet[Any, Any] = _part(
        mentions, _MENTION, answer=F("answer_id"), rival=F("competitor_id"), text=F("stance"), rank=Min("rank")
    ).union(
        _part(answers, _ANSWER, answer=F("pk"), text=F("engine")),
        _part(Citation.objects.filter(answer__in=ids), _CITATION, answer=F("answer_id"), text=F("domain")).distinct(),
        all=True,
    )
    rows: Iterable[tuple[Any, ...]] = parts.order_by("tally_part")
    return rows


def _part(rows: Any, part: int, **columns: Any) -> Any:
    missing = {"rival": Cast(Value(None), UUIDField()), "rank": Cast(Value(None), BigIntegerField())}
    every = {"part": Value(part), **missing, **columns}
    named = {f"tally_{name}": every[name] for name in ("part", "answer", "rival", "text", "rank")}
    return rows.order_by().annotate(**named).values_list(*named)


def _latest(engine_days: Sequence[EngineDay]) -> date:
    return max(engine_day.day for engine_day in engine_days)


def _subject(
    competitor: UUID | None, name: str, in_prompt: bool, engines: Sequence[tuple[str, _Engine]]
) -> SubjectResult:
    results = [_engine_result(competitor, engine, tally) for engine, tally in engines]
    return SubjectResult(
        competitor=competitor,
        name=name,
        in_prompt=in_prompt,
        named=sum(result.named for result in results),
        answers=sum(result.answers for result in results),
        engines=results,
    )


def _engine_result(competitor: UUID | None, engine: str, tally: _Engine) -> EngineResult:
    ranks = tally.ranks.get(competitor, {})
    places = [rank for rank in ranks.values() if rank is not None]
    domains = Counter(domain for answer in ranks for domain in tally.domains.get(answer, ()))
    often = sorted(domains.items(), key=lambda pair: (-pair[1], pair[0]))[:MAX_DOMAINS]
    return EngineResult(
        engine=engine,
        named=len(ranks),
        answers=len(tally.answers),
        as_of=tally.day,
        age=tally.age or None,
        mean_rank=round(sum(places) / len(places), 2) if places else None,
        stances=StanceCounts(**tally.stances[competitor]),
        domains=[DomainCount(domain=domain, answers=count) for domain, count in often],
    )
