"""Calls of a connected app: what they may do, what ends them, and where they are logged."""

import pytest
from django.utils import timezone

from apikeys.accounts.keyformat import CONNECTION_PREFIX, digest, mint
from apikeys.connect.tokens import connect, exchange, renew
from apikeys.edge.door import authenticate, record_rate_refusals
from apikeys.models import ApiKey, App, CallLog, Connection, ConnectionSecret
from apikeys.scopes import ALL_SCOPES, READ_SCOPES
from tests.connect.conftest import CALLBACK, CHALLENGE, ISSUER, VERIFIER
from tests.connect.test_tokens import DEAD
from tests.factories import make_key
from tests.mcp.conftest import LIST, MODERN, MODES, PING, error_of
from tests.threads import at_once

ADD = ("add_competitor", {"name": "Rival", "domain": "rival.example"})


@pytest.fixture
def token(person):
    return person.tokens()["access_token"]


def logged():
    return list(CallLog.objects.order_by("pk").values_list("door", "name", "success", "error_code", "connection"))


@pytest.mark.parametrize("mode", MODES)
def test_a_connected_app_reads_what_its_key_sees(agent, token, cast, mode):
    result = agent.call(token, "list_sites", mode=mode)
    assert result.structured_content["sites"][0]["id"] == str(cast.brand.pk)


def test_a_call_is_logged_on_the_key_with_its_connection(agent, person, token):
    agent.post(PING, token)
    row = CallLog.objects.get()
    assert (row.key, row.connection, row.name) == (person.key, Connection.objects.get(), "ping")


def test_a_call_notes_that_key_and_connection_were_used(agent, person, token):
    agent.post(PING, token)
    person.key.refresh_from_db()
    assert person.key.last_used_at == Connection.objects.get().last_used_at is not None


def test_a_call_costs_no_more_queries_than_that_of_a_key(agent, person, token, django_assert_num_queries):
    _, raw = make_key(owner=person.user)
    for sender in (raw, token):
        agent.post(PING, sender)
    for sender in (raw, token):
        with django_assert_num_queries(2):
            agent.post(LIST, sender)


@pytest.mark.parametrize("why", [*DEAD, "app blocked", "token expired"])
def test_the_next_call_of_what_has_ended_is_refused(agent, person, token, why):
    others = {
        "app blocked": lambda person: App.objects.update(blocked_at=timezone.now()),
        "token expired": lambda person: ConnectionSecret.objects.update(expires_at=timezone.now()),
    }
    {**DEAD, **others}[why](person)
    answer = agent.post(PING, token)
    if why == "plan without API":
        assert (answer.status_code, answer.json()["error"]) == (403, "tier_disallows_api")
        return
    assert (answer.status_code, answer.json()["error"]) == (401, "invalid_api_key")
    assert "Connect the app again" in answer.json()["detail"]
    assert 'error="invalid_token"' in answer.headers["WWW-Authenticate"]
    assert logged() == [("mcp", "ping", False, "invalid_api_key", Connection.objects.get().pk)]


def test_a_token_that_is_stored_no_more_is_told_to_connect_again(agent, db):
    assert "Connect the app again" in agent.post(PING, mint(CONNECTION_PREFIX)).json()["detail"]


@pytest.mark.parametrize("name", ["refresh_token", "code"])
def test_a_code_or_refresh_token_makes_no_call(agent, person, name):
    raw = person.code() if name == "code" else person.tokens()[name]
    assert agent.post(PING, raw).status_code == 401


def test_rest_takes_no_token_and_logs_it_on_the_key(rest, token, person):
    answer = rest.get("/brands", token)
    assert (answer.status_code, answer.json()["error"]) == (401, "invalid_api_key")
    assert logged() == [("rest", "GET /api/v1/brands", False, "invalid_api_key", Connection.objects.get().pk)]


def test_a_connection_loses_what_its_key_loses(agent, person, token):
    ApiKey.objects.update(scopes=["read:visibility"])
    assert error_of(agent.call(token, "list_sites", mode="legacy")).code == "insufficient_scope"


