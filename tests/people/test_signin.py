"""Signing in and out, and how often a password may be wrong."""

import asyncio
import contextvars
import re
import sys
from ipaddress import ip_network
from itertools import count
from urllib.parse import urlsplit

import pytest
from django.contrib.admin.models import LogEntryManager
from django.contrib.auth.base_user import AbstractBaseUser
from django.contrib.auth.hashers import MD5PasswordHasher
from django.core.cache import caches
from django.core.signals import got_request_exception
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.views.debug import ExceptionReporter

from apikeys.accounts.people import deactivate_user, set_password
from apikeys.accounts.throttle import take
from apikeys.edge.ratelimit import RateLimit
from apikeys.models import Counter
from apikeys.signin.links import WELCOME
from tests.factories import UserFactory
from tests.people.browser import Browser, text_of
from tests.people.conftest import PASSWORD
from tests.threads import at_once

pytestmark = pytest.mark.django_db
SIGN_IN, ADMIN_SIGN_IN, OWN_PASSWORD = "/sign-in", "/admin/login/", "/password"
NEW = "a wholly other sentence"
_hosts = count(1)


@pytest.fixture(autouse=True)
def _one_window(monkeypatch):
    """All tries of a test fall into one window of fifteen minutes."""
    monkeypatch.setattr("apikeys.accounts.throttle.time.time", lambda: 1_795_000_200.0)


@pytest.fixture
def address():
    """A client's address that no other test has: counters are shared, and no test rolls them back."""
    return f"10.0.{next(_hosts)}.1"


def sign_in(email, password="wrong", *, page=SIGN_IN, address, client=None):
    form = {"username": email, "password": password}
    return (client or Client()).post(page, form, REMOTE_ADDR=address)


def statuses(times, email, *args, **options):
    return [sign_in(email, *args, **options).status_code for _ in range(times)]


def test_a_person_signs_in_with_the_address_in_any_case_and_out_again(person, address):
    client = Client()
    assert client.get("/")["Location"] == "/sign-in?next=/"
    assert sign_in(f" {person.email.upper()} ", PASSWORD, client=client, address=address)["Location"] == "/"
    page = text_of(client.get("/"))
    assert person.email in page and "Your brands" in page and "Admin" not in page
    assert client.get("/sign-out").status_code == 405
    assert client.post("/sign-out")["Location"] == "/sign-in"
    assert client.get("/").status_code == 302


def test_nobody_is_sent_to_another_site_after_signing_in(person, address):
    form = {"username": person.email, "password": PASSWORD, "next": "https://evil.example/"}
    assert Client().post(SIGN_IN, form, REMOTE_ADDR=address)["Location"] == "/"


def test_after_ten_wrong_passwords_the_right_one_has_to_wait_too(person, address):
    found = statuses(5, person.email, address=address) + statuses(
        5, person.email, page=ADMIN_SIGN_IN, address=address
    )
    assert found == [200] * 10, "both pages count together"
    answer = sign_in(person.email, PASSWORD, address=address)
    assert answer.status_code == 429
    assert 1 <= int(answer["Retry-After"]) <= 15 * 60
    assert "too many wrong passwords. Try again in" in text_of(answer)
    assert sign_in(person.email.upper(), PASSWORD, page=ADMIN_SIGN_IN, address=address).status_code == 429
    assert set(statuses(100, person.email, address=address)) == {429}
    assert sign_in(UserFactory().email, address=address).status_code == 200, "others at the address are not shut out"


def test_nobody_is_shut_out_by_wrong_passwords_from_elsewhere(person, address):
    assert statuses(11, person.email, address="10.2.0.1") == [200] * 10 + [429]
    assert sign_in(person.email, PASSWORD, address=address)["Location"] == "/"


def test_right_passwords_are_not_counted(person, address):
    assert statuses(12, person.email, PASSWORD, address=address) == [302] * 12
    assert statuses(11, person.email, address=address) == [200] * 10 + [429]


def test_known_unknown_and_deactivated_accounts_are_answered_alike(person, address, monkeypatch):
    """The same words, and the same work: one statement and one hash."""
    hashed = []
    encode = MD5PasswordHasher.encode
    monkeypatch.setattr(MD5PasswordHasher, "encode", lambda *args: hashed.append(args) or encode(*args))
    gone = UserFactory(is_active=False, password=person.password)
    answers = {}
    for email in (person.email, "nobody@example.com", gone.email):
        for password in ("wrong", *([PASSWORD] if email == gone.email else [])):
            hashed.clear()
            with CaptureQueriesContext(connection) as statements:
                answer = sign_in(email, password, address=address)
            words = text_of(answer).replace(email, "")
            answers[email, password] = (answer.status_code, words, len(statements), len(hashed))
    assert len(set(answers.values())) == 1, answers
    assert next(iter(answers.values()))[2:] == (1, 1)


def test_an_address_has_a_hundred_wrong_passwords_over_all_accounts(address, person):
    assert {sign_in(f"nobody{number}@example.com", address=address).status_code for number in range(100)} == {200}
    assert sign_in(person.email, PASSWORD, address=address).status_code == 429
    assert sign_in(person.email, PASSWORD, address="10.1.0.1").status_code == 302


@pytest.mark.django_db(transaction=True, serialized_rollback=True)
def test_a_hundred_wrong_passwords_at_once_are_no_more_than_the_limit(address, person):
    def guess():
        try:
            return sign_in(person.email, address=address).status_code
        finally:
            caches["counters"].disconnect()  # each thread has a connection to the counters

    answers = at_once([guess] * 100)
    assert (answers.count(200), answers.count(429)) == (10, 90), answers


