"""People of a brand: invited, changed, removed, gone by themselves; and a brand that is handed over."""

import re

import pytest
from django.core import mail
from django.urls import reverse
from django.utils import timezone

from apikeys.caller import Caller
from apikeys.models import User
from brands.models import INVITATION_LASTS, Brand, Collaborator, Invitation
from brands.services.brands import transfer_brand
from brands.services.invitations import MAX_WAITING, accept, invite
from tests.factories import BrandFactory, UserFactory
from tests.pages.reading import staff
from tests.people.browser import text_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def at(cast):
    return {"brand_id": cast.brand.pk}


@pytest.fixture
def offered(cast):
    """An invitation to the stranger, in another case of the address."""

    def go(role="editor", email="Stranger@Example.com"):
        caller = Caller.from_user(cast.brand.owner)
        return invite(caller, brand_id=cast.brand.pk, email=email, role=role)

    return go


def expire(invitation):
    Invitation.objects.filter(pk=invitation.pk).update(created_at=timezone.now() - INVITATION_LASTS)


def roles(brand):
    return dict(Collaborator.objects.filter(brand=brand).values_list("user__email", "role"))


def test_an_invited_person_accepts_and_works_on_the_brand(visit, cast, at):
    said = text_of(visit(cast.owner, "invite-person", {"email": "Stranger@example.com", "role": "viewer"}, **at))
    assert "Stranger@example.com is invited." in said and "as viewer, since" in said
    assert "stranger@example.com" not in roles(cast.brand), "nothing changes before it is accepted"
    assert visit(cast.stranger, "brand-page", **at).status_code == 404
    assert "invites you as viewer" in text_of(visit(None, "invitations-page"))
    invitation = Invitation.objects.get()
    page = visit(None, "accept-invitation", {}, invitation_id=invitation.pk)
    assert page.redirect_chain[-1][0] == reverse("brand-page", kwargs=at) and "You now work on Acme." in text_of(page)
    assert roles(cast.brand)["stranger@example.com"] == "viewer" and not Invitation.objects.exists()


def test_nobody_learns_who_has_an_account(visit, cast, at, django_capture_on_commit_callbacks):
    """Page, list and mail are the same for an address with an account and for one without."""
    seen = []
    for email in ("stranger@example.com", "nobody00@example.com"):
        mail.outbox.clear()
        with django_capture_on_commit_callbacks(execute=True):
            page = text_of(visit(cast.owner, "invite-person", {"email": email, "role": "editor"}, **at))
        [sent] = mail.outbox
        texts = (page, sent.subject, sent.body)
        seen.append([text.replace(email, "ADDRESS") for text in texts] + [sent.to == [email]])
        visit(None, "withdraw-invitation", {}, **at, invitation_id=Invitation.objects.get().pk)
    assert seen[0] == seen[1]
    assert User.objects.filter(email="nobody00@example.com").count() == 0


def test_the_mail_tells_an_address_that_may_be_wrong_nothing_of_the_brand(
    visit, cast, at, django_capture_on_commit_callbacks
):
    Brand.objects.update(name="Secret plans http://evil.example")
    with django_capture_on_commit_callbacks(execute=True):
        visit(cast.owner, "invite-person", {"email": "nobody00@example.com", "role": "editor"}, **at)
    [sent] = mail.outbox
    assert "Secret" not in sent.body + sent.subject and "evil" not in sent.body
    assert cast.owner.email in sent.body and reverse("invitations-page") in sent.body


def test_an_account_made_later_finds_the_invitation(visit, cast, offered):
    offered(email="later@example.com")
    later = UserFactory(email="LATER@example.com")
    visit(later, "accept-invitation", {}, invitation_id=Invitation.objects.get().pk)
    assert roles(cast.brand)["LATER@example.com"] == "editor"


def test_whoever_declines_is_asked_no_more_and_the_owner_is_not_told(visit, cast, offered):
    invitation = offered()
    assert "You have declined" in text_of(visit(cast.stranger, "decline-invitation", {}, invitation_id=invitation.pk))
    assert not Invitation.objects.exists() and "stranger@example.com" not in roles(cast.brand)


@pytest.mark.parametrize("name", ["accept-invitation", "decline-invitation"])
def test_who_presses_the_button_twice_is_told_that_it_was_answered(visit, cast, offered, name):
    invitation = offered()
    for status in (200, 404):
        answer = visit(cast.stranger, name, {}, invitation_id=invitation.pk)
        assert answer.status_code == status
    assert "was answered already" in text_of(answer) and "Nobody has invited you." in text_of(answer)


