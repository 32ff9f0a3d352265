"""Reads of prompts: lists with the results of now, one prompt in detail, and who is named in its answers."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any
from uuid import UUID

from django.db.models import Count, Max, Q, QuerySet

from apikeys.caller import Caller
from apikeys.errors import not_found
from apikeys.resources import Quota
from brands.access import readable_brand
from brands.models import Brand
from visibility.models import Answer, Cell, Citation, Mention, Prompt, Run, Topic
from visibility.models.prompts import Stage
from visibility.prompts.resources import (
    AnswerCitation,
    AnswerShown,
    CitedSite,
    Coverage,
    EngineCount,
    EngineTally,
    MentionSpan,
    PromptCompetitorResults,
    PromptDetail,
    PromptFull,
    PromptList,
    PromptRow,
    RefinedPrompt,
    SubjectTally,
    TopicCount,
    Version,
)
from visibility.prompts.services import prompt_quota
from visibility.scores.days import engines_that_count
from visibility.scores.now import cells_of_now, counted_competitors
from visibility.scores.words import tied_words

SHORT_TEXT, SHORT_ANSWERS, FULL_ANSWERS = 500, 2, 20
SHORT_MENTIONS, SHORT_CITATIONS, SHORT_TOPICS = 4, 5, 12
MOST_CITED = 10


@dataclass(frozen=True, slots=True)
class PromptFilter:
    """Which prompts are listed; None: all. `active` False lists the archived ones."""

    stage: Stage | None = None
    branded: bool | None = None
    active: bool | None = True
    topic: Topic | None = None


@dataclass(slots=True)
class Tallies:
    """The cells of now of one prompt: the brand's by engine, and the mentions of each competitor."""

    own: list[Cell] = field(default_factory=list)
    competitors: Counter[UUID] = field(default_factory=Counter)

    @property
    def answers(self) -> int:
        """Answers that came."""
        return sum(cell.answers for cell in self.own)

    @property
    def mentioned(self) -> int:
        """Those that name the brand."""
        return sum(cell.mentioned for cell in self.own)

    @property
    def branded(self) -> bool | None:
        """Whether the prompt names the brand; None: it was never asked."""
        return any(cell.named for cell in self.own) if self.own else None


def prompt_tallies(brand: Brand, *, active: bool | None) -> dict[UUID, Tallies]:
    """The tallies of now of active prompts; unless `active`, also those of the last day of archived ones."""
    tallies = _tallies(_in_order(cells_of_now(brand)))
    if active is not True:
        tallies |= _archived_tallies(brand)
    return tallies


def list_prompts(caller: Caller, brand_id: UUID, only: PromptFilter, *, full: bool) -> PromptList:
    """The prompts of a brand that the caller may see, as `prompts_of`; raises not_found."""
    brand = readable_brand(caller, brand_id)
    return prompts_of(brand, only, prompt_tallies(brand, active=only.active), full=full)


def prompts_of(brand: Brand, only: PromptFilter, tallies: Mapping[UUID, Tallies], *, full: bool) -> PromptList:
    """The prompts of a brand, those that count first, and of these the least named first. Those that name the brand
    itself, and those of topics that are not its own, count in no score."""
    prompts = Prompt.objects.filter(brand=brand).tracked().select_related("topic")
    if only.topic is not None:
        prompts = prompts.filter(topic=only.topic)
    if only.stage is not None:
        prompts = prompts.filter(stage=only.stage)
    if only.active is not None:
        prompts = prompts.filter(archived_at__isnull=only.active)
    listed = [prompt for prompt in prompts if only.branded in (None, bool(tallies[prompt.pk].branded))]
    names, row_of = dict(brand.competitors.values_list("pk", "name")), _full if full else _row
    rows = [row_of(prompt, tallies[prompt.pk], names) for prompt in listed]
    own = {prompt.topic_name: prompt.topic.own for prompt in listed}
    rows.sort(
        key=lambda row: (own[row.topic] is False, row.branded is True, _rate(row), -row.answers, row.topic, row.text)
    )
    per_topic = Counter(row.topic for row in rows)
    active = Prompt.objects.filter(brand=brand).active().order_by("stage", "intent").values("stage", "intent")
    coverage = [Coverage(**each) for each in active.annotate(prompts=Count("pk"))]
    return PromptList(
        site_id=brand.pk,
        summary=_summary(brand, listed, tallies),
        total=len(rows),
        quota=Quota(limit=brand.owner.limit("max_prompts_per_site"), used=sum(each.prompts for each in coverage)),
        coverage=coverage,
        topics_total=len(per_topic),
        topics=[
            TopicCount(topic=name, prompts=number, own=own[name])
            for name, number in list(per_topic.items())[: None if full else SHORT_TOPICS]
        ],
        prompts=rows,
    )


