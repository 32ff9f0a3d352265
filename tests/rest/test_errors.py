"""Every error of the table: status, body, headers, and the order in which checks are made."""

import psycopg
import pytest
from django.db import InterfaceError, OperationalError
from django.db.utils import InternalError
from django.test import Client, override_settings

from apikeys.edge import door
from apikeys.models import CallLog
from tests.factories import UserFactory, make_key, plan
from tests.rest.conftest import stored
from visibility.api import views

PARTS = ("", "/visibility", "/recommendations", "/runs")
ALLOWED = "GET, HEAD, OPTIONS"


def body_of(response):
    assert response.headers["Content-Type"] == "application/json"
    body = response.json()
    assert isinstance(body["error"], str)
    assert body["detail"].endswith(".")
    return body


def outcome(response):
    return response.status_code, body_of(response)["error"]


@pytest.mark.parametrize(
    ("header", "code"),
    [
        (None, "missing_bearer_token"),
        ("", "missing_bearer_token"),
        ("Bearer", "missing_bearer_token"),
        ("Bearer   ", "missing_bearer_token"),
        ("Basic dXNlcjpwYXNz", "missing_bearer_token"),
        ("Token abc", "missing_bearer_token"),
        ("Bearer nonsense", "invalid_api_key"),
        ("Bearer bvs_live_" + "0" * 38, "invalid_api_key"),
        ("Bearer \x00", "invalid_api_key"),
        ("Bearer éÿ", "invalid_api_key"),
        ("Bearer " + "x" * 8000, "invalid_api_key"),
    ],
)
def test_401_says_how_to_authenticate_and_costs_no_query(ask, db, header, code, django_assert_num_queries):
    with django_assert_num_queries(0):
        response = ask(header, "/api/v1/brands")
    assert outcome(response) == (401, code)
    assert response.headers["WWW-Authenticate"] == "Bearer"


def test_the_scheme_is_read_in_any_case(ask, cast, key):
    for form in ("Bearer {}", "bearer {}", "BEARER {}", "Bearer   {}  "):
        assert ask(form.format(key), "/api/v1/brands").status_code == 200


def test_405_names_the_methods_and_needs_no_key(rest, path):
    for method in ("POST", "PUT", "PATCH", "DELETE", "TRACE", "CONNECT", "PROPFIND", "GETX"):
        for part in PARTS:
            response = rest.call(method, path + part)
            assert outcome(response) == (405, "method_not_allowed")
            assert response.headers["Allow"] == ALLOWED


@pytest.mark.parametrize("address", ["/openapi.json", "/api/v1/openapi.json", "/api/v1/docs"])
def test_405_of_the_public_addresses_needs_no_token_of_a_form(db, address):
    for method in ("POST", "PUT", "DELETE"):
        response = Client(enforce_csrf_checks=True).generic(method, address)
        assert outcome(response) == (405, "method_not_allowed")
        assert response.headers["Allow"] == ALLOWED


def test_406_for_a_client_that_refuses_json(rest, path, key):
    refusals = (
        "text/html",
        "application/xml",
        "application/json;q=0",
        "garbage",
        "*/*;q=0",
        "application/json;q=0, */*",
        "a/b;c*=x''y",
        "text/html,",
    )
    for accept in refusals:
        assert outcome(rest.call("GET", path, key, Accept=accept)) == (406, "not_acceptable"), accept


def test_json_is_given_to_who_accepts_it(rest, path, key):
    wishes = (
        "",
        "*/*",
        "application/json",
        "application/*;q=0.1",
        "text/html, */*;q=0.1",
        "application/json; charset=utf-8",
        "APPLICATION/JSON",
        "*",
    )
    for accept in wishes:
        assert rest.call("GET", path, key, Accept=accept).status_code == 200, accept


