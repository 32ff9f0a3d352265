"""Who else may see a brand and change it. Only its owner and the operator decide."""

from uuid import UUID

from django.db import transaction

from apikeys.caller import Caller
from apikeys.errors import invalid, not_found
from apikeys.models import User
from apikeys.services.guards import conflict, conflict_if_taken, require_active
from brands.models import Brand, Collaborator
from brands.services.access import owned_brand, readable_brand


@transaction.atomic
def add_collaborator(
    caller: Caller, *, brand: Brand, user: User, role: str = Collaborator.Role.EDITOR
) -> Collaborator:
    """Let `user` see the brand, and as an editor change it and run scans.

    Raises conflict for the owner, for someone who collaborates already, and for a deactivated account.
    """
    brand = owned_brand(caller, brand.pk, lock=True)
    if user.pk == brand.owner_id:
        raise conflict(f"{user.email} owns this brand and needs no further role.", argument="user")
    require_active(user)
    collaborator = Collaborator(brand=brand, user=user, role=_known_role(role))
    with conflict_if_taken(
        f"{user.email} already collaborates on this brand. Change the role instead.", argument="user"
    ):
        collaborator.save(force_insert=True)
    return collaborator


@transaction.atomic
def set_role(caller: Caller, *, brand: Brand, user: User, role: str) -> Collaborator:
    """Make a collaborator an editor or a viewer; not_found for someone who does not collaborate."""
    brand = owned_brand(caller, brand.pk, lock=True)
    known = _known_role(role)
    collaborator: Collaborator | None = brand.collaborators.filter(user=user).first()
    if collaborator is None:
        raise not_found()
    collaborator.role = known
    collaborator.save(update_fields=["role"])
    return collaborator


@transaction.atomic
def remove_collaborator(caller: Caller, *, brand: Brand, user: User) -> None:
    """End the person's access to the brand; someone who has none is no error."""
    brand = owned_brand(caller, brand.pk, lock=True)
    brand.collaborators.filter(user=user).delete()


@transaction.atomic
def leave_brand(caller: Caller, *, brand_id: UUID) -> None:
    """End the caller's own access to a brand that somebody else owns. Raises not_found where there is none to end."""
    brand = readable_brand(caller, brand_id)
    own = brand.collaborators.filter(user=caller.user).first()
    if own is None:
        raise not_found()
    own.delete()


def _known_role(role: str) -> str:
    if role not in Collaborator.Role.values:
        raise invalid("role", f"{role!r} is not a known role. Choose one of {', '.join(Collaborator.Role.values)}.")
    return role