def readable_prompt(caller: Caller, prompt_id: UUID) -> Prompt:
    """A prompt that people track, with its brand and topic; raises not_found where the caller cannot see it."""
    visible = Prompt.objects.restrict(caller, "view").tracked()
    prompt: Prompt | None = visible.select_related("topic", "brand__owner__plan").filter(pk=prompt_id).first()
    if prompt is None:
        raise not_found()
    return prompt


def read_prompt(caller: Caller, prompt_id: UUID, *, full: bool) -> PromptDetail:
    """One prompt that the caller may see, as `detail_of`; raises not_found."""
    prompt = readable_prompt(caller, prompt_id)
    return detail_of(prompt, cells_of_prompt(prompt), full=full)


def detail_of(prompt: Prompt, cells: Sequence[Cell], *, full: bool) -> PromptDetail:
    """One prompt with its wordings, its results by engine and its latest answers, two for each engine when short."""
    names = dict(prompt.brand.competitors.values_list("pk", "name"))
    answers = Answer.objects.filter(prompt=prompt).answered().select_related("engine")
    latest = list(answers.order_by("-day", "engine__name", "sample")[: FULL_ANSWERS if full else SHORT_ANSWERS])
    return PromptDetail(
        site_id=prompt.brand_id,
        prompt=_full(prompt, _tallies(cells)[prompt.pk], names),
        versions=[Version.model_validate(version) for version in prompt.versions.order_by("-number")],
        answers=answers_shown(prompt.brand, latest, full=full),
    )


def read_prompt_results(caller: Caller, prompt_id: UUID) -> PromptCompetitorResults:
    """Who is named in the answers to a prompt that the caller may see, as `results_of`; raises not_found."""
    prompt = readable_prompt(caller, prompt_id)
    return results_of(prompt, cells_of_prompt(prompt))


def results_of(prompt: Prompt, cells: Sequence[Cell]) -> PromptCompetitorResults:
    """Who is named in the answers of now to a prompt, by engine, with ranks and what is cited."""
    own = [cell for cell in cells if cell.competitor_id is None]
    subjects: dict[UUID | None, str] = {None: prompt.brand.name}
    subjects |= counted_competitors(prompt.brand).items()
    answers = {_place(cell): cell.answers for cell in own}
    behind = _answers_of(own)
    ranks = _mean_ranks(behind)
    results = [
        _subject(key, name, [cell for cell in cells if cell.competitor_id == key], answers, ranks.get(key))
        for key, name in subjects.items()
    ]
    return PromptCompetitorResults(
        site_id=prompt.brand_id,
        prompt_id=prompt.pk,
        prompt=prompt.text,
        as_of=max((cell.day for cell in own), default=None),
        answers=sum(answers.values()),
        results=sorted(results, key=lambda each: (each.competitor_id is not None, -each.mentioned, each.name)),
        cited=_cited(behind, sum(answers.values())),
    )


def refined(prompt: Prompt) -> RefinedPrompt:
    """A prompt as it is after a change."""
    return RefinedPrompt(
        prompt_id=prompt.pk,
        site_id=prompt.brand_id,
        text=prompt.text,
        topic=prompt.topic_name,
        version=prompt.version,
        is_archived=prompt.archived_at is not None,
        quota=prompt_quota(prompt.brand),
    )


def cells_of_prompt(prompt: Prompt) -> list[Cell]:
    """The cells of now of a prompt; of one that is asked no more, those of its last day."""
    if prompt.archived_at is None and (cells := _in_order(cells_of_now(prompt.brand).filter(version__prompt=prompt))):
        return cells
    every = Cell.objects.filter(version__prompt=prompt, run__kind=Run.Kind.VISIBILITY)
    last = every.order_by("-day").values_list("day", flat=True).first()
    return _in_order(every.filter(day=last))


def _in_order(cells: QuerySet[Cell]) -> list[Cell]:
    return list(cells.select_related("engine", "version").order_by("engine__name", "surface"))


def _tallies(cells: Iterable[Cell]) -> dict[UUID, Tallies]:
    tallies: dict[UUID, Tallies] = defaultdict(Tallies)
    for cell in cells:
        tally = tallies[cell.version.prompt_id]
        if cell.competitor_id is None:
            tally.own.append(cell)
        else:
            tally.competitors[cell.competitor_id] += cell.mentioned
    return tallies