def test_checks_are_made_in_their_order(rest, path):
    """A call with every fault at once; each step removes the first that was found, and the next one shows."""
    owner = UserFactory(plan=plan("free"))
    raw = make_key(owner=owner, scopes=[])[1]
    key = stored(raw)
    key.revoked_at = key.created_at
    key.save()
    address = f"{path[:-1]}x/visibility"
    faults = {"Accept": "text/html", "If_None_Match": "*", "If_Match": '"x"'}
    found = [
        rest.call("POST", f"{address}/x?from=x", **faults),
        rest.call("POST", f"{address}?from=x", **faults),
        rest.call("GET", f"{address}?from=x", **faults),
        rest.call("GET", f"{address}?from=x", raw, **faults),
    ]
    for change in ({"revoked_at": None}, {}, {"scopes": ["read:visibility"]}):
        for name, value in change.items():
            setattr(key, name, value)
        key.save()
        if not change:
            owner.plan = plan("growth")
            owner.save()
        found.append(rest.call("GET", f"{address}?from=x", raw, **faults))
    faults.pop("Accept")
    found.append(rest.call("GET", f"{address}?from=x", raw, **faults))
    found.append(rest.call("GET", address, raw, **faults))
    assert [body_of(response)["error"] for response in found] == [
        "not_found",
        "method_not_allowed",
        "missing_bearer_token",
        "invalid_api_key",
        "tier_disallows_api",
        "insufficient_scope",
        "not_acceptable",
        "invalid_parameter",
        "not_found",
    ]


def test_412_when_a_precondition_cannot_hold(rest, path, key):
    assert outcome(rest.call("GET", path, key, If_Match='"other"')) == (412, "precondition_failed")


@pytest.mark.parametrize("debug", [False, True])
def test_500_has_a_request_id_and_no_traceback(rest, path, key, monkeypatch, debug, caplog):
    monkeypatch.setattr(views, "get_brand", lambda *args: 1 / 0)
    with override_settings(DEBUG=debug):
        response = rest.call("GET", path, key)
    assert outcome(response) == (500, "internal_error")
    assert response.json()["requestId"] == response.headers["X-Request-ID"]
    assert b"ZeroDivision" not in response.content
    assert "ZeroDivisionError" in caplog.text and key not in caplog.text


def _read_only():
    error = InternalError("cannot write")
    error.__cause__ = psycopg.errors.ReadOnlySqlTransaction("cannot write")
    return error


@pytest.mark.parametrize("error", [OperationalError("gone"), InterfaceError("closed"), _read_only()], ids=repr)
@pytest.mark.parametrize("place", ["read", "key", "log"])
def test_503_when_the_database_is_away(rest, path, key, monkeypatch, error, place, quiet):
    def fail(*args, **kwargs):
        raise error

    places = {"read": (views, "get_brand"), "key": (door, "known_credential"), "log": (CallLog, "save")}
    monkeypatch.setattr(*places[place], fail)
    response = rest.call("GET", path, key)
    assert outcome(response) == (503, "unavailable")
    assert response.json()["requestId"] == response.headers["X-Request-ID"]
    assert int(response.headers["Retry-After"]) > 0


@pytest.mark.parametrize("debug", [False, True])
def test_no_html_below_the_paths_of_the_doors(rest, db, debug):
    with override_settings(DEBUG=debug):
        for address in ("/api/nowhere", "/openapi.json/", "/mcp", "/mcp/x", "/api/v1/brands/"):
            assert outcome(rest.call("GET", address)) == (404, "not_found")
        for address in ("/api/v1/brands", "/mcp", "/openapi.json"):
            assert outcome(rest.call("GET", address, Host="evil.example")) == (400, "bad_request")


def test_pages_elsewhere_answer_in_html(rest, db):
    response = rest.call("GET", "/nowhere")
    assert response.status_code == 404
    assert response.headers["Content-Type"].startswith("text/html")


def test_a_page_refuses_the_character_nul(rest, db):
    for answer in (rest.call("GET", "/sign-in?next=%00"), rest.call("GET", "/sign-in", Cookie="sessionid=a\0b")):
        assert answer.status_code == 400
        assert answer.headers["X-Request-ID"]
