"""The endpoint as HTTP: methods, keys, hosts, media types, bodies. Refusals are JSON, and none repeats the body."""

import asyncio
import json
from types import SimpleNamespace

import pytest

from apikeys import keyformat
from apikeys.models import CallLog
from mcp_bridge.requests import MAX_BODY, SMALL_BODY
from tests.factories import ApiKeyFactory, UserFactory, plan
from tests.mcp.conftest import HEADERS, Agent, endpoint

PING = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
LIST = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
MODERN = {
    "_meta": {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
    }
}


def logged():
    return list(CallLog.objects.order_by("pk").values_list("door", "name", "success", "error_code"))


@pytest.mark.parametrize("method", ["GET", "HEAD", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "BREW"])
def test_every_method_but_post_is_refused_key_or_not(agent, key, method):
    for sender in (key, None):
        response = agent.post(b"", sender, method=method)
        assert (response.status_code, response.headers["Allow"]) == (405, "POST")
        assert response.content == b"" if method == "HEAD" else response.json()["error"] == "method_not_allowed"
    assert logged() == [("mcp", f"{method} /mcp", False, "method_not_allowed")]


def test_a_call_without_a_key_gets_the_body_of_rest(agent, client):
    response, rest = agent.post(PING), client.get("/api/v1/brands")
    assert (response.status_code, response.content) == (401, rest.content)
    assert response.headers["WWW-Authenticate"] == "Bearer"


CALL = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "svc_list_sites"}}
UNKNOWN_TOOL = {**CALL, "params": {"name": "svc_nonsense"}}
MALFORMED = {**CALL, "params": {"name": 7}}
REFUSED = (401, "invalid_api_key"), (403, "tier_disallows_api")


@pytest.mark.parametrize("body", [PING, LIST, CALL, UNKNOWN_TOOL, MALFORMED, [PING], b"{", b"x" * (MAX_BODY + 1)])
@pytest.mark.parametrize("headers", [{}, {"Content-Type": "text/plain"}, {"MCP-Protocol-Version": "nonsense"}])
def test_who_has_no_key_for_this_door_is_told_that_and_nothing_else(agent, cast, body, headers):
    unknown = SimpleNamespace(raw=keyformat.mint())
    senders = [unknown, ApiKeyFactory(owner=UserFactory(plan=plan("free")))]
    for sender, refused in zip(senders, REFUSED, strict=True):
        response = agent.post(body, sender, **{name.replace("-", "_"): value for name, value in headers.items()})
        assert (response.status_code, response.json()["error"]) == refused


def test_answers_carry_the_headers_of_rest(agent, key):
    response = agent.post(PING, key, X_Request_ID="my-id")
    assert response.status_code == 200
    assert response.headers["X-Request-ID"] == "my-id"
    assert response.headers["Cache-Control"] == "private, no-cache"
    assert response.headers["Vary"] == "Authorization"
    assert response.headers["Content-Type"] == "application/json"
    other = agent.post(PING, key, X_Request_ID="no id!").headers["X-Request-ID"]
    assert len(other) == 32
    assert CallLog.objects.filter(request_id__in=["my-id", other]).count() == 2


@pytest.mark.parametrize("host", ["evil.example", "testserver.evil.example", "", "127.0.0.1", "testserver:x"])
def test_foreign_hosts_are_refused(agent, key, host):
    response = agent.post(PING, key, Host=host)
    assert (response.status_code, response.json()["error"]) == (400, "bad_request")


@pytest.mark.parametrize(
    ("origin", "status"),
    [
        ("http://testserver", 200),
        ("https://testserver:8443", 200),
        ("https://evil.example", 403),
        ("https://testserver.evil.example", 403),
        ("null", 403),
        ("file://testserver", 403),
        ("http://[", 403),
    ],
)
def test_pages_of_other_origins_are_refused(agent, key, origin, status):
    response = agent.post(PING, key, Origin=origin)
    assert response.status_code == status
    if status == 403:
        assert response.json()["error"] == "origin_not_allowed"


def test_hosts_follow_the_rules_of_allowed_hosts(db, key):
    agent = Agent(endpoint(hosts=[".example.com"]))
    assert agent.post(PING, key, Host="a.example.com:443").status_code == 200
    assert agent.post(PING, key, Host="example.org").status_code == 400


