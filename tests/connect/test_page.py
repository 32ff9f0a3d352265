"""The page on which a person lets an app in: what it shows, what it refuses, and where it sends the browser."""

import pytest
from django.test import Client
from django.utils import timezone

from apikeys.connect.apps import register_app
from apikeys.models import App, Connection
from apikeys.scopes import READ_SCOPES
from tests.connect.conftest import CALLBACK, DOCUMENT, ISSUER, document, returned
from tests.factories import UserFactory, make_key, plan
from tests.people.browser import Browser, FormReader, text_of


def ticked(page):
    reader = FormReader()
    reader.feed(page.content.decode())
    return {value for name in ("reads", "changes", "spends") for value in reader.fields.get(name, [])}


def test_a_stranger_signs_in_first_and_comes_back(person):
    answer = Client().get(person.address())
    assert answer["Location"].startswith("/sign-in?next=/authorize%3F")


def test_nothing_is_fetched_for_a_stranger(person, documents):
    Client().get(person.address(client_id=DOCUMENT))
    assert documents[1] == []


def test_reading_is_ticked_beforehand_when_nothing_is_asked_for(person):
    assert ticked(person.browser.get(person.address())) == set(READ_SCOPES)


@pytest.mark.parametrize(
    ("asked", "beforehand"),
    [
        ("read:sites read:voice", {"read:sites", "read:voice"}),
        ("read:sites write:prompts run:audits offline_access", {"read:sites"}),
        ("run:visibility", set()),
        ("nonsense", set(READ_SCOPES)),
    ],
)
def test_what_changes_or_spends_is_never_ticked_beforehand(person, asked, beforehand):
    assert ticked(person.browser.get(person.address(scope=asked))) == beforehand


def test_the_page_names_the_host_that_vouches_for_the_app(person, documents):
    documents[0][DOCUMENT] = document()
    page = person.browser.get(person.address(client_id=DOCUMENT))
    assert "<h1>Connect claude.example?</h1>" in page.content.decode()
    assert "Your browser will be sent to app.example ." in text_of(page)


def test_the_page_says_that_nobody_has_checked_the_name_of_a_registered_app(person):
    assert "“An app”: nobody has checked this name" in text_of(person.browser.get(person.address()))


def test_the_page_warns_of_programs_on_the_same_computer(person):
    local = "http://127.0.0.1:33418/back"
    App.objects.filter(pk=person.app.pk).update(redirect_uris=[local])
    page = text_of(person.browser.get(person.address(redirect_uri=local)))
    assert "Connect only if you have just started it there" in page


def test_the_name_of_an_app_is_text_and_no_markup(person):
    App.objects.filter(pk=person.app.pk).update(name="<img src=x>")
    assert b"<img" not in person.browser.get(person.address()).content


def test_the_page_may_redirect_and_cannot_be_framed(person):
    policy = person.browser.get(person.address())["Content-Security-Policy"]
    assert "form-action" not in policy
    assert "frame-ancestors 'none'" in policy


def test_connecting_sends_the_browser_back_with_code_state_and_issuer(person):
    answer = person.answer()
    assert answer["Location"].startswith(f"{CALLBACK}?code=bvs_conn_")
    back = returned(answer)
    assert {name: back[name] for name in ("state", "iss")} == {"state": "a state", "iss": ISSUER}


def test_a_connection_has_what_was_ticked_and_its_key_carries(person):
    narrow, _ = make_key(owner=person.user, scopes=["read:sites", "write:prompts"])
    person.answer(key=str(narrow.pk), ticked=["read:sites", "read:voice", "write:prompts"])
    assert Connection.objects.get().scopes == ["read:sites", "write:prompts"]


def test_a_form_with_nothing_ticked_is_shown_again(person):
    answer = person.answer(ticked=[])
    assert (answer.status_code, Connection.objects.count()) == (400, 0)
    assert "Tick at least one" in text_of(answer)


def test_a_form_without_the_token_of_the_page_is_refused(person):
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(person.user)
    assert strict.post(person.address(), {"key": str(person.key.pk), "reads": ["read:sites"]}).status_code == 403


def test_the_form_of_the_page_works_as_a_browser_sends_it(person):
    assert returned(Browser(person.user).submit(person.address()))["state"] == "a state"


@pytest.mark.parametrize(
    "changed",
    [
        {"revoked_at": timezone.now()},
        {"expires_at": timezone.now()},
        {"may_connect": False},
    ],
    ids=["revoked", "expired", "closed to apps"],
)
def test_a_key_that_apps_may_not_use_is_not_offered(person, changed):
    other, _ = make_key(owner=person.user, name="Other", **changed)
    assert "Other" not in text_of(person.browser.get(person.address()))
    assert person.answer(key=str(other.pk)).status_code == 400


def test_the_key_of_somebody_else_is_not_accepted(person):
    assert person.answer(key=str(make_key()[0].pk)).status_code == 400


