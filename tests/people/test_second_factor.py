"""The second factor: set up, asked for, removed, and required of staff."""

from types import SimpleNamespace

import pytest
from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal import auth as totp
from django.test import Client

from apikeys.accounts.people import remove_second_factor
from apikeys.models import Mail
from apikeys.signin.seals import BEGINNING, seal_again, unseal
from apikeys.signin.tries import CODES_PER_HOUR
from tests.people.browser import text_of
from tests.people.conftest import PASSWORD

pytestmark = pytest.mark.django_db
NOW = 1_795_000_200.0


@pytest.fixture(autouse=True)
def _fixed_time(monkeypatch):
    """All tries of a test fall into one hour."""
    monkeypatch.setattr("apikeys.accounts.throttle.time", SimpleNamespace(time=lambda: NOW))


def code_of(secret, step=0):
    return totp.format_hotp_value(totp.hotp_value(secret, next(totp.yield_hotp_counters_from_time()) + 1 + step))


def sign_in(person, client=None, address="10.5.0.1"):
    client = client or Client()
    answer = client.post("/sign-in", {"username": person.email, "password": PASSWORD}, REMOTE_ADDR=address)
    return client, answer


@pytest.fixture
def secret():
    return totp.generate_totp_secret()


@pytest.fixture
def guarded(person, secret):
    """Somebody with an app that shows codes."""
    totp.TOTP.activate(person, secret)
    return person


def test_the_app_is_set_up_with_the_password_asked_again(person):
    client, _ = sign_in(person)
    again = client.get("/second-factor/app")
    assert again["Location"].startswith("/sign-in/again?next=")
    assert client.post(again["Location"], {"password": "wrong"}).status_code == 200
    assert client.post(again["Location"], {"password": PASSWORD})["Location"] == "/second-factor/app"
    page = client.get("/second-factor/app")
    assert b"data:image/svg+xml" in page.content
    secret = client.session[totp.SECRET_SESSION_KEY]
    assert "does not work" in text_of(client.post("/second-factor/app", {"code": "000000"}))
    done = client.post("/second-factor/app", {"code": code_of(secret)})
    assert done["Location"] == "/second-factor/codes"
    codes = client.get("/second-factor/codes").content.decode()
    assert all(code in codes for code in Authenticator.objects.get(type="recovery_codes").wrap().get_unused_codes())
    assert "were shown once" in text_of(client.get("/second-factor/codes"))


@pytest.mark.parametrize("page", ["/sign-in", "/admin/login/"])
def test_the_password_alone_opens_nothing_any_more(guarded, secret, page):
    client = Client()
    answer = client.post(page, {"username": guarded.email, "password": PASSWORD})
    assert answer["Location"] == "/sign-in/second"
    assert client.get("/")["Location"].startswith("/sign-in")
    assert client.post("/sign-in/second", {"code": code_of(secret)})["Location"] == "/"
    assert client.get("/").status_code == 200


def test_a_code_works_once(guarded, secret):
    code = code_of(secret)
    for works in (True, False):
        client, _ = sign_in(guarded)
        assert (client.post("/sign-in/second", {"code": code}).status_code == 302) == works


def test_a_recovery_code_works_once(guarded):
    code = RecoveryCodes.activate(guarded).get_unused_codes()[0]
    for works in (True, False):
        client, _ = sign_in(guarded)
        assert (client.post("/sign-in/second", {"code": code}).status_code == 302) == works


def test_after_signing_in_the_page_that_was_asked_for_opens(guarded, secret):
    client = Client()
    client.post("/sign-in", {"username": guarded.email, "password": PASSWORD, "next": "/account"})
    assert client.post("/sign-in/second", {"code": code_of(secret)})["Location"] == "/account"


def test_wrong_codes_are_counted_from_wherever(guarded, secret):
    statuses = []
    for number in range(CODES_PER_HOUR + 1):
        address = f"10.6.{number}.1"
        client, _ = sign_in(guarded, address=address)
        statuses.append(client.post("/sign-in/second", {"code": "000000"}, REMOTE_ADDR=address).status_code)
    assert statuses == [200] * CODES_PER_HOUR + [429]
    assert client.post("/sign-in/second", {"code": code_of(secret)}).status_code == 429


