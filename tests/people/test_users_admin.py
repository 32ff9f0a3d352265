"""Accounts, groups, plans and records in the staff pages."""

import pytest
from django.contrib.admin.models import DELETION, LogEntry
from django.contrib.auth.models import Group
from django.core import mail
from django.core.mail.backends.base import BaseEmailBackend
from django.db import connection
from django.test import Client

from apikeys.models import CallLog, Plan, Usage, User
from tests.factories import ApiKeyFactory, UserFactory, plan
from tests.people.browser import Browser, text_of
from tests.people.keys import working_keys

pytestmark = pytest.mark.django_db
LIST, ADD = "/admin/apikeys/user/", "/admin/apikeys/user/add/"


def change(user):
    return f"{LIST}{user.pk}/change/"


@pytest.fixture
def person(db):
    return UserFactory(email="person@example.com", plan=plan("free"))


def test_an_account_is_made_and_gets_its_password_by_mail(browser):
    answer = browser.submit(ADD, email="New@Example.com", first_name="Ada", plan=str(plan("growth").pk))
    assert answer.status_code == 302, text_of(answer)
    user = User.objects.get(email="New@example.com")
    assert (user.first_name, user.plan, user.is_staff) == ("Ada", plan("growth"), False)
    assert browser.submit(f"{LIST}{user.pk}/password-mail/").status_code == 302
    assert mail.outbox[0].to == ["New@example.com"]
    assert "/password/reset/" in mail.outbox[0].body


MAILED = []


class WatchedMail(BaseEmailBackend):
    """Notes whether a transaction is open while the mail server is spoken to."""

    def send_messages(self, messages):
        MAILED.append(connection.in_atomic_block)
        return len(messages)


class DeadMail(BaseEmailBackend):
    """A mail server that is not there."""

    def send_messages(self, messages):
        raise ConnectionRefusedError(111, "Connection refused")


@pytest.mark.django_db(transaction=True, serialized_rollback=True)
def test_no_transaction_waits_for_the_mail_server(settings):
    settings.EMAIL_BACKEND = f"{__name__}.WatchedMail"
    MAILED.clear()
    browser, person = Browser(UserFactory(is_staff=True, is_superuser=True)), UserFactory()
    browser.submit(f"/admin/apikeys/user/{person.pk}/password-mail/")
    assert MAILED == [False]
    assert settings.EMAIL_TIMEOUT


def test_a_mail_that_could_not_be_sent_is_not_said_to_be(browser, person, settings):
    settings.EMAIL_BACKEND = f"{__name__}.DeadMail"
    answer = browser.submit(f"/admin/apikeys/user/{person.pk}/password-mail/")
    assert answer.status_code == 200
    assert "Connection refused" in text_of(answer) and "EMAIL_URL" in text_of(answer)
    assert not LogEntry.objects.exists()


def test_without_a_mail_server_no_link_is_printed(browser, person, settings, capsys):
    settings.EMAIL_BACKEND = "django.core.mail.backends.console.EmailBackend"
    answer = browser.submit(f"/admin/apikeys/user/{person.pk}/password-mail/")
    assert "No mail server is set (EMAIL_URL)" in text_of(answer)
    assert capsys.readouterr().out == "" and not LogEntry.objects.exists()


def test_an_account_without_password_sign_in_gets_no_mail(browser, person):
    person.set_unusable_password()
    person.save()
    answer = browser.submit(f"/admin/apikeys/user/{person.pk}/password-mail/")
    assert "may not sign in by password" in text_of(answer)
    assert mail.outbox == []


@pytest.mark.parametrize("email", ["PERSON@example.com", "nobody", ""])
def test_bad_addresses_are_refused_in_the_form(browser, person, email):
    answer = browser.submit(ADD, email=email)
    assert answer.status_code == 200
    assert "errorlist" in answer.content.decode()
    assert User.objects.count() == 2
    if email.startswith("PERSON"):
        assert "exists already" in text_of(answer)


