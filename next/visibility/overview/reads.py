"""Reads of brands at a glance."""

from uuid import UUID

from apikeys.caller import Caller
from brands.access import readable_brand
from brands.models import Brand
from brands.resources import BrandResource
from visibility.overview.resources import BrandDetail, BrandList, BrandListItem
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
