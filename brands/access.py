"""The way from a caller and an id to a brand: visibility first, then the role."""

from typing import cast
from uuid import UUID

from django.utils.translation import gettext, gettext_noop

from apikeys.accounts.caller import Caller
from apikeys.errors import ErrorCode, ServiceError
from brands.models import Brand
from brands.querysets import BrandQuerySet

OWNER_GONE = gettext_noop(
    "The account that owns this brand is deactivated: you may read the brand, and nobody changes or scans it. Ask "
    "the operator of the service to give it to another account."
)


def readable_brand(caller: Caller, brand_id: UUID) -> Brand:
    """The brand; raises not_found when the caller cannot see it."""
    return cast(Brand, Brand.objects.restrict(caller, "view").get_or_404(brand_id))


def editable_brand(caller: Caller, brand_id: UUID, *, lock: bool = False) -> Brand:
    """As `readable_brand`, and the caller may change it; a viewer gets read_only_collaborator.

    With `lock` the row is locked until the transaction ends, so that limits below it are counted by one at a time.
    """
    brands = Brand.objects.restrict(caller, "change")
    advice = gettext("You may read this brand but not change it. Ask its owner to make you an editor.")
    return _first(caller, brand_id, brands.locked() if lock else brands, advice)


def owned_brand(caller: Caller, brand_id: UUID, *, lock: bool = False, exclusive: bool = False) -> Brand:
    """As `editable_brand`, and the caller owns it or is the operator; collaborators get read_only_collaborator.

    An `exclusive` lock also keeps rows from being added below the brand.
    """
    # Who owns it is part of the statement that locks: the brand may be handed over while this waits for it.
    brands = Brand.objects.restrict(caller, "change")
    if not caller.is_operator:
        brands = brands.filter(owner=caller.user)
    if lock or exclusive:
        brands = brands.locked(exclusive=exclusive)
    return _first(caller, brand_id, brands, gettext("Only the owner of this brand may do this. Ask its owner."))


def _first(caller: Caller, brand_id: UUID, allowed: BrandQuerySet, advice: str) -> Brand:
    """The brand with its owner, if it is `allowed`; else raises not_found, or read_only_collaborator with advice."""
    if brand := allowed.with_owner().filter(pk=brand_id).first():
        return cast(Brand, brand)
    brand = readable_brand(caller, brand_id)
    raise ServiceError(ErrorCode.READ_ONLY_COLLABORATOR, advice if brand.owner.is_active else gettext(OWNER_GONE))
