"""Reads of competitors: standings of now, who else answers recommend, gaps by prompt, and what a comparison found."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from uuid import UUID

from django.db.models import Count, Exists, OuterRef, QuerySet

from apikeys.caller import Caller
from apikeys.errors import invalid
from apikeys.resources import Quota, Worded, worded
from brands.access import readable_brand
from brands.models import Brand, Competitor
from visibility.answers.names import uses_of_names
from visibility.competitors.comparisons import read_comparison
from visibility.competitors.resources import (
    AddedCompetitor,
    AnyStanding,
    CitedDomain,
    CompetitorCount,
    LatestRun,
    PromptGap,
    PromptGaps,
    ShortStanding,
    SiteCompetitors,
    StandingInFull,
    SuggestedCompetitor,
    TrackedCompetitor,
)
from visibility.counts.figures import standings_of
from visibility.counts.reader import Selection, select_now
from visibility.counts.resources import TestedStanding
from visibility.counts.rows import CountRow
from visibility.counts.sums import rounded
from visibility.counts.untracked import by_answer, companies_behind, untracked_sums
from visibility.counts.words import foreign_topic_words, standing_words
from visibility.detection import Maker
from visibility.models import Answer, Citation, Mention, Prompt, Run, Topic, UntrackedName
from visibility.runs.reads import read_latest_scan
from visibility.scores.engines import asked_engine
from visibility.scores.words import RECOUNTING

MOST_CITED, MOST_CITED_OF_PROMPT = 10, 3
SHORT_COMPETITORS = 5
LEAST_ANSWERS = 2
"""A company is suggested when so many answers offer it."""
MOST_SUGGESTIONS = 20


def list_competitors(caller: Caller, brand_id: UUID, *, full: bool = False) -> SiteCompetitors:
    """The competitors of a brand that the caller may see, as `competitors_of`; raises not_found."""
    return competitors_of(select_now(readable_brand(caller, brand_id)), full=full)


def competitors_of(now: Selection, *, full: bool) -> SiteCompetitors:
    """A brand and its competitors by their score of now, and companies that answers of now recommend."""
    brand, standings, scored = now.brand, standings_of(now), now.scored
    companies = _untracked_companies(scored) if scored.sums else []
    untracked, tracked = sum(each.answers for each in companies), sum(each.mentioned for each in scored.sums)
    summary = [standing_words(brand.name, standings), RECOUNTING if brand.is_recounting else None]
    return SiteCompetitors(
        site_id=brand.pk,
        summary=[sentence for sentence in summary if sentence],
        competitors=_in_full(brand, standings) if full else [_in_short(each) for each in standings],
        quota=Quota(limit=brand.owner.limit("max_competitors_per_site"), used=brand.competitors.count()),
        is_recounting=brand.is_recounting,
        suggestions=_suggestions(scored, {each.name: each.domain for each in companies}) if companies else [],
        untracked_share=rounded(100 * untracked / (untracked + tracked)) if untracked + tracked else None,
    )


def _suggestions(scored: Selection, domains: Mapping[str, str]) -> list[SuggestedCompetitor]:
    """The companies that enough of these answers offer and nobody tracks, those that most offer first."""
    rows = scored.rows("subject", untracked=untracked_sums(scored))
    offered = [row for row in rows if not row.tracked and row.ranked >= LEAST_ANSWERS]
    return [
        SuggestedCompetitor(
            name=row.subject,
            domain=domains.get(row.subject) or None,
            mentioned=row.mentioned,
            offered=row.ranked,
            answers=row.of,
        )
        for row in sorted(offered, key=lambda row: (-row.ranked, -row.mentioned, row.subject))[:MOST_SUGGESTIONS]
    ]


def _untracked_companies(scored: Selection) -> list[Maker]:
    """The companies behind the names that these answers offer and nobody tracks. Only what is offered counts."""
    found = by_answer(UntrackedName.objects.offered().filter(answer__in=scored.answers))
    return companies_behind(scored.brand, found.values(), {each.version for each in scored.sums})


def list_gaps(
    caller: Caller,
    brand_id: UUID,
    *,
    competitor_id: UUID | None = None,
    topic: Topic | None = None,
    engine: str | None = None,
    full: bool = False,
) -> PromptGaps:
    """The prompts whose answers of now (of all engines or of one) name a competitor and not the brand, the most
    consistent first, with what these answers cite.

    Raises invalid_arguments for a competitor of others, and for an engine that was not asked.
    """
    brand = readable_brand(caller, brand_id)
    if competitor_id is not None and not brand.competitors.filter(pk=competitor_id).exists():
        raise invalid("competitor_id", "This is no competitor of this brand. Take an id from the list of them.")
    engines = [] if engine is None else [asked_engine(brand, engine)]
    now = select_now(brand).narrow(topics=[topic] if topic else [], engines=engines)
    of_prompt: dict[Prompt, list[CountRow]] = defaultdict(list)
    for row in now.scored.rows("subject", "prompt", subjects=[competitor_id] if competitor_id else now.names):
        if row.without_brand and not row.named and row.prompt:
            of_prompt[row.prompt].append(row)
    gaps = sorted(of_prompt.values(), key=lambda rows: _rank(min(rows, key=_rank)))
    behind = _answers_behind(now.scored, [prompt.pk for prompt in of_prompt], competitor_id)
    cited, answers = _cited(behind), behind.count()
    most_cited = sum(cited.values(), Counter[str]()).most_common(MOST_CITED)
    return PromptGaps(
        site_id=brand.pk,
        summary=[_summary(now, len(gaps), answers, topic)],
        total=len(gaps),
        answers=answers,
        cited=[CitedDomain(domain=domain, answers=number) for domain, number in most_cited],
        gaps=[_gap(sorted(rows, key=_rank), cited, None if full else SHORT_COMPETITORS) for rows in gaps],
    )


def _rank(row: CountRow) -> tuple[object, ...]:
    without = row.without_brand or 0
    return -without / row.of, -without, row.prompt and row.prompt.text, row.subject


def _gap(rows: Sequence[CountRow], cited: dict[UUID, Counter[str]], most: int | None) -> PromptGap:
    """One prompt, with at most so many competitors (`most`)."""
    prompt = rows[0].group.prompt
    assert prompt is not None  # noqa: S101 - the rows are by prompt
    return PromptGap(
        prompt_id=prompt.pk,
        prompt=prompt.text,
        topic=prompt.topic_name,
        answers=rows[0].of,
        competitors=[
            CompetitorCount(
                competitor_id=row.competitor_id,
                name=row.subject,
                mentioned=row.mentioned,
                without_site=row.without_brand,
            )
            for row in rows[:most]
        ],
        more_competitors=len(rows) - len(rows[:most]),
        cited=[domain for domain, _ in cited[prompt.pk].most_common(MOST_CITED_OF_PROMPT)],
    )


def read_latest_run(caller: Caller, brand_id: UUID, kind: str | None, *, full: bool) -> LatestRun:
    """The most recent run of a brand, of one kind or of any, and what a comparison found."""
    latest = read_latest_scan(caller, brand_id, kind)
    comparisons = Run.objects.filter(brand=brand_id, kind=Run.Kind.COMPARISON)
    run = comparisons.filter(pk=latest.run.id).first() if latest.run else None
    return LatestRun(**dict(latest), comparison=read_comparison(run, full=full) if run else None)


def added(competitor: Competitor) -> AddedCompetitor:
    """A competitor that was just added."""
    brand = competitor.brand
    aliases = competitor.names.filter(is_main=False).values_list("text", flat=True)
    return AddedCompetitor(
        site_id=brand.pk,
        competitor=TrackedCompetitor(
            id=competitor.pk, name=competitor.name, domain=competitor.domain, aliases=list(aliases)
        ),
        quota=Quota(limit=brand.owner.limit("max_competitors_per_site"), used=brand.competitors.count()),
        rescored="Its history is being counted from stored answers; figures know it within minutes.",
        doubts=[use.sentence for use in uses_of_names(brand, [competitor.name, *aliases])],
    )


def _answers_behind(scored: Selection, prompts: Sequence[UUID], competitor_id: UUID | None) -> QuerySet[Answer]:
    """The answers to these prompts that name this competitor or any, and not the brand."""
    mentions = Mention.objects.filter(answer=OuterRef("pk")).visible()
    rival = mentions.filter(competitor=competitor_id) if competitor_id else mentions.exclude(competitor=None)
    return scored.answers.filter(Exists(rival), ~Exists(mentions.filter(competitor=None)), prompt__in=prompts)


def _cited(answers: QuerySet[Answer]) -> dict[UUID, Counter[str]]:
    """How many of these answers cite each domain, by prompt; the domains of a prompt by name."""
    citations = Citation.objects.filter(answer__in=answers).order_by("domain")
    counted = citations.values_list("answer__prompt", "domain").annotate(number=Count("answer", distinct=True))
    cited: dict[UUID, Counter[str]] = defaultdict(Counter)
    for prompt, domain, number in counted:
        cited[prompt][domain] = number
    return cited


def _summary(now: Selection, gaps: int, answers: int, topic: Topic | None) -> Worded:
    name = now.brand.name
    if gaps:
        counts = f"On {gaps} prompt{'s' * (gaps != 1)} {answers} answers of now"
        return worded(lambda theirs: f"{counts} name a competitor and not {theirs(name)}.")
    if topic is not None and topic.own is False:
        return foreign_topic_words(name)
    if not now.brand.competitors.exists():
        return worded(lambda theirs: f"{theirs(name)} has no competitor yet, so there are no gaps to see.")
    if not now.averaged:
        return worded(lambda theirs: f"{theirs(name)} is not measured: no answer counts for it yet.")
    where = "wherever answers of now name such a competitor"
    return worded(lambda theirs: f"No gap: {where}, they name {theirs(name)}, too.")


def _in_short(standing: TestedStanding) -> ShortStanding | TestedStanding:
    """A compared competitor in short; the site, and what was not compared, as they are."""
    return ShortStanding(**dict(standing)) if standing.units else standing


def _in_full(brand: Brand, standings: Sequence[TestedStanding]) -> list[AnyStanding]:
    tracked = {each.pk: each for each in brand.competitors.prefetch_related("names")}
    found: list[AnyStanding] = []
    for each in standings:
        if each.competitor_id is None:
            found.append(each)
            continue
        competitor = tracked[each.competitor_id]
        aliases = [name.text for name in competitor.names.all() if not name.is_main]
        found.append(StandingInFull(**dict(each), domain=competitor.domain, aliases=aliases))
    return found
