"""What the doors show of brands at a glance."""

from apikeys.resources import Resource
from brands.resources import BrandResource
from visibility.runs.resources import RunSummary


class BrandListItem(BrandResource):
    """A brand with its most recent run."""

    latest_run: RunSummary | None


class BrandList(Resource):
    """The brands that a key's owner owns or collaborates on, by name."""

    brands: list[BrandListItem]


class BrandDetail(Resource):
    """One brand with its most recent run."""

    brand: BrandResource
    latest_run: RunSummary | None
