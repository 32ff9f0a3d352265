"""Every error of the table: status, body, headers, and the order in which checks are made."""

import logging

import pytest
from django.db import InterfaceError, OperationalError
from django.test import Client, override_settings

from apikeys.services import authentication, calls
from tests.factories import ApiKeyFactory, plan
from visibility.services.reading import reporting as reading

ENDPOINTS = ("", "/visibility", "/recommendations", "/runs")


def body_of(response):
    assert response.headers["Content-Type"] == "application/json"
    body = response.json()
    assert isinstance(body["error"], str)
    assert body["detail"].endswith(".")
    return body


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
        ("Bearer \u00e9\u00ff", "invalid_api_key"),
        ("Bearer " + "x" * 8000, "invalid_api_key"),
    ],
)
def test_401_says_how_to_authenticate(client, db, header, code, django_assert_num_queries):
    with django_assert_num_queries(0):
        response = client.get("/api/v1/brands", headers={"Authorization": header} if header is not None else {})
    assert response.status_code == 401
    assert response.headers["WWW-Authenticate"] == "Bearer"
    assert body_of(response)["error"] == code


@pytest.mark.parametrize("form", ["Bearer {}", "bearer {}", "BEARER {}", "Bearer   {}  "])
def test_the_scheme_is_read_in_any_case(client, cast, key, form):
    assert client.get("/api/v1/brands", headers={"Authorization": form.format(key.raw)}).status_code == 200


def test_two_keys_in_one_header_are_no_key(client, key):
    response = client.get("/api/v1/brands", headers={"Authorization": f"Bearer {key.raw},Bearer {key.raw}"})
    assert body_of(response)["error"] == "invalid_api_key"


@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH", "DELETE", "TRACE", "CONNECT", "PROPFIND", "GETX"])
@pytest.mark.parametrize("part", ENDPOINTS)
def test_405_names_the_methods_and_needs_no_key(api, method, part):
    response = api.request(method, api.brand + part)
    assert (response.status_code, body_of(response)["error"]) == (405, "method_not_allowed")
    assert response.headers["Allow"] == "GET, HEAD, OPTIONS"


@pytest.mark.parametrize("accept", ["text/html", "application/xml", "application/json;q=0", "garbage", "*/*;q=0",
                                    "application/json;q=0, */*", "a/b;c*=x''y"])  # fmt: skip
def test_406_for_a_client_that_refuses_json(api, key, accept):
    response = api.get(api.brand, key, Accept=accept)
    assert (response.status_code, body_of(response)["error"]) == (406, "not_acceptable")


@pytest.mark.parametrize("accept", ["", "*/*", "application/json", "application/*;q=0.1", "text/html, */*;q=0.1",
                                    "application/json; charset=utf-8", "APPLICATION/JSON", "*"])  # fmt: skip
def test_json_is_given_to_who_accepts_it(api, key, accept):
    assert api.get(api.brand, key, Accept=accept).status_code == 200


def test_checks_are_made_in_their_order(api, cast):
    """Each step removes the first fault that was found; the next one then shows."""
    bad = {"Accept": "text/html"}
    path = f"{api.brand}x/visibility?from=x"
    key = ApiKeyFactory(owner=cast.stranger, scopes=[], revoked_at=cast.brand.created_at)
    cast.stranger.plan = plan("free")
    cast.stranger.save()
    found = [api.request("POST", path, **bad), api.get(path, **bad), api.get(path, key, **bad)]
    key.revoked_at = None
    key.save()
    found.append(api.get(path, key, **bad))
    cast.stranger.plan = plan("growth")
    cast.stranger.save()
    found.append(api.get(path, key, **bad))
    key.scopes = ["read:visibility"]
    key.save()
    found += [api.get(path, key, **bad), api.get(path, key), api.get(path.replace("?from=x", ""), key)]
    assert [body_of(response)["error"] for response in found] == [
        "method_not_allowed",
        "missing_bearer_token",
        "invalid_api_key",
        "tier_disallows_api",
        "insufficient_scope",
        "not_acceptable",
        "invalid_parameter",
        "not_found",
    ]


