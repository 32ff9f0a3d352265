"""A person who wants to be forgotten: the name goes, and what the service did stays on record."""

from io import StringIO

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal.auth import TOTP, generate_totp_secret
from allauth.socialaccount.models import SocialAccount
from allauth.usersessions.models import UserSession
from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.contenttypes.models import ContentType
from django.contrib.sessions.models import Session
from django.core.management import CommandError, call_command
from django.test import Client

from apikeys.models import AddressChange, CallLog, Mail, MailChoice, User
from brands.models import Invitation
from tests.factories import BrandFactory, UserFactory, make_key

pytestmark = pytest.mark.django_db

ADDRESS = "Anna@example.com"


@pytest.fixture
def person():
    return UserFactory(email=ADDRESS, first_name="Anna", last_name="Berg")


def erase() -> str:
    printed = StringIO()
    call_command("erase_person", ADDRESS, yes=True, stdout=printed)
    return printed.getvalue()


def test_address_and_names_give_way_to_a_number(person):
    erase()
    person.refresh_from_db()
    assert (person.email, person.first_name, person.last_name) == (f"erased-{person.pk}@erased.invalid", "", "")
    assert not User.objects.with_email(ADDRESS)


def test_the_account_and_its_keys_end(person):
    key, _ = make_key(owner=person)
    erase()
    person.refresh_from_db()
    key.refresh_from_db()
    assert not person.is_active and key.revoked_at


def test_calls_stay_in_the_log(person):
    key, _ = make_key(owner=person)
    CallLog.objects.create(key=key, door="rest", name="x", success=True, duration_ms=1)
    erase()
    assert CallLog.objects.filter(key=key).count() == 1


def test_records_of_the_admin_stay_without_the_address(person):
    kind = ContentType.objects.get_for_model(User)
    LogEntry.objects.create(
        user=UserFactory(), content_type=kind, object_id=person.pk, object_repr="anna@example.com", action_flag=CHANGE
    )
    erase()
    assert LogEntry.objects.get().object_repr == f"erased-{person.pk}@erased.invalid"


def test_offers_to_the_address_go(person):
    Invitation.objects.create(brand=BrandFactory(), email=ADDRESS.lower(), invited_by=UserFactory())
    erase()
    assert not Invitation.objects.exists()


def test_ways_in_and_what_was_written_to_the_person_go(person):
    TOTP.activate(person, generate_totp_secret())
    SocialAccount.objects.create(user=person, provider="oidc", uid="1", extra_data={"email": ADDRESS})
    EmailAddress.objects.create(user=person, email=ADDRESS)
    AddressChange.objects.create(user=person, email="new@example.com")
    Mail.objects.create(person=person, address="new@example.com", once="a", subject="Hello Anna")
    Mail.objects.create(address=ADDRESS.upper(), once="b", subject="Hello Anna")
    MailChoice.objects.create(person=person, mailing="letter", is_wanted=True)
    client = Client()
    client.force_login(person)
    UserSession.objects.create(user=person, ip="10.0.0.1", session_key=client.session.session_key)
    others = Client()
    others.force_login(UserFactory())
    erase()
    for model in (Authenticator, SocialAccount, EmailAddress, AddressChange, Mail, MailChoice, UserSession):
        assert not model.objects.exists(), model
    assert Session.objects.count() == 1, "that of somebody else"


def test_brands_that_need_another_owner_are_named(person):
    BrandFactory(owner=person)
    assert "owns 1 brands still" in erase()


def test_an_unknown_address_is_said(db):
    with pytest.raises(CommandError, match="No account"):
        call_command("erase_person", "nobody@example.com", yes=True)
