"""Who else may see a brand and change it. Its owner and the operator decide.

An owner lets others in, or hands a brand over, by offering a role to an email address; the person who has the account
of that address accepts it, or makes one by the link of the offer. Nobody learns before whether an address has one.
"""

from collections.abc import Sequence
from contextlib import suppress
from typing import cast
from uuid import UUID

from django.db import transaction
from django.db.models import QuerySet
from django.db.models.functions import Lower
from django.utils.translation import gettext
from django.views.decorators.debug import sensitive_variables

from apikeys.accounts.caller import Caller
from apikeys.accounts.joining import create_invited
from apikeys.accounts.people import clean_email, erase_user, lock_accounts, require_active
from apikeys.accounts.throttle import take
from apikeys.errors import ServiceError, conflict, conflict_if_taken, not_found
from apikeys.language import full_day_words
from apikeys.models import User
from apikeys.text import clean_choice
from brands.access import owned_brand, readable_brand
from brands.brands import hand_over
from brands.invitations import mail_invitation
from brands.models import Brand, Collaborator, Invitation
from brands.trail import What, forget_address, note

MOST_WAITING = 50
"""Invitations of a brand that wait for an answer."""
MOST_PER_DAY = 20
"""Invitations by one account, and to one address."""
DAY = 24 * 3600


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
        raise conflict(
            gettext("{email} owns this brand and needs no further role.").format(email=user.email), argument="user"
        )
    collaborator = Collaborator(brand=brand, user=user, role=clean_choice("role", role, Collaborator.Role.values))
    with conflict_if_taken(
        gettext("{email} works on this brand already. Change the role instead.").format(email=user.email),
        argument="user",
    ):
        collaborator.save(force_insert=True)
    note(caller, brand, What.PERSON, "", collaborator.role, user.email)
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
    before, collaborator.role = collaborator.role, clean_choice("role", role, Collaborator.Role.values)
    collaborator.save(update_fields=["role"])
    note(caller, brand, What.PERSON, before, collaborator.role, user.email)
    return collaborator


@transaction.atomic
def remove_collaborator(caller: Caller, *, brand_id: UUID, user: User) -> None:
    """End the person's access to the brand; having none is no error. Raises not_found, read_only_collaborator."""
    _end_access(caller, owned_brand(caller, brand_id, lock=True), user)


@transaction.atomic
def leave_brand(caller: Caller, *, brand_id: UUID) -> None:
    """End the caller's own access to a brand of somebody else. Raises not_found where there is none to end."""
    brand = readable_brand(caller, brand_id)
    if caller.user is None or not _end_access(caller, brand, caller.user):
        raise not_found()


@transaction.atomic
def invite(caller: Caller, *, brand_id: UUID, email: str, role: str = Collaborator.Role.EDITOR) -> Invitation:
    """Offer a role to an address, which gets a link by mail, if there is mail. To `owner` it is the brand itself: who
    accepts owns it and pays from then on.

    Raises not_found, read_only_collaborator, invalid_arguments, rate_limited after 20 in a day, conflict for an
    address that waits or works on the brand already, for a second offer of the brand, and above 50 that wait.
    """
    brand = owned_brand(caller, brand_id, lock=True)
    offer = Invitation(
        brand=brand,
        email=clean_email("email", email),
        role=clean_choice("role", role, Invitation.Role.values),
        invited_by=caller.user or brand.owner,
    )
    _refuse_known(offer)
    waiting = brand.invitations.waiting()
    if waiting.count() >= MOST_WAITING:
        raise conflict(
            gettext("{number} invitations wait for an answer. Withdraw one first.").format(number=MOST_WAITING)
        )
    if offer.role == Invitation.Role.OWNER and waiting.filter(role=offer.role).exists():
        raise conflict(
            gettext("The brand is offered to somebody already. Withdraw that offer first."), argument="email"
        )
    take("invitations-by", str(offer.invited_by.pk), limit=MOST_PER_DAY, seconds=DAY)
    take("invitations-to", User.objects.key_of(offer.email), limit=MOST_PER_DAY, seconds=DAY)
    brand.invitations.to_address(offer.email).exclude(pk__in=waiting).delete()  # one that expired gives way
    with conflict_if_taken(
        gettext("{email} is invited already and has not answered yet.").format(email=offer.email), argument="email"
    ):
        offer.save(force_insert=True)
    note(caller, brand, What.INVITATION, "", offer.role, offer.email)
    mail_invitation(offer)
    return offer


@transaction.atomic
def withdraw(caller: Caller, *, brand_id: UUID, invitation_id: UUID) -> None:
    """Take an offer back. Raises not_found, also for one that is gone, and read_only_collaborator."""
    brand = owned_brand(caller, brand_id, lock=True)
    offer = brand.invitations.filter(pk=invitation_id).first()
    if offer is None:
        raise not_found()
    note(caller, brand, What.INVITATION, offer.role, "", offer.email)
    offer.delete()