@pytest.mark.parametrize("tier", ["free", "scale"])
def test_a_person_without_a_key_is_told_whom_to_ask(person, tier):
    other = UserFactory(plan=plan(tier))
    if tier == "free":
        make_key(owner=other)
    person.browser.force_login(other)
    assert "Ask the operator of the service" in text_of(person.browser.get(person.address()))


def test_an_app_is_told_that_the_person_refused(person):
    assert returned(person.answer(verb="refuse"))["error"] == "access_denied"


@pytest.mark.parametrize(
    ("changed", "error"),
    [
        ({"response_type": "token"}, "unsupported_response_type"),
        ({"response_type": None}, "unsupported_response_type"),
        ({"code_challenge": None}, "invalid_request"),
        ({"code_challenge": "short"}, "invalid_request"),
        ({"code_challenge_method": "plain"}, "invalid_request"),
        ({"code_challenge_method": None}, "invalid_request"),
        ({"resource": "https://other.example/mcp"}, "invalid_target"),
        ({"resource": "http://visibility.example/mcp"}, "invalid_target"),
        ({"resource": ISSUER}, "invalid_target"),
    ],
)
@pytest.mark.parametrize("method", ["get", "post"])
def test_what_is_wrong_with_a_request_goes_back_to_the_app(person, method, changed, error):
    answer = getattr(person.browser, method)(person.address(**changed))
    back = returned(answer)
    assert (back["error"], back["state"], back["iss"]) == (error, "a state", ISSUER)


@pytest.mark.parametrize("resource", [None, "https://visibility.example/mcp?readonly=1"])
def test_the_address_may_have_been_entered_with_a_query_or_not_be_named(person, resource):
    assert person.browser.get(person.address(resource=resource)).status_code == 200


@pytest.mark.parametrize(
    "changed",
    [
        {"client_id": "app_unknown"},
        {"client_id": None},
        {"client_id": "x" * 3000},
        {"redirect_uri": "https://app.example/other"},
        {"redirect_uri": "https://app.example/callback/../other"},
        {"redirect_uri": "https://evil.example/callback"},
        {"redirect_uri": "https://app.example:8443/callback"},
        {"redirect_uri": ""},
        {"redirect_uri": "javascript:alert(1)"},
    ],
)
@pytest.mark.parametrize("method", ["get", "post"])
def test_what_is_wrong_with_an_app_is_a_page_and_never_a_redirect(person, method, changed):
    answer = getattr(person.browser, method)(person.address(**changed))
    assert (answer.status_code, "Location" in answer) == (400, False)


@pytest.mark.parametrize("name", ["client_id", "redirect_uri", "state", "resource"])
def test_a_parameter_that_is_given_twice_is_a_page(person, name):
    assert person.browser.get(f"{person.address()}&{name}=x").status_code == 400


def test_a_blocked_app_is_refused(person):
    App.objects.update(blocked_at=timezone.now())
    page = person.browser.get(person.address())
    assert page.status_code == 400
    assert "has blocked this app" in text_of(page)


def test_a_loopback_address_may_have_any_port(person):
    App.objects.filter(pk=person.app.pk).update(redirect_uris=["http://127.0.0.1:33418/back"])
    answer = person.answer(redirect_uri="http://127.0.0.1:51234/back")
    assert answer["Location"].startswith("http://127.0.0.1:51234/back?code=")


@pytest.mark.parametrize("address", ["http://localhost:33418/back", "http://127.0.0.1:33418/other"])
def test_a_loopback_address_has_the_host_and_path_that_were_named(person, address):
    App.objects.filter(pk=person.app.pk).update(redirect_uris=["http://127.0.0.1:33418/back"])
    assert person.browser.get(person.address(redirect_uri=address)).status_code == 400


def test_an_editor_gets_its_own_kind_of_address(person):
    theirs = "cursor://anysphere.cursor-mcp/oauth/callback"
    app = register_app({"redirect_uris": [theirs]})
    answer = person.answer(client_id=app.client_id, redirect_uri=theirs)
    assert answer["Location"].startswith(f"{theirs}?code=")


def test_each_connecting_asks_anew_and_makes_a_connection_of_its_own(person):
    person.answer()
    assert person.browser.get(person.address()).status_code == 200
    person.answer()
    assert Connection.objects.filter(ended_at=None).count() == 2


@pytest.mark.parametrize(
    "path", ["/authorize", "/token", "/register", "/revoke", "/.well-known/oauth-protected-resource"]
)
def test_without_an_address_of_its_own_the_service_knows_no_apps(person, settings, path):
    settings.APPS_SIGN_IN = False
    assert person.browser.get(path).status_code == 404


def test_the_page_speaks_the_language_of_the_browser(person):
    page = person.browser.get(person.address(), headers={"Accept-Language": "de"})
    assert "Sie darf lesen" in text_of(page) and "It may read" not in text_of(page)
