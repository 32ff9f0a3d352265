"""Reads of competitors for agents: standings of now, gaps by prompt."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from uuid import UUID

from apikeys.caller import Caller
from apikeys.errors import invalid
from apikeys.resources import Quota
from brands.access import readable_brand
from brands.models import Brand, Competitor
from visibility.competitors import reads
from visibility.competitors.comparison_resources import ComparedCompetitor
from visibility.competitors.comparisons import read_comparison
from visibility.competitors.resources import Gap
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
from visibility.models import Run
from visibility.runs.scan_reads import read_latest_scan
from visibility.scores.now_reads import Filter, now_of, standings_of
from visibility.scores.now_resources import Standing
from visibility.scores.words import standing_words

MOST_CITED = 3
SHORT_COMPETITORS = 5
SHORT_QUOTE = 200
COUNTS = ("answers", "site_preferred", "competitor_preferred", "undecided")


def list_competitors(caller: Caller, brand_id: UUID, *, full: bool) -> SiteCompetitors:
    """A brand and its competitors by their score of now, and companies that answers of now recommend."""
    brand = readable_brand(caller, brand_id)
    standings = standings_of(now_of(brand, Filter())) or [_unmeasured(each) for each in brand.competitors.all()]
    words = standing_words(brand.name, standings)
    return SiteCompetitors(
        site_id=brand.pk,
        summary=[words] if words else [],
        competitors=_in_full(brand, standings) if full else list(standings),
        quota=_quota(brand),
        is_recounting=brand.counted_version < brand.names_version,
        suggestions=[
            SuggestedCompetitor(
                name=each.name, domain=each.domain or None, mentioned=each.answers, answers=each.of_answers
            )
            for each in reads.suggestions(brand)
        ],
    )


def list_gaps(
    caller: Caller, brand_id: UUID, *, competitor_id: UUID | None = None, topic_id: UUID | None = None, full: bool
) -> PromptGaps:
    """The gaps of `reads.list_gaps`, one row for each prompt. Raises invalid_arguments for a competitor of others."""
    brand = readable_brand(caller, brand_id)
    if competitor_id is not None and not brand.competitors.filter(pk=competitor_id).exists():
        raise invalid("competitor_id", f"This is no competitor of {brand.name}. Take an id from the list of them.")
    ids = {name: pk for pk, name in brand.competitors.values_list("pk", "name")}
    of_prompt: dict[UUID, list[Gap]] = defaultdict(list)
    for gap in reads.list_gaps(caller, brand_id, competitor_id=competitor_id, topic_id=topic_id).gaps:
        of_prompt[gap.prompt_id].append(gap)
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
            cited=[cited.domain for cited in rows[0].cited[:MOST_CITED]],
        )
        for prompt_id, rows in of_prompt.items()
    ]
    return PromptGaps(site_id=brand.pk, summary=[_summary(brand, len(gaps))], total=len(gaps), gaps=gaps)


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


def _summary(brand: Brand, gaps: int) -> str:
    if gaps:
        return f"On {gaps} prompt{'s' * (gaps != 1)} answers of now name a competitor and not {brand.name}."
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


def _unmeasured(competitor: Competitor) -> Standing:
    figures = dict.fromkeys(("score", "low", "high", "share_of_voice", "site_is"))
    return Standing(name=competitor.name, competitor_id=competitor.pk, **figures)


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
