"""Reads of prompts: lists with the results of now, one prompt in detail, and who is named in its answers."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from itertools import zip_longest
from uuid import UUID

from django.db.models import Count, QuerySet

from apikeys.accounts.caller import Caller
from apikeys.errors import not_found
from apikeys.resources import Quota, Worded, worded
from brands.access import readable_brand
from brands.models import Brand
from visibility.counts.past import select_archived, select_on, select_prompt
from visibility.counts.reader import Selection, select_now
from visibility.counts.rows import CountRow
from visibility.counts.words import tied_words
from visibility.models import Answer, Citation, Mention, Prompt, Topic
from visibility.models.prompts import Stage
from visibility.prompts.effects import effect_of_change
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
from visibility.prompts.wordings import older_wordings

SHORT_TEXT, MOST_ANSWERS = 500, 20
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
class PromptCounts:
    """What answers of now to one prompt count: the brand's row over all that make figures (None: no answer), its rows
    by engine, and those of competitors; and for how many askings no AI answer was shown."""

    own: CountRow | None = None
    engines: list[CountRow] = field(default_factory=list)
    rivals: list[CountRow] = field(default_factory=list)
    absent: int = 0

    @property
    def wording(self) -> int | None:
        """The number of the newest wording that these answers are to."""
        return max((row.wording for row in (*([self.own] if self.own else ()), *self.engines)), default=None)

    @property
    def branded(self) -> bool | None:
        """Whether the prompt names the brand; None: it was never asked."""
        return self.engines[0].named if self.engines else None

    def mentioned(self, competitor: UUID) -> int:
        """How many answers mention a competitor."""
        return sum(row.mentioned for row in self.rivals if row.competitor_id == competitor)


def counts_of_prompts(
    now: Selection,
    *,
    active: bool | None,
    on: date | None = None,
    engines: Collection[str] = (),
    markets: Collection[str] = (),
) -> Mapping[UUID, PromptCounts]:
    """By prompt the answers of `now`, or as of a day, of these engines and for these markets (empty: of all), and
    those on topics that are not the brand's own; unless `active`, also those of the last day of archived prompts."""
    brand = now.brand
    counts: dict[UUID, PromptCounts] = defaultdict(PromptCounts)
    has_foreign = any(each.own is False for each in brand.topics.all())
    selections = [now, *([select_on(brand, on, foreign=True)] if has_foreign else [])]
    for selection in (*selections, *(() if active is True else (select_archived(brand),))):
        counts.update(_by_prompt(selection.narrow(engines=engines, markets=markets)))
    return counts


def _by_prompt(selection: Selection) -> dict[UUID, PromptCounts]:
    counts: dict[UUID, PromptCounts] = defaultdict(PromptCounts)
    for row in selection.rows("prompt", "subject"):
        of_prompt = counts[_prompt_id(row)]
        if row.is_own:
            of_prompt.own = row
        else:
            of_prompt.rivals.append(row)
    for row in sorted(selection.rows("prompt", "engine"), key=lambda row: (row.engine or "", row.surface or "")):
        counts[_prompt_id(row)].engines.append(row)
    for each in selection.of_figure.sums:
        if each.subject is None and each.absent:
            counts[each.prompt].absent += each.absent
    return counts


def _prompt_id(row: CountRow) -> UUID:
    """The prompt of a row by prompt."""
    assert row.group.prompt_id is not None  # noqa: S101 - mypy cannot know it
    return row.group.prompt_id


def list_prompts(caller: Caller, brand_id: UUID, only: PromptFilter, *, full: bool) -> PromptList:
    """The prompts of a brand that the caller may see, as `prompts_of`; raises not_found."""
    brand = readable_brand(caller, brand_id)
    return prompts_of(brand, only, counts_of_prompts(select_now(brand), active=only.active), full=full)


