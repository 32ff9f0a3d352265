"""The way from a caller and an id to a brand: visibility first, then the role."""

from uuid import UUID

from django.db.models import F

from apikeys.caller import Caller
from apikeys.errors import ErrorCode, ServiceError, not_found
from brands.models import Brand


def readable_brand(caller: Caller, brand_id: UUID) -> Brand:
    """The brand with its owner and the owner's plan; not_found when the caller cannot see it."""
    brand: Brand | None = Brand.objects.for_caller(caller).select_related("owner__plan").filter(pk=brand_id).first()
    if brand is None:
        raise not_found()
    return brand


def editable_brand(caller: Caller, brand_id: UUID) -> Brand:
    """As `readable_brand`, and the caller may change it; a viewer gets read_only_collaborator."""
    brand = readable_brand(caller, brand_id)
    if not may_edit(caller, brand_id):
        raise ServiceError(
            ErrorCode.READ_ONLY_COLLABORATOR,
            "You may read this brand but not change it. Ask its owner to make you an editor.",
        )
    return brand


def may_edit(caller: Caller, brand_id: UUID) -> bool:
    """Whether the caller may change the brand: the owner, editors, and the system."""
    if caller.is_system:
        return True
    return caller.user is not None and Brand.objects.editable_by(caller.user).filter(pk=brand_id).exists()


def owned_brand(caller: Caller, brand_id: UUID) -> Brand:
    """As `readable_brand`, and the caller owns it or is the system; collaborators get read_only_collaborator."""
    brand = readable_brand(caller, brand_id)
    if not caller.is_system and not (caller.user and brand.owner_id == caller.user.pk):
        raise ServiceError(
            ErrorCode.READ_ONLY_COLLABORATOR,
            "Only the owner of this brand may do this. Ask its owner.",
        )
    return brand


def lock_brand(brand: Brand, *, exclusive: bool = False) -> Brand:
    """Hold the brand's row until the transaction ends, so that limits below it are counted by one at a time.

    Returns the brand afresh, with its owner and the owner's plan; not_found when it was deleted meanwhile. Rows that
    point to the brand can still be added by others, as they must for a scan to go on, unless the lock is `exclusive`.
    """
    rows = Brand.objects.select_related("owner__plan").select_for_update(of=("self",), no_key=not exclusive)
    locked: Brand | None = rows.filter(pk=brand.pk).first()
    if locked is None:
        raise not_found()
    return locked


def count_new_names(brand: Brand) -> None:
    """Count a change of the names or domains that answers are looked through for, in the transaction that makes it.

    Whoever measures compares the count with the one that its figures were made at.
    """
    Brand.objects.filter(pk=brand.pk).update(names_version=F("names_version") + 1)
