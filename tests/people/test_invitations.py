"""An invitation by its link: without an account, with one, as somebody else; and what it does not open."""

import re
from datetime import timedelta
from urllib.parse import urlsplit

import pytest
from django.core import signing
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from apikeys.accounts.caller import Caller
from apikeys.errors import ServiceError
from apikeys.models import Mail, Plan, User
from brands.invitations import invitation_of, link_to_hand_on
from brands.models import INVITATION_LASTS, Collaborator, Invitation
from brands.people import accept, invitations_to, invite, withdraw
from tests.factories import BrandFactory, UserFactory
from tests.people.browser import Browser, text_of
from tests.people.conftest import PASSWORD
from tests.people.provider import running_provider, use_provider
from tests.people.test_single_sign_on import BEGIN, at_provider
from visibility.audits.services import start_audit

pytestmark = pytest.mark.django_db
ANNA = "anna@example.com"
NEW = {"new_password1": "a wholly other sentence", "new_password2": "a wholly other sentence"}


@pytest.fixture(autouse=True)
def _many_a_day(monkeypatch):
    """The table of the counters outlives each test, and all of them invite Anna."""
    monkeypatch.setattr("brands.people.MOST_PER_DAY", 1_000)


@pytest.fixture
def brand():
    return BrandFactory(name="Acme")


@pytest.fixture
def offered(brand):
    """Offer a role to Anna; the path of the link that the owner hands on."""

    def offer(role="viewer", email=ANNA):
        made = invite(Caller.from_user(brand.owner), brand_id=brand.pk, email=email, role=role)
        return urlsplit(
            link_to_hand_on(made) or re.search(r"http\S+/invitations/\S+", Mail.objects.get().text)[0]
        ).path

    return offer


def role_of(user):
    return Collaborator.objects.filter(user=user).values_list("role", flat=True).first()


@pytest.mark.parametrize("has_mail", [True, False])
def test_a_newcomer_makes_an_account_and_is_in(offered, settings, has_mail):
    settings.HAS_MAIL = has_mail
    path, client = offered(), Client()
    page = client.get(path)
    assert "invites you as viewer" in text_of(page) and page["Referrer-Policy"] == "same-origin"
    assert "too short" in text_of(client.post(path, {"new_password1": "abc", "new_password2": "abc"}))
    answer = client.post(path, NEW)
    user = User.objects.with_email(ANNA)
    assert answer["Location"] == f"/brands/{Invitation.objects.count() or Collaborator.objects.get().brand_id}"
    assert client.get(answer["Location"]).status_code == 200
    assert (user.plan.tier, role_of(user), user.has_confirmed_address) == ("free", "viewer", has_mail)


def test_the_link_works_once(offered):
    path = offered()
    Client().post(path, NEW)
    page = Client().get(path)
    assert page.status_code == 404 and "does not work any more" in text_of(page)


PAGES = ("", "/history", "/prompts", "/answers", "/competitors", "/sources", "/audit", "/todo", "/reading", "/letter")


@pytest.mark.parametrize("plan", ["free", None])
def test_an_invited_person_sees_every_page_and_needs_no_plan_for_it(offered, brand, plan):
    client = Client()
    client.post(offered(), NEW)
    User.objects.filter(email=ANNA).update(plan=Plan.objects.filter(tier=plan).first())
    pages = {page: client.get(f"/brands/{brand.pk}{page}").status_code for page in PAGES}
    assert set(pages.values()) == {200}, pages
    assert client.get("/")["Location"] == f"/brands/{brand.pk}" and client.get("/account").status_code == 200


@pytest.mark.parametrize("plan", ["free", None])
def test_what_an_invited_editor_spends_is_the_owners(offered, brand, plan):
    Client().post(offered("editor"), NEW)
    User.objects.filter(email=ANNA).update(plan=Plan.objects.filter(tier=plan).first())
    editor = User.objects.with_email(ANNA)
    start_audit(Caller.from_user(editor), brand_id=brand.pk, trigger="manual")
    run = brand.runs.get()
    assert (run.payer, run.actor) == (brand.owner, f"user:{editor.pk}")
    assert brand.owner.usage.filter(kind="credits", used__gt=0).exists() and not editor.usage.exists()


def test_without_a_free_plan_the_account_has_none_and_looks_all_the_same(offered):
    User._meta.get_field("plan").related_model.objects.filter(tier="free").update(tier="start")
    client = Client()
    answer = client.post(offered(), NEW)
    assert User.objects.with_email(ANNA).plan is None and client.get(answer["Location"]).status_code == 200


def test_who_has_an_account_signs_in_and_accepts(offered, person):
    path, client = offered("editor", person.email.title()), Client()
    assert f'href="/sign-in?next={path}' in client.get(path).content.decode().replace("%3A", ":")
    client.post("/sign-in", {"username": person.email, "password": PASSWORD, "next": path})
    assert "Accept" in text_of(client.get(path))
    client.post(path)
    assert role_of(person) == "editor"