@pytest.mark.parametrize("accept", ["application/json", "*/*", "application/*", "text/html, application/json"])
def test_clients_that_take_json_are_answered_in_json(agent, key, accept):
    response = agent.post(PING, key, Accept=accept)
    assert (response.status_code, response.headers["Content-Type"]) == (200, "application/json")


@pytest.mark.parametrize("accept", ["text/html", "text/event-stream", "application/json;q=0, */*"])
def test_clients_that_take_no_json_are_refused(agent, key, accept):
    response = agent.post(PING, key, Accept=accept)
    assert (response.status_code, response.json()["error"]) == (406, "not_acceptable")
    assert logged() == [("mcp", "POST /mcp", False, "not_acceptable")]


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", "", "application/jsonx"])
def test_other_media_types_are_refused(agent, key, kind):
    response = agent.post(PING, key, Content_Type=kind)
    assert (response.status_code, response.json()["error"]) == (415, "unsupported_media_type")


def test_a_charset_beside_the_media_type_is_fine(agent, key):
    assert agent.post(PING, key, Content_Type="application/json; charset=utf-8").status_code == 200


def test_bodies_are_bounded_whether_their_length_is_declared_or_not(agent, key):
    whole = json.dumps(PING).encode().ljust(MAX_BODY)
    assert agent.post(whole, key).status_code == 200
    for headers in ({}, {"Content_Length": "5"}, {"Content_Length": "9" * 5000}, {"Content_Length": "x"}):
        response = agent.post(whole + b" ", key, **headers)
        assert (response.status_code, response.json()["error"]) == (413, "content_too_large")
    assert {code for *_, code in logged()} == {"", "content_too_large"}


@pytest.mark.parametrize(
    ("body", "code"),
    [
        (b"", -32700),
        (b"{", -32700),
        (b"\xff\xfe", -32700),
        (b'{"jsonrpc":"2.0","id":1,"method":"\\ud800"}', -32700),
        (b"[" * 100_000, -32700),
        (b'{"a":' * 100_000, -32700),
        (b'{"jsonrpc":"2.0","id":NaN,"method":"ping"}', -32700),
        (b"[]", -32600),
        (json.dumps([PING, PING]).encode(), -32600),
        (b"null", -32600),
        (b'"ping"', -32600),
        (b"17", -32600),
        (b"{}", -32600),
        (b'{"jsonrpc":"1.0","id":1,"method":"secret"}', -32600),
        (b'{"jsonrpc":"2.0","id":{},"method":"secret"}', -32600),
        (b'{"jsonrpc":"2.0","id":true,"method":"secret"}', -32600),
        (b'{"jsonrpc":"2.0","id":1.5,"method":"secret"}', -32600),
        (b'{"jsonrpc":"2.0","id":null,"method":"secret"}', -32600),
        (b'{"jsonrpc":"2.0","id":1,"method":["secret"]}', -32600),
        (b'{"jsonrpc":"2.0","id":1,"method":"secret","params":["secret"]}', -32600),
        (b'{"jsonrpc":"2.0","id":1,"result":"secret"}', -32600),
    ],
)
@pytest.mark.parametrize("version", ["", "2026-07-28"])
def test_what_is_no_message_is_refused_without_an_echo(agent, key, body, code, version):
    headers = {"MCP_Protocol_Version": version} if version else {}
    response = agent.post(body, key, **headers)
    answer = response.json()
    assert (response.status_code, answer["error"]["code"], answer["id"]) == (400, code, None)
    assert "secret" not in response.text
    assert logged() == [("mcp", "POST /mcp", False, "invalid_request")]


def test_doubled_names_and_great_numbers_do_no_harm(agent, key):
    doubled = b'{"jsonrpc":"2.0","id":1,"id":2,"method":"nonsense","method":"ping"}'
    assert agent.post(doubled, key).json() == {"jsonrpc": "2.0", "id": 2, "result": {}}
    great = b'{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"svc_list_sites","arguments":{"x":%s}}}'
    for digits in (30, 5_000):
        answer = agent.post(great % (b"9" * digits), key).json()
        assert answer["error"]["code"] in (-32700, -32602) if "error" in answer else answer["result"]["isError"]