def test_the_list_of_tools_shows_what_the_key_allows(agent, person, token):
    _, raw = make_key(owner=person.user)
    assert agent.post(LIST, token).json()["result"] == agent.post(LIST, raw).json()["result"]


def test_an_older_client_reads_in_the_result_how_to_allow_more(agent, token, cast):
    name, arguments = ADD
    error = error_of(agent.call(token, name, {"siteId": str(cast.brand.pk), **arguments}, mode="legacy"))
    assert (error.code, error.details["requiredScope"]) == ("insufficient_scope", "write:competitors")
    assert "Connect it again and tick “Add a competitor”" in error.message


def modern_call(agent, raw, cast):
    name, arguments = ADD
    params = {"name": f"svc_{name}", "arguments": {"siteId": str(cast.brand.pk), **arguments}, **MODERN}
    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
    return agent.post(body, raw, MCP_Protocol_Version="2026-07-28", MCP_Method="tools/call", MCP_Name=f"svc_{name}")


def test_a_newer_client_is_asked_for_more_by_http(agent, token, cast):
    answer = modern_call(agent, token, cast)
    asked = answer.headers["WWW-Authenticate"]
    assert (answer.status_code, answer.json()["error"]) == (403, "insufficient_scope")
    assert asked.startswith('Bearer error="insufficient_scope", ')
    assert "read:sites " in asked
    assert 'write:competitors"' in asked
    assert f"{ISSUER}/.well-known/oauth-protected-resource/mcp" in asked
    assert logged()[-1][2:4] == (False, "insufficient_scope")


def test_a_scope_that_the_key_lacks_is_named_in_the_result(agent, person, token, cast):
    ApiKey.objects.update(scopes=sorted(READ_SCOPES))
    answer = modern_call(agent, token, cast)
    assert answer.status_code == 200
    assert "This key lacks the scope" in answer.text


def test_a_wrong_method_is_logged_on_the_key(agent, token):
    agent.post(b"", token, method="DELETE")
    assert logged() == [("mcp", "DELETE /mcp", False, "method_not_allowed", Connection.objects.get().pk)]


def test_a_stray_path_is_logged_on_the_key(rest, token):
    rest.call("GET", "/mcp/stray", token)
    assert logged()[-1][3:] == ("not_found", Connection.objects.get().pk)


def test_refusals_by_the_rate_limit_are_logged_on_the_key(person, token):
    minute = timezone.now().replace(second=0, microsecond=0)
    record_rate_refusals({(digest(token), minute, CallLog.Door.MCP): 3})
    assert CallLog.objects.values_list("key", "count").get() == (person.key.pk, 3)


def connected():
    """A person's app with a code, committed; the app and the code."""
    row, _ = make_key(scopes=sorted(ALL_SCOPES))
    app = App.objects.create(client_id="app_one", source="registered", name="One", redirect_uris=[CALLBACK])
    return app, connect(key=row, app=app, scopes=["read:sites"], challenge=CHALLENGE, redirect_uri=CALLBACK)


@pytest.mark.django_db(transaction=True, serialized_rollback=True)
def test_of_many_equal_exchanges_at_once_one_gets_tokens():
    app, code = connected()
    results = at_once([lambda: exchange(app=app, code=code, redirect_uri=CALLBACK, verifier=VERIFIER)] * 16)
    assert sum(not isinstance(result, Exception) for result in results) == 1
    assert ConnectionSecret.objects.filter(kind="access").count() == 1
    assert Connection.objects.get().ended_at is None


@pytest.mark.django_db(transaction=True, serialized_rollback=True)
def test_of_many_renewals_at_once_all_that_are_answered_work():
    app, code = connected()
    spent = exchange(app=app, code=code, redirect_uri=CALLBACK, verifier=VERIFIER).refresh
    results = at_once([lambda: renew(app=app, token=spent)] * 16)
    tokens = [result for result in results if not isinstance(result, Exception)]
    assert len(tokens) == 11
    assert all(authenticate(each.access, opens_to_apps=True) for each in tokens)
    assert all(renew(app=app, token=each.refresh) for each in tokens)
