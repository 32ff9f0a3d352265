"""One site in short, for those who begin to work with it."""

from collections.abc import Mapping
from datetime import date
from uuid import UUID

from django.utils import timezone

from apikeys.caller import Caller
from apikeys.db.snapshot import snapshot
from apikeys.scopes import Scope
from brands.models import Alias, Brand, Competitor
from brands.services.access import readable_brand
from visibility.insights.recommendations.standouts import Naming, Standout, find_standouts
from visibility.measured.ages import age
from visibility.measured.basis import Basis
from visibility.measured.facts import BrandFacts, read_brand_facts
from visibility.measured.now import read_now
from visibility.measured.reading import read_basis
from visibility.models import Recommendation
from visibility.resources.brands import BrandResource
from visibility.resources.brief import SiteBrief
from visibility.resources.brief import Standout as StandoutResource
from visibility.resources.competitors import CompetitorResource
from visibility.resources.prompts import NamedIn
from visibility.services.competitors.listing import competitor_resource
from visibility.services.reading.mention_counts import mention_counts_by_prompt
from visibility.services.reading.now import now_resource
from visibility.services.reading.reporting import recommendations
from visibility.services.reading.sources import top_sources
from visibility.services.reading.withheld import WithheldSections

TOP = 5


@snapshot()
def site_brief(caller: Caller, *, brand_id: UUID) -> SiteBrief:
    """Who the brand is, where it stands, what is strong and weak, with evidence, and what to do first.

    Parts whose own scope the caller lacks are null and named in `withheld`. Raises insufficient_scope and not_found.
    """
    caller.require(Scope.READ_SITES)
    brand = readable_brand(caller, brand_id)
    sections = WithheldSections(caller)
    rivals = _competitors(caller, brand) if sections.may_read(Scope.READ_COMPETITORS, "competitors") else None
    basis = read_basis(brand.pk)
    now = now_resource(read_now(brand, basis)) if sections.may_read(Scope.READ_VISIBILITY, "now") else None
    strong = weak = sources = None
    if sections.may_read(Scope.READ_PROMPTS, "strengths", "weaknesses", "sources"):
        subject = read_brand_facts(brand, basis) if basis.engines else None
        strong, weak = _standouts(basis, subject) if subject else ([], [])
        sources = top_sources(brand, basis, subject, TOP) if subject else []
    urgent = None
    if sections.may_read(Scope.READ_RECOMMENDATIONS, "recommendations"):
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
        sources=sources,
        recommendations=urgent,
        withheld=sections.withheld,
    )


def _competitors(caller: Caller, brand: Brand) -> list[CompetitorResource]:
    rows = Competitor.objects.restrict(caller, "view").filter(brand=brand).prefetch_related("aliases")
    return [competitor_resource(rival) for rival in rows]


def _standouts(basis: Basis, subject: BrandFacts) -> tuple[list[StandoutResource], list[StandoutResource]]:
    """The strengths and weaknesses now."""
    counts = {
        prompt: [Naming(row.engine, row.named, row.answers) for row in engines]
        for prompt, engines in mention_counts_by_prompt(basis.compared).items()
    }
    days = {engine_day.engine: engine_day.day for engine_day in basis.engines}
    strong, weak = find_standouts(counts, subject.prompts, days)
    return [_resource(standout, days) for standout in strong], [_resource(standout, days) for standout in weak]


def _resource(standout: Standout, days: Mapping[str, date]) -> StandoutResource:
    today, latest = timezone.now().date(), max(days.values())
    return StandoutResource(
        kind=standout.kind,
        label=standout.label,
        named=standout.named,
        answers=standout.answers,
        worth=standout.worth,
        engines=[
            NamedIn(
                engine=naming.engine,
                named=naming.named,
                answers=naming.answers,
                as_of=days[naming.engine],
                age=age(days[naming.engine], latest, today) or None,
            )
            for naming in standout.engines
        ],
        prompts=list(standout.prompts),
    )