def test_notifications_and_answers_are_taken_without_an_answer(agent, key):
    for body in (
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {"jsonrpc": "2.0", "id": 1, "result": {}},
    ):
        response = agent.post(body, key)
        assert (response.status_code, response.content) == (202, b"")
    assert logged() == [("mcp", "notifications/initialized", True, ""), ("mcp", "POST /mcp", True, "")]


@pytest.mark.parametrize("version", ["", "2025-03-26", "2025-06-18", "2025-11-25"])
def test_older_revisions_are_served(agent, key, version):
    headers = {"MCP_Protocol_Version": version} if version else {}
    tools = agent.post(LIST, key, **headers).json()["result"]["tools"]
    assert tools[0]["name"] == "svc_list_sites"


def test_the_modern_revision_is_served_with_its_headers(agent, key):
    headers = {"MCP_Protocol_Version": "2026-07-28", "Mcp_Method": "tools/list"}
    result = agent.post({**LIST, "params": MODERN}, key, **headers).json()["result"]
    assert (result["ttlMs"], result["cacheScope"], result["resultType"]) == (300_000, "private", "complete")


SERVED = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"]
INITIALIZE = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "a", "version": "1"}}


def in_meta(version):
    return {"_meta": {**MODERN["_meta"], "io.modelcontextprotocol/protocolVersion": version}}


@pytest.mark.parametrize("bogus", ["2031-01-01", "banana", "1.0", "2025-06-18, 2025-06-18", "x" * 1_000])
@pytest.mark.parametrize(
    ("body", "in_header"),
    [
        (lambda bogus: LIST, True),
        (lambda bogus: {**LIST, "params": in_meta(bogus)}, True),
        (lambda bogus: {**LIST, "params": in_meta(bogus)}, False),
        (lambda bogus: {**LIST, "method": "initialize", "params": INITIALIZE}, True),
        (lambda bogus: {**LIST, "method": "initialize", "params": {**INITIALIZE, **in_meta(bogus)}}, False),
    ],
    ids=["header", "header and meta", "meta", "initialize by header", "initialize by meta"],
)
def test_a_revision_that_is_not_served_is_told_which_are(agent, key, body, in_header, bogus):
    headers = {"MCP_Protocol_Version": bogus} if in_header else {}
    response = agent.post(body(bogus), key, **headers)
    error = response.json()["error"]
    assert (response.status_code, error["code"], response.json()["id"]) == (400, -32022, 1)
    assert error["data"] == {"supported": SERVED, "requested": bogus[:40]}
    assert all(version in error["message"] for version in SERVED)
    assert logged()[-1][2:] == (False, "invalid_request")


def test_discovery_names_the_revisions_that_a_refusal_names(agent, key):
    headers = {"MCP_Protocol_Version": "2026-07-28", "Mcp_Method": "server/discover"}
    found = agent.post({**LIST, "method": "server/discover", "params": MODERN}, key, **headers).json()["result"]
    refused = agent.post(LIST, key, MCP_Protocol_Version="banana").json()["error"]["data"]
    assert found["supportedVersions"] == refused["supported"] == SERVED
    assert "tools" in found["capabilities"] and found["instructions"]


@pytest.mark.parametrize("given", [7, None, "", ["2025-06-18"], {}])
def test_initialize_without_a_revision_is_told_which_are_served(agent, key, given):
    params = {**INITIALIZE, "protocolVersion": given}
    if given == "":
        del params["protocolVersion"]
    error = agent.post({**LIST, "method": "initialize", "params": params}, key).json()["error"]
    assert (error["code"], error["data"]["supported"]) == (-32022, SERVED)


@pytest.mark.parametrize("proposed", [*SERVED, "2031-01-01", "banana"])
def test_initialize_is_answered_with_a_revision_that_is_served(agent, key, proposed):
    """The handshake's own rule: who proposes another one is offered the newest that begins so."""
    params = {**INITIALIZE, "protocolVersion": proposed}
    result = agent.post({**LIST, "method": "initialize", "params": params}, key).json()["result"]
    assert result["protocolVersion"] == (proposed if proposed in SERVED[:-1] else "2025-11-25")


def test_who_names_two_revisions_is_told_so(agent, key):
    headers = {"MCP_Protocol_Version": "2026-07-28", "Mcp_Method": "tools/list"}
    response = agent.post({**LIST, "params": in_meta("banana")}, key, **headers)
    assert (response.status_code, response.json()["error"]["code"]) == (400, -32020)


