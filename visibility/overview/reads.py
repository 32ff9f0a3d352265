"""Reads of brands at a glance."""

from collections.abc import Iterable
from uuid import UUID

from django.db.models import QuerySet

from apikeys.accounts.caller import Caller
from apikeys.resources import Theirs, Worded, worded
from apikeys.scopes import Scope
from brands.access import readable_brand
from brands.models import Brand, Collaborator
from visibility.counts.words import listed
from visibility.models import DailyScore
from visibility.overview.resources import (
    BrandDetail,
    BrandList,
    BrandListItem,
    BrandResource,
    Role,
    Site,
    Sites,
    SiteSummary,
)
from visibility.runs.reads import latest_runs


def list_brands(caller: Caller) -> BrandList:
    """The brands that the caller owns or collaborates on, by name."""
    brands = Brand.objects.restrict(caller, "view").order_by("name", "id").values("id", "name", "domain", "cadence")
    latest = latest_runs(caller, [brand["id"] for brand in brands])
    return BrandList(brands=[BrandListItem(**brand, latest_run=latest.get(brand["id"])) for brand in brands])


def get_brand(caller: Caller, brand_id: UUID) -> BrandDetail:
    """One brand with its most recent run."""
    brand = readable_brand(caller, brand_id)
    latest = latest_runs(caller, [brand.pk])
    return BrandDetail(brand=BrandResource.model_validate(brand), latest_run=latest.get(brand.pk))


def list_sites(caller: Caller) -> Sites:
    """The brands of `list_brands`, each with its score of now and the caller's role."""
    brands = list_brands(caller).brands
    ids = [brand.id for brand in brands]
    roles, now, last = roles_of(caller, ids), {}, {}
    if Scope.READ_VISIBILITY in caller.scopes:
        now = dict(own_scores(ids).filter(date=None).values_list("brand", "score"))
        last = dict(newest_scores(ids).values_list("brand", "date"))
    sites = [
        Site(**dict(each), role=roles[each.id], score=now.get(each.id), as_of=last.get(each.id)) for each in brands
    ]
    return Sites(sites=sites)


def own_scores(brands: Iterable[Brand | UUID]) -> QuerySet[DailyScore]:
    """The scores of these brands themselves, of days and of now."""
    scores: QuerySet[DailyScore] = DailyScore.objects.filter(brand__in=brands, competitor=None)
    return scores


def newest_scores(brand_ids: Iterable[UUID]) -> QuerySet[DailyScore]:
    """The scores of these brands themselves on the last measured day of each."""
    days = {"competitor": None, "date__isnull": False}
    newest: QuerySet[DailyScore] = DailyScore.objects.filter(**days).order_by("-date").first_of_each(brand_ids)
    return newest


def scores_words(sites: Iterable[Site | SiteSummary]) -> Worded | None:
    """The scores of sites that are measured, the lowest first."""
    measured = sorted((site.score, site.name, site.as_of) for site in sites if site.score is not None)
    if not measured:
        return None

    def write(theirs: Theirs) -> str:
        scores = [f"{theirs(name)} {score:.0f} % ({day})" for score, name, day in measured]
        return f"Scores from the lowest: {listed(scores)}."

    return worded(write)


def roles_of(caller: Caller, brand_ids: Iterable[UUID]) -> dict[UUID, Role]:
    """The caller's role in each of these brands, which the caller sees: who is no collaborator owns it."""
    shared = Collaborator.objects.filter(user=caller.user, brand__in=brand_ids).exclude(brand__owner=caller.user)
    roles: dict[UUID, Role] = dict.fromkeys(brand_ids, "owner")
    return roles | dict(shared.values_list("brand", "role"))
