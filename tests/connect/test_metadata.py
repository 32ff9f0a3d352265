"""What apps read before they connect, and how those addresses behave over HTTP."""

import pytest
from django.test import Client

from apikeys.scopes import READ_SCOPES, Scope
from tests.connect.conftest import ISSUER, RESOURCE
from tests.mcp.conftest import PING

SERVER, GUARDED = "/.well-known/oauth-authorization-server", "/.well-known/oauth-protected-resource"
FOR_PROGRAMS = [SERVER, GUARDED, f"{GUARDED}/mcp", "/token", "/register", "/revoke"]

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("path", [GUARDED, f"{GUARDED}/mcp"])
def test_the_agent_endpoint_names_the_server_that_guards_it(path):
    body = Client().get(path).json()
    assert (body["resource"], body["authorization_servers"]) == (RESOURCE, [ISSUER])
    assert "offline_access" not in body["scopes_supported"]


def test_the_server_says_what_clients_look_for():
    body = Client().get(SERVER).json()
    assert body["issuer"] == ISSUER
    assert body["code_challenge_methods_supported"] == ["S256"]
    assert body["client_id_metadata_document_supported"]
    assert body["authorization_response_iss_parameter_supported"]
    assert body["token_endpoint_auth_methods_supported"] == ["none"]


def test_the_host_of_a_request_makes_no_issuer():
    body = Client().get(SERVER, headers={"Host": "testserver", "X-Forwarded-Host": "evil.example"}).content
    assert b"testserver" not in body
    assert b"evil" not in body


@pytest.mark.parametrize("path", FOR_PROGRAMS)
def test_pages_of_all_origins_may_ask_and_nobody_keeps_the_answer(path):
    asked = Client().options(path)
    assert (asked.status_code, asked["Access-Control-Allow-Origin"], asked["Cache-Control"]) == (204, "*", "no-store")
    answer = Client(enforce_csrf_checks=True).post(path, b"", content_type="application/json")
    assert (answer["Access-Control-Allow-Origin"], answer["Cache-Control"]) == ("*", "no-store")
    assert not answer.cookies


@pytest.mark.parametrize("path", ["/token", "/register", "/revoke"])
def test_another_method_is_refused_in_json(path):
    answer = Client().get(path)
    assert (answer.status_code, answer["Allow"]) == (405, "POST, OPTIONS")
    assert answer.json()["error"] == "invalid_request"


def test_a_call_without_a_key_names_where_to_connect_and_to_read_what(agent):
    answer = agent.post(PING)
    scopes = " ".join(scope for scope in Scope if scope in READ_SCOPES)
    assert answer.headers["WWW-Authenticate"] == (
        f'Bearer resource_metadata="{ISSUER}{GUARDED}/mcp", scope="{scopes}"'
    )
    assert answer.json()["error"] == "missing_bearer_token"


def test_a_call_with_what_does_not_work_says_so(agent):
    assert agent.post(PING, "nonsense").headers["WWW-Authenticate"].startswith('Bearer error="invalid_token", ')


def test_rest_wants_a_key_as_before(rest):
    assert rest.get("/brands")["WWW-Authenticate"] == "Bearer"


def test_a_key_opens_the_agent_endpoint_as_before(agent, key, settings):
    with_apps = agent.post(PING, key)
    settings.APPS_SIGN_IN = False
    without = agent.post(PING, key)
    assert with_apps.content == without.content
    assert {**with_apps.headers, "x-request-id": ""} == {**without.headers, "x-request-id": ""}
