"""Reads of competitors: standings of now, who else answers recommend, gaps by prompt, and what a comparison found."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import Any
from uuid import UUID

from django.db.models import Count, Exists, OuterRef, QuerySet, Sum

from apikeys.caller import Caller
from apikeys.errors import invalid
from apikeys.resources import Quota
from brands.access import readable_brand
from brands.models import Brand, Competitor
from visibility.competitors.comparisons import read_comparison
from visibility.competitors.resources import (
    AddedCompetitor,
    CitedDomain,
    CompetitorCount,
    LatestRun,
    PromptGap,
    PromptGaps,
    SiteCompetitors,
    StandingInFull,
    SuggestedCompetitor,
    TrackedCompetitor,
)
from visibility.models import Answer, Cell, Citation, Mention, Run, Topic, UntrackedName
from visibility.runs.reads import read_latest_scan
from visibility.scores.engines import asked_engine
from visibility.scores.now import answers_behind, cells_of_now, in_answers_of
from visibility.scores.now_reads import Filter, Now, now_of, standings_of
from visibility.scores.now_resources import TestedStanding
from visibility.scores.pivot import by_answer, companies_behind
from visibility.scores.words import RECOUNTING, foreign_topic_words, standing_words

MOST_CITED, MOST_CITED_OF_PROMPT = 10, 3
SHORT_COMPETITORS = 5
LEAST_ANSWERS = 2
"""A company is suggested when so many answers offer it."""
MOST_SUGGESTIONS = 20


def list_competitors(caller: Caller, brand_id: UUID, *, full: bool = False) -> SiteCompetitors:
    """The competitors of a brand that the caller may see, as `competitors_of`; raises not_found."""
    return competitors_of(now_of(readable_brand(caller, brand_id), Filter()), full=full)


def competitors_of(now: Now, *, full: bool) -> SiteCompetitors:
    """A brand and its competitors by their score of now, and companies that answers of now recommend."""
    brand, standings = now.brand, standings_of(now)
    summary = [standing_words(brand.name, standings), RECOUNTING if brand.is_recounting else None]
    return SiteCompetitors(
        site_id=brand.pk,
        summary=[sentence for sentence in summary if sentence],
        competitors=_in_full(brand, standings) if full else list(standings),
        quota=Quota(limit=brand.owner.limit("max_competitors_per_site"), used=len(now.competitors)),
        is_recounting=brand.is_recounting,
        suggestions=_suggestions(now),
    )


def _suggestions(now: Now) -> list[SuggestedCompetitor]:
    """The companies behind the names that answers of now offer and nobody tracks, those in most answers first."""
    own = [row for row in now.rows if row["competitor"] is None]
    if not own:
        return []
    cells = now.cells.filter(competitor=None).exclude(version__prompt__topic__own=False)
    found = by_answer(UntrackedName.objects.filter(in_answers_of(cells)))
    answers = sum(row["sum_answers"] for row in own)
    companies = companies_behind(now.brand, found.values(), {row["version"] for row in own})
    return [
        SuggestedCompetitor(name=each.name, domain=each.domain or None, mentioned=each.answers, answers=answers)
        for each in companies[:MOST_SUGGESTIONS]
        if each.answers >= LEAST_ANSWERS
    ]


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
        raise invalid("competitor_id", f"This is no competitor of {brand.name}. Take an id from the list of them.")
    name = None if engine is None else asked_engine(brand, engine)
    cells = Filter(name, topic).apply(cells_of_now(brand)).exclude(version__prompt__topic__own=False).order_by()
    of_prompt: dict[UUID, list[dict[str, Any]]] = defaultdict(list)
    for row in _gap_rows(cells, competitor_id):
        of_prompt[row["version__prompt"]].append(row)
    behind = _answers_behind(cells, list(of_prompt), competitor_id)
    cited, answers = _cited(behind), behind.count()
    most_cited = sum(cited.values(), Counter[str]()).most_common(MOST_CITED)
    return PromptGaps(
        site_id=brand.pk,
        summary=[_summary(brand, len(of_prompt), answers, topic)],
        total=len(of_prompt),
        answers=answers,
        cited=[CitedDomain(domain=domain, answers=number) for domain, number in most_cited],
        gaps=[_gap(rows, cited[prompt], None if full else SHORT_COMPETITORS) for prompt, rows in of_prompt.items()],
    )


def _gap_rows(cells: QuerySet[Cell], competitor_id: UUID | None) -> list[dict[str, Any]]:
    """Of each prompt and competitor, how many answers name it and not the brand."""
    # A competitor has no cell where nothing names it: how many answers there are only the brand's cells say.
    answers = dict(cells.filter(competitor=None).values_list("version__prompt").annotate(total=Sum("answers")))
    named = cells.filter(competitor__isnull=False, named=False)
    if competitor_id is not None:
        named = named.filter(competitor=competitor_id)
    of_prompt = ("version__prompt", "version__prompt__text", "version__prompt__topic__name")
    sums = {f"sum_{name}": Sum(name) for name in ("mentioned", "without_brand")}
    counted = named.values(*of_prompt, "competitor", "competitor__name").annotate(**sums)
    rows = [{**row, "answers": answers[row["version__prompt"]]} for row in counted.filter(sum_without_brand__gt=0)]

    def rank(row: dict[str, Any]) -> tuple[object, ...]:
        without = row["sum_without_brand"]
        return -without / row["answers"], -without, row["version__prompt__text"], row["competitor__name"]

    return sorted(rows, key=rank)


def _gap(rows: Sequence[dict[str, Any]], cited: Counter[str], most: int | None) -> PromptGap:
    """One prompt, with at most so many competitors (`most`)."""
    first = rows[0]
    return PromptGap(
        prompt_id=first["version__prompt"],
        prompt=first["version__prompt__text"],
        topic=first["version__prompt__topic__name"],
        answers=first["answers"],
        competitors=[
            CompetitorCount(
                competitor_id=row["competitor"],
                name=row["competitor__name"],
                mentioned=row["sum_mentioned"],
                without_site=row["sum_without_brand"],
            )
            for row in rows[:most]
        ],
        more_competitors=len(rows) - len(rows[:most]),
        cited=[domain for domain, _ in cited.most_common(MOST_CITED_OF_PROMPT)],
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
    )


def _answers_behind(cells: QuerySet[Cell], prompts: Sequence[UUID], competitor_id: UUID | None) -> QuerySet[Answer]:
    """The answers that these cells count, to these prompts, that name this competitor or any, and not the brand."""
    mentions = Mention.objects.filter(answer=OuterRef("pk")).visible()
    rival = mentions.filter(competitor=competitor_id) if competitor_id else mentions.exclude(competitor=None)
    answers = answers_behind(cells).filter(run__in=cells.values("run"), prompt__in=prompts)
    return answers.filter(Exists(rival), ~Exists(mentions.filter(competitor=None)))


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


def _in_full(brand: Brand, standings: Sequence[TestedStanding]) -> list[TestedStanding | StandingInFull]:
    tracked = {each.pk: each for each in brand.competitors.prefetch_related("names")}
    found: list[TestedStanding | StandingInFull] = []
    for each in standings:
        if each.competitor_id is None:
            found.append(each)
            continue
        competitor = tracked[each.competitor_id]
        aliases = [name.text for name in competitor.names.all() if not name.is_main]
        found.append(StandingInFull(**dict(each), domain=competitor.domain, aliases=aliases))
    return found
