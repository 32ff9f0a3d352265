"""Single sign-on against a provider on this machine: whom it lets in, and whom not."""

from urllib.parse import urlsplit
from urllib.request import HTTPRedirectHandler, build_opener

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.totp.internal import auth as totp
from allauth.socialaccount.models import SocialAccount
from django.test import Client

from apikeys.models import User
from apikeys.signin.invited import _KEY
from tests.factories import UserFactory
from tests.people.browser import text_of
from tests.people.conftest import PASSWORD
from tests.people.provider import running_provider, use_provider

pytestmark = pytest.mark.django_db
BEGIN = "/single-sign-on/oidc"


class _Stay(HTTPRedirectHandler):
    def redirect_request(self, *args):
        return None


@pytest.fixture(scope="module")
def server():
    with running_provider() as provider:
        yield provider


@pytest.fixture
def provider(server, settings):
    server.claims = {"sub": "1", "email": "anna@example.com", "email_verified": True}
    server.refuses = False
    use_provider(settings, server)
    return server


def at_provider(address):
    """Where the provider sends the browser back to."""
    try:
        build_opener(_Stay).open(address)
    except OSError as redirect:
        return redirect.headers["Location"]


def sign_on(client=None, begin=BEGIN):
    client = client or Client()
    back = urlsplit(at_provider(client.get(begin)["Location"]))
    return client, client.get(f"{back.path}?{back.query}")


def test_an_account_is_opened_by_the_address_that_the_provider_has_verified(provider):
    user = UserFactory(email="Anna@example.com")
    client, answer = sign_on()
    assert answer["Location"] == "/"
    assert user.email in text_of(client.get("/account"))


def test_the_identity_is_remembered_whatever_the_address_becomes(provider):
    UserFactory(email="anna@example.com")
    sign_on()
    provider.claims["email"] = "other@example.com"
    assert sign_on()[1]["Location"] == "/"
    assert SocialAccount.objects.count() == 1 and not EmailAddress.objects.exists()


def test_it_leads_to_the_page_that_was_asked_for(provider):
    UserFactory(email="anna@example.com")
    assert sign_on(begin=f"{BEGIN}?next=/account")[1]["Location"] == "/account"


@pytest.mark.parametrize(
    "claims",
    [
        {"email_verified": False},
        {"email_verified": None},
        {"email": "nobody@example.com"},
        {"email": ""},
        {"email": "gone@example.com"},
    ],
)
def test_nobody_else_gets_in_and_no_account_is_made(provider, claims):
    UserFactory(email="anna@example.com")
    UserFactory(email="gone@example.com", is_active=False)
    provider.claims.update(claims)
    client, answer = sign_on()
    assert "There is no account for you yet" in text_of(answer)
    assert client.get("/").status_code == 302 and User.objects.count() == 2 and not SocialAccount.objects.exists()


def test_the_second_factor_is_asked_for(provider):
    totp.TOTP.activate(UserFactory(email="anna@example.com"), totp.generate_totp_secret())
    client, answer = sign_on()
    assert answer["Location"] == "/sign-in/second" and client.get("/").status_code == 302


def test_an_identity_of_a_deactivated_account_opens_nothing(provider):
    user = UserFactory(email="anna@example.com")
    sign_on()
    User.objects.filter(pk=user.pk).update(is_active=False)
    client, answer = sign_on()
    assert answer["Location"] == "/sign-in/refused" and client.get("/").status_code == 302


def test_who_has_opened_an_invitation_gets_an_account(provider):
    client = Client()
    session = client.session
    session[_KEY] = "anna@example.com"
    session.save()
    _, answer = sign_on(client)
    user = User.objects.get()
    assert answer["Location"] == "/"
    assert (user.email, user.plan.tier, user.has_confirmed_address) == ("anna@example.com", "free", True)


def test_an_invitation_of_somebody_else_makes_no_account(provider):
    client = Client()
    session = client.session
    session[_KEY] = "ben@example.com"
    session.save()
    sign_on(client)
    assert not User.objects.exists()


def test_an_account_whose_address_nobody_had_proven_loses_what_was_set_up_before(provider):
    user = UserFactory(email="anna@example.com", has_confirmed_address=False)
    user.set_password(PASSWORD)
    user.save()
    intruder = Client()
    intruder.force_login(user)
    totp.TOTP.activate(user, totp.generate_totp_secret())
    client, answer = sign_on()
    user.refresh_from_db()
    assert answer["Location"] == "/" and user.has_confirmed_address and not user.has_usable_password()
    assert intruder.get("/").status_code == 302 and client.get("/").status_code == 200


@pytest.mark.parametrize("process", ["connect", "redirect"])
def test_no_link_connects_an_identity_with_who_is_signed_in(provider, process):
    user, other = UserFactory(email="anna@example.com"), Client()
    other.force_login(UserFactory())
    _, answer = sign_on(other, f"{BEGIN}?process={process}")
    assert answer["Location"] == "/account" and not SocialAccount.objects.exists() and user.is_active


def test_an_answer_that_nobody_asked_for_opens_nothing(provider):
    UserFactory(email="anna@example.com")
    sign_on()
    back = urlsplit(at_provider(Client().get(BEGIN)["Location"]))
    answer = Client().get(f"{back.path}?{back.query}")
    assert "Signing in did not work" in text_of(answer)


def test_a_refusal_at_the_provider_has_a_page(provider):
    provider.refuses = True
    client, answer = sign_on()
    assert "Signing in did not work" in text_of(client.get(answer["Location"]))


def test_without_a_provider_there_is_no_such_page(settings):
    settings.SOCIALACCOUNT_PROVIDERS = {"openid_connect": {"APPS": []}}
    assert Client().get(BEGIN).status_code == 404
    assert "Sign in with" not in text_of(Client().get("/sign-in"))


def test_the_sign_in_page_offers_it(provider):
    assert "Sign in with Acme" in text_of(Client().get("/sign-in"))
