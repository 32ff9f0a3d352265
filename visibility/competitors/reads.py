"""Reads of competitors: standings of now, who else answers recommend, gaps by prompt, and what a comparison found."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from uuid import UUID

from django.db.models import prefetch_related_objects

from apikeys.accounts.caller import Caller
from apikeys.resources import Quota
from brands.access import readable_brand
from brands.later import is_counted_again
from brands.models import Brand, Competitor
from visibility.answers.names import uses_of_names
from visibility.competitors.comparisons import read_comparison
from visibility.competitors.resources import (
    AddedCompetitor,
    AnyStanding,
    LatestRun,
    ShortStanding,
    SiteCompetitors,
    StandingInFull,
    SuggestedCompetitor,
    TrackedCompetitor,
)
from visibility.counts.figures import standings_of
from visibility.counts.reader import Selection, select_now
from visibility.counts.resources import TestedStanding
from visibility.counts.sums import rounded
from visibility.counts.untracked import by_answer, companies_behind, untracked_sums
from visibility.counts.words import standing_words
from visibility.detection import Maker, is_english
from visibility.models import PromptVersion, Run, UntrackedName
from visibility.runs.reads import read_latest_scan
from visibility.scores.words import RECOUNTING

MOST_CITED, MOST_CITED_OF_PROMPT = 10, 3
SHORT_COMPETITORS = 5
LEAST_ANSWERS = 2
"""A company is suggested when so many answers offer it."""
MOST_SUGGESTIONS = 20


def list_competitors(caller: Caller, brand_id: UUID, *, full: bool = False) -> SiteCompetitors:
    """The competitors of a brand that the caller may see, its own figures apart; raises not_found."""
    found = competitors_of(select_now(readable_brand(caller, brand_id)), full=full)
    site = next((each for each in found.competitors if each.competitor_id is None), None)
    return found.model_copy(
        update={"site": site, "competitors": [each for each in found.competitors if each is not site]}
    )


def competitors_of(now: Selection, *, full: bool) -> SiteCompetitors:
    """A brand and its competitors by their score of now, and companies that answers of now recommend."""
    brand, standings, scored = now.brand, standings_of(now, firsts=True), now.scored
    prefetch_related_objects([brand], "names")
    companies = _untracked_companies(scored) if scored.sums else []
    untracked, tracked = sum(each.answers for each in companies), sum(each.mentioned for each in scored.sums)
    is_sure = _is_english(brand, {each.version for each in scored.sums})
    is_recounting = is_counted_again(brand)
    summary = [standing_words(brand.name, standings), RECOUNTING if is_recounting else None]
    return SiteCompetitors(
        site_id=brand.pk,
        summary=[sentence for sentence in summary if sentence],
        competitors=_in_full(brand, standings) if full else [_in_short(each) for each in standings],
        quota=Quota(limit=brand.owner.limit("max_competitors_per_site"), used=brand.competitors.count()),
        is_recounting=is_recounting,
        suggestions=_suggestions(scored, {each.name: each.domain for each in companies}) if companies else [],
        untracked_share=rounded(100 * untracked / (untracked + tracked)) if is_sure and untracked + tracked else None,
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


def _is_english(brand: Brand, wordings: Collection[int]) -> bool:
    """Whether these prompts are English: in answers of other languages fewer names that nobody tracks are found."""
    asked = PromptVersion.objects.filter(prompt__brand=brand, pk__in=wordings)
    return is_english(" ".join(asked.values_list("text", flat=True)))


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


def _in_short(standing: TestedStanding) -> ShortStanding | TestedStanding:
    """A compared competitor in short; the site, and what was not compared, as they are."""
    return ShortStanding(**dict(standing)) if standing.units else standing


def _in_full(brand: Brand, standings: Sequence[TestedStanding]) -> list[AnyStanding]:
    tracked = {each.pk: each for each in brand.competitors.all()}
    aliases: dict[UUID | None, list[str]] = defaultdict(list)
    for name in brand.names.all():
        if not name.is_main:
            aliases[name.competitor_id].append(name.text)
    found: list[AnyStanding] = []
    for each in standings:
        if each.competitor_id is None:
            found.append(each)
            continue
        domain = tracked[each.competitor_id].domain
        found.append(StandingInFull(**dict(each), domain=domain, aliases=aliases[each.competitor_id]))
    return found
