"""A forgotten password, the first one by an operator's link, and another address."""

import re
from datetime import timedelta
from urllib.parse import urlsplit

import pytest
from allauth.mfa.totp.internal import auth as totp
from django.core import signing
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from procrastinate.contrib.django.models import ProcrastinateJob

from apikeys.accounts.address import LASTS
from apikeys.accounts.people import deactivate_user
from apikeys.models import AddressChange, Mail, User
from apikeys.signin.links import ASKED_PER_HOUR, RESET, RESETS_PER_HOUR, WELCOME, mail_reset
from apikeys.signin.views import browser_name
from tests.factories import UserFactory
from tests.people.browser import Browser, text_of
from tests.people.conftest import PASSWORD

pytestmark = pytest.mark.django_db
NEW = {"new_password1": "a wholly other sentence", "new_password2": "a wholly other sentence"}


@pytest.fixture(autouse=True)
def _with_mail(settings):
    settings.HAS_MAIL = True


def link_in(mail) -> str:
    """The path of the link in a mail."""
    return urlsplit(re.search(r"https?://\S+/(?:password|welcome|address)/\S+", mail.text)[0]).path


def reset_link(person) -> str:
    mail_reset(person.email, "en")
    return link_in(Mail.objects.filter(kind="reset").latest("created_at"))


def open_link(path, client=None):
    """The page behind a link, whose token Django moves into the session."""
    client = client or Client()
    answer = client.get(path)
    return client, answer["Location"] if answer.status_code == 302 else path


# Forgotten


def test_a_new_password_by_mail(person):
    client, form = open_link(reset_link(person))
    assert "set-password" in form
    assert "too short" in text_of(client.post(form, {"new_password1": "abc", "new_password2": "abc"}))
    assert client.post(form, NEW)["Location"] == "/sign-in"
    assert "Sign in with it" in text_of(client.get("/sign-in"))
    person.refresh_from_db()
    assert person.check_password(NEW["new_password1"])
    assert Mail.objects.filter(kind="security", person=person).exists()


def test_the_link_works_once(person):
    path = reset_link(person)
    client, form = open_link(path)
    client.post(form, NEW)
    assert "does not work any more" in text_of(Client().get(path))


def test_a_new_password_ends_all_sessions_and_leaves_the_second_factor(person):
    totp.TOTP.activate(person, totp.generate_totp_secret())
    other = Client()
    other.force_login(person)
    client, form = open_link(reset_link(person))
    client.post(form, NEW)
    assert other.get("/").status_code == 302
    answer = client.post("/sign-in", {"username": person.email, "password": NEW["new_password1"]})
    assert answer["Location"] == "/sign-in/second"


def test_the_page_answers_alike_for_all_addresses(person):
    """The same words, and the same work: the worker looks the account up."""
    answers = set()
    for email in (person.email, "nobody@example.com", UserFactory(is_active=False).email):
        client = Client()
        with CaptureQueriesContext(connection) as statements:
            answer = client.post("/password/forgotten", {"email": email}, REMOTE_ADDR="10.8.0.1")
        answers.add((answer.status_code, text_of(answer).replace(email, ""), len(statements)))
    assert len(answers) == 1, answers
    assert ProcrastinateJob.objects.filter(task_name="visibility.jobs.mail_reset").count() == 3


def test_the_worker_mails_to_accounts_alone(person):
    for email in (person.email.upper(), "nobody@example.com", UserFactory(is_active=False).email):
        mail_reset(email, "de")
    mail = Mail.objects.get()
    assert (mail.address, mail.subject, mail.has_secret) == (person.email, "Neues Passwort wählen", True)


def test_nobody_is_flooded_with_mails(person):
    for _ in range(RESETS_PER_HOUR + 3):
        mail_reset(person.email, "en")
    assert Mail.objects.count() <= RESETS_PER_HOUR


def test_one_address_asks_for_so_many_and_no_more():
    statuses = [
        Client().post("/password/forgotten", {"email": f"p{n}@example.com"}, REMOTE_ADDR="10.8.1.1").status_code
        for n in range(ASKED_PER_HOUR + 1)
    ]
    assert statuses == [200] * ASKED_PER_HOUR + [429]


def test_without_mail_the_page_says_whom_to_ask(settings):
    settings.HAS_MAIL = False
    assert "sends no mail" in text_of(Client().get("/password/forgotten"))
    assert "Password forgotten" not in text_of(Client().get("/sign-in"))


def aged(links, monkeypatch, by):
    now = links._now()
    monkeypatch.setattr(links, "_now", lambda: now + by)


@pytest.mark.parametrize(
    ("links", "lasts"), [(RESET, timedelta(hours=1)), (WELCOME, timedelta(days=14))], ids=["reset", "welcome"]
)
@pytest.mark.parametrize("more", [-10, 10])
def test_a_link_lasts_so_long(person, monkeypatch, links, lasts, more):
    token = links.make_token(person)
    aged(links, monkeypatch, lasts + timedelta(seconds=more))
    assert links.check_token(person, token) == (more < 0)


def test_a_link_of_one_kind_is_none_of_the_other(person):
    assert not RESET.check_token(person, WELCOME.make_token(person))


# The first password


def test_an_operator_hands_the_link_on_where_there_is_no_mail(browser, settings):
    settings.HAS_MAIL = False
    page = browser.submit("/admin/apikeys/user/add/", email="new@example.com").content.decode()
    path = re.search(r"/welcome/[^<\s]+", page)[0]
    client, form = open_link(path)
    assert "For new@example.com" in text_of(client.get(form))
    client.post(form, NEW)
    assert User.objects.with_email("new@example.com").check_password(NEW["new_password1"])
    assert "does not work any more" in text_of(Client().get(path))


