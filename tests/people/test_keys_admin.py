"""Keys in the admin: shown once, in the answer to the form, and nowhere else."""

import re
from datetime import timedelta

import pytest
from django.apps import apps
from django.contrib.admin.models import LogEntry
from django.contrib.sessions.models import Session
from django.test import Client
from django.utils import timezone

from apikeys.accounts import keyformat
from apikeys.models import ApiKey
from apikeys.scopes import AGENT_SCOPES, ALL_SCOPES, REPORTING_SCOPES
from tests.factories import KeyFactory, UserFactory, plan
from tests.people.browser import Browser, text_of
from tests.threads import at_once

pytestmark = pytest.mark.django_db
ADD, LIST = "/admin/apikeys/apikey/add/", "/admin/apikeys/apikey/"
KEY = re.compile(r"bvs_live_[0-9A-Za-z]{38}")


@pytest.fixture
def owner(db):
    return UserFactory(email="owner@example.com")


def issue(browser, **changes):
    return browser.submit(ADD, **{"owner": "Owner@example.com", "name": "Dashboard", **changes})


def everything_stored():
    """Every row of every table, as text."""
    rows = [str(row) for model in apps.get_models(include_auto_created=True) for row in model._base_manager.values()]
    return "\n".join([*rows, *(str(session.get_decoded()) for session in Session.objects.all())])


def test_the_key_is_in_the_answer_to_the_form_and_nowhere_else(browser, owner, operator):
    answer = issue(browser)
    assert answer.status_code == 200
    [raw] = set(KEY.findall(answer.content.decode()))
    key = ApiKey.objects.get()
    assert key.digest == keyformat.digest(raw)
    assert (key.owner, key.name, key.created_by) == (owner, "Dashboard", operator)
    assert timedelta(days=364) < key.expires_at - timezone.now() <= timedelta(days=365)
    assert "no-store" in answer["Cache-Control"] and answer["Referrer-Policy"] == "no-referrer"
    assert raw not in everything_stored() + str(answer.headers) + str(browser.client.cookies)
    for page in (LIST, f"{LIST}{key.pk}/change/", f"{LIST}{key.pk}/history/", "/admin/"):
        assert raw[9:40] not in browser.open(page).content.decode(), page
    entry = LogEntry.objects.get()
    assert (entry.user, entry.object_id, entry.is_addition()) == (operator, str(key.pk), True)


def test_a_reload_neither_shows_nor_makes_a_second(browser, owner):
    fields = browser.form(ADD) | {"owner": ["owner@example.com"], "name": ["Dashboard"]}
    assert KEY.search(browser.client.post(ADD, fields).content.decode())
    for again in (fields, {**fields, "name": ["Another"]}):
        answer = browser.client.post(ADD, again)
        assert not KEY.search(answer.content.decode())
        assert "has issued its key already" in text_of(answer)
    assert ApiKey.objects.count() == LogEntry.objects.count() == 1
    issue(browser)
    assert ApiKey.objects.count() == 2, "a form that is opened anew issues its own"


@pytest.mark.django_db(transaction=True, serialized_rollback=True)
def test_ten_posts_of_one_form_at_once_make_one_key(browser, owner):
    fields = browser.form(ADD) | {"owner": ["owner@example.com"], "name": ["Dashboard"]}

    def post():
        client = Client()
        client.cookies = browser.client.cookies
        return client.post(ADD, fields).content.decode()

    answers = at_once([post] * 10)
    assert len([answer for answer in answers if KEY.search(answer)]) == 1
    assert len([answer for answer in answers if "has issued its key already" in answer]) == 9
    assert ApiKey.objects.count() == 1


def test_presets_and_ticked_scopes_add_up(browser, owner):
    for preset, ticked, expected in (
        ("reporting", [], REPORTING_SCOPES),
        ("reporting", ["write:prompts"], {*REPORTING_SCOPES, "write:prompts"}),
        ("agent", [], AGENT_SCOPES),
        ("all", [], ALL_SCOPES),
        ("", ["read:sites", "run:audits"], {"read:sites", "run:audits"}),
    ):
        issue(browser, preset=preset, scopes=ticked)
        assert set(ApiKey.objects.latest("created_at").scopes) == expected, preset


def test_without_the_permission_run_scopes_are_neither_offered_nor_granted(clerk, owner):
    browser = Browser(clerk("apikeys.issue_apikey"))
    page = browser.open(ADD).content.decode()
    assert 'value="read:sites"' in page and 'value="run:audits"' not in page
    assert "not one of the available choices" in text_of(issue(browser, preset="", scopes=["run:audits"]))
    assert not ApiKey.objects.exists()
    issue(browser, preset="all")
    assert set(ApiKey.objects.get().scopes) == AGENT_SCOPES


