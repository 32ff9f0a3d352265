"""Tries to lock somebody out, to learn who has an account, and to take one over: those that no other file makes."""

import re
from types import SimpleNamespace
from urllib.parse import urlsplit

import pytest
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal import auth as totp
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from apikeys.accounts.caller import Caller
from apikeys.accounts.joining import create_invited
from apikeys.accounts.people import update_user
from apikeys.models import Mail, User
from apikeys.signin.links import RESET, mail_reset
from brands.people import invite
from tests.factories import BrandFactory, UserFactory
from tests.people.browser import Browser, text_of
from tests.people.conftest import PASSWORD
from tests.people.test_forgotten import NEW, open_link

pytestmark = pytest.mark.django_db
HOME, AWAY = "10.9.0.1", "10.9.1.1"


@pytest.fixture(autouse=True)
def _fixed_time(monkeypatch, settings):
    """All tries of a test fall into one window; there is mail."""
    monkeypatch.setattr("apikeys.accounts.throttle.time", SimpleNamespace(time=lambda: 1_795_000_200.0))
    settings.HAS_MAIL = True


def sign_in(person, password=PASSWORD, address=HOME):
    client = Client()
    return client, client.post("/sign-in", {"username": person.email, "password": password}, REMOTE_ADDR=address)


def path_of(link):
    return urlsplit(link).path


# Locking somebody out: afterwards the person signs in from home all the same


def guess_passwords(person):
    for _ in range(15):
        sign_in(person, "wrong", AWAY)


def guess_from_the_admin(person):
    for _ in range(15):
        Client().post("/admin/login/", {"username": person.email, "password": "wrong"}, REMOTE_ADDR=AWAY)


def use_up_an_address(person):
    for number in range(110):
        Client().post("/sign-in", {"username": f"n{number}@example.com", "password": "wrong"}, REMOTE_ADDR=AWAY)


def ask_for_resets(person):
    for _ in range(10):
        mail_reset(person.email, "en")


def guess_codes_without_the_password(person):
    for _ in range(30):
        Client().post("/sign-in/second", {"code": "000000"}, REMOTE_ADDR=AWAY)


def open_a_reset_and_leave_it(person):
    open_link(path_of(RESET.address(person)))


def invite_the_address(person):
    brand = BrandFactory()
    invite(Caller.from_user(brand.owner), brand_id=brand.pk, email=person.email)
    Client().post(path_of(re.search(r"http\S+/invitations/\S+", Mail.objects.get().text)[0]), NEW)


@pytest.mark.parametrize(
    "attack",
    [
        guess_passwords,
        guess_from_the_admin,
        use_up_an_address,
        ask_for_resets,
        guess_codes_without_the_password,
        open_a_reset_and_leave_it,
        invite_the_address,
    ],
)
def test_nobody_is_locked_out(person, attack):
    attack(person)
    assert sign_in(person)[1]["Location"] == "/"


# Learning who has an account: known, unknown, deactivated are answered alike, after the same statements


@pytest.mark.parametrize(
    ("page", "field"),
    [("/sign-in", "username"), ("/admin/login/", "username"), ("/password/forgotten", "email")],
)
def test_nobody_learns_who_has_an_account(person, page, field):
    answers = set()
    for email in (person.email, "nobody@example.com", UserFactory(is_active=False).email):
        with CaptureQueriesContext(connection) as statements:
            answer = Client().post(page, {field: email, "password": "wrong"}, REMOTE_ADDR=HOME)
        answers.add((answer.status_code, text_of(answer).replace(email, ""), len(statements)))
    assert len(answers) == 1, answers


# Taking an account over: afterwards the old password works, and the try has opened nothing


def link_with_the_name_of_another(person):
    own, other = path_of(RESET.address(UserFactory())), path_of(RESET.address(person))
    return other.rpartition("/")[0] + "/" + own.rpartition("/")[2]


def link_of_before_signing_in(person):
    link = path_of(RESET.address(person))
    sign_in(person)
    return link


