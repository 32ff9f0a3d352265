"""People of a brand: invited, changed, removed, gone by themselves; and a brand that is handed over by an offer."""

from datetime import timedelta

import pytest
from django.utils import timezone

from apikeys.accounts.caller import Caller
from apikeys.models import User
from brands.brands import transfer_brand
from brands.models import INVITATION_LASTS, Brand, Collaborator, Invitation
from brands.people import (
    MOST_PER_DAY,
    MOST_WAITING,
    accept,
    add_collaborator,
    decline,
    invitations_to,
    invite,
    leave_brand,
    remove_collaborator,
    set_role,
    withdraw,
)
from tests.brands.conftest import deactivate, refusal
from tests.factories import BrandFactory, UserFactory, plan

pytestmark = pytest.mark.django_db


@pytest.fixture
def invited(cast, at):
    """Offer a role to the stranger, in another case of the address."""

    def invited(role="editor", **more):
        return invite(cast.owner, **at, email=cast.stranger.user.email.title(), role=role, **more)

    return invited


def expire(invitation):
    Invitation.objects.filter(pk=invitation.pk).update(created_at=timezone.now() - INVITATION_LASTS)


def role(caller):
    return Collaborator.objects.filter(user=caller.user).values_list("role", flat=True).first()


def test_collaborators_come_change_and_go(cast, at):
    add_collaborator(cast.owner, **at, user=cast.stranger.user)
    assert Brand.objects.restrict(cast.stranger, "change").exists()
    set_role(cast.owner, **at, user=cast.stranger.user, role="viewer")
    assert not Brand.objects.restrict(cast.stranger, "change").exists()
    assert Brand.objects.restrict(cast.stranger, "view").exists()
    remove_collaborator(cast.owner, **at, user=cast.stranger.user)
    remove_collaborator(cast.owner, **at, user=cast.stranger.user)
    assert not Brand.objects.restrict(cast.stranger, "view").exists()


def test_collaborators_that_cannot_be(cast, at):
    for user in (cast.brand.owner, cast.editor.user, UserFactory(is_active=False)):
        assert refusal(add_collaborator, cast.owner, **at, user=user).code == "conflict"
    stranger = cast.stranger.user
    assert refusal(add_collaborator, cast.owner, **at, user=stranger, role="owner").code == "invalid_arguments"
    assert refusal(set_role, cast.owner, **at, user=cast.editor.user, role="admin").code == "invalid_arguments"
    assert refusal(set_role, cast.owner, **at, user=stranger, role="viewer").code == "not_found"
    assert Collaborator.objects.count() == 2


def test_collaborators_leave_and_owners_cannot(cast, at):
    for caller in (cast.editor, cast.viewer):
        leave_brand(caller, **at)
        assert not Brand.objects.restrict(caller, "view").exists()
    for caller in (cast.owner, cast.editor, cast.stranger):
        assert refusal(leave_brand, caller, **at).code == "not_found"


def test_only_the_owner_and_the_operator_decide_who_has_access(cast, at, invited, system):
    offer = invited()
    user = cast.viewer.user
    acts = [
        lambda caller: invite(caller, **at, email="x@example.com"),
        lambda caller: withdraw(caller, **at, invitation_id=offer.pk),
        lambda caller: add_collaborator(caller, **at, user=UserFactory()),
        lambda caller: set_role(caller, **at, user=user, role="viewer"),
        lambda caller: remove_collaborator(caller, **at, user=user),
    ]
    for act in acts:
        assert refusal(act, cast.editor).code == refusal(act, cast.viewer).code == "read_only_collaborator"
        assert refusal(act, cast.stranger).code == "not_found"
        act(system)


def test_an_invited_person_accepts_and_works_on_the_brand(cast, invited):
    invited("viewer")
    assert not Brand.objects.restrict(cast.stranger, "view").exists(), "nothing changes before it is accepted"
    [offer] = invitations_to(cast.stranger.user)
    assert (offer.brand, offer.role, offer.invited_by) == (cast.brand, "viewer", cast.brand.owner)
    assert accept(cast.stranger, invitation_id=offer.pk) == cast.brand
    assert role(cast.stranger) == "viewer"
    assert not Invitation.objects.exists()
    for answer in (accept, decline):
        assert refusal(answer, cast.stranger, invitation_id=offer.pk).code == "not_found"


