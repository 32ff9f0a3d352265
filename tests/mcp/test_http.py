"""The endpoint as HTTP: methods, keys, hosts, media types, bodies, revisions. Refusals are JSON, and none repeats the
body."""

import asyncio
import json

from asgiref.sync import async_to_sync

from apikeys.accounts import keyformat
from apikeys.models import CallLog
from mcp_bridge.dispatch import ThreadJobs
from mcp_bridge.endpoint import AgentEndpoint
from mcp_bridge.requests import MAX_BODY, SMALL_BODY
from mcp_bridge.tools import ALL_TOOLS
from tests.factories import UserFactory, make_key, plan
from tests.mcp.conftest import HEADERS, LIST, MODERN, PING, PREFIX, URL, Agent, endpoint

CALL = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "svc_list_sites"}}
SERVED = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"]
INITIALIZE = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "a", "version": "1"}}


def logged():
    return list(CallLog.objects.order_by("pk").values_list("door", "name", "success", "error_code"))


def test_every_method_but_post_is_refused_with_a_key_or_without(agent, key):
    for method in ("GET", "HEAD", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "BREW"):
        for sender in (key, None):
            response = agent.post(b"", sender, method=method)
            assert (response.status_code, response.headers["Allow"]) == (405, "POST")
            assert response.content == b"" if method == "HEAD" else response.json()["error"] == "method_not_allowed"
        name = "(unknown method)" if method == "BREW" else method
        assert logged()[-1] == ("mcp", f"{name} /mcp", False, "method_not_allowed")


def test_a_call_without_a_key_gets_the_body_of_rest(agent, rest):
    response = agent.post(PING)
    assert (response.status_code, response.content) == (401, rest.get("/brands").content)
    assert response.headers["WWW-Authenticate"] == "Bearer"


def test_a_key_that_does_not_open_this_door_gets_that_refusal_before_any_other(agent, cast):
    closed = make_key(owner=UserFactory(plan=plan("free")))[1]
    unknown_tool = {**CALL, "params": {"name": "svc_nonsense"}}
    bodies = (PING, LIST, CALL, unknown_tool, {**CALL, "params": {"name": 7}}, [PING], b"{", b"x" * (MAX_BODY + 1))
    headers = ({}, {"Content_Type": "text/plain"}, {"MCP_Protocol_Version": "nonsense"}, {"Accept": "text/html"})
    for body in bodies:
        for each in headers:
            for sender, refused in ((keyformat.mint(), "401 invalid_api_key"), (closed, "403 tier_disallows_api")):
                response = agent.post(body, sender, **each)
                assert f"{response.status_code} {response.json()['error']}" == refused


def test_answers_carry_the_headers_of_rest(agent, key, rest):
    response = agent.post(PING, key, X_Request_ID="my-id")
    assert (response.status_code, response.headers["X-Request-ID"]) == (200, "my-id")
    shown = rest.get("/brands", key).headers
    assert {response.headers[name] == shown[name] for name in ("Cache-Control", "Vary", "Content-Type")} == {True}
    other = agent.post(PING, key, X_Request_ID="no id!").headers["X-Request-ID"]
    assert CallLog.objects.filter(door="mcp", request_id__in=["my-id", other]).count() == 2


def test_foreign_hosts_and_pages_of_other_origins_are_refused(agent, key):
    for host in ("evil.example", "testserver.evil.example", "", "127.0.0.1", "testserver:x"):
        response = agent.post(PING, key, Host=host)
        assert (response.status_code, response.json()["error"]) == (400, "bad_request")
    for origin in (
        "https://evil.example",
        "https://testserver.evil.example",
        "null",
        "file://testserver",
        "http://[",
    ):
        response = agent.post(PING, key, Origin=origin)
        assert (response.status_code, response.json()["error"]) == (403, "origin_not_allowed")
    for origin in ("http://testserver", "https://testserver:8443"):
        assert agent.post(PING, key, Origin=origin).status_code == 200
    anywhere_below = Agent(endpoint(hosts=[".example.com"]))
    assert anywhere_below.post(PING, key, Host="a.example.com:443").status_code == 200


def test_json_is_spoken_and_nothing_else(agent, key):
    for accept in ("application/json", "*/*", "application/*", "text/html, application/json"):
        response = agent.post(PING, key, Accept=accept)
        assert (response.status_code, response.headers["Content-Type"]) == (200, "application/json")
    for accept in ("text/html", "text/event-stream", "application/json;q=0, */*"):
        assert agent.post(PING, key, Accept=accept).json()["error"] == "not_acceptable"
    for kind in ("text/plain", "application/x-www-form-urlencoded", "", "application/jsonx"):
        response = agent.post(PING, key, Content_Type=kind)
        assert (response.status_code, response.json()["error"]) == (415, "unsupported_media_type")
    assert agent.post(PING, key, Content_Type="application/json; charset=utf-8").status_code == 200


def test_bodies_are_bounded_whether_their_length_is_declared_or_not(agent, key):
    whole = json.dumps(PING).encode().ljust(MAX_BODY)
    assert agent.post(whole, key).status_code == 200
    for headers in ({}, {"Content_Length": "5"}, {"Content_Length": "9" * 5000}, {"Content_Length": "x"}):
        response = agent.post(whole + b" ", key, **headers)
        assert (response.status_code, response.json()["error"]) == (413, "content_too_large")