def prompts_of(brand: Brand, only: PromptFilter, counts: Mapping[UUID, PromptCounts], *, full: bool) -> PromptList:
    """The prompts of a brand, those that count first, and of these the least named first. Those that name the brand
    itself, and those of topics that are not its own, count in no score."""
    prompts = Prompt.objects.filter(brand=brand).tracked().select_related("topic")
    if only.topic is not None:
        prompts = prompts.filter(topic=only.topic)
    if only.stage is not None:
        prompts = prompts.filter(stage=only.stage)
    if only.active is not None:
        prompts = prompts.filter(archived_at__isnull=only.active)
    listed = [prompt for prompt in prompts if only.branded in (None, bool(counts[prompt.pk].branded))]
    row_of = _full if full else _row
    older = older_wordings(listed, {prompt.pk: counts[prompt.pk].wording for prompt in listed})
    rows = [row_of(prompt, counts[prompt.pk], older) for prompt in listed]
    own = {prompt.topic_name: prompt.topic.own for prompt in listed}
    rows.sort(
        key=lambda row: (own[row.topic] is False, row.branded is True, _rate(row), -row.answers, row.topic, row.text)
    )
    per_topic = Counter(row.topic for row in rows)
    active = Prompt.objects.filter(brand=brand).active().order_by("stage", "intent").values("stage", "intent")
    coverage = [Coverage(**each) for each in active.annotate(prompts=Count("pk"))]
    return PromptList(
        site_id=brand.pk,
        summary=[*_summary(brand, listed, counts), *_reworded_words(len(older))],
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
    return detail_of(prompt, select_prompt(prompt), full=full)


def detail_of(prompt: Prompt, selection: Selection, *, full: bool) -> PromptDetail:
    """One prompt with its wordings, its results by engine and its latest answers, those of each engine in turn."""
    answers = Answer.objects.filter(prompt=prompt).answered().select_related("engine", "version__prompt")
    by_engine: dict[int, list[Answer]] = defaultdict(list)
    for answer in answers.order_by("-day", "engine__name", "sample")[:MOST_ANSWERS]:
        by_engine[answer.engine_id].append(answer)
    latest = [each for turn in zip_longest(*by_engine.values()) for each in turn if each]
    counts = _by_prompt(selection)[prompt.pk]
    return PromptDetail(
        site_id=prompt.brand_id,
        prompt=_full(prompt, counts, older_wordings([prompt], {prompt.pk: counts.wording})),
        versions=[Version.model_validate(version) for version in prompt.versions.order_by("-number")],
        answers=answers_shown(prompt.brand, latest, full=full),
    )


def read_prompt_results(caller: Caller, prompt_id: UUID) -> PromptCompetitorResults:
    """Who is named in the answers to a prompt that the caller may see, as `results_of`; raises not_found."""
    prompt = readable_prompt(caller, prompt_id)
    return results_of(prompt, select_prompt(prompt))


def results_of(prompt: Prompt, selection: Selection) -> PromptCompetitorResults:
    """Who is named in the answers of now to a prompt, by engine, with ranks and what is cited."""
    rows = selection.rows("prompt", "subject")
    by_engine = selection.rows("prompt", "subject", "engine")
    behind = selection.of_figure.answers
    ranks = _mean_ranks(behind)
    results = [
        SubjectTally(
            name=row.subject,
            competitor_id=row.competitor_id,
            mentioned=row.mentioned,
            answers=row.of,
            first=row.first,
            mean_rank=ranks.get(row.competitor_id),
            recommended=row.recommended,
            cautioned=row.cautioned,
            engines=[
                EngineCount(engine=each.engine, mentioned=each.mentioned, answers=each.of)
                for each in sorted(by_engine, key=lambda each: (each.engine or "", each.surface or ""))
                if each.competitor_id == row.competitor_id
            ],
        )
        for row in rows
    ]
    answers = rows[0].of if rows else 0
    results = results or [_nobody(prompt.brand)]
    return PromptCompetitorResults(
        site_id=prompt.brand_id,
        prompt_id=prompt.pk,
        prompt=prompt.text,
        older_wording=older_wordings([prompt], {prompt.pk: max((row.wording for row in rows), default=None)}).get(
            prompt.pk
        ),
        as_of=max((row.last_day for row in rows), default=None),
        answers=answers,
        results=sorted(results, key=lambda each: (each.competitor_id is not None, -each.mentioned, each.name)),
        cited=_cited(behind, answers),
    )


def _nobody(brand: Brand) -> SubjectTally:
    """The brand without any answer."""
    counts = dict.fromkeys(("mentioned", "answers", "first", "recommended", "cautioned"), 0)
    return SubjectTally(name=brand.name, competitor_id=None, mean_rank=None, engines=[], **counts)


def refined(before: Prompt, prompt: Prompt) -> RefinedPrompt:
    """A prompt as it is after a change, and what that means."""
    return RefinedPrompt(
        prompt_id=prompt.pk,
        site_id=prompt.brand_id,
        text=prompt.text,
        topic=prompt.topic_name,
        version=prompt.version,
        is_archived=prompt.archived_at is not None,
        effect=effect_of_change(before, prompt),
        quota=prompt_quota(prompt.brand),
    )


def _row(prompt: Prompt, counts: PromptCounts, older: Mapping[UUID, str]) -> PromptRow:
    number = max((row.mentioned for row in counts.rivals), default=0)
    leaders = sorted(row.subject for row in counts.rivals if number and row.mentioned == number)
    return PromptRow(
        id=prompt.pk,
        text=prompt.text,
        topic=prompt.topic_name,
        mentioned=counts.own.mentioned if counts.own else 0,
        answers=counts.own.of if counts.own else 0,
        leader=tied_words(leaders),
        leader_mentioned=number,
        branded=counts.branded,
        absent=counts.absent,
        older_wording=older.get(prompt.pk),
    )


def _full(prompt: Prompt, counts: PromptCounts, older: Mapping[UUID, str]) -> PromptFull:
    return PromptFull(
        **dict(_row(prompt, counts, older)),
        stage=prompt.stage,
        intent=prompt.intent,
        persona=prompt.persona,
        locale=prompt.locale,
        version=prompt.version,
        created_at=prompt.created_at,
        archived_at=prompt.archived_at,
        engines=[_engine(row) for row in counts.engines],
    )


def _summary(brand: Brand, listed: Sequence[Prompt], counts_of: Mapping[UUID, PromptCounts]) -> list[Worded]:
    """How many of the answers that scores count name the brand, and what else the rows have."""
    own = [prompt for prompt in listed if prompt.topic and prompt.topic.own is not False]
    archived = [counts_of[prompt.pk] for prompt in own if prompt.archived_at is not None]
    active = [counts_of[prompt.pk] for prompt in own if prompt.archived_at is None]
    if not listed:
        how = "People add prompts on the site's pages, or by an import."
        return [worded(lambda theirs: f"No prompt of {theirs(brand.name)} is like this. {how}")]
    scored = [each for each in active if not each.branded]
    branded = [each for each in active if each.branded]
    sentences: list[Worded] = []
    if scored:
        counts = f"Of {_prompts(len(scored))} that scores count, {_naming(scored)}"
        sentences.append(worded(lambda theirs: f"{counts} name {theirs(brand.name)}."))
    if branded:
        named = _prompts(len(branded))
        sentences.append(Worded(f"No score counts {named} with the name (branded): {_naming(branded)} repeat it."))
    if archived:
        past = f"{_prompts(len(archived))} that are archived: {_naming(archived)} of their last days"
        sentences.append(worded(lambda theirs: f"No score of now counts {past} name {theirs(brand.name)}."))
    if number := len(listed) - len(own):
        foreign = f"{_prompts(number)} on topics that are not"
        sentences.append(worded(lambda theirs: f"No score counts {foreign} {theirs(brand.name)}'s own."))
    return sentences


def _reworded_words(number: int) -> list[Worded]:
    """That so many prompts were not asked in their wording of now."""
    were = "was reworded and has" if number == 1 else "were reworded and have"
    return [Worded(f"{_prompts(number)} {were} only answers to an older wording.")] if number else []


def _prompts(number: int) -> str:
    return f"{number} prompt{'s' * (number != 1)}"


def _naming(counts: Sequence[PromptCounts]) -> str:
    rows = [each.own for each in counts if each.own]
    return f"{sum(row.mentioned for row in rows)} of {sum(row.of for row in rows)} answers"


def _rate(row: PromptRow) -> float:
    """Prompts that were never asked come last."""
    return row.mentioned / row.answers if row.answers else 2.0


def _engine(row: CountRow) -> EngineTally:
    counts = ("failed", "mentioned", "first", "recommended", "cautioned", "cited")
    return EngineTally(
        engine=row.engine,
        surface=row.surface,
        as_of=row.last_day,
        version=row.wording,
        answers=row.of,
        **{name: getattr(row, name) for name in counts},
    )


def answers_shown(brand: Brand, answers: Sequence[Answer], *, full: bool) -> list[AnswerShown]:
    """Answers with their mentions and citations; in short unless `full`."""
    mentions: dict[int, list[Mention]] = defaultdict(list)
    for mention in Mention.objects.filter(answer__in=answers).visible().order_by("start"):
        mentions[mention.answer_id].append(mention)
    citations: dict[int, list[Citation]] = defaultdict(list)
    for citation in Citation.objects.filter(answer__in=answers).order_by("position"):
        citations[citation.answer_id].append(citation)
    names: dict[UUID | None, str] = {None: brand.name, **{each.pk: each.name for each in brand.competitors.all()}}
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
        version=answer.version.number,
        is_older_wording=answer.version.number != answer.version.prompt.version,
        market=answer.market or None,
        country=answer.country or None,
        is_elsewhere=answer.is_elsewhere,
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