@pytest.mark.parametrize("role", ["editor", "owner"])
def test_an_invitation_expires_and_is_renewed_by_inviting_again(visit, cast, at, offered, role):
    invitation = offered(role)
    assert "You are invited to 1 brand" in text_of(visit(cast.stranger, "brand-list"))
    expire(invitation)
    page = text_of(visit(None, "invitations-page"))
    assert "Expired on" in page and f"ask {cast.owner.email} to invite you again" in page and "Accept" not in page
    assert "You are invited" not in text_of(visit(None, "brand-list"))
    said = text_of(visit(None, "accept-invitation", {}, invitation_id=invitation.pk))
    assert "This invitation expired on" in said and "stranger@example.com" not in roles(cast.brand)
    page = visit(cast.owner, "people-page", **at).content.decode()
    assert "Invite again" in page and 'name="email" value="Stranger@example.com"' in page
    again = "hand-over" if role == "owner" else "invite-person"
    visit(None, again, {"email": "stranger@example.com", "role": role}, **at)
    renewed = Invitation.objects.get()
    assert (renewed.email, renewed.role, renewed.has_expired) == ("stranger@example.com", role, False)
    visit(cast.stranger, "accept-invitation", {}, invitation_id=renewed.pk)
    assert not Invitation.objects.exists()


def test_what_has_expired_takes_no_place(cast, offered):
    expire(offered(role="owner", email="gone@example.com"))
    for number in range(MAX_WAITING - 1):
        expire(Invitation.objects.create(brand=cast.brand, email=f"p{number}@example.com", invited_by=cast.owner))
    assert offered(role="owner")


@pytest.mark.parametrize("name", ["accept-invitation", "decline-invitation"])
def test_the_invitation_of_another_person_is_not_there(visit, cast, offered, name):
    invitation = offered()
    for person in (cast.owner, cast.viewer, staff("view_brand"), UserFactory(email="xstranger@example.com")):
        assert visit(person, name, {}, invitation_id=invitation.pk).status_code == 404
        assert "Stranger@example.com" not in text_of(visit(person, "invitations-page"))
    assert Invitation.objects.exists() and "stranger@example.com" not in roles(cast.brand)


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"email": "no address", "role": "editor"}, "Enter a valid email address"),
        ({"email": "x@example.com", "role": "owner"}, "not one of the available choices"),
        ({"email": "EDITOR@example.com", "role": "viewer"}, "works on this brand already"),
        ({"email": "waiting@example.com", "role": "viewer"}, "is invited already and has not answered"),
    ],
)
def test_a_refused_invitation_stays_typed(visit, cast, at, offered, fields, words):
    offered(email="Waiting@example.com")
    mail.outbox.clear()
    answer = visit(cast.owner, "invite-person", fields, **at)
    assert answer.status_code == 400 and words in text_of(answer)
    assert f'value="{fields["email"]}"' in answer.content.decode()
    assert Invitation.objects.count() == 1 and mail.outbox == []


def test_the_owner_needs_no_invitation(visit, cast, at):
    answer = visit(cast.owner, "invite-person", {"email": cast.owner.email.upper(), "role": "editor"}, **at)
    assert "the address of the brand's owner" in text_of(answer)


def test_invitations_are_limited(visit, cast, at, settings, refused, offered):
    settings.INVITATIONS = "2/d"
    offered(email="a@example.com")
    offered(email="b@example.com")
    answer = visit(cast.owner, "invite-person", {"email": "c@example.com", "role": "editor"}, **at)
    assert answer.status_code == 400 and "too many invitations" in text_of(answer)
    settings.INVITATIONS = "1000/d"
    owner = cast.owner
    Invitation.objects.bulk_create(
        Invitation(brand=cast.brand, email=f"p{n}@example.com", invited_by=owner) for n in range(MAX_WAITING - 2)
    )
    assert "wait for an answer" in refused("conflict", offered, email="d@example.com").message


def test_roles_are_changed_and_people_removed(visit, cast, at):
    visit(cast.owner, "change-role", {"role": "viewer"}, **at, user_id=cast.editor.pk)
    assert roles(cast.brand)["editor@example.com"] == "viewer"
    said = text_of(visit(None, "change-role", {"role": "owner"}, **at, user_id=cast.editor.pk))
    assert "'owner' is not a known role" in said and roles(cast.brand)["editor@example.com"] == "viewer"
    visit(None, "remove-person", {}, **at, user_id=cast.editor.pk)
    assert "editor@example.com" not in roles(cast.brand)
    for name in ("change-role", "remove-person"):
        assert visit(None, name, {"role": "viewer"}, **at, user_id=cast.stranger.pk).status_code == 404