def test_a_thread_has_one_connection_to_the_counters_however_many_requests_it_answers(address):
    def connections():
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_stat_clear_snapshot()")
            cursor.execute("SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()")
            return cursor.fetchone()

    sign_in("nobody@example.com", address=address)
    before, requests = connections(), [contextvars.Context() for _ in range(5)]  # as the server gives each its own
    for request in requests:
        request.run(take, "test", address, limit=10, seconds=60)
    assert connections() == before


def test_the_client_behind_a_proxy_is_known_by_its_own_address():
    """The rate limit, which alone knows the proxies, hands the address down."""
    seen = []

    async def app(scope, receive, send):
        seen.append(scope["client"][0])

    limit = RateLimit(app, rate="1000/m", trusted_proxies=[ip_network("192.0.2.0/24")])
    for peer, forwarded in (("192.0.2.7", b"203.0.113.99"), ("198.51.100.7", b"203.0.113.99")):
        scope = {"type": "http", "path": SIGN_IN, "method": "POST", "client": (peer, 1)}
        asyncio.run(limit({**scope, "headers": [(b"x-forwarded-for", forwarded)]}, None, None))
    assert seen == ["203.0.113.99", "198.51.100.7"]


def test_no_counter_names_an_account_or_an_address(person, address):
    sign_in(person.email, address=address)
    counters = " ".join(Counter.objects.values_list("key", flat=True))
    assert "tries:" in counters and person.email not in counters and address not in counters


def test_the_old_password_cannot_be_guessed_either(person, address):
    client = Client()
    client.force_login(person)
    form = {"old_password": "wrong", "new_password1": NEW, "new_password2": NEW}
    assert [client.post(OWN_PASSWORD, form, REMOTE_ADDR=address).status_code for _ in range(10)] == [200] * 10
    form["old_password"] = PASSWORD
    assert client.post(OWN_PASSWORD, form, REMOTE_ADDR=address).status_code == 429
    assert sign_in(person.email, PASSWORD, address=address).status_code == 429


def test_a_new_password_ends_the_sessions_of_other_browsers(person, address):
    here, other = Client(), Client()
    for client in (here, other):
        sign_in(person.email, PASSWORD, client=client, address=address)
    weak = here.post(OWN_PASSWORD, {"old_password": PASSWORD, "new_password1": "12345", "new_password2": "12345"})
    assert "too short" in text_of(weak)
    form = {"old_password": PASSWORD, "new_password1": NEW, "new_password2": NEW}
    assert here.post(OWN_PASSWORD, form)["Location"] == "/"
    assert "Your password is changed" in text_of(here.get("/"))
    assert other.get("/").status_code == 302
    assert sign_in(person.email, NEW, address=address).status_code == 302


def test_sessions_end_with_the_account_and_with_a_password_set_by_the_operator(system, person, address):
    for end in (set_password, deactivate_user):
        client = Client()
        client.force_login(person)
        assert client.get("/").status_code == 200
        end(system, user=person)
        assert client.get("/").status_code == 302
        person.refresh_from_db()
    assert sign_in(person.email, PASSWORD, address=address).status_code == 200


def test_who_may_not_open_the_admin_is_asked_to_sign_in_as_somebody_else(person):
    browser = Browser(person)
    answer = browser.client.get("/admin/", follow=True)
    assert answer.redirect_chain == [("/admin/login/?next=/admin/", 302)]
    assert f"You are signed in as {person.email}, who may not open that page" in text_of(answer)


def test_the_admin_changes_passwords_on_the_same_page(browser):
    assert browser.client.get("/admin/password_change/")["Location"] == OWN_PASSWORD


def test_no_error_report_holds_a_password_or_a_key(person, operator, address, monkeypatch):
    """The service fails in the middle of each form that handles one; the report is what would be mailed or logged."""
    reports = []

    def report(sender, request, **_):
        reports.append(ExceptionReporter(request, *sys.exc_info()).get_traceback_html())

    staff, keys = Browser(operator), "/admin/apikeys/apikey/add/"
    guest = Client(raise_request_exception=False)
    link = guest.get(urlsplit(WELCOME.address(UserFactory())).path)["Location"]
    own = Browser(person)
    changed = own.form(OWN_PASSWORD) | {"old_password": [PASSWORD], "new_password1": [NEW], "new_password2": [NEW]}
    own.client.raise_request_exception = False
    new_key = staff.form(keys) | {"owner": [person.email], "name": ["Dashboard"]}
    staff.client.raise_request_exception = False
    got_request_exception.connect(report)
    # What is called next is None: nothing but our own frames, and those of Django above them, have seen the secret.
    monkeypatch.setattr("django.contrib.auth.forms.authenticate", None)
    monkeypatch.setattr(AbstractBaseUser, "set_password", None)
    monkeypatch.setattr(LogEntryManager, "log_actions", None)
    try:
        sign_in(person.email, PASSWORD, client=Client(raise_request_exception=False), address=address)
        guest.post(link, {"new_password1": NEW, "new_password2": NEW})
        own.client.post(OWN_PASSWORD, changed)
        staff.client.post(keys, new_key)
    finally:
        got_request_exception.disconnect(report)
    for each in reports:
        assert "not callable" in each and PASSWORD not in each and NEW not in each
        assert not re.search(r"bvs_live_[0-9A-Za-z]{38}", each)
    assert len(reports) == 4
