"""How several sites stand, a sentence each."""

from collections.abc import Collection

from apikeys.caller import Caller
from brands.models import Brand
from visibility.resources.portfolio import SiteFigures
from visibility.resources.writing import Withheld
from visibility.services.ask.fact import MOST, Fact, QuestionContext, Told, fact
from visibility.services.ask.types import Statement
from visibility.services.overview.portfolio import has_changed, portfolio


def facts_of_sites(caller: Caller, brands: Collection[Brand]) -> tuple[list[Fact], list[Withheld]]:
    """How each of these brands stands, those named most first, and what the caller may not read of it."""
    brand_ids = {brand.pk for brand in brands}
    gathered = portfolio(caller)
    sites = [site for site in gathered.sites if site.id in brand_ids]
    sites.sort(key=lambda site: -((site.visibility.score if site.visibility else None) or 0.0))
    return [Fact(_statement(site), (str(site.id),), site.id) for site in sites], gathered.withheld


def _statement(site: SiteFigures) -> Statement:
    score, run = site.visibility, site.latest_run
    return fact(
        "site" if score or run or site.audit_score is not None else "site_unmeasured",
        subject=site.name,
        domain=site.domain,
        score=score.score if score else None,
        low=score.low if score else None,
        high=score.high if score else None,
        day=score.as_of if score else None,
        changed=("changed" if has_changed(score) else "steady") if score else None,
        count=site.open_recommendations,
        audit=site.audit_score,
        status=run.status if run else None,
        begun=run.created_at.date() if run else None,
        nextScanAt=site.next_scan_at,
    ).statement


def told_of_site(context: QuestionContext) -> Told:
    """Which sites there are, and how each stands, the one that is asked of first."""
    brands = Brand.objects.restrict(context.caller, "view").order_by("name", "pk")
    every = sorted(brands, key=lambda brand: brand.pk != context.brand.pk)
    facts, withheld = facts_of_sites(context.caller, every)
    context.sections.withheld += withheld
    first = fact("sites", *(brand.pk for brand in every), count=len(every), names=[brand.name for brand in every])
    facts.sort(key=lambda item: item.site != context.brand.pk)
    return Told([first, *facts[:MOST]])
