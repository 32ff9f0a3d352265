"""Reads of competitors."""

from collections import defaultdict
from uuid import UUID

from django.db.models import Sum

from apikeys.caller import Caller
from brands.access import readable_brand
from brands.models import Brand
from visibility.competitors.resources import (
    CompetitorResource,
    Competitors,
    Gap,
    Gaps,
    Suggestion,
)
from visibility.detection import UntrackedName as FoundName
from visibility.models import DailyScore, UntrackedName
from visibility.scores.now import cells_of_now, in_answers_of
from visibility.scores.pivot import companies_behind

LEAST_ANSWERS = 2
"""A company is suggested when so many answers offer it."""
MOST_SUGGESTIONS = 20


def list_competitors(caller: Caller, brand_id: UUID) -> Competitors:
    """The competitors of a brand by their score of now, and who else the answers of now recommend."""
    brand = readable_brand(caller, brand_id)
    now = {row.competitor_id: row for row in DailyScore.objects.filter(brand=brand, date=None)}
    listed = []
    for competitor in brand.competitors.prefetch_related("names"):
        row = now.get(competitor.pk)
        listed.append(
            CompetitorResource(
                id=competitor.pk,
                name=competitor.name,
                domain=competitor.domain,
                aliases=[name.text for name in competitor.names.all() if not name.is_main],
                score=row.score if row else None,
                low=row.low if row else None,
                high=row.high if row else None,
                share_of_voice=row.figures.get("shareOfVoice") if row else None,
            )
        )
    listed.sort(key=lambda each: (-1.0 if each.score is None else each.score, each.name), reverse=True)
    return Competitors(brand=brand.pk, competitors=listed, suggestions=suggestions(brand))


def suggestions(brand: Brand) -> list[Suggestion]:
    """The companies behind the names that answers of now offer and nobody tracks, those in most answers first."""
    cells = cells_of_now(brand).filter(competitor=None).exclude(version__prompt__topic__own=False)
    found: dict[int, list[FoundName]] = defaultdict(list)
    for row in UntrackedName.objects.filter(in_answers_of(cells)):
        found[row.answer_id].append(FoundName(row.name, row.start, row.end, row.domain))
    answers = cells.aggregate(total=Sum("answers"))["total"] or 0
    companies = companies_behind(brand, found.values(), set(cells.values_list("version", flat=True)))
    return [
        Suggestion(name=maker.name, domain=maker.domain, answers=maker.answers, of_answers=answers)
        for maker in companies[:MOST_SUGGESTIONS]
        if maker.answers >= LEAST_ANSWERS
    ]


def list_gaps(
    caller: Caller,
    brand_id: UUID,
    *,
    competitor_id: UUID | None = None,
    topic_id: UUID | None = None,
    engine: str | None = None,
) -> Gaps:
    """The prompts whose answers of now, or of one engine's of them, name a competitor and not the brand, the most
    consistent first."""
    brand = readable_brand(caller, brand_id)
    of_now = cells_of_now(brand).exclude(version__prompt__topic__own=False).order_by()
    if topic_id is not None:
        of_now = of_now.filter(version__prompt__topic=topic_id)
    if engine is not None:
        of_now = of_now.filter(engine__name=engine)
    # A competitor has no cell where nothing names it: how many answers there are only the brand's cells say.
    answers = dict(of_now.filter(competitor=None).values_list("version__prompt").annotate(total=Sum("answers")))
    cells = of_now.filter(competitor__isnull=False, named=False)
    if competitor_id is not None:
        cells = cells.filter(competitor=competitor_id)
    keys = ("version__prompt", "version__prompt__text", "version__prompt__topic__name", "competitor__name")
    sums = {f"sum_{name}": Sum(name) for name in ("mentioned", "without_brand")}
    rows = list(cells.values(*keys).annotate(**sums).filter(sum_without_brand__gt=0))
    gaps = [
        Gap(
            prompt_id=row["version__prompt"],
            prompt=row["version__prompt__text"],
            topic=row["version__prompt__topic__name"],
            competitor=row["competitor__name"],
            mentioned=row["sum_mentioned"],
            without_brand=row["sum_without_brand"],
            answers=answers[row["version__prompt"]],
        )
        for row in rows
    ]
    gaps.sort(key=lambda gap: (-gap.without_brand / gap.answers, -gap.without_brand, gap.prompt, gap.competitor))
    return Gaps(brand=brand.pk, gaps=gaps)
