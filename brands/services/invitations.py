"""How an owner lets others in, or hands a brand on: a role is offered to an email address, and the person of that
account takes it. Nobody learns whether an address has an account before its person accepts."""

from collections.abc import Sequence
from datetime import timedelta
from uuid import UUID

from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.formats import date_format

from apikeys.caller import Caller
from apikeys.db.purging import purge_batch
from apikeys.errors import ErrorCode, ServiceError, invalid, not_found
from apikeys.models import User
from apikeys.services.guards import conflict, conflict_if_taken, lock_accounts
from apikeys.signin.limits import Throttled, account_key, count_invitation
from apikeys.text.validation import clean_line
from brands.models import INVITATION_LASTS, Brand, Collaborator, Invitation
from brands.services.access import lock_brand, owned_brand
from brands.services.brands import give_held

MAX_WAITING = 50
"""Invitations of a brand that wait for an answer."""
KEPT_EXPIRED = timedelta(days=30)
"""So long an invitation that has expired is still shown, to say so."""


@transaction.atomic
def invite(caller: Caller, *, brand_id: UUID, email: str, role: str) -> Invitation:
    """Offer a role to an address. To `owner` it is the brand itself: whoever accepts owns it and pays from then on.

    An earlier one to the address that has expired gives way. The answer is the same whether the address has an
    account or not. Raises read_only_collaborator for others than
    the owner, invalid_arguments for what is no address or role, conflict for the owner's own, for a person who has
    access already and for an address that waits already, and rate_limited after too many in a day.
    """
    brand = owned_brand(caller, brand_id, lock=True)
    if role not in Invitation.Role.values:
        raise invalid("role", f"{role!r} is not a known role. Choose one of {', '.join(Invitation.Role.values)}.")
    address = _clean_email(email)
    _refuse_known(brand, address, role)
    brand.invitations.filter(expired(), email__iexact=address).delete()
    waiting = brand.invitations.exclude(expired())
    if waiting.count() >= MAX_WAITING:
        raise conflict(f"{MAX_WAITING} invitations wait for an answer. Withdraw one first.")
    if role == Invitation.Role.OWNER and waiting.filter(role=role).exists():
        raise conflict("The brand is offered to somebody already. Withdraw that offer first.", argument="email")
    _count(caller, brand, address)
    invitation = Invitation(brand=brand, email=address, role=role, invited_by=caller.user or brand.owner)
    with conflict_if_taken(f"{address} is invited already and has not answered yet.", argument="email"):
        invitation.save(force_insert=True)
    return invitation


@transaction.atomic
def withdraw(caller: Caller, *, brand_id: UUID, invitation_id: UUID) -> None:
    """Take an offer back. Raises not_found, also for one that is gone, and read_only_collaborator."""
    waiting = owned_brand(caller, brand_id, lock=True).invitations.filter(pk=invitation_id).first()
    if waiting is None:
        raise not_found()
    waiting.delete()


def expired() -> Q:
    """Invitations that nobody can accept any more."""
    return Q(created_at__lte=timezone.now() - INVITATION_LASTS)


def invitations_to(user: User) -> Sequence[Invitation]:
    """What is offered to the address of this account, the newest first; those of late that have expired among it."""
    return list(_standing(Invitation.objects.filter(email__iexact=user.email)).order_by("-created_at"))


def waiting_for(user: User) -> int:
    """How many invitations the person of this account can accept now."""
    return _standing(Invitation.objects.filter(email__iexact=user.email)).exclude(expired()).count()


def purge_invitation_batch() -> int:
    """Delete invitations that expired long ago, a batch of them; return how many."""
    old = Invitation.objects.filter(created_at__lt=timezone.now() - INVITATION_LASTS - KEPT_EXPIRED)
    return purge_batch(old.order_by("created_at"))


@transaction.atomic
def accept(caller: Caller, *, invitation_id: UUID) -> Brand:
    """Take the role that is offered to the caller's address.

    Raises not_found for an offer that is gone or is another person's, conflict for one that has expired, and as
    `transfer_brand` where it is the brand itself: the caller's plan has to have room.
    """
    invitation = _own(caller, invitation_id)
    user = caller.user
    if user is None:
        raise not_found()
    if invitation.role == Invitation.Role.OWNER:
        _, user = lock_accounts(invitation.brand.owner, user)
    brand = lock_brand(invitation.brand)
    current = _standing(brand.invitations.filter(pk=invitation.pk)).first()
    if current is None:
        raise not_found()
    if current.has_expired:
        raise conflict(
            f"This invitation expired on {date_format(current.expires_at, 'DATE_FORMAT')}. Ask "
            f"{current.invited_by.email} to invite you again."
        )
    if invitation.role == Invitation.Role.OWNER:
        give_held(brand, user)
    elif brand.owner_id != user.pk:
        Collaborator.objects.update_or_create(brand=brand, user=user, defaults={"role": invitation.role})
    Invitation.objects.filter(pk=invitation.pk).delete()
    return brand


@transaction.atomic
def decline(caller: Caller, *, invitation_id: UUID) -> None:
    """Say no to what is offered to the caller's address. Raises not_found for what is gone or another person's."""
    _own(caller, invitation_id).delete()


def _standing(invitations: QuerySet[Invitation]) -> QuerySet[Invitation]:
    """Those that somebody stands for: who sent them, and who owns the brand, are active accounts."""
    standing = invitations.filter(invited_by__is_active=True, brand__owner__is_active=True)
    return standing.select_related("brand__owner", "invited_by")


def _own(caller: Caller, invitation_id: UUID) -> Invitation:
    own = invitations_to(caller.user) if caller.user else []
    for invitation in own:
        if invitation.pk == invitation_id:
            return invitation
    raise not_found()


def _clean_email(text: str) -> str:
    address = clean_line("email", text, longest=254)
    try:
        validate_email(address)
    except ValidationError as error:
        raise invalid("email", f"{address!r} is not an email address. Give one such as name@example.com.") from error
    return str(User.objects.normalize_email(address))


def _refuse_known(brand: Brand, address: str, role: str) -> None:
    """Who works on the brand is known to its owner: to say so tells nothing new."""
    if account_key(brand.owner.email) == account_key(address):
        raise conflict("This is the address of the brand's owner.", argument="email")
    people = brand.collaborators.values_list("user__email", flat=True)
    if role != Invitation.Role.OWNER and account_key(address) in map(account_key, people):
        raise conflict(f"{address} works on this brand already. Change the role instead.", argument="email")


def _count(caller: Caller, brand: Brand, address: str) -> None:
    try:
        count_invitation(str(caller.user.pk if caller.user else brand.owner_id), account_key(address))
    except Throttled as throttled:
        raise ServiceError(
            ErrorCode.RATE_LIMITED,
            f"There were too many invitations in a day. The next can be sent after {throttled.until:%H:%M} UTC.",
            argument="email",
        ) from None