def test_an_account_that_is_made_later_finds_the_invitation(cast, at):
    offer = invite(cast.owner, **at, email="later-one@example.com")
    later = Caller.from_user(UserFactory(email="LATER-ONE@example.com"))
    accept(later, invitation_id=offer.pk)
    assert role(later) == "editor"


def test_nobody_learns_who_has_an_account(cast, at):
    """What the owner gets is the same for an address with an account and for one without, once and twice."""
    outcomes = []
    for email in (UserFactory().email, "no-account@example.com"):
        offer = invite(cast.owner, **at, email=email)
        again = refusal(invite, cast.owner, **at, email=email)
        outcomes.append((offer.role, again.code, again.details, again.message.replace(email, "")))
    assert outcomes[0] == outcomes[1]


def test_the_invitation_of_another_person_is_not_there(cast, invited, system):
    offer = invited()
    near = Caller.from_user(UserFactory(email=f"x{cast.stranger.user.email}"))
    for caller in (cast.owner, cast.viewer, near, system):
        for answer in (accept, decline):
            assert refusal(answer, caller, invitation_id=offer.pk).code == "not_found"
    assert not invitations_to(near.user)


def test_who_declines_is_asked_no_more(cast, invited):
    decline(cast.stranger, invitation_id=invited().pk)
    assert not Invitation.objects.exists()
    assert role(cast.stranger) is None


def test_a_withdrawn_offer_is_gone(cast, at, invited):
    offer = invited()
    withdraw(cast.owner, **at, invitation_id=offer.pk)
    assert refusal(accept, cast.stranger, invitation_id=offer.pk).code == "not_found"
    assert refusal(withdraw, cast.owner, **at, invitation_id=offer.pk).code == "not_found"


def test_an_invitation_lasts_fourteen_days_and_is_renewed_by_another(cast, invited):
    for offered in ("editor", "owner"):
        offer = invited(offered)
        Invitation.objects.update(created_at=timezone.now() - timedelta(days=13, hours=23))
        assert refusal(invited, offered).code == "conflict"
        expire(offer)
        [shown] = invitations_to(cast.stranger.user)
        assert shown.has_expired
        refused = refusal(accept, cast.stranger, invitation_id=offer.pk)
        assert refused.code == "conflict"
        assert f"Ask {cast.brand.owner.email} for another" in refused.message
        renewed = invited(offered)
        assert not renewed.has_expired
        accept(cast.stranger, invitation_id=renewed.pk)
        Collaborator.objects.all().delete()
    assert Brand.objects.get().owner == cast.stranger.user


def test_invitations_that_cannot_be(cast, at):
    invite(cast.owner, **at, email="waits@example.com", role="owner")
    for email, offered, code in (
        ("no address", "editor", "invalid_arguments"),
        ("x@example.com", "admin", "invalid_arguments"),
        (cast.brand.owner.email.upper(), "editor", "conflict"),
        (cast.editor.user.email.upper(), "viewer", "conflict"),
        ("WAITS@example.com", "editor", "conflict"),
        ("second-owner@example.com", "owner", "conflict"),
    ):
        assert refusal(invite, cast.owner, **at, email=email, role=offered).code == code, email


def test_invitations_are_bounded_by_day_and_by_brand(cast, at):
    rows = [Invitation(brand=cast.brand, email=f"w{n}@example.com", invited_by=cast.brand.owner) for n in range(50)]
    Invitation.objects.bulk_create(rows)
    assert f"{MOST_WAITING} invitations wait" in refusal(invite, cast.owner, **at, email="p@example.com").message
    expire(rows[0])
    invite(cast.owner, **at, email="p@example.com")
    Invitation.objects.all().delete()
    for number in range(1, MOST_PER_DAY):
        invite(cast.owner, **at, email=f"person-{number}@example.com")
    refused = refusal(invite, cast.owner, **at, email="one-too-many@example.com")
    assert refused.code == "rate_limited"
    assert refused.details["retryAfterSeconds"] > 0


def test_an_address_is_not_flooded_by_many_accounts(cast):
    email = UserFactory().email
    for _ in range(MOST_PER_DAY):
        brand = BrandFactory()
        invite(Caller.from_user(brand.owner), brand_id=brand.pk, email=email)
    brand = BrandFactory()
    assert refusal(invite, Caller.from_user(brand.owner), brand_id=brand.pk, email=email).code == "rate_limited"