def invitations_to(user: User) -> Sequence[Invitation]:
    """What is offered to the address of this account, the newest first; those of late that have expired, too."""
    return list(_offers_to(user, is_by_link=False).order_by("-created_at"))


def open_invitations_to(user: User) -> Sequence[Invitation]:
    """Those of these that can still be accepted."""
    return [each for each in invitations_to(user) if not each.has_expired]


@transaction.atomic
def accept(caller: Caller, *, invitation_id: UUID, is_by_link: bool = False) -> Brand:
    """Take the role that is offered to the caller's address; where that is not proven, by the link of the offer only.

    Raises not_found for an offer that is gone or another person's, conflict for one that has expired, and as
    `transfer_brand` where it is the brand itself: the caller's plan has to have room.
    """
    offer = _own_offer(caller, invitation_id, is_by_link)
    [user] = lock_accounts(cast(User, caller.user))  # before the brand, as for all that count the sites of an account
    require_active(user)
    brand: Brand = Brand.objects.with_owner().locked().get_or_404(offer.brand.pk)
    offer = _own_offer(caller, invitation_id, is_by_link)  # again: it may have been accepted or withdrawn meanwhile
    if offer.has_expired:
        raise conflict(
            gettext("This invitation expired on {day}. Ask {email} for another.").format(
                day=full_day_words(offer.expires_at.date()), email=offer.invited_by.email
            )
        )
    if offer.role == Invitation.Role.OWNER:
        hand_over(caller, brand, user)
    elif brand.owner != user:
        before = brand.collaborators.filter(user=user).values_list("role", flat=True).first()
        Collaborator.objects.update_or_create(brand=brand, user=user, defaults={"role": offer.role})
        note(caller, brand, What.PERSON, before or "", offer.role, user.email)
    Invitation.objects.filter(pk=offer.pk).delete()
    return brand


@sensitive_variables()  # of the frame of `atomic`, too
@transaction.atomic
def join(offer: Invitation, *, password: str, was_mailed: bool) -> User:
    """Make the account of an invited person, who has the link, and accept. A brand that the plan has no room to own
    stays offered.

    Raises invalid_arguments for a weak password, conflict where the address has an account.
    """
    user = create_invited(email=offer.email, password=password, is_confirmed=was_mailed)
    with suppress(ServiceError):
        accept(Caller.from_user(user), invitation_id=offer.pk, is_by_link=True)
    return user


@transaction.atomic
def decline(caller: Caller, *, invitation_id: UUID) -> None:
    """Say no to what is offered to the caller's address. Raises not_found for what is gone or another person's."""
    _own_offer(caller, invitation_id).delete()


@transaction.atomic
def erase_person(caller: Caller, *, user: User) -> User:
    """Erase the person of an account, and what was offered to the address. Errors as `erase_user`."""
    address = user.email
    Invitation.objects.to_address(address).delete()
    erased = erase_user(caller, user=user)
    forget_address(address, erased.email)
    return erased


def _end_access(caller: Caller, brand: Brand, user: User) -> bool:
    """End what a person may see of a brand; returns whether there was something."""
    collaborator = brand.collaborators.filter(user=user).first()
    if collaborator is None:
        return False
    note(caller, brand, What.PERSON, collaborator.role, "", user.email)
    collaborator.delete()
    return True


def _offers_to(user: User, is_by_link: bool) -> QuerySet[Invitation]:
    """What is offered to the address of an account. An address that nobody has proven is reached by links only."""
    offers = Invitation.objects.to_address(user.email).working()
    if not (user.has_confirmed_address or is_by_link):
        offers = offers.none()
    return offers.select_related("brand__owner", "invited_by")


def _own_offer(caller: Caller, invitation_id: UUID, is_by_link: bool = False) -> Invitation:
    offer = _offers_to(caller.user, is_by_link).filter(pk=invitation_id).first() if caller.user else None
    if offer is None:
        raise not_found()
    return offer


def _refuse_known(offer: Invitation) -> None:
    """Who works on the brand is known to its owner: to say so reveals nothing. No other account is looked at."""
    key = User.objects.key_of(offer.email)
    if User.objects.key_of(offer.brand.owner.email) == key:
        raise conflict(
            gettext("{email} is the address of the brand's owner.").format(email=offer.email), argument="email"
        )
    works_here = offer.brand.collaborators.alias(key=Lower("user__email")).filter(key=key).exists()
    if works_here and offer.role != Invitation.Role.OWNER:
        raise conflict(
            gettext("{email} works on this brand already. Change the role instead.").format(email=offer.email),
            argument="email",
        )