def test_a_new_password_shuts_out_who_used_the_codes_up(guarded, secret):
    for number in range(CODES_PER_HOUR):
        client, _ = sign_in(guarded, address=f"10.7.{number}.1")
        client.post("/sign-in/second", {"code": "000000"}, REMOTE_ADDR=f"10.7.{number}.1")
    guarded.set_password("a wholly other sentence")
    guarded.save()
    client = Client()
    client.post("/sign-in", {"username": guarded.email, "password": "a wholly other sentence"})
    assert client.post("/sign-in/second", {"code": code_of(secret)}).status_code == 302


def test_who_does_not_know_the_password_cannot_use_codes_up(guarded):
    assert Client().post("/sign-in/second", {"code": "000000"})["Location"] == "/sign-in"


def test_removing_asks_for_the_password_again(guarded, secret):
    client, _ = sign_in(guarded)
    client.post("/sign-in/second", {"code": code_of(secret)})
    again = client.post("/second-factor/app/remove")
    assert again["Location"].startswith("/sign-in/again") and Authenticator.objects.exists()
    client.post(again["Location"], {"password": PASSWORD})
    assert not Authenticator.objects.exists()


def test_an_operator_removes_it_for_who_has_lost_the_device(guarded, system):
    RecoveryCodes.activate(guarded)
    remove_second_factor(system, user=guarded)
    _, answer = sign_in(guarded)
    assert answer["Location"] == "/"


def test_the_person_is_told_by_mail(person, settings):
    settings.HAS_MAIL = True
    client, _ = sign_in(person)
    client.post(client.get("/second-factor/app")["Location"], {"password": PASSWORD})
    client.get("/second-factor/app")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("django.db.transaction.on_commit", lambda act: act())
        client.post("/second-factor/app", {"code": code_of(client.session[totp.SECRET_SESSION_KEY])})
    assert "A second factor was set up" in Mail.objects.get().subject


# Staff


@pytest.mark.parametrize("page", ["/admin/", "/", "/account", "/connect"])
def test_staff_without_one_set_it_up_first_where_it_is_required(operator, settings, page):
    settings.STAFF_SECOND_FACTOR = True
    client = Client()
    client.force_login(operator)
    assert client.get(page)["Location"] == "/second-factor"
    assert "Staff need a second factor" in text_of(client.get("/second-factor"))


@pytest.mark.parametrize("page", ["/second-factor", "/sign-in/again", "/password"])
def test_staff_reach_what_setting_it_up_takes(operator, settings, page):
    settings.STAFF_SECOND_FACTOR = True
    operator.set_password(PASSWORD)
    operator.save()
    client = Client()
    client.force_login(operator)
    assert client.get(page).status_code == 200


def test_staff_with_one_and_everybody_else_are_not_held_up(operator, person, settings, secret):
    settings.STAFF_SECOND_FACTOR = True
    totp.TOTP.activate(operator, secret)
    for user in (operator, person):
        client = Client()
        client.force_login(user)
        assert client.get("/").status_code == 200


# What is stored


def test_secrets_are_encrypted(guarded, secret):
    seed = RecoveryCodes.activate(guarded).instance
    stored = [str(row.data) for row in Authenticator.objects.all()]
    assert len(stored) == 2 and not any(secret in data for data in stored)
    assert seed.data["seed"].startswith(BEGINNING)


def stored_plain(settings):
    Authenticator.objects.update(data={"secret": unseal(Authenticator.objects.get().data["secret"])})


def rotated(settings):
    settings.SECRET_KEY_FALLBACKS, settings.SECRET_KEY = [settings.SECRET_KEY], "another" * 10


def unchanged(settings):
    pass


@pytest.mark.parametrize("happens", [stored_plain, rotated, unchanged])
def test_codes_go_on_and_after_a_night_the_key_of_today_is_enough(guarded, secret, settings, happens):
    happens(settings)
    before = Authenticator.objects.get().data
    assert sign_in_with_code(guarded, secret) == 302
    seal_again()
    settings.SECRET_KEY_FALLBACKS = []
    after = Authenticator.objects.get().data
    assert unseal(after["secret"]) == secret and after["secret"].startswith(BEGINNING)
    assert (before == after) is (happens is unchanged)


def test_without_the_key_of_then_no_code_works_and_the_log_says_why(guarded, secret, settings, caplog):
    settings.SECRET_KEY = "another" * 10
    assert sign_in_with_code(guarded, secret) == 200
    assert "SECRET_KEY of then is not in SECRET_KEY_FALLBACKS" in caplog.text
    before = Authenticator.objects.get().data
    seal_again()
    assert Authenticator.objects.get().data == before


def sign_in_with_code(person, secret):
    client, _ = sign_in(person)
    return client.post("/sign-in/second", {"code": code_of(secret)}).status_code