def test_a_brand_that_is_offered_changes_hands_when_that_is_accepted(cast, at, invited):
    invite(cast.owner, **at, email="other-person@example.com")
    offer = invited("owner")
    assert Brand.objects.get().owner == cast.brand.owner, "nothing changes before"
    accept(cast.stranger, invitation_id=offer.pk)
    assert Brand.objects.get().owner == cast.stranger.user
    assert not Invitation.objects.exists(), "nor are others invited by who owned it"
    assert not Brand.objects.restrict(cast.owner, "view").exists()


def test_who_has_no_room_does_not_become_the_owner(cast, invited):
    offer = invited("owner")
    User.objects.filter(pk=cast.stranger.user.pk).update(plan=plan("free"), own_max_sites=0)
    refused = refusal(accept, cast.stranger, invitation_id=offer.pk)
    assert (refused.code, refused.details["limit"]) == ("quota_exceeded", 0)
    assert Brand.objects.get().owner == cast.brand.owner
    assert Invitation.objects.exists()


def test_what_a_former_owner_offered_is_gone(cast, at, invited):
    offer = invited()
    transfer_brand(cast.owner, **at, to=cast.viewer.user)
    assert refusal(accept, cast.stranger, invitation_id=offer.pk).code == "not_found"


def test_what_deactivated_people_offered_is_gone(cast, at, invited):
    offer = invited()
    helper = UserFactory()
    other = BrandFactory()
    more = Invitation.objects.create(brand=other, email=cast.stranger.user.email, invited_by=helper)
    assert len(invitations_to(cast.stranger.user)) == 2
    deactivate(cast.brand.owner)
    deactivate(helper)
    assert not invitations_to(cast.stranger.user)
    for gone in (offer, more):
        for answer in (accept, decline):
            assert refusal(answer, cast.stranger, invitation_id=gone.pk).code == "not_found"


def test_who_is_deactivated_accepts_nothing(cast, invited):
    offer = invited()
    deactivate(cast.stranger.user)
    assert refusal(accept, cast.stranger, invitation_id=offer.pk).code == "conflict"


def test_an_invitation_waits_until_the_moment_that_it_ends(cast, monkeypatch, invited):
    offer = invited()
    end = offer.created_at + timedelta(days=14)
    for now, waits in ((end - timedelta(microseconds=1), True), (end, False)):
        monkeypatch.setattr(timezone, "now", lambda now=now: now)
        assert (cast.brand.invitations.waiting().exists(), offer.has_expired) == (waits, not waits)


def test_the_newest_invitation_is_shown_first(cast, at, invited):
    older = invited()
    other = BrandFactory()
    newer = invite(Caller.from_user(other.owner), brand_id=other.pk, email=older.email)
    Invitation.objects.filter(pk=older.pk).update(created_at=timezone.now() - timedelta(days=1))
    assert invitations_to(cast.stranger.user) == [newer, older]


def test_who_may_invite_no_more_today_may_again_within_a_day(cast, at):
    for number in range(MOST_PER_DAY):
        invite(cast.owner, **at, email=f"person-{number}@example.com")
    refused = refusal(invite, cast.owner, **at, email="one-too-many@example.com")
    assert 0 < refused.details["retryAfterSeconds"] <= 24 * 3600


def test_a_collaborator_who_accepts_has_the_offered_role_and_the_owner_none(cast, at):
    offer = Invitation.objects.create(
        brand=cast.brand, email=cast.viewer.user.email, invited_by=cast.brand.owner, role="editor"
    )
    accept(cast.viewer, invitation_id=offer.pk)
    assert role(cast.viewer) == "editor"
    own = Invitation.objects.create(brand=cast.brand, email=cast.brand.owner.email, invited_by=cast.brand.owner)
    accept(cast.owner, invitation_id=own.pk)
    assert role(cast.owner) is None and not Invitation.objects.exists()


def test_a_collaborator_may_be_offered_the_brand(cast, at):
    offer = invite(cast.owner, **at, email=cast.viewer.user.email, role="owner")
    accept(cast.viewer, invitation_id=offer.pk)
    assert Brand.objects.get().owner == cast.viewer.user and role(cast.viewer) is None