@pytest.mark.parametrize(
    ("method", "params", "code", "name"),
    [
        ("nonsense", {}, -32601, "POST /mcp"),
        ("resources/list", {}, -32601, "POST /mcp"),
        ("tools/call", {}, -32602, "tools/call"),
        ("tools/call", {"name": "svc_nonsense"}, -32602, "tools/call"),
        ("tools/call", {"name": 7}, -32602, "tools/call"),
        ("tools/call", {"name": "svc_list_sites", "arguments": ["x"]}, -32602, "tools/call"),
        ("tools/call", {"name": "list_sites"}, -32602, "tools/call"),
    ],
)
def test_errors_of_the_protocol_say_what_to_do(agent, key, method, params, code, name):
    error = agent.post({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}, key).json()["error"]
    assert error["code"] == code
    assert "tools/list" in error["message"] or "Give name" in error["message"]
    [(_, logged_name, success, error_code)] = logged()
    assert (logged_name, success) == (name, False)
    assert error_code == {-32601: "method_not_found", -32602: "invalid_params"}[code]


def test_refused_keys_that_are_known_are_logged(agent, cast):
    revoked = ApiKeyFactory(owner=cast.owner)
    revoked.revoked_at = revoked.created_at
    revoked.save()
    assert agent.post(PING, revoked).json()["error"] == "invalid_api_key"
    assert logged() == [("mcp", "ping", False, "invalid_api_key")]


def test_an_answer_that_cannot_be_recorded_is_not_given(agent, key, monkeypatch):
    monkeypatch.setattr("mcp_bridge.call.record_call", lambda **call: 1 / 0)
    response = agent.post(LIST, key)
    assert (response.status_code, response.json()["error"]) == (500, "internal_error")
    assert response.json()["requestId"] == response.headers["X-Request-ID"]


def scope_of(raw_key, **headers):
    return {
        "type": "http",
        "method": "POST",
        "path": "/mcp",
        "headers": [
            (b"host", b"testserver"),
            (b"authorization", f"Bearer {raw_key}".encode()),
            *((name.lower().encode(), value.encode()) for name, value in {**HEADERS, **headers}.items()),
        ],
    }


@pytest.mark.parametrize("headers", [{}, {"Content-Length": str(SMALL_BODY + 1)}, {"Content-Length": "x"}])
def test_a_large_body_is_not_read_for_somebody_without_a_key(agent, headers):
    sent, read = [], []

    async def receive():
        read.append(True)
        return {"type": "http.request", "body": b"{}", "more_body": False}

    async def send(message):
        sent.append(message)

    agent.run(agent.app(scope_of(keyformat.mint(), **headers), receive, send))
    assert (sent[0]["status"], read) == (401, [])


@pytest.mark.parametrize(
    "body",
    [
        {"jsonrpc": "2.0", "id": 1, "error": {"x": "SECRET"}},
        {"jsonrpc": "2.0", "result": {"x": "SECRET"}},
        {"jsonrpc": "2.0", "id": None, "result": {"x": "SECRET"}},
        {"jsonrpc": "2.0", "id": 1, "error": {"code": True, "message": "SECRET"}},
    ],
)
def test_what_answers_nothing_is_not_repeated(agent, key, body):
    response = agent.post(body, key)
    assert (response.status_code, response.json()["error"]["code"]) == (400, -32600)
    assert "SECRET" not in response.text


def test_a_cancelled_request_stays_cancelled(agent, cast):
    """Also where the look at the key would have refused it."""
    closed = ApiKeyFactory(owner=UserFactory(plan=plan("free")))

    async def receive():
        raise asyncio.CancelledError

    async def send(message):
        raise AssertionError("answered")

    with pytest.raises(asyncio.CancelledError):
        agent.run(agent.app(scope_of(closed.raw, **{"Content-Length": "5"}), receive, send))


def test_a_client_that_leaves_in_the_middle_of_its_body_is_forgotten(agent, key):
    sent = []
    messages = [{"type": "http.disconnect"}, {"type": "http.request", "body": b"{", "more_body": True}]

    async def receive():
        return messages.pop()

    async def send(message):
        sent.append(message)

    agent.run(agent.app(scope_of(key.raw), receive, send))
    assert sent == []