def test_an_account_is_not_made_twice(offered, person):
    page = Client().post(offered(email=person.email), NEW)
    assert "There is an account with this address already" in text_of(page)
    person.refresh_from_db()
    assert person.check_password(PASSWORD) and role_of(person) is None


def test_somebody_else_who_is_signed_in_cannot_accept(offered):
    path, other = offered(), Browser(UserFactory())
    page = text_of(other.open(path))
    assert "It is for anna@example.com, and you are signed in as" in page
    other.client.post(path, NEW)
    assert not Collaborator.objects.exists() and User.objects.with_email(ANNA) is None


def test_inviting_says_the_same_whether_there_is_an_account_or_not(brand, settings):
    settings.HAS_MAIL = True
    browser, answers = Browser(brand.owner), set()
    form = browser.form(f"/brands/{brand.pk}/settings")
    for email in (UserFactory().email, "nobody@example.com"):
        with CaptureQueriesContext(connection) as statements:
            sent = browser.client.post(f"/brands/{brand.pk}/do/invite", {**form, "email": email, "role": "viewer"})
        told = re.search(r"\S+ gets a mail with a link", text_of(browser.open(sent["Location"])))[0]
        answers.add((sent.status_code, told.replace(email, ""), len(statements)))
    assert len(answers) == 1, answers
    assert set(Mail.objects.values_list("subject", flat=True)) == {f"{brand.owner.email} invites you to Acme"}


def test_the_owner_sees_the_link_only_where_there_is_no_mail(brand, offered, settings):
    offered()
    browser = Browser(brand.owner)
    assert "/invitations/" in browser.open(f"/brands/{brand.pk}/settings").content.decode()
    settings.HAS_MAIL = True
    assert "/invitations/" not in browser.open(f"/brands/{brand.pk}/settings").content.decode()


def test_an_editor_sees_no_link(brand, offered):
    offered()
    editor = UserFactory()
    Collaborator.objects.create(brand=brand, user=editor, role="editor")
    assert "/invitations/" not in Browser(editor).open(f"/brands/{brand.pk}/settings").content.decode()


@pytest.mark.parametrize("end", ["withdrawn", "expired", "inviter gone", "owner gone", "forged"])
def test_a_link_that_works_no_more(brand, offered, end):
    path = offered()
    offer = Invitation.objects.get()
    match end:
        case "withdrawn":
            withdraw(Caller.from_user(brand.owner), brand_id=brand.pk, invitation_id=offer.pk)
        case "expired":
            Invitation.objects.update(created_at=timezone.now() - INVITATION_LASTS - timedelta(seconds=1))
        case "forged":
            path = f"/invitations/{signing.dumps([str(offer.pk), 'mailed'], salt='other')}"
        case _:
            User.objects.filter(pk=brand.owner.pk).update(is_active=False)
    assert Client().get(path).status_code == 404
    Client().post(path, NEW)
    assert User.objects.with_email(ANNA) is None


def test_a_link_for_a_new_owner_makes_the_account_and_leaves_the_brand_to_accept(brand, offered):
    User._meta.get_field("plan").related_model.objects.filter(tier="free").update(max_sites=0)
    client = Client()
    client.post(offered("owner"), NEW)
    brand.refresh_from_db()
    assert brand.owner.email != ANNA and Invitation.objects.exists()
    assert client.get("/account").status_code == 200


# An account whose address nobody has proven


@pytest.fixture
def unproven(offered):
    """Somebody who made Anna's account by a link that was handed on."""
    client = Client()
    client.post(offered(), NEW)
    return User.objects.with_email(ANNA), client


def test_it_does_not_see_what_others_offer_to_the_address(unproven):
    user, client = unproven
    other = BrandFactory(name="Secret")
    offer = invite(Caller.from_user(other.owner), brand_id=other.pk, email=ANNA)
    assert "Secret" not in text_of(client.get("/account")) + text_of(client.get("/"))
    assert not invitations_to(user)
    with pytest.raises(ServiceError):
        accept(Caller.from_user(user), invitation_id=offer.pk)


def test_a_link_of_a_mail_proves_the_address(offered, settings):
    settings.HAS_MAIL = True
    path = offered()
    assert invitation_of(path.rpartition("/")[2])[1]


# Single sign-on


def test_an_invited_newcomer_comes_by_single_sign_on(offered, settings):
    path, client = offered(), Client()
    with running_provider() as provider:
        use_provider(settings, provider)
        page = client.get(path).content.decode()
        assert "Sign in with Acme" in page
        back = urlsplit(at_provider(client.get(f"{BEGIN}?next={path}")["Location"]))
        answer = client.get(f"{back.path}?{back.query}")
    assert answer["Location"] == path
    client.post(path)
    assert role_of(User.objects.with_email(ANNA)) == "viewer"