def _archived_tallies(brand: Brand) -> dict[UUID, Tallies]:
    """Of prompts that are asked no more, each on its last measured day."""
    cells = Cell.objects.filter(
        brand=brand, run__kind=Run.Kind.VISIBILITY, version__prompt__archived_at__isnull=False
    )
    prompts_of: dict[date, list[UUID]] = defaultdict(list)
    for prompt, day in cells.order_by().values_list("version__prompt").annotate(Max("day")):
        prompts_of[day].append(prompt)
    on_last_days = Q(pk=None)
    for day, prompts in prompts_of.items():
        on_last_days |= Q(day=day, version__prompt__in=prompts)
    return _tallies(_in_order(cells.filter(on_last_days)))


def _row(prompt: Prompt, tally: Tallies, names: Mapping[UUID, str]) -> PromptRow:
    number = max(tally.competitors.values(), default=0)
    leaders = [names[key] for key, mentioned in tally.competitors.items() if number and mentioned == number]
    return PromptRow(
        id=prompt.pk,
        text=prompt.text,
        topic=prompt.topic_name,
        mentioned=tally.mentioned,
        answers=tally.answers,
        leader=tied_words(leaders),
        leader_mentioned=number,
        branded=tally.branded,
    )


def _full(prompt: Prompt, tally: Tallies, names: Mapping[UUID, str]) -> PromptFull:
    return PromptFull(
        **dict(_row(prompt, tally, names)),
        stage=prompt.stage,
        intent=prompt.intent,
        persona=prompt.persona,
        locale=prompt.locale,
        version=prompt.version,
        created_at=prompt.created_at,
        archived_at=prompt.archived_at,
        engines=[_engine(cell) for cell in tally.own],
    )


def _summary(brand: Brand, listed: Sequence[Prompt], tally_of: Mapping[UUID, Tallies]) -> list[str]:
    """How many of the answers that scores count name the brand, and what else the rows have."""
    own = [prompt for prompt in listed if prompt.topic and prompt.topic.own is not False]
    archived = [prompt for prompt in own if prompt.archived_at is not None]
    tallies = [tally_of[prompt.pk] for prompt in own if prompt.archived_at is None]
    if not listed:
        return [f"No prompt of {brand.name} is like this. People add prompts on the site's pages, or by an import."]
    cells = [cell for tally in tallies for cell in tally.own]
    _, averaged = engines_that_count(
        {"engine__name": cell.engine.name, "surface": cell.surface, "competitor": None, "sum_answers": cell.answers}
        for cell in cells
    )
    branded = [cell for cell in cells if cell.named]
    counted = [cell for cell in cells if _place(cell) in averaged and not cell.named]
    left_out = sorted({cell.engine.name for cell in cells if cell.answers and _place(cell) not in averaged})
    sentences = []
    if number := sum(not tally.branded for tally in tallies):
        sentences.append(f"Of {_prompts(number)} that scores count, {_naming(counted)} name {brand.name}.")
    if number := sum(bool(tally.branded) for tally in tallies):
        sentences.append(f"No score counts {_prompts(number)} with the name (branded): {_naming(branded)} repeat it.")
    if left_out:
        sentences.append(f"No score counts the answers of {', '.join(left_out)} that rows have.")
    if archived:
        answered = [cell for prompt in archived for cell in tally_of[prompt.pk].own]
        naming = f"{_naming(answered)} of their last days name {brand.name}"
        sentences.append(f"No score of now counts {_prompts(len(archived))} that are archived: {naming}.")
    if number := len(listed) - len(own):
        sentences.append(f"No score counts {_prompts(number)} on topics that are not {brand.name}'s own.")
    return sentences


def _prompts(number: int) -> str:
    return f"{number} prompt{'s' * (number != 1)}"


def _naming(cells: Sequence[Cell]) -> str:
    return f"{sum(cell.mentioned for cell in cells)} of {sum(cell.answers for cell in cells)} answers"


def _rate(row: PromptRow) -> float:
    """Prompts that were never asked come last."""
    return row.mentioned / row.answers if row.answers else 2.0


def _engine(cell: Cell) -> EngineTally:
    counts = ("answers", "failed", "mentioned", "first", "recommended", "cautioned", "cited")
    return EngineTally(
        engine=cell.engine.name,
        surface=cell.surface,
        as_of=cell.day,
        **{name: getattr(cell, name) for name in counts},
    )