def test_name_and_plan_change_through_the_form(browser, person):
    ApiKeyFactory(owner=person)
    before = User.objects.values("password", "is_active", "date_joined").get(pk=person.pk)
    answer = browser.submit(change(person), email="other@example.com", plan=str(plan("scale").pk), last_name="L")
    assert answer.status_code == 302, text_of(answer)
    person.refresh_from_db()
    assert (person.email, person.plan, person.last_name) == ("other@example.com", plan("scale"), "L")
    assert User.objects.values("password", "is_active", "date_joined").get(pk=person.pk) == before


def test_an_account_has_limits_of_its_own_beside_those_of_its_plan(browser, person):
    assert browser.submit(change(person), own_credits_per_month="9000", own_max_sites="0").status_code == 302
    person.refresh_from_db()
    assert (person.limit("credits_per_month"), person.limit("max_sites")) == (9000, 0)
    assert person.limit("drafts_per_month") == plan("free").drafts_per_month
    for field, wrong in (("own_max_samples", "0"), ("own_max_sites", "-1"), ("own_max_sites", "many")):
        answer = browser.submit(change(person), **{field: wrong})
        assert answer.status_code == 200 and "errorlist" in answer.content.decode(), field
    assert browser.submit(change(person), own_credits_per_month="").status_code == 302
    person.refresh_from_db()
    assert person.limit("credits_per_month") == plan("free").credits_per_month


def test_a_page_saved_as_it_is_changes_nothing(browser, person):
    group = Group.objects.create(name="clerks")
    person.groups.add(group)
    before = User.objects.values().get(pk=person.pk)
    assert browser.submit(change(person)).status_code == 302
    assert User.objects.values().get(pk=person.pk) == before
    assert person.groups.get() == group


def test_the_password_is_set_by_djangos_own_form(browser, person):
    page = f"{LIST}{person.pk}/password/"
    weak = browser.submit(page, password1="short", password2="short")
    assert "too short" in text_of(weak)
    answer = browser.submit(page, password1="correct horse staple", password2="correct horse staple")
    assert answer.status_code == 302
    assert Client().login(username="PERSON@example.com", password="correct horse staple")


def test_deactivation_ends_sessions_and_keys_for_good(browser, person):
    key = ApiKeyFactory(owner=person)
    session = Browser(person)
    session.open("/password/change/")
    answer = browser.submit(f"{LIST}{person.pk}/deactivate/")
    assert answer.status_code == 302
    assert "is deactivated: 1 keys revoked, 0 invitations" in text_of(browser.open(answer["Location"]))
    key.refresh_from_db()
    assert key.revoked_at is not None
    assert session.client.get("/password/change/").status_code == 302
    assert LogEntry.objects.get().get_change_message() == "Deactivate."
    browser.submit(f"{LIST}{person.pk}/reactivate/")
    assert User.objects.get(pk=person.pk).is_active
    assert working_keys() == []


def test_nobody_deactivates_themselves(browser, operator):
    assert "You cannot deactivate" in text_of(browser.submit(f"{LIST}{operator.pk}/deactivate/"))
    assert User.objects.get(pk=operator.pk).is_active


def test_a_superuser_cannot_take_the_role_from_themselves(browser, operator):
    answer = browser.submit(change(operator), is_superuser=None)
    assert "You cannot take the superuser role" in text_of(answer)
    assert User.objects.get(pk=operator.pk).is_superuser


def test_a_superuser_hands_out_roles(browser, person):
    group = Group.objects.create(name="clerks")
    browser.submit(change(person), is_staff="on", groups=[str(group.pk)])
    person.refresh_from_db()
    assert (person.is_staff, list(person.groups.all())) == (True, [group])


def test_a_clerk_cannot_raise_anyone(clerk, person, operator):
    clerk_user = clerk("apikeys.view_user", "apikeys.change_user", "auth.change_group", "auth.view_group")
    browser = Browser(clerk_user)
    answer = browser.submit(change(person), is_staff="on", is_superuser="on", first_name="Ada")
    assert answer.status_code == 302
    person.refresh_from_db()
    assert (person.first_name, person.is_staff, person.is_superuser) == ("Ada", False, False)
    token = browser.form(change(person))["csrfmiddlewaretoken"]
    for staff in (operator, clerk_user):
        for page in ("change", "password", "deactivate", "password-mail"):
            url = f"{LIST}{staff.pk}/{page}/"
            sent = {"csrfmiddlewaretoken": token, "email": "x@example.com", "is_superuser": "on"}
            assert browser.client.post(url, sent).status_code == 403, url
        assert User.objects.get(pk=staff.pk).is_active
    assert browser.client.get("/admin/auth/group/").status_code == 403


