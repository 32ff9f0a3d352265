"""Keys in the staff pages: shown once, in the answer to the form, and nowhere else."""

import re
from datetime import timedelta

import pytest
from django.apps import apps
from django.contrib.admin.models import LogEntry
from django.contrib.sessions.models import Session
from django.db import connection
from django.utils import timezone

from apikeys import keyformat
from apikeys.models import ApiKey
from tests.factories import ApiKeyFactory, UserFactory, plan
from tests.people.browser import Browser, text_of

pytestmark = pytest.mark.django_db
ADD, LIST = "/admin/apikeys/apikey/add/", "/admin/apikeys/apikey/"
KEY = re.compile(r"bvs_live_[0-9A-Za-z]{38}")


@pytest.fixture
def owner(db):
    return UserFactory(email="owner@example.com")


def issue(browser, **changes):
    filled = {"owner": "Owner@example.com", "name": "Dashboard", "scopes": ["read:sites", "run:audits"], **changes}
    return browser.submit(ADD, **filled)


def everything_stored():
    """Every row of every table, as text."""
    rows = []
    for model in apps.get_models(include_auto_created=True):
        rows += [str(row) for row in model._base_manager.values()]
    for session in Session.objects.all():
        rows.append(str(session.get_decoded()))
    return "\n".join(rows)


def test_the_key_is_in_the_answer_to_the_form_and_nowhere_else(browser, owner, operator):
    answer = issue(browser)
    assert answer.status_code == 200
    [raw] = set(KEY.findall(answer.content.decode()))
    key = ApiKey.objects.get()
    assert key.digest == keyformat.digest(raw)
    assert (key.owner, key.name, key.scopes, key.created_by) == (
        owner,
        "Dashboard",
        ["read:sites", "run:audits"],
        operator,
    )
    assert "no-store" in answer["Cache-Control"]
    assert answer["Referrer-Policy"] == "no-referrer"
    assert raw not in everything_stored()
    assert raw not in str(answer.headers)
    assert raw not in str(browser.client.cookies)
    for page in (LIST, f"{LIST}{key.pk}/change/", f"{LIST}{key.pk}/history/", "/admin/", "/admin/apikeys/user/"):
        seen = browser.open(page).content.decode()
        assert raw not in seen
        assert raw.removeprefix("bvs_live_")[:32] not in seen
    entry = LogEntry.objects.get()
    assert (entry.user, entry.object_id, entry.is_addition()) == (operator, str(key.pk), True)


def test_a_reload_neither_shows_nor_makes_a_second(browser, owner):
    fields = browser.form(ADD)
    fields.update(owner=["owner@example.com"], name=["Dashboard"], scopes=["read:sites"])
    first = browser.client.post(ADD, fields)
    [raw] = set(KEY.findall(first.content.decode()))
    again = browser.client.post(ADD, fields)
    assert again.status_code == 409
    assert not KEY.search(again.content.decode())
    assert "has issued its key already" in text_of(again)
    assert raw[-4:] in text_of(again)
    changed = browser.client.post(ADD, {**fields, "name": ["Another"]})
    assert changed.status_code == 409
    assert ApiKey.objects.count() == 1
    assert LogEntry.objects.count() == 1


def test_each_opened_form_issues_its_own_key(browser, owner):
    assert issue(browser).status_code == issue(browser).status_code == 200
    assert ApiKey.objects.count() == 2


def test_no_token_no_key(browser, owner):
    fields = browser.form(ADD)
    fields.update(owner=["owner@example.com"], name=["Dashboard"], scopes=["read:sites"], csrfmiddlewaretoken=["x"])
    assert browser.client.post(ADD, fields).status_code == 403
    assert not ApiKey.objects.exists()


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"owner": "nobody@example.com"}, "No account has this email address"),
        ({"owner": "owner\0@example.com"}, "Null characters are not allowed"),
        ({"scopes": []}, "This field is required"),
        ({"scopes": ["read:everything"]}, "read:everything is not one of the available choices"),
        ({"name": " "}, "This field is required"),
        ({"name": "x\u202ey"}, "invisible character U+202E"),
        ({"nonce": "x"}, "Enter a valid UUID"),
        ({"expires_in_days": "0"}, "greater than or equal to 1"),
    ],
)
def test_a_bad_form_says_why_and_keeps_what_was_typed(browser, owner, changes, sentence):
    answer = issue(browser, **changes)
    assert answer.status_code == 200
    assert sentence in text_of(answer)
    assert not ApiKey.objects.exists()
    assert not KEY.search(answer.content.decode())


def test_a_deactivated_owner_is_refused_in_the_form(browser):
    UserFactory(email="owner@example.com", is_active=False)
    assert "Reactivate it first" in text_of(issue(browser))
    assert not ApiKey.objects.exists()


def test_a_plan_without_api_is_warned_about(browser):
    UserFactory(email="owner@example.com", plan=plan("free"))
    answer = issue(browser, expires_in_days="7")
    assert "no API access" in text_of(answer)
    assert KEY.search(answer.content.decode())
    left = ApiKey.objects.get().expires_at - timezone.now()
    assert timedelta(days=6) < left <= timedelta(days=7)


def test_a_name_is_data_on_the_page(browser, owner):
    answer = issue(browser, name="<script>alert(1)</script>")
    assert "<script>alert(1)" not in answer.content.decode()


PAGES = {
    "list": (LIST, "GET"),
    "add": (ADD, "GET"),
    "detail": (LIST + "{key}/change/", "GET"),
    "revoke": (LIST + "{key}/revoke/", "GET"),
    "rotate": (LIST + "{key}/rotate/", "GET"),
    "delete": (LIST + "{key}/delete/", "GET"),
}