NO_MESSAGES = {
    -32700: (
        b"",
        b"{",
        b"\xff\xfe",
        b'{"jsonrpc":"2.0","id":1,"method":"\\ud800"}',
        b"[" * 100_000,
        b'{"a":' * 100_000,
        b'{"jsonrpc":"2.0","id":NaN,"method":"ping"}',
    ),
    -32600: (
        b"[]",
        json.dumps([PING, PING]).encode(),
        b"null",
        b'"ping"',
        b"17",
        b"{}",
        b'{"jsonrpc":"1.0","id":1,"method":"SECRET"}',
        b'{"jsonrpc":"2.0","id":{},"method":"SECRET"}',
        b'{"jsonrpc":"2.0","id":true,"method":"SECRET"}',
        b'{"jsonrpc":"2.0","id":1.5,"method":"SECRET"}',
        b'{"jsonrpc":"2.0","id":null,"method":"SECRET"}',
        b'{"jsonrpc":"2.0","id":1,"method":["SECRET"]}',
        b'{"jsonrpc":"2.0","id":1,"method":"SECRET","params":["SECRET"]}',
        b'{"jsonrpc":"2.0","id":1,"result":"SECRET"}',
        b'{"jsonrpc":"2.0","id":1,"error":{"x":"SECRET"}}',
        b'{"jsonrpc":"2.0","id":null,"result":{"x":"SECRET"}}',
        b'{"jsonrpc":"2.0","id":1,"error":{"code":true,"message":"SECRET"}}',
    ),
}


def test_what_is_no_single_message_is_refused_without_an_echo(agent, key):
    for code, bodies in NO_MESSAGES.items():
        for body in bodies:
            for headers in ({}, {"MCP_Protocol_Version": "2026-07-28"}):
                response = agent.post(body, key, **headers)
                answer = response.json()
                assert (response.status_code, answer["error"]["code"], answer["id"]) == (400, code, None), body[:50]
                assert "SECRET" not in response.text
    assert {entry[1:] for entry in logged()} == {("POST /mcp", False, "invalid_request")}


def test_doubled_names_and_great_numbers_do_no_harm(agent, key):
    doubled = b'{"jsonrpc":"2.0","id":1,"id":2,"method":"nonsense","method":"ping"}'
    assert agent.post(doubled, key).json() == {"jsonrpc": "2.0", "id": 2, "result": {}}
    great = (
        b'{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"svc_list_sites","arguments":{"limit":%s}}}'
    )
    for digits in (30, 5_000):
        answer = agent.post(great % (b"9" * digits), key).json()
        assert answer["error"]["code"] in (-32700, -32602) if "error" in answer else answer["result"]["isError"]


def test_notifications_and_answers_of_clients_get_no_answer(agent, key):
    for body in (
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {"jsonrpc": "2.0", "id": 1, "result": {}},
    ):
        response = agent.post(body, key)
        assert (response.status_code, response.content) == (202, b"")
    assert logged() == [("mcp", "notifications/initialized", True, ""), ("mcp", "POST /mcp", True, "")]


def test_all_revisions_are_served(agent, key):
    for version in ("", "2025-03-26", "2025-06-18", "2025-11-25"):
        headers = {"MCP_Protocol_Version": version} if version else {}
        assert agent.post(LIST, key, **headers).json()["result"]["tools"][0]["name"] == "svc_list_sites"
    headers = {"MCP_Protocol_Version": "2026-07-28", "Mcp_Method": "tools/list"}
    result = agent.post({**LIST, "params": MODERN}, key, **headers).json()["result"]
    assert (result["ttlMs"], result["cacheScope"], result["resultType"]) == (300_000, "private", "complete")
    for proposed in (*SERVED, "2031-01-01", "banana"):
        params = {**INITIALIZE, "protocolVersion": proposed}
        result = agent.post({**LIST, "method": "initialize", "params": params}, key).json()["result"]
        assert result["protocolVersion"] == (proposed if proposed in SERVED[:-1] else "2025-11-25")


def in_meta(version):
    return {"_meta": {**MODERN["_meta"], "io.modelcontextprotocol/protocolVersion": version}}


def test_the_refusal_of_a_revision_names_those_that_are_served(agent, key):
    for bogus in ("2031-01-01", "banana", "2025-06-18, 2025-06-18", "x" * 1_000):
        header = {"MCP_Protocol_Version": bogus}
        initialize = {**LIST, "method": "initialize"}
        for body, headers in (
            (LIST, header),
            ({**LIST, "params": in_meta(bogus)}, {}),
            ({**initialize, "params": INITIALIZE}, header),
            ({**initialize, "params": {**INITIALIZE, **in_meta(bogus)}}, {}),
        ):
            response = agent.post(body, key, **headers)
            error = response.json()["error"]
            assert (response.status_code, error["code"], response.json()["id"]) == (400, -32022, 1)
            assert error["data"] == {"supported": SERVED, "requested": bogus[:40]}
            assert all(version in error["message"] for version in SERVED)
    headers = {"MCP_Protocol_Version": "2026-07-28", "Mcp_Method": "server/discover"}
    found = agent.post({**LIST, "method": "server/discover", "params": MODERN}, key, **headers).json()["result"]
    assert found["supportedVersions"] == SERVED
    assert "tools" in found["capabilities"] and "svc_list_sites" in found["instructions"]


