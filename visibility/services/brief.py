"""One site in short, for those who begin to work with it."""

from collections.abc import Mapping
from uuid import UUID

from apikeys.caller import Caller
from apikeys.scopes import Scope
from apikeys.snapshot import snapshot
from brands.models import Alias, Brand, Competitor
from brands.services.access import readable_brand
from visibility.brief_resources import SiteBrief
from visibility.brief_resources import Standout as StandoutResource
from visibility.competitor_resources import CompetitorResource
from visibility.models import DailyScore, Recommendation
from visibility.recommendations.facts import MeasuredDay, latest_day, read_subject
from visibility.recommendations.standouts import Standout, find_standouts
from visibility.resources import TREND_FIELDS, BrandResource, TrendItem
from visibility.services.competitor_list import competitor_resource
from visibility.services.namings import named_by_prompt
from visibility.services.parts import Parts
from visibility.services.reading import recommendations

TOP = 5


@snapshot()
def site_brief(caller: Caller, *, brand_id: UUID) -> SiteBrief:
    """Who the brand is, where it stands, what is strong and weak, with evidence, and what to do first.

    Parts whose own scope the caller lacks are null and named in `withheld`. Raises insufficient_scope and not_found.
    """
    caller.require(Scope.READ_SITES)
    brand = readable_brand(caller, brand_id)
    parts = Parts(caller)
    rivals = _competitors(caller, brand) if parts.may_read(Scope.READ_COMPETITORS, "competitors") else None
    now = _now(caller, brand) if parts.may_read(Scope.READ_VISIBILITY, "now") else None
    strong = weak = None
    if parts.may_read(Scope.READ_PROMPTS, "strengths", "weaknesses"):
        strong, weak = _standouts(brand)
    urgent = None
    if parts.may_read(Scope.READ_RECOMMENDATIONS, "recommendations"):
        queue = recommendations(caller, brand_id=brand_id, status=Recommendation.Status.OPEN)
        urgent = queue.recommendations[:TOP]
    return SiteBrief(
        site=BrandResource.model_validate(brand),
        description=brand.description,
        aliases=list(Alias.objects.filter(brand=brand).values_list("text", flat=True)),
        competitors=rivals,
        as_of=now.date if now else None,
        now=now,
        strengths=strong,
        weaknesses=weak,
        recommendations=urgent,
        withheld=parts.withheld,
    )


def _competitors(caller: Caller, brand: Brand) -> list[CompetitorResource]:
    rows = Competitor.objects.for_caller(caller).filter(brand=brand).prefetch_related("aliases")
    return [competitor_resource(rival) for rival in rows]


def _now(caller: Caller, brand: Brand) -> TrendItem | None:
    own = DailyScore.objects.for_caller(caller).filter(brand=brand, competitor=None)
    row = own.order_by("-date").values(*TREND_FIELDS).first()
    return TrendItem.model_validate(row) if row else None


def _standouts(brand: Brand) -> tuple[list[StandoutResource], list[StandoutResource]]:
    """The strengths and weaknesses of the latest measured day; none before the first."""
    day = latest_day(brand)
    if day is None:
        return [], []
    strong, weak = find_standouts(_counts(day), read_subject(brand, day).prompts)
    return [_resource(each) for each in strong], [_resource(each) for each in weak]


def _counts(day: MeasuredDay) -> Mapping[UUID, tuple[int, int]]:
    """In how many answers to each prompt the brand is named, over the engines that its score is made of."""
    counted = {
        prompt: [each for each in engines if each.engine in day.engines]
        for prompt, engines in named_by_prompt(day.runs).items()
    }
    return {
        prompt: (sum(each.named for each in engines), sum(each.answers for each in engines))
        for prompt, engines in counted.items()
        if engines
    }


def _resource(found: Standout) -> StandoutResource:
    return StandoutResource(
        kind=found.kind,
        label=found.label,
        named=found.named,
        answers=found.answers,
        prompts=list(found.prompts),
    )
