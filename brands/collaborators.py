"""Who else may see a brand and change it. Its owner and the operator decide."""

from uuid import UUID

from django.db import transaction

from apikeys.accounts import require_active
from apikeys.caller import Caller
from apikeys.errors import conflict, conflict_if_taken, not_found
from apikeys.models import User
from apikeys.text import clean_choice
from brands.access import owned_brand, readable_brand
from brands.models import Collaborator


@transaction.atomic
def add_collaborator(
    caller: Caller, *, brand_id: UUID, user: User, role: str = Collaborator.Role.EDITOR
) -> Collaborator:
    """Let an account see the brand, and as an editor change it and run scans. Owners `invite` instead.

    Raises not_found, read_only_collaborator, invalid_arguments, conflict for the owner, for who collaborates already
    and for a deactivated account.
    """
    brand = owned_brand(caller, brand_id, lock=True)
    require_active(user)
    if user == brand.owner:
        raise conflict(f"{user.email} owns this brand and needs no further role.", argument="user")
    collaborator = Collaborator(brand=brand, user=user, role=clean_choice("role", role, Collaborator.Role.values))
    with conflict_if_taken(f"{user.email} works on this brand already. Change the role instead.", argument="user"):
        collaborator.save(force_insert=True)
    return collaborator


@transaction.atomic
def set_role(caller: Caller, *, brand_id: UUID, user: User, role: str) -> Collaborator:
    """Make a collaborator an editor or a viewer.

    Raises not_found, also for who does not collaborate, read_only_collaborator, invalid_arguments.
    """
    brand = owned_brand(caller, brand_id, lock=True)
    collaborator: Collaborator | None = brand.collaborators.filter(user=user).first()
    if collaborator is None:
        raise not_found()
    collaborator.role = clean_choice("role", role, Collaborator.Role.values)
    collaborator.save(update_fields=["role"])
    return collaborator


@transaction.atomic
def remove_collaborator(caller: Caller, *, brand_id: UUID, user: User) -> None:
    """End the person's access to the brand; having none is no error. Raises not_found, read_only_collaborator."""
    owned_brand(caller, brand_id, lock=True).collaborators.filter(user=user).delete()


@transaction.atomic
def leave_brand(caller: Caller, *, brand_id: UUID) -> None:
    """End the caller's own access to a brand of somebody else. Raises not_found where there is none to end."""
    deleted, _ = readable_brand(caller, brand_id).collaborators.filter(user=caller.user).delete()
    if not deleted:
        raise not_found()