def test_errors_of_the_protocol_say_what_to_do(agent, key):
    for method, params, code, name in (
        ("nonsense", {}, -32601, "POST /mcp"),
        ("resources/list", {}, -32601, "POST /mcp"),
        ("tools/call", {}, -32602, "tools/call"),
        ("tools/call", {"name": "svc_nonsense"}, -32602, "tools/call"),
        ("tools/call", {"name": 7}, -32602, "tools/call"),
        ("tools/call", {"name": "svc_list_sites", "arguments": ["x"]}, -32602, "tools/call"),
        ("tools/call", {"name": "list_sites"}, -32602, "tools/call"),
    ):
        error = agent.post({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}, key).json()["error"]
        assert error["code"] == code
        assert "tools/list" in error["message"] or "Give name" in error["message"]
        logged_code = {-32601: "method_not_found", -32602: "invalid_params"}[code]
        assert logged()[-1] == ("mcp", name, False, logged_code)


def test_an_answer_that_cannot_be_recorded_is_not_given(agent, key, monkeypatch, quiet):
    monkeypatch.setattr("apikeys.edge.call.record_call", lambda *call, **rest: 1 / 0)
    for body in (LIST, CALL):
        response = agent.post(body, key)
        assert (response.status_code, response.json()["error"]) == (500, "internal_error")
        assert response.json()["requestId"] == response.headers["X-Request-ID"]


def scope_of(raw_key, **headers):
    sent = {"Host": "testserver", "Authorization": f"Bearer {raw_key}", **HEADERS, **headers}
    encoded = [(name.lower().encode(), value.encode()) for name, value in sent.items()]
    return {"type": "http", "method": "POST", "path": "/mcp", "headers": encoded}


def send_raw(agent, scope, messages):
    """What the endpoint sends for these messages of a client, and how many of them it took."""
    sent, left = [], list(messages)

    async def talk():
        async def receive():
            return left.pop(0)

        async def send(message):
            sent.append(message)

        await agent.app(scope, receive, send)

    async_to_sync(talk)()
    return sent, len(messages) - len(left)


def test_a_large_body_of_somebody_without_a_key_is_not_read(agent):
    body = {"type": "http.request", "body": b"{}", "more_body": False}
    for headers in ({}, {"Content-Length": str(SMALL_BODY + 1)}, {"Content-Length": "x"}):
        sent, taken = send_raw(agent, scope_of(keyformat.mint(), **headers), [body])
        assert (sent[0]["status"], taken) == (401, 0)


def test_a_client_that_leaves_in_the_middle_of_its_body_is_forgotten(agent, key):
    messages = [{"type": "http.request", "body": b"{", "more_body": True}, {"type": "http.disconnect"}]
    assert send_raw(agent, scope_of(key, **{"Content-Length": "5"}), messages)[0] == []


def test_a_call_to_a_server_that_leaves_is_refused_for_a_moment(key):
    leaving = endpoint()

    async def call_after_the_end():
        async with leaving.running():
            pass
        async with Agent(leaving).http(key) as client:
            return await client.post(URL, json=PING, headers=HEADERS)

    answer = async_to_sync(call_after_the_end)()
    assert (answer.status_code, answer.json()["error"]) == (503, "unavailable")
    assert answer.headers["Retry-After"] == "5"


def test_a_call_under_way_when_the_server_leaves_is_refused_for_a_moment(key):
    """Its jobs may not begin any more."""
    jobs = ThreadJobs(1, "tool")
    leaving = AgentEndpoint(ALL_TOOLS, prefix=PREFIX, allowed_hosts=["testserver"], jobs=jobs, slow_jobs=jobs)

    async def call_and_end():
        async with leaving.running():
            jobs.close()
            async with Agent(leaving).http(key) as client:
                return await client.post(URL, json=LIST, headers=HEADERS)

    answer = async_to_sync(call_and_end)()
    assert (answer.status_code, answer.headers["Retry-After"]) == (503, "5")


def test_a_body_that_never_ends_is_refused_in_json(agent, key, monkeypatch):
    monkeypatch.setattr("mcp_bridge.requests.BODY_SECONDS", 0.01)
    sent = []

    async def talk():
        begun = [{"type": "http.request", "body": b'{"jsonrpc":', "more_body": True}]

        async def receive():
            return begun.pop() if begun else await asyncio.Event().wait()

        async def send(message):
            sent.append(message)

        await agent.app(scope_of(key, **{"Content-Length": "100"}), receive, send)

    async_to_sync(talk)()
    assert (sent[0]["status"], json.loads(sent[1]["body"])["error"]) == (408, "request_timeout")
    assert logged() == [("mcp", "POST /mcp", False, "request_timeout")]
