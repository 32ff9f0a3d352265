"""Reads of brands at a glance."""

from collections.abc import Iterable
from uuid import UUID

from apikeys.caller import Caller
from brands.access import readable_brand
from brands.models import Brand, Collaborator
from brands.resources import BrandResource
from visibility.overview.resources import BrandDetail, BrandList, BrandListItem, Role, Site, Sites
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
    """The brands of `list_brands`, each with the caller's role."""
    brands = list_brands(caller).brands
    roles = roles_of(caller, [brand.id for brand in brands])
    return Sites(sites=[Site(**dict(brand), role=roles[brand.id]) for brand in brands])


def roles_of(caller: Caller, brand_ids: Iterable[UUID]) -> dict[UUID, Role]:
    """What the caller is to each of these brands; who is no collaborator of a visible brand owns it."""
    shared = Collaborator.objects.filter(user=caller.user, brand__in=brand_ids).exclude(brand__owner=caller.user)
    roles: dict[UUID, Role] = dict.fromkeys(brand_ids, "owner")
    return roles | dict(shared.values_list("brand", "role"))
