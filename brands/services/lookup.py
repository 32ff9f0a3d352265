"""The brand that an operator names on the command line."""

from uuid import UUID

from apikeys.caller import Caller
from apikeys.errors import invalid
from apikeys.models import User
from apikeys.staff.pages import list_of
from brands.domains import normalise_domain
from brands.models import Brand


def named_brand(caller: Caller, name: str, *, owner: User | None = None) -> Brand:
    """The brand with this domain or id, of `owner` where one is given.

    Raises invalid_arguments when there is none, and, naming their ids, when several have the domain.
    """
    brands = Brand.objects.restrict(caller, "view").select_related("owner__plan").order_by("created_at", "pk")
    if owner is not None:
        brands = brands.filter(owner=owner)
    try:
        matches = list(brands.filter(pk=UUID(name)))
    except ValueError:
        matches = list(brands.filter(domain=normalise_domain("brand", name)))
    if not matches:
        raise invalid("brand", f"No brand has the domain or id {name}. {list_of(Brand)} lists those that exist.")
    if len(matches) > 1:
        listed = ", ".join(f"{brand.pk} ({brand.name}, {brand.owner.email})" for brand in matches)
        raise invalid("brand", f"{len(matches)} brands have the domain {name}. Name one by its id: {listed}.")
    brand: Brand = matches[0]
    return brand