def test_an_operator_invites_by_mail(browser):
    assert browser.submit("/admin/apikeys/user/add/", email="new@example.com").status_code == 302
    mail = Mail.objects.get()
    assert mail.address == "new@example.com" and link_in(mail).startswith("/welcome/")


def test_who_never_came_is_invited_again(browser, person):
    browser.submit(f"/admin/apikeys/user/{person.pk}/invite/")
    assert Mail.objects.get().address == person.email


def test_a_link_to_a_deactivated_account_opens_nothing(system, person):
    path = urlsplit(WELCOME.address(person)).path
    deactivate_user(system, user=person)
    assert "does not work any more" in text_of(Client().get(path))


# Another address


@pytest.fixture
def asking(person):
    """The browser of somebody who wants another address, after asking; and the links in both mails."""
    browser = Browser(person)
    answer = browser.submit("/address", email="new@example.com", password=PASSWORD)
    assert "Two mails are on their way" in text_of(answer)
    old, new = (link_in(Mail.objects.get(once__startswith=f"address:{side}:")) for side in ("old", "new"))
    return person, old, new


@pytest.mark.parametrize("order", [(0, 1), (1, 0)], ids=["the old first", "the new first"])
def test_an_address_changes_once_both_have_confirmed_it(asking, order):
    person, *links = asking
    first, second = (links[place] for place in order)
    assert "Now open the mail to" in text_of(Browser().submit(first))
    person.refresh_from_db()
    assert person.email != "new@example.com"
    assert "Your address is changed" in text_of(Browser().submit(second))
    person.refresh_from_db()
    assert person.email == "new@example.com"
    assert Mail.objects.filter(once__startswith="address:done:").count() == 2


def test_looking_at_the_links_confirms_nothing(asking):
    _, *links = asking
    for link in links:
        assert "Change the address?" in text_of(Client().get(link))
    assert AddressChange.objects.get().confirmed_by_old_at is None


def test_one_side_twice_is_not_both(asking):
    person, old, _ = asking
    Browser().submit(old)
    Browser().submit(old)
    person.refresh_from_db()
    assert person.email != "new@example.com"


@pytest.mark.parametrize("wrong", ["old", "new", "forged", "asked again", "too old"])
def test_a_link_to_another_address_that_works_no_more(asking, wrong, monkeypatch):
    person, old, new = asking
    if wrong == "too old":
        now = signing.time.time() + LASTS.total_seconds() + 10
        monkeypatch.setattr("django.core.signing.time.time", lambda: now)
    elif wrong == "asked again":
        Browser(person).submit("/address", email="third@example.com", password=PASSWORD)
    elif wrong == "forged":
        old = "/address/" + signing.dumps([str(AddressChange.objects.get().pk), "old"], salt="other")
    else:
        Browser().submit(old)
        Browser().submit(new)
    page = Client().get(new if wrong == "new" else old)
    assert page.status_code == 404 and "does not work any more" in text_of(page)


def test_the_answer_is_the_same_for_an_address_with_an_account(person):
    taken = UserFactory().email
    answers = {
        text_of(Browser(person).submit("/address", email=email, password=PASSWORD)).replace(email, "")
        for email in (taken, "free@example.com")
    }
    assert len(answers) == 1
    assert "You have one" in Mail.objects.get(address=taken).text


def test_the_password_is_asked_for(person):
    page = Browser(person).submit("/address", email="new@example.com", password="wrong")
    assert "not your password" in text_of(page) and not Mail.objects.exists()


def test_an_address_that_got_an_account_meanwhile_is_refused(asking):
    person, old, new = asking
    UserFactory(email="New@example.com")
    Browser().submit(old)
    assert Browser().submit(new).status_code == 409
    person.refresh_from_db()
    assert person.email != "new@example.com"


# Sessions


def test_people_see_where_they_are_signed_in_and_end_it(person):
    here, there = Client(HTTP_USER_AGENT="Firefox"), Client(HTTP_USER_AGENT="Old telephone")
    for client in (here, there):
        client.post("/sign-in", {"username": person.email, "password": PASSWORD}, REMOTE_ADDR="2001:db8:1:2::/64")
    page = text_of(here.get("/sessions"))
    assert "Old telephone" in page and "2001:db8:1:2::" in page and "this browser" in page
    assert here.post("/sessions", {"session": "others"}).status_code == 302
    assert there.get("/").status_code == 302 and here.get("/").status_code == 200


@pytest.mark.parametrize(
    ("user_agent", "name"),
    [
        ("Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:145.0) Gecko/20100101 Firefox/145.0", "Firefox, Windows"),
        (
            "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18 Safari/604",
            "Safari, iPhone",
        ),
        ("Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/142.0 Safari/537.36 Edg/142.0", "Edge, Linux"),
        ("curl/8.0", "curl/8.0"),
        ("", "?"),
    ],
)
def test_a_browser_is_named_as_people_know_it(user_agent, name):
    assert browser_name(user_agent) == name


def test_nobody_ends_the_session_of_somebody_else(person):
    stranger, mine = Client(), Client()
    mine.post("/sign-in", {"username": person.email, "password": PASSWORD})
    stranger.force_login(UserFactory())
    for row in person.usersession_set.all():
        stranger.post("/sessions", {"session": row.pk})
    assert mine.get("/").status_code == 200