@pytest.mark.parametrize("who", ["editor", "viewer"])
def test_a_collaborator_leaves(visit, cast, at, who):
    person = getattr(cast, who)
    assert "Leave this brand" in text_of(visit(person, "people-page", **at))
    assert "You no longer work on Acme." in text_of(visit(None, "leave-brand", {}, **at))
    assert person.email not in roles(cast.brand) and visit(None, "brand-page", **at).status_code == 404


@pytest.mark.parametrize("who", ["editor", "viewer"])
def test_only_the_owner_decides_who_has_access(visit, cast, at, who, offered):
    invitation, before = offered(), roles(cast.brand)
    person = getattr(cast, who)
    for name, fields, where in (
        ("invite-person", {"email": "x@example.com", "role": "viewer"}, {}),
        ("hand-over", {"email": "x@example.com"}, {}),
        ("withdraw-invitation", {}, {"invitation_id": invitation.pk}),
        ("change-role", {"role": "editor"}, {"user_id": cast.viewer.pk}),
        ("remove-person", {}, {"user_id": cast.editor.pk}),
    ):
        assert "Only the owner of this brand may do this" in text_of(visit(person, name, fields, **at, **where)), name
    page = visit(person, "people-page", **at).content.decode()
    assert re.findall(r'action="/brands/[^"]*"', page) == [f'action="{reverse("leave-brand", kwargs=at)}"']
    assert "Stranger@example.com" not in page, "who is invited is the owner's to know"
    assert roles(cast.brand) == before and Invitation.objects.count() == 1


def test_a_brand_that_is_handed_over_changes_hands_when_that_is_accepted(visit, cast, at, offered):
    offered(email="other@example.com")
    visit(cast.owner, "hand-over", {"email": "stranger@example.com"}, **at)
    assert Brand.objects.get().owner == cast.owner, "nothing changes before"
    page = text_of(visit(cast.stranger, "invitations-page"))
    assert "offers you the brand itself" in page and "your plan pays" in page
    invitation = Invitation.objects.get(role="owner")
    assert "You now own Acme." in text_of(visit(None, "accept-invitation", {}, invitation_id=invitation.pk))
    assert Brand.objects.get().owner == cast.stranger and not Invitation.objects.exists(), "nor are others invited"
    assert visit(cast.owner, "brand-page", **at).status_code == 404
    assert set(roles(cast.brand)) == {"editor@example.com", "viewer@example.com"}


def test_whose_plan_has_no_room_does_not_become_the_owner(visit, cast, offered):
    invitation = offered(role="owner")
    cast.stranger.plan = None
    cast.stranger.save()
    said = text_of(visit(cast.stranger, "accept-invitation", {}, invitation_id=invitation.pk))
    assert "allows 0 sites" in said and Brand.objects.get().owner == cast.owner and Invitation.objects.exists()


def test_what_a_former_owner_offered_is_gone(cast, offered, refused):
    invitation = offered()
    transfer_brand(Caller.from_user(cast.owner), brand=cast.brand, to=cast.viewer)
    refused("not_found", accept, Caller.from_user(cast.stranger), invitation_id=invitation.pk)
    assert not Collaborator.objects.filter(user=cast.stranger).exists()


def test_one_brand_is_offered_to_one_person_at_a_time(cast, offered, refused):
    offered(role="owner")
    assert "offered to somebody already" in refused("conflict", offered, role="owner", email="x@example.com").message


def test_strangers_find_nothing(visit, cast, at, offered):
    BrandFactory(owner=cast.stranger)
    assert visit(cast.stranger, "people-page", **at).status_code == 404
    assert visit(None, "invite-person", {"email": "x@example.com", "role": "editor"}, **at).status_code == 404
    assert (
        visit(staff("view_brand"), "invite-person", {"email": "x@example.com", "role": "editor"}, **at).status_code
        == 404
    )
    assert visit(cast.owner, "leave-brand", {}, **at).status_code == 404, "who owns it hands it over instead"
    assert not Invitation.objects.exists()


def test_people_take_few_statements(visit, cast, at, django_assert_max_num_queries):
    Collaborator.objects.bulk_create(Collaborator(brand=cast.brand, user=UserFactory()) for _ in range(30))
    visit(cast.owner, "people-page", **at)
    with django_assert_max_num_queries(20):
        visit(None, "people-page", **at)