def answers_shown(brand: Brand, answers: Sequence[Answer], *, full: bool) -> list[AnswerShown]:
    """Answers with their mentions and citations; in short unless `full`."""
    mentions: dict[int, list[Mention]] = defaultdict(list)
    for mention in Mention.objects.filter(answer__in=answers).visible().order_by("start"):
        mentions[mention.answer_id].append(mention)
    citations: dict[int, list[Citation]] = defaultdict(list)
    for citation in Citation.objects.filter(answer__in=answers).order_by("position"):
        citations[citation.answer_id].append(citation)
    names: dict[UUID | None, str] = {None: brand.name, **dict(brand.competitors.values_list("pk", "name"))}
    return [_answer(each, mentions[each.pk], citations[each.pk], names, full=full) for each in answers]


def _answer(
    answer: Answer,
    mentions: Sequence[Mention],
    citations: Sequence[Citation],
    names: Mapping[UUID | None, str],
    *,
    full: bool,
) -> AnswerShown:
    text = answer.text if full else answer.text[:SHORT_TEXT]
    shown = mentions if full else _first_of_each(mentions)[:SHORT_MENTIONS]
    return AnswerShown(
        id=answer.pk,
        engine=answer.engine.name,
        surface=answer.surface,
        day=answer.day,
        sample=answer.sample,
        text=text,
        is_cut=len(text) < len(answer.text),
        mentions=[_span(answer, mention, names, full=full) for mention in shown],
        citations=[
            AnswerCitation(
                url=each.url,
                domain=each.domain,
                whose=names[each.competitor_id] if each.is_own or each.competitor_id else None,
            )
            for each in (citations if full else citations[:SHORT_CITATIONS])
        ],
    )


def _first_of_each(mentions: Iterable[Mention]) -> list[Mention]:
    """The first mention of each subject, the brand's at the beginning."""
    first: dict[UUID | None, Mention] = {}
    for mention in mentions:
        first.setdefault(mention.competitor_id, mention)
    return sorted(first.values(), key=lambda mention: (mention.competitor_id is not None, mention.start))


def _span(answer: Answer, mention: Mention, names: Mapping[UUID | None, str], *, full: bool) -> MentionSpan:
    quote = " ".join(answer.text[mention.quote_start : mention.quote_end].split())
    return MentionSpan(
        name=names[mention.competitor_id],
        rank=mention.rank,
        stance=mention.stance,
        quote=quote if full else quote[:200],
        start=mention.start,
        end=mention.end,
    )


def _subject(
    key: UUID | None, name: str, cells: Sequence[Cell], answers: Mapping[Any, int], mean_rank: float | None
) -> SubjectTally:
    mentioned = {_place(cell): cell.mentioned for cell in cells}
    sums = {name: sum(getattr(cell, name) for cell in cells) for name in ("first", "recommended", "cautioned")}
    return SubjectTally(
        name=name,
        competitor_id=key,
        mentioned=sum(mentioned.values()),
        answers=sum(answers.values()),
        mean_rank=mean_rank,
        engines=[
            EngineCount(engine=engine, mentioned=mentioned.get((engine, surface), 0), answers=number)
            for (engine, surface), number in answers.items()
        ],
        **sums,
    )


def _place(cell: Cell) -> tuple[str, str]:
    return cell.engine.name, cell.surface


def _answers_of(own: Sequence[Cell]) -> QuerySet[Answer]:
    """The answers that these cells count."""
    places = Q(pk=None)
    for cell in (cell for cell in own if cell.answers):
        places |= Q(run=cell.run_id, engine=cell.engine_id, surface=cell.surface, version=cell.version_id)
    answers: QuerySet[Answer] = Answer.objects.filter(places)
    return answers


def _mean_ranks(answers: QuerySet[Answer]) -> dict[UUID | None, float]:
    """The mean over answers of the best rank of each subject."""
    best: dict[UUID | None, dict[int, int]] = defaultdict(dict)
    ranked = Mention.objects.filter(answer__in=answers, rank__isnull=False).visible()
    for answer, subject, rank in ranked.values_list("answer", "competitor", "rank"):
        best[subject][answer] = min(rank, best[subject].get(answer, rank))
    return {subject: round(sum(ranks.values()) / len(ranks), 2) for subject, ranks in best.items()}


def _cited(answers: QuerySet[Answer], number: int) -> list[CitedSite]:
    """The sites that most of so many answers cite."""
    citations = Citation.objects.filter(answer__in=answers)
    counted = citations.order_by().values_list("domain").annotate(number=Count("answer", distinct=True))
    most = sorted(counted, key=lambda each: (-each[1], each[0]))[:MOST_CITED]
    return [CitedSite(domain=domain, cited=cited, answers=number) for domain, cited in most]
