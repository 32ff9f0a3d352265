"""The way from a caller and an id to a brand: visibility first, then the role."""

from collections.abc import Sequence
from typing import Any, cast
from uuid import UUID

from django.db.models import F, OuterRef, QuerySet, Subquery

from apikeys.caller import Action, Caller
from apikeys.db.instances import columns_of, instances_of
from apikeys.db.prepared import Prepared, Slot
from apikeys.db.snapshot import remember, remembered
from apikeys.errors import ErrorCode, ServiceError, not_found
from apikeys.models import Plan, User
from brands.models import Brand, Collaborator

OWNER_GONE = (
    "The account that owns this brand is deactivated: you may read the brand, and nobody changes or scans it. Ask "
    "the operator of the service to give it to another account."
)


@remembered
def readable_brand(caller: Caller, brand_id: UUID) -> Brand:
    """The brand with its owner and the owner's plan; not_found when the caller cannot see it."""
    return _found(_with_owner(caller, brand_id, "view"))


def brand_and_role(caller: Caller, brand_id: UUID, user: User) -> tuple[Brand, str]:
    """As `readable_brand`, with what the person is to it: "owner", "editor", "viewer", or "" for nothing of these.

    What the services of a page ask of this brand next, they need not read again.
    """
    for *row, role in _BRAND_AND_ROLE.rows(caller, brand_id=brand_id, person=user.pk):
        brand = _brand_of(row)
        role = "owner" if brand.owner_id == user.pk else role or ""
        remember(readable_brand, brand, caller, brand_id)
        if caller.reach == "own" and caller.user == user:
            is_editor = brand.owner.is_active and role in ("owner", "editor")
            remember(may_edit, caller.may_write and is_editor, caller, brand_id)
        return brand, role
    raise not_found()


def editable_brand(caller: Caller, brand_id: UUID, *, lock: bool = False) -> Brand:
    """As `readable_brand`, and the caller may change it; a viewer gets read_only_collaborator.

    One statement, which with `lock` also holds the brand's row, as `lock_brand` does.
    """
    brands = _with_owner(caller, brand_id, "change")
    if brand := (_locked(brands) if lock else brands).first():
        return brand
    brand = readable_brand(caller, brand_id)
    raise _read_only(brand, "You may read this brand but not change it. Ask its owner to make you an editor.")


@remembered
def may_edit(caller: Caller, brand_id: UUID) -> bool:
    """Whether the caller may change the brand: the owner, editors, and the operator."""
    return Brand.objects.restrict(caller, "change").filter(pk=brand_id).exists()


def owned_brand(caller: Caller, brand_id: UUID, *, lock: bool = False, exclusive: bool = False) -> Brand:
    """As `readable_brand`, and the caller owns it or is the operator; collaborators get read_only_collaborator.

    One statement, which with `lock` also holds the brand's row, as `lock_brand` does.
    """
    brands = _with_owner(caller, brand_id, "change")
    if not caller.is_operator:
        brands = brands.filter(owner=caller.user)
    if brand := (_locked(brands, exclusive=exclusive) if lock else brands).first():
        return brand
    brand = readable_brand(caller, brand_id)
    raise _read_only(brand, "Only the owner of this brand may do this. Ask its owner.")


def lock_brand(brand: Brand, *, exclusive: bool = False) -> Brand:
    """Hold the brand's row until the transaction ends, so that limits below it are counted by one at a time.

    Returns the brand afresh, with its owner and the owner's plan; not_found when it was deleted meanwhile. Rows that
    point to the brand can still be added by others, as they must for a scan to go on, unless the lock is `exclusive`.
    """
    return _found(_locked(Brand.objects.select_related("owner__plan").filter(pk=brand.pk), exclusive=exclusive))


def count_new_names(brand: Brand) -> None:
    """Count a change of the names or domains that answers are analysed for, in the transaction that makes it
    and holds the brand.

    Whoever measures compares the count with the one that its figures were made at.
    """
    Brand.objects.filter(pk=brand.pk).update(names_version=F("names_version") + 1)
    brand.names_version += 1


def _with_owner(caller: Caller, brand_id: UUID, action: Action) -> QuerySet[Brand]:
    brands: QuerySet[Brand] = Brand.objects.restrict(caller, action).select_related("owner__plan")
    return brands.filter(pk=brand_id).order_by()


def _with_role(caller: Caller, brand_id: Slot, person: Slot) -> QuerySet[Brand, Any]:
    """The fields of the brand, its owner and the owner's plan, and behind them the role of a person."""
    roles = Collaborator.objects.filter(brand=OuterRef("pk"), user=person).values("role")[:1]
    brands: QuerySet[Brand] = Brand.objects.restrict(caller, "view").filter(pk=brand_id).order_by()
    return brands.values_list(*_COLUMNS, Subquery(roles))


def _brand_of(row: Sequence[Any]) -> Brand:
    """The brand of a row that begins with these fields."""
    brand, brand.owner, brand.owner.plan = instances_of(row, Brand, User, Plan)
    return cast(Brand, brand)


_COLUMNS = (*columns_of(Brand), *columns_of(User, "owner__"), *columns_of(Plan, "owner__plan__"))
_BRAND_AND_ROLE = Prepared(_with_role)


def _locked(brands: QuerySet[Brand], *, exclusive: bool = False) -> QuerySet[Brand]:
    return brands.select_for_update(of=("self",), no_key=not exclusive)


def _found(brands: QuerySet[Brand]) -> Brand:
    brand = brands.first()
    if brand is None:
        raise not_found()
    return brand


def _read_only(brand: Brand, message: str) -> ServiceError:
    return ServiceError(ErrorCode.READ_ONLY_COLLABORATOR, message if brand.owner.is_active else OWNER_GONE)