def link_of_before_another_address(person):
    link = path_of(RESET.address(person))
    User.objects.filter(pk=person.pk).update(email="moved@example.com")
    return link


def link_of_before_another_password(person):
    link = path_of(RESET.address(person))
    person.set_password("meanwhile another")
    person.set_password(PASSWORD)
    person.save()
    return link


def link_that_was_guessed(person):
    return path_of(RESET.address(person))[:-4] + "aaaa"


@pytest.mark.parametrize(
    "attack",
    [
        link_with_the_name_of_another,
        link_of_before_signing_in,
        link_of_before_another_address,
        link_of_before_another_password,
        link_that_was_guessed,
    ],
)
def test_a_link_of_another_time_or_person_opens_nothing(person, attack):
    client, form = open_link(attack(person))
    client.post(form, NEW)
    person.refresh_from_db()
    assert person.check_password(PASSWORD)


def test_an_old_address_gets_no_link(person, system):
    old = person.email
    update_user(system, user=person, email="moved@example.com")
    mail_reset(old, "en")
    assert not Mail.objects.exists()


def test_links_lead_to_this_service_whatever_host_was_asked(person, settings):
    settings.ALLOWED_HOSTS, settings.PUBLIC_URL = ["*"], "https://visibility.example"
    Client().post("/password/forgotten", {"email": person.email}, headers={"host": "evil.example"})
    mail_reset(person.email, "en")
    assert re.findall(r"https?://[^/\s]+", Mail.objects.get().text) == ["https://visibility.example"] * 2


@pytest.mark.parametrize("page", ["/", "/account", "/second-factor", "/second-factor/codes", "/sessions", "/address"])
def test_the_password_alone_opens_no_page_of_who_has_a_second_factor(person, page):
    totp.TOTP.activate(person, totp.generate_totp_secret())
    client, _ = sign_in(person)
    assert client.get(page)["Location"].startswith("/sign-in")


def test_nobody_is_sent_elsewhere_after_the_second_factor(person):
    secret = totp.generate_totp_secret()
    totp.TOTP.activate(person, secret)
    client = Client()
    client.post("/sign-in", {"username": person.email, "password": PASSWORD, "next": "https://evil.example/"})
    code = totp.format_hotp_value(totp.hotp_value(secret, next(totp.yield_hotp_counters_from_time()) + 1))
    assert client.post("/sign-in/second", {"code": code})["Location"] == "/"


def test_a_stolen_session_changes_nothing_of_signing_in(person):
    """It lacks the password: no second factor, no address, no password, no codes."""
    thief = Browser(person)
    for page in ("/second-factor/app", "/second-factor/passkey", "/second-factor/codes/new"):
        assert thief.client.get(page)["Location"].startswith("/sign-in/again")
    thief.submit("/address", email="thief@example.com", password="wrong")
    thief.submit("/password", old_password="wrong", **NEW)
    person.refresh_from_db()
    assert person.check_password(PASSWORD) and not Mail.objects.exists() and not Authenticator.objects.exists()


def test_who_made_an_account_in_the_name_of_another_loses_it_once_the_address_is_proven():
    victim = create_invited(email="victim@example.com", password=PASSWORD, is_confirmed=False)
    totp.TOTP.activate(victim, totp.generate_totp_secret())
    intruder = Client()
    intruder.force_login(victim)
    client, form = open_link(path_of(RESET.address(victim)))
    client.post(form, NEW)
    victim.refresh_from_db()
    assert intruder.get("/").status_code == 302 and not victim.check_password(PASSWORD)
    assert sign_in(victim, NEW["new_password1"])[1]["Location"] == "/"


@pytest.mark.parametrize("model", ["emailaddress", "authenticator", "socialapp", "socialaccount", "usersession"])
def test_the_desk_shows_no_secrets_of_signing_in(browser, model):
    for app in ("account", "mfa", "socialaccount", "usersessions"):
        browser.open(f"/admin/{app}/{model}/", status=404)
