"""The sites of a caller."""

from apikeys.caller import Caller
from brands.models import Collaborator
from visibility.services.reading import brands_of
from visibility.site_resources import Site, SiteList


def sites_of(caller: Caller) -> SiteList:
    """The brands that the caller sees, by name then id, each with the caller's role and its most recent run."""
    brands = brands_of(caller).brands
    shared = Collaborator.objects.for_caller(caller).filter(user=caller.user)
    roles = dict(shared.order_by().values_list("brand_id", "role"))
    return SiteList(sites=[Site(**dict(brand), role=roles.get(brand.id, "owner")) for brand in brands])
