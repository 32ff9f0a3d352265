"""Sign in, sign out, change and reset a password."""

import re

import pytest
from django.core import mail
from django.test import Client

from apikeys.models import User
from tests.factories import UserFactory
from tests.people.browser import Browser, text_of

pytestmark = pytest.mark.django_db
LOGIN, RESET, CHANGE = "/login/", "/password/reset/", "/password/change/"
OLD, NEW = "correct horse battery", "a wholly other sentence"


@pytest.fixture
def person(db):
    return UserFactory(email="person@example.com")


def test_people_sign_in_by_address_in_any_case_and_out(person):
    browser = Browser()
    wrong = browser.submit(LOGIN, username="person@example.com", password="wrong")
    assert wrong.status_code == 200
    unknown = browser.submit(LOGIN, username="nobody@example.com", password="wrong")
    assert text_of(wrong) == text_of(unknown)
    answer = browser.submit(f"{LOGIN}?next={CHANGE}", username="Person@Example.com", password=OLD)
    assert (answer.status_code, answer["Location"]) == (302, CHANGE)
    page = browser.open(CHANGE)
    token = page.context["csrf_token"]
    assert browser.client.get("/logout/").status_code == 405
    assert browser.client.post("/logout/", {"csrfmiddlewaretoken": str(token)}).status_code == 302
    assert browser.client.get(CHANGE).status_code == 302


def test_a_foreign_next_page_is_not_followed(person):
    answer = Browser().submit(f"{LOGIN}?next=https://evil.example/", username=person.email, password=OLD)
    assert answer["Location"] == "/"


def test_deactivated_people_do_not_get_in(person):
    User.objects.update(is_active=False)
    assert Browser().submit(LOGIN, username=person.email, password=OLD).status_code == 200


def test_a_password_is_changed_with_the_old_one(person):
    browser = Browser(person)
    refused = browser.submit(CHANGE, old_password="wrong", new_password1=NEW, new_password2=NEW)
    assert refused.status_code == 200
    answer = browser.submit(CHANGE, old_password=OLD, new_password1=NEW, new_password2=NEW)
    assert answer.status_code == 302
    browser.open(answer["Location"])
    assert Client().login(username=person.email, password=NEW)


def test_a_reset_goes_by_mail_and_works_once(person):
    browser = Browser()
    other_session = Browser(person)
    browser.submit(RESET, email="PERSON@example.com")
    [message] = mail.outbox
    assert message.to == ["person@example.com"]
    link = re.search(r"http://testserver(/password/reset/\S+)", message.body)[1]
    page = browser.client.get(link)["Location"]
    weak = browser.submit(page, new_password1="short", new_password2="short")
    assert "too short" in text_of(weak)
    answer = browser.submit(page, new_password1=NEW, new_password2=NEW)
    assert answer.status_code == 302
    browser.open(answer["Location"])
    assert Client().login(username=person.email, password=NEW)
    assert other_session.client.get(CHANGE).status_code == 302  # sessions under the old password are over
    assert "used already" in text_of(Browser().open(link))


def test_a_reset_tells_nobody_who_has_an_account(person):
    UserFactory(email="gone@example.com", is_active=False)
    answers = []
    for email in ("person@example.com", "nobody@example.com", "gone@example.com"):
        browser = Browser()
        answer = browser.submit(RESET, email=email)
        answers.append((answer.status_code, answer["Location"], text_of(browser.open(answer["Location"]))))
    assert len(set(answers)) == 1
    assert [message.to for message in mail.outbox] == [["person@example.com"]]


@pytest.mark.parametrize("page", [LOGIN, "/admin/login/"])
def test_each_sign_in_page_leads_to_the_reset(db, page):
    assert f'href="{RESET}"' in Client().get(page).content.decode()


@pytest.mark.parametrize("backend", ["console", "dummy", "filebased"])
def test_no_mail_is_promised_where_none_leaves(person, settings, backend, tmp_path, capsys):
    settings.EMAIL_BACKEND = f"django.core.mail.backends.{backend}.EmailBackend"
    settings.EMAIL_FILE_PATH = tmp_path
    browser = Browser()
    told = text_of(browser.open(RESET))
    assert "No mail can be sent" in told and "Send the link" not in told, "no form that does nothing"
    answer = Client().post(RESET, {"email": person.email})
    told = text_of(browser.open(answer["Location"]))
    assert "No mail can be sent" in told and "on its way" not in told
    staff = Browser(UserFactory(is_staff=True, is_superuser=True))
    told = text_of(staff.submit(f"/admin/apikeys/user/{person.pk}/password-mail/"))
    assert "No mail server is set (EMAIL_URL), so no mail was sent" in told and "was sent to" not in told


def test_a_mail_is_promised_where_one_leaves(person):
    browser = Browser()
    assert "a mail with a link arrives" in text_of(browser.open(RESET))
    assert "on its way" in text_of(browser.open(browser.submit(RESET, email=person.email)["Location"]))