def test_accounts_are_not_deleted(browser, person):
    assert browser.client.get(f"{LIST}{person.pk}/delete/").status_code == 403
    assert "delete_selected" not in browser.open(LIST).content.decode()


def test_plans_are_edited_and_kept_while_in_use(browser, person):
    free = plan("free")
    page = f"/admin/apikeys/plan/{free.pk}/"
    assert browser.submit(f"{page}change/", max_sites="2", api_access="on").status_code == 302
    free.refresh_from_db()
    assert (free.max_sites, free.api_access) == (2, True)
    assert "errorlist" in browser.submit(f"{page}change/", max_samples="0").content.decode()
    refused = browser.submit(f"{page}delete/")
    assert "Accounts on the plan Free: 1. Move them" in text_of(browser.open(refused["Location"]))
    assert Plan.objects.filter(tier="free").exists()
    unused = f"/admin/apikeys/plan/{plan('growth').pk}/delete/"
    assert browser.submit(unused).status_code == 302
    assert not Plan.objects.filter(tier="growth").exists()
    token = browser.form(ADD)["csrfmiddlewaretoken"]
    chosen = {"action": "delete_selected", "_selected_action": [str(free.pk)], "post": "yes"}
    refused = browser.client.post("/admin/apikeys/plan/", {**chosen, "csrfmiddlewaretoken": token})
    assert "Move them" in text_of(browser.open(refused["Location"]))
    assert Plan.objects.filter(tier="free").exists()
    assert not LogEntry.objects.filter(object_id=str(free.pk), action_flag=DELETION).exists()
    assert "exists already" in text_of(
        browser.submit(
            "/admin/apikeys/plan/add/",
            **{
                "tier": "free",
                "name": "Other",
                "max_sites": "1",
                "max_prompts_per_site": "1",
                "max_competitors_per_site": "1",
                "drafts_per_month": "1",
                "credits_per_month": "1",
            },
        )
    )


def test_records_are_to_look_at(browser, person):
    key = ApiKeyFactory(owner=person, name="Dashboard")
    call = CallLog.objects.create(key=key, door="rest", name="GET /api/v1/brands", success=True)
    usage = Usage.objects.create(user=person, kind="credits", period="2026-01-01", used=77)
    calls, used = "/admin/apikeys/calllog/", "/admin/apikeys/usage/"
    assert "GET /api/v1/brands" in text_of(browser.open(f"{calls}?key__id__exact={key.pk}&q=Dashboard"))
    assert "77" in text_of(browser.open(used))
    for page, row in ((calls, call), (used, usage)):
        browser.open(f"{page}{row.pk}/change/")
        assert browser.client.get(f"{page}add/").status_code == 403
        assert browser.client.get(f"{page}{row.pk}/delete/").status_code == 403
        token = browser.form(ADD)["csrfmiddlewaretoken"]
        answer = browser.client.post(f"{page}{row.pk}/change/", {"csrfmiddlewaretoken": token, "used": "0"})
        assert answer.status_code == 403
    usage.refresh_from_db()
    assert usage.used == 77


def test_no_staff_page_brings_scripts_or_styles_of_its_own(browser, person, operator):
    key = ApiKeyFactory(owner=person)
    pages = ["/admin/", LIST, ADD, change(person), f"{LIST}{person.pk}/deactivate/", "/admin/apikeys/apikey/add/"]
    pages += [f"/admin/apikeys/apikey/{key.pk}/{page}/" for page in ("change", "revoke", "rotate")]
    for url in pages:
        answer = browser.open(url)
        content = answer.content.decode()
        assert "default-src 'self'" in answer["Content-Security-Policy"]
        assert "unsafe" not in answer["Content-Security-Policy"]
        assert " style=" not in content, url
        assert "<style" not in content, url
        assert " onclick=" not in content, url
        assert "<script>" not in content, url