@pytest.mark.parametrize(
    ("permissions", "allowed"),
    [
        ([], set()),
        (["view_apikey"], {"list", "detail"}),
        (["issue_apikey"], {"list", "detail", "add"}),
        (["revoke_apikey"], {"list", "detail", "revoke"}),
        (["rotate_apikey"], {"list", "detail", "rotate"}),
        (["add_apikey", "change_apikey", "delete_apikey"], set()),
    ],
)
def test_each_act_has_its_own_permission(clerk, owner, permissions, allowed):
    key = ApiKeyFactory(owner=owner)
    browser = Browser(clerk(*[f"apikeys.{name}" for name in permissions]))
    for name, (page, _) in PAGES.items():
        url = page.format(key=key.pk)
        status = browser.client.get(url).status_code
        assert status == (200 if name in allowed else 403), name
        if name not in allowed:
            with_token = Browser(browser.user)
            with_token.client.get("/admin/")
            assert with_token.client.post(url, {}).status_code == 403, name
    key.refresh_from_db()
    assert key.revoked_at is None
    assert ApiKey.objects.count() == 1


def test_without_the_permission_run_scopes_are_neither_offered_nor_granted(clerk, owner):
    browser = Browser(clerk("apikeys.issue_apikey"))
    page = browser.open(ADD).content.decode()
    assert 'value="read:sites"' in page
    assert 'value="run:audits"' not in page
    assert "not one of the available choices" in text_of(issue(browser, scopes=["run:audits"]))
    assert not ApiKey.objects.exists()
    assert KEY.search(issue(browser, scopes=["read:sites"]).content.decode())


def test_revoking_needs_a_reason_and_is_on_record(browser, owner, operator):
    key = ApiKeyFactory(owner=owner)
    page = f"{LIST}{key.pk}/revoke/"
    assert "This field is required" in text_of(browser.submit(page))
    answer = browser.submit(page, reason="lost")
    assert (answer.status_code, answer["Location"]) == (302, f"{LIST}{key.pk}/change/")
    key.refresh_from_db()
    assert (key.revoked_by, key.revoked_reason) == (operator, "lost")
    assert LogEntry.objects.get().get_change_message() == "Revoke."
    assert "is revoked" in text_of(browser.open(answer["Location"]))


def test_rotation_shows_the_new_key_once(browser, owner):
    old = ApiKeyFactory(owner=owner)
    page = f"{LIST}{old.pk}/rotate/"
    fields = browser.form(page)
    assert fields["overlap"] == ["86400"]
    answer = browser.client.post(page, fields)
    [raw] = set(KEY.findall(answer.content.decode()))
    new = ApiKey.objects.get(rotated_from=old)
    assert new.digest == keyformat.digest(raw)
    assert "no-store" in answer["Cache-Control"]
    old.refresh_from_db()
    assert timedelta(hours=23) < old.expires_at - timezone.now() <= timedelta(days=1)
    assert raw not in everything_stored()
    again = browser.client.post(page, fields)
    assert "rotated already" in text_of(again)
    assert not KEY.search(again.content.decode())
    assert ApiKey.objects.count() == 2


def test_the_page_of_a_key_tells_its_state_and_its_whole_record(browser, owner, operator):
    old = ApiKeyFactory(owner=owner)
    new = ApiKeyFactory(owner=owner, rotated_from=old, created_by=operator, last_used_at=timezone.now())
    browser.submit(f"{LIST}{new.pk}/revoke/", reason="on a train")
    page = browser.open(f"{LIST}{new.pk}/change/")
    for words in (
        "State: revoked",
        f"Created by: {operator}",
        f"Rotated from: {old}",
        "Revoked reason: on a train",
    ):
        assert words in text_of(page), words
    assert f"Revoked by: {operator}" in text_of(page) and "Last used at: -" not in text_of(page)
    replaced = browser.open(f"{LIST}{old.pk}/change/")
    assert "State: active" in text_of(replaced) and f"Rotated to: {new}" in text_of(replaced)
    assert f'href="{LIST}{new.pk}/change/"' in replaced.content.decode()


def test_rotation_offers_listed_overlaps_only(browser, owner):
    key = ApiKeyFactory(owner=owner)
    answer = browser.submit(f"{LIST}{key.pk}/rotate/", overlap="99999999")
    assert "not one of the available choices" in text_of(answer)
    assert ApiKey.objects.count() == 1


def test_links_are_shown_for_what_can_be_done(browser, owner):
    key = ApiKeyFactory(owner=owner)
    page = browser.open(f"{LIST}{key.pk}/change/").content.decode()
    assert "/revoke/" in page
    assert "/rotate/" in page
    dead = ApiKeyFactory(owner=owner, revoked_at=timezone.now())
    page = browser.open(f"{LIST}{dead.pk}/change/").content.decode()
    assert "/revoke/" not in page
    assert "/rotate/" not in page


def test_unknown_keys_are_not_found(browser):
    for key in ("00000000-0000-0000-0000-000000000000", "x", "1'--"):
        browser.open(f"{LIST}{key}/revoke/", status=404)


def test_the_list_takes_the_same_statements_for_one_and_for_many(browser, owner, django_assert_max_num_queries):
    ApiKeyFactory(owner=owner)
    browser.open(LIST)
    with connection.execute_wrapper(counting := Counting()):
        browser.open(LIST)
    ApiKeyFactory.create_batch(30)
    with django_assert_max_num_queries(counting.number):
        browser.open(LIST)


class Counting:
    """Counts the statements of a block."""

    number = 0

    def __call__(self, execute, *args):
        self.number += 1
        return execute(*args)
