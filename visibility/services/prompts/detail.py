"""One prompt: its wordings, what answers to it showed, and whom they name beside each other."""

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from uuid import UUID

from django.db.models import F, Min, Window
from django.db.models.functions import RowNumber
from django.utils import timezone

from apikeys.caller import Caller
from apikeys.db.snapshot import snapshot
from apikeys.errors import invalid, not_found
from apikeys.scopes import Scope
from brands.models import Brand
from visibility.detection.detector import named_in
from visibility.detection.types import BRAND
from visibility.measured.ages import age
from visibility.measured.basis import EngineDay
from visibility.measured.reading import answers_of, read_basis
from visibility.measured.topics import read_topics
from visibility.models import Answer, Citation, Mention, Prompt
from visibility.resources.prompts import (
    DomainCount,
    EngineResult,
    PromptCompetitorResults,
    PromptDetail,
    PromptVersionResource,
    StanceCounts,
    SubjectResult,
)
from visibility.services.prompts.answers import shown_answers, subject_names
from visibility.services.prompts.listing import names_in_use, prompt_item
from visibility.services.reading.mention_counts import mention_counts_by_prompt

ANSWERS_OF_ENGINE = 2
MAX_ANSWERS = 12
MAX_DOMAINS = 5


@snapshot()
def prompt_detail(caller: Caller, *, prompt_id: UUID, answer_ids: Collection[UUID] | None = None) -> PromptDetail:
    """The prompt with its versions, k of n by engine, and its latest answers, of `answer_ids` those
    alone. Raises not_found, and invalid_arguments for an id that is none of them.

    Counted are answers to its current wording; the latest ones say which wording they answer.
    """
    prompt = _readable(caller, prompt_id)
    brand: Brand = prompt.brand
    basis = read_basis(brand.pk)
    results = mention_counts_by_prompt(basis.engines, among=[prompt.pk], current_wording=True)
    latest = _latest_answers(prompt)
    if answer_ids is not None:
        latest = [answer for answer in latest if answer.pk in answer_ids]
        if len(latest) < len(set(answer_ids)):
            raise invalid("answer_ids", "One of these is none of the latest answers. Leave it out to see which are.")
    return PromptDetail(
        site=brand.pk,
        as_of=basis.latest,
        prompt=prompt_item(prompt, read_topics(brand.pk), names_in_use(brand), results.get(prompt.pk, [])),
        versions=[PromptVersionResource.model_validate(version) for version in prompt.versions.order_by("number")],
        latest_answers=shown_answers(latest, subject_names(brand)),
    )


@snapshot()
def prompt_competitor_results(caller: Caller, *, prompt_id: UUID) -> PromptCompetitorResults:
    """By brand and engine, each on its own day: k of n, mean rank, stances, cited domains. Raises not_found.

    Counted are answers to the current wording of the prompt.
    """
    prompt = _readable(caller, prompt_id)
    brand: Brand = prompt.brand
    basis = read_basis(brand.pk)
    names = subject_names(brand)
    prompt_subjects = {
        UUID(subject) if subject != BRAND else None for subject in named_in(prompt.text, names_in_use(brand))
    }
    tallies = _tallies(prompt, basis.engines)
    subjects = [
        _subject(competitor, name, competitor in prompt_subjects, sorted(tallies.items()))
        for competitor, name in names.items()
    ]
    subjects.sort(key=lambda subject: (subject.competitor is not None, -subject.named, subject.name))
    return PromptCompetitorResults(
        site=brand.pk,
        as_of=basis.latest,
        prompt=prompt.pk,
        text=prompt.text,
        subjects=subjects,
    )


def _readable(caller: Caller, prompt_id: UUID) -> Prompt:
    caller.require(Scope.READ_PROMPTS)
    prompts = Prompt.objects.restrict(caller, "view").select_related("brand__owner__plan")
    prompt: Prompt | None = prompts.filter(pk=prompt_id).first()
    if prompt is None:
        raise not_found()
    return prompt


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


def _tallies(prompt: Prompt, engine_days: Sequence[EngineDay]) -> Mapping[str, _Engine]:
    prompt_answers = answers_of(engine_days, active=False).filter(prompt=prompt, version__number=prompt.version)
    answers = prompt_answers.filter(state=Answer.State.ANSWERED)
    engines = {
        engine_day.engine: _Engine(engine_day.day, age(engine_day.day, _latest(engine_days), timezone.now().date()))
        for engine_day in engine_days
    }
    engine_by_answer = dict(answers.values_list("pk", "engine"))
    for answer, engine in engine_by_answer.items():
        engines[engine].answers.add(answer)
    mentions = Mention.objects.filter(answer__in=answers.values("pk")).order_by()
    for answer, rival, stance, rank in mentions.values_list("answer_id", "competitor_id", "stance").annotate(
        first=Min("rank")
    ):
        tally = engines[engine_by_answer[answer]]
        tally.stances[rival][stance] += 1
        if stance != Mention.Stance.NOT_FOUND:
            earlier = tally.ranks[rival].get(answer)
            tally.ranks[rival][answer] = rank if earlier is None or (rank and rank < earlier) else earlier
    citations = Citation.objects.filter(answer__in=answers.values("pk")).order_by()
    for answer, domain in citations.values_list("answer_id", "domain").distinct():
        engines[engine_by_answer[answer]].domains[answer].add(domain)
    return {engine: tally for engine, tally in engines.items() if tally.answers}


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