def test_a_bad_form_says_why_and_makes_no_key(browser, owner):
    UserFactory(email="gone@example.com", is_active=False)
    for changes, sentence in (
        ({"owner": "nobody@example.com"}, "No account has this email address"),
        ({"owner": "gone@example.com"}, "Reactivate it first"),
        ({"owner": "owner\0@example.com"}, "Null characters are not allowed"),
        ({"preset": "", "scopes": []}, "A key needs at least one scope"),
        ({"preset": "more"}, "more is not one of the available choices"),
        ({"scopes": ["read:everything"]}, "read:everything is not one of the available choices"),
        ({"name": " "}, "This field is required"),
        ({"name": "x\u202ey"}, "invisible character U+202E"),
        ({"nonce": "x"}, "Enter a valid UUID"),
        ({"expires_in_days": "0"}, "greater than or equal to 1"),
    ):
        answer = issue(browser, **changes)
        assert answer.status_code == 200 and sentence in text_of(answer), (changes, text_of(answer))
    assert not ApiKey.objects.exists() and not LogEntry.objects.exists()
    assert "<script>alert" not in issue(browser, name="<script>alert(1)</script>").content.decode()


def test_a_plan_without_api_is_warned_about(browser):
    UserFactory(email="owner@example.com", plan=plan("free"))
    answer = issue(browser)
    assert "has no API access" in text_of(answer) and KEY.search(answer.content.decode())


def test_each_act_has_its_own_permission(clerk, owner):
    key = KeyFactory(owner=owner)
    pages = {
        "list": LIST,
        "add": ADD,
        "page": f"{LIST}{key.pk}/change/",
        "revoke": f"{LIST}{key.pk}/revoke/",
        "rotate": f"{LIST}{key.pk}/rotate/",
        "delete": f"{LIST}{key.pk}/delete/",
    }
    for permissions, allowed in (
        ([], set()),
        (["view_apikey"], {"list", "page"}),
        (["issue_apikey"], {"list", "page", "add"}),
        (["revoke_apikey"], {"list", "page", "revoke"}),
        (["rotate_apikey"], {"list", "page", "rotate"}),
        (["add_apikey", "change_apikey", "delete_apikey"], set()),
    ):
        client = Client()
        client.force_login(clerk(*[f"apikeys.{name}" for name in permissions]))
        for name, page in pages.items():
            assert client.get(page).status_code == (200 if name in allowed else 403), (permissions, name)
            if name not in allowed:
                assert client.post(page, {"reason": "x", "overlap_days": 1}).status_code == 403, (permissions, name)
    assert ApiKey.objects.get().revoked_at is None


def test_revoking_needs_a_reason_and_is_on_record(browser, owner, operator):
    key = KeyFactory(owner=owner)
    page = f"{LIST}{key.pk}/revoke/"
    assert "This field is required" in text_of(browser.submit(page))
    answer = browser.submit(page, reason="on a train")
    assert (answer.status_code, answer["Location"]) == (302, f"{LIST}{key.pk}/change/")
    assert LogEntry.objects.get().get_change_message() == "Revoke."
    words = text_of(browser.open(answer["Location"]))
    assert "is revoked" in words and "State: revoked" in words
    assert "Revoked reason: on a train" in words and f"Revoked by: {operator}" in words


def test_rotation_shows_the_new_key_once(browser, owner):
    old = KeyFactory(owner=owner)
    page = f"{LIST}{old.pk}/rotate/"
    for days in ("-1", "31", "1.5"):
        browser.submit(page, overlap_days=days)
    assert ApiKey.objects.count() == 1
    fields = browser.form(page)
    answer = browser.client.post(page, fields)
    [raw] = set(KEY.findall(answer.content.decode()))
    assert ApiKey.objects.get(rotated_from=old).digest == keyformat.digest(raw)
    assert "no-store" in answer["Cache-Control"] and raw not in everything_stored()
    again = browser.client.post(page, fields)
    assert "rotated already" in text_of(again) and not KEY.search(again.content.decode())
    assert ApiKey.objects.count() == 2


def test_the_page_of_a_key_offers_what_can_be_done_and_lists_its_last_calls(browser, rest, owner):
    raw = keyformat.mint()
    key = KeyFactory(owner=owner, raw=raw)
    rest.get("/brands", raw)
    rest.get("/brands/x", raw)
    page = browser.open(f"{LIST}{key.pk}/change/")
    assert "/revoke/" in page.content.decode() and "/rotate/" in page.content.decode()
    words = text_of(page)
    assert "State: active" in words and re.search(r"Last used at: \d+ \w+ \d{4}, \d\d:\d\d UTC", words)
    assert "GET /api/v1/brands ok" in words and "GET /api/v1/brands/{id} not_found" in words
    calls = browser.open(f"/admin/apikeys/calllog/?key={key.pk}")
    assert "2 call log" in text_of(calls)
    dead = KeyFactory(owner=owner, revoked_at=timezone.now())
    page = browser.open(f"{LIST}{dead.pk}/change/").content.decode()
    assert "/revoke/" not in page and "/rotate/" not in page
    for unknown in ("00000000-0000-0000-0000-000000000000", "x", "1'--"):
        browser.open(f"{LIST}{unknown}/revoke/", status=404)
