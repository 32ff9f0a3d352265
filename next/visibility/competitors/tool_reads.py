"""Reads of competitors for agents: standings of now, gaps by prompt."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from uuid import UUID

from django.db.models import Count, Exists, OuterRef, QuerySet

from apikeys.caller import Caller
from apikeys.errors import invalid
from apikeys.resources import Quota
from brands.access import readable_brand
from brands.models import Brand, Competitor
from visibility.competitors import reads
from visibility.competitors.comparison_resources import ComparedCompetitor
from visibility.competitors.comparisons import read_comparison
from visibility.competitors.resources import CitedDomain, Gap
from visibility.competitors.tool_resources import (
    AddedCompetitor,
    ComparedInFull,
    ComparedQuestion,
    ComparedRow,
    CompetitorCount,
    EngineCounts,
    LatestRun,
    PromptGap,
    PromptGaps,
    SiteCompetitors,
    StandingInFull,
    SuggestedCompetitor,
    TrackedCompetitor,
)
from visibility.detection import Stance
from visibility.models import Answer, Citation, Mention, Run, Topic
from visibility.runs.scan_reads import read_latest_scan
from visibility.scores.engines import asked_engine
from visibility.scores.now import cells_of_now
from visibility.scores.now_reads import Filter, now_of, standings_of
from visibility.scores.now_resources import Standing
from visibility.scores.words import RECOUNTING, foreign_topic_words, standing_words

MOST_CITED, MOST_CITED_OF_PROMPT = 10, 3
SHORT_COMPETITORS = 5
SHORT_QUOTE = 200
COUNTS = ("answers", "site_preferred", "competitor_preferred", "undecided")


def list_competitors(caller: Caller, brand_id: UUID, *, full: bool) -> SiteCompetitors:
    """A brand and its competitors by their score of now, and companies that answers of now recommend."""
    brand = readable_brand(caller, brand_id)
    standings = standings_of(now_of(brand, Filter()))
    is_recounting = brand.counted_version < brand.names_version
    summary = [standing_words(brand.name, standings), RECOUNTING if is_recounting else None]
    return SiteCompetitors(
        site_id=brand.pk,
        summary=[sentence for sentence in summary if sentence],
        competitors=_in_full(brand, standings) if full else list(standings),
        quota=_quota(brand),
        is_recounting=is_recounting,
        suggestions=[
            SuggestedCompetitor(
                name=each.name, domain=each.domain or None, mentioned=each.answers, answers=each.of_answers
            )
            for each in reads.suggestions(brand)
        ],
    )


def list_gaps(
    caller: Caller,
    brand_id: UUID,
    *,
    competitor_id: UUID | None = None,
    topic: Topic | None = None,
    engine: str | None = None,
    full: bool,
) -> PromptGaps:
    """The gaps of `reads.list_gaps`, one row for each prompt, with what the answers behind them cite.

    Raises invalid_arguments for a competitor of others, and for an engine that was not asked.
    """
    brand = readable_brand(caller, brand_id)
    if competitor_id is not None and not brand.competitors.filter(pk=competitor_id).exists():
        raise invalid("competitor_id", f"This is no competitor of {brand.name}. Take an id from the list of them.")
    ids = {name: pk for pk, name in brand.competitors.values_list("pk", "name")}
    name = None if engine is None else asked_engine(brand, engine)
    of_prompt: dict[UUID, list[Gap]] = defaultdict(list)
    topic_id = topic.pk if topic else None
    found = reads.list_gaps(caller, brand_id, competitor_id=competitor_id, topic_id=topic_id, engine=name)
    for gap in found.gaps:
        of_prompt[gap.prompt_id].append(gap)
    behind = _answers_behind(brand, list(of_prompt), [competitor_id] if competitor_id else list(ids.values()), name)
    cited = _cited(behind)
    answers = behind.count()
    gaps = [
        PromptGap(
            prompt_id=prompt_id,
            prompt=rows[0].prompt,
            topic=rows[0].topic,
            answers=rows[0].answers,
            competitors=[
                CompetitorCount(
                    competitor_id=ids[row.competitor],
                    name=row.competitor,
                    mentioned=row.mentioned,
                    without_site=row.without_brand,
                )
                for row in (rows if full else rows[:SHORT_COMPETITORS])
            ],
            more_competitors=0 if full else max(len(rows) - SHORT_COMPETITORS, 0),
            cited=[domain for domain, _ in cited[prompt_id].most_common(MOST_CITED_OF_PROMPT)],
        )
        for prompt_id, rows in of_prompt.items()
    ]
    of_all = sum(cited.values(), Counter[str]()).most_common(MOST_CITED)
    return PromptGaps(
        site_id=brand.pk,
        summary=[_summary(brand, len(gaps), answers, topic)],
        total=len(gaps),
        answers=answers,
        cited=[CitedDomain(domain=domain, answers=number) for domain, number in of_all],
        gaps=gaps,
    )


def read_latest_run(caller: Caller, brand_id: UUID, kind: str | None, *, full: bool) -> LatestRun:
    """The most recent run of a brand, of one kind or of any, and what a comparison found."""
    latest = read_latest_scan(caller, brand_id, kind)
    run = Run.objects.filter(kind=Run.Kind.COMPARISON, pk=latest.run.id).first() if latest.run else None
    compared = None if run is None else [_compared(each, full=full) for each in read_comparison(run).competitors]
    return LatestRun(**dict(latest), comparison=compared)


def added(competitor: Competitor) -> AddedCompetitor:
    """A competitor that was just added."""
    brand = competitor.brand
    aliases = competitor.names.filter(is_main=False).values_list("text", flat=True)
    return AddedCompetitor(
        site_id=brand.pk,
        competitor=TrackedCompetitor(
            id=competitor.pk, name=competitor.name, domain=competitor.domain, aliases=list(aliases)
        ),
        quota=_quota(brand),
        rescored="Its history is being counted from stored answers; figures know it within minutes.",
    )


def _answers_behind(
    brand: Brand, prompts: Sequence[UUID], competitors: Sequence[UUID], engine: str | None
) -> QuerySet[Answer]:
    """The answers of now to these prompts, of one engine or all, that name one of these competitors and not the
    brand."""
    cells = cells_of_now(brand).filter(competitor=None, answers__gt=0, version__prompt__in=prompts)
    if engine is not None:
        cells = cells.filter(engine__name=engine)
    place = {name: OuterRef(name) for name in ("run", "engine", "surface", "version")}
    mentions = Mention.objects.filter(answer=OuterRef("pk")).exclude(stance=Stance.NOT_FOUND)
    return (
        Answer.objects.filter(run__in=cells.values("run"), prompt__in=prompts)
        .answered()
        .filter(Exists(cells.filter(**place)))
        .filter(Exists(mentions.filter(competitor__in=competitors)), ~Exists(mentions.filter(competitor=None)))
    )


def _cited(answers: QuerySet[Answer]) -> dict[UUID, Counter[str]]:
    """How many of these answers cite each domain, by prompt; the domains of a prompt by name."""
    citations = Citation.objects.filter(answer__in=answers).order_by("domain")
    counted = citations.values_list("answer__prompt", "domain").annotate(number=Count("answer", distinct=True))
    cited: dict[UUID, Counter[str]] = defaultdict(Counter)
    for prompt, domain, number in counted:
        cited[prompt][domain] = number
    return cited


def _summary(brand: Brand, gaps: int, answers: int, topic: Topic | None) -> str:
    if gaps:
        prompts = f"{gaps} prompt{'s' * (gaps != 1)}"
        return f"On {prompts} {answers} answers of now name a competitor and not {brand.name}."
    if topic is not None and topic.own is False:
        return foreign_topic_words(brand.name)
    if not brand.competitors.exists():
        return f"{brand.name} has no competitor yet, so there are no gaps to see."
    if now_of(brand, Filter()).own is None:
        return f"{brand.name} is not measured: no answer counts for it yet."
    return f"No gap: wherever answers of now name such a competitor, they name {brand.name}, too."


def _quota(brand: Brand) -> Quota:
    return Quota(limit=brand.owner.limit("max_competitors_per_site"), used=brand.competitors.count())


def _in_full(brand: Brand, standings: Sequence[Standing]) -> list[Standing | StandingInFull]:
    tracked = {each.pk: each for each in brand.competitors.prefetch_related("names")}
    found: list[Standing | StandingInFull] = []
    for each in standings:
        if each.competitor_id is None:
            found.append(each)
            continue
        competitor = tracked[each.competitor_id]
        aliases = [name.text for name in competitor.names.all() if not name.is_main]
        found.append(StandingInFull(**dict(each), domain=competitor.domain, aliases=aliases))
    return found


def _compared(each: ComparedCompetitor, *, full: bool) -> ComparedRow | ComparedInFull:
    of_engine: dict[str, Counter[str]] = defaultdict(Counter)
    for answers in (answers for prompt in each.prompts for answers in prompt.engines):
        of_engine[answers.engine].update({name: getattr(answers, name) for name in COUNTS})
    quotes = {quote.prefers: quote for prompt in each.prompts for engine in prompt.engines for quote in engine.quotes}
    row = ComparedRow(
        competitor_id=each.competitor,
        name=each.name,
        engines=[EngineCounts(engine=engine, **counts) for engine, counts in sorted(of_engine.items())],
        quotes=[quote.model_copy(update={"text": quote.text[:SHORT_QUOTE]}) for quote in quotes.values()],
        **{name: getattr(each, name) for name in COUNTS},
    )
    if not full:
        return row
    questions = [
        ComparedQuestion(prompt_id=prompt.prompt, prompt=prompt.text, engines=prompt.engines)
        for prompt in each.prompts
    ]
    return ComparedInFull(**dict(row), prompts=questions)