@pytest.mark.parametrize("debug", [False, True])
def test_500_has_a_request_id_and_no_traceback(api, key, monkeypatch, debug, caplog):
    monkeypatch.setattr(reading, "brand_detail", lambda *args, **kwargs: 1 / 0)
    with override_settings(DEBUG=debug):
        response = api.get(api.brand, key)
    body = body_of(response)
    assert (response.status_code, body["error"]) == (500, "internal_error")
    assert body["requestId"] == response.headers["X-Request-ID"]
    assert b"ZeroDivision" not in response.content


@pytest.mark.parametrize("error", [OperationalError("gone"), InterfaceError("closed")])
@pytest.mark.parametrize("where", ["read", "key", "log"])
def test_503_when_the_database_is_gone(api, key, monkeypatch, error, where):
    def fail(*args, **kwargs):
        raise error

    if where == "read":
        monkeypatch.setattr(reading, "brand_detail", fail)
    elif where == "key":
        monkeypatch.setattr(authentication._KEYS, "rows", fail)
    else:
        monkeypatch.setattr(calls._CALLS, "add", fail)
    response = api.get(api.brand, key)
    body = body_of(response)
    assert (response.status_code, body["error"]) == (503, "unavailable")
    assert body["requestId"] == response.headers["X-Request-ID"]


def test_a_logged_failure_does_not_show_the_key(api, key, monkeypatch, capsys):
    def fail(*args, **kwargs):
        raise OperationalError("gone")

    monkeypatch.setattr(authentication._KEYS, "rows", fail)
    assert api.get(api.brand, key).status_code == 503
    printed = capsys.readouterr().out
    assert "OperationalError" in printed and "caller_for" in printed
    assert key.raw not in printed


@pytest.mark.parametrize("debug", [False, True])
@pytest.mark.parametrize(
    ("path", "status", "code"),
    [
        ("/api/nowhere", 404, "not_found"),
        ("/openapi.json/", 404, "not_found"),
        ("/mcp/x", 404, "not_found"),
        ("/api/v1/brands/", 404, "not_found"),
    ],
)
def test_no_html_below_the_api_paths(client, db, path, status, code, debug):
    with override_settings(DEBUG=debug):
        response = client.get(path)
    assert (response.status_code, body_of(response)["error"]) == (status, code)


@pytest.mark.parametrize("debug", [False, True])
def test_a_wrong_host_is_refused_in_json(client, db, debug):
    with override_settings(DEBUG=debug):
        response = client.get("/api/v1/brands", headers={"Host": "evil.example"})
    assert (response.status_code, body_of(response)["error"]) == (400, "bad_request")


def test_pages_elsewhere_answer_in_html(client, db):
    response = client.get("/nowhere")
    assert response.status_code == 404
    assert response.headers["Content-Type"].startswith("text/html")


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE"])
@pytest.mark.parametrize("path", ["/openapi.json", "/api/v1/openapi.json", "/api/v1/docs"])
def test_405_of_the_public_addresses(db, method, path):
    response = Client(enforce_csrf_checks=True).generic(method, path)
    assert (response.status_code, body_of(response)["error"]) == (405, "method_not_allowed")
    assert response.headers["Allow"] == "GET, HEAD, OPTIONS"


def test_412_when_a_precondition_cannot_hold(api, key):
    response = api.get(api.brand, key, If_Match='"other"')
    assert (response.status_code, body_of(response)["error"]) == (412, "precondition_failed")


@pytest.fixture(autouse=True)
def _quiet():
    """Failures are provoked here; their tracebacks would only bury the summary."""
    logging.disable(logging.CRITICAL)
    yield
    logging.disable(logging.NOTSET)
