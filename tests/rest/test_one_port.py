"""The one port over real HTTP and its router: rate limit outermost, static files, lifespan."""

import asyncio
import json
import urllib.error
import urllib.request
from contextlib import asynccontextmanager

import pytest

from apikeys.http.targets import SPEAKS_NO_WEBSOCKET, in_origin_form, refusal_of_form
from apikeys.models import CallLog
from config.routing import Router
from tests.factories import ApiKeyFactory
from tests.live import live_web


def fetch(url, **headers):
    """GET; returns (status, headers, body) whatever the status."""
    request = urllib.request.Request(url, headers={name.replace("_", "-"): value for name, value in headers.items()})
    try:
        with urllib.request.urlopen(request, timeout=20) as response:
            return response.status, response.headers, response.read()
    except urllib.error.HTTPError as error:
        return error.code, error.headers, error.read()


@pytest.mark.server
@pytest.mark.django_db(transaction=True, serialized_rollback=True)
def test_a_forged_header_does_not_pass_the_limit():
    """The peer is the loopback, which servers like to trust: nothing here does. The refusals reach the call log."""
    key = ApiKeyFactory()
    with live_web(RATE_LIMIT="5/h", TRUSTED_PROXIES="") as live:
        found = [
            fetch(
                f"{live.url}/api/v1/brands",
                Authorization=f"Bearer {key.raw}",
                X_Forwarded_For=f"198.51.100.{n}",
                X_Real_IP=f"198.51.100.{n}",
                Forwarded=f"for=198.51.100.{n}",
            )
            for n in range(8)
        ]
        assert [status for status, *_ in found] == [200] * 5 + [429] * 3
        _, headers, body = found[-1]
        assert json.loads(body)["error"] == "rate_limited"
        assert 1 <= int(headers["Retry-After"]) <= 3_600
        assert fetch(f"{live.url}/login/")[0] == 429
        assert fetch(f"{live.url}/healthz")[0] == 200
        assert fetch(f"{live.url}/static/nothing.css")[0] == 404
    refused = CallLog.objects.filter(key=key, error_code="rate_limited")
    assert sum(refused.values_list("count", flat=True)) == 3
    assert CallLog.objects.filter(key=key, success=True).count() == 5


@pytest.mark.server
@pytest.mark.django_db(transaction=True, serialized_rollback=True)
def test_behind_a_trusted_proxy_each_client_has_its_own_budget():
    with live_web(RATE_LIMIT="2/h", TRUSTED_PROXIES="127.0.0.0/8") as live:
        found = [
            fetch(f"{live.url}/openapi.json", X_Forwarded_For=f"9.9.9.{n}, 198.51.100.{n % 2}")[0] for n in range(6)
        ]
    assert found == [200] * 4 + [429] * 2


async def converse(app, scope, messages):
    """Run an ASGI application on these messages and return what it sent."""
    sent, waiting = [], list(messages)

    async def receive():
        return waiting.pop(0)

    async def send(message):
        sent.append(message)

    await app(scope, receive, send)
    return sent


@pytest.fixture
def reached():
    return []


@pytest.fixture
def router(reached):
    def app(name):
        async def answer(scope, receive, send):
            reached.append((name, scope["path"], scope.get("query_string")))

        return answer

    class Agent:
        __call__ = staticmethod(app("agent"))

        @asynccontextmanager
        async def running(self):
            reached.append(("agent", "starts", None))
            yield
            reached.append(("agent", "ends", None))

    return Router(django=app("django"), agent=Agent(), static=app("static"), static_prefix="/static/")


def test_the_router_answers_the_lifespan(router, reached):
    messages = [{"type": "lifespan.startup"}, {"type": "lifespan.shutdown"}]
    sent = asyncio.run(converse(router, {"type": "lifespan"}, messages))
    assert [message["type"] for message in sent] == ["lifespan.startup.complete", "lifespan.shutdown.complete"]
    assert reached == [("agent", "starts", None), ("agent", "ends", None)]


def test_the_router_tells_the_agent_endpoint_and_static_files_from_the_rest(router, reached):
    for path in ("/mcp", "/static/a.css", "/static", "/staticx/", "/api/v1/brands", "/mcp/", "/mcpx", "/MCP"):
        asyncio.run(converse(router, {"type": "http", "path": path, "query_string": b""}, []))
    assert [name for name, *_ in reached] == ["agent", "static", *["django"] * 6]


def test_what_django_does_not_answer_carries_a_policy_too(reached):
    async def answer(scope, receive, send):
        await send({"type": "http.response.start", "status": 200, "headers": [(b"content-type", b"text/css")]})
        await send({"type": "http.response.body", "body": b""})

    router = Router(django=answer, agent=answer, static=answer, static_prefix="/static/")
    scope = {**HTTP, "headers": [(b"host", b"a")]}
    starts = {
        path: dict(asyncio.run(converse(router, {**scope, "path": path}, []))[0]["headers"])
        for path in ("/mcp", "/static/a.css", "/login/")
    }
    starts["refused"] = dict(asyncio.run(converse(router, HTTP | {"headers": []}, []))[0]["headers"])
    for path in ("/mcp", "/static/a.css", "refused"):
        assert starts[path][b"x-content-type-options"] == b"nosniff", path
        assert starts[path][b"content-security-policy"].startswith(b"default-src 'none'"), path
        assert b"unsafe" not in starts[path][b"content-security-policy"], path
    assert b"content-security-policy" not in starts["/login/"], "Django says its own"


HTTP = {"type": "http", "http_version": "1.1", "method": "GET", "query_string": b"", "path": "/mcp"}


@pytest.mark.parametrize(
    ("change", "word"),
    [
        ({"headers": []}, "Host"),
        ({"headers": [(b"host", b"a"), (b"upgrade", b"WebSocket"), (b"connection", b"upgrade")]}, "WebSocket"),
        ({"headers": [(b"host", b"a")], "path": "ftp://a/b"}, "target"),
    ],
)
def test_what_no_application_could_serve_is_refused_in_json(router, reached, change, word):
    start, body = asyncio.run(converse(router, HTTP | change, []))
    assert (start["status"], json.loads(body["body"])["error"], reached) == (400, "bad_request", [])
    assert word in json.loads(body["body"])["detail"]
    assert asyncio.run(converse(router, {"type": "websocket", "path": "/mcp"}, [])) == [
        {"type": "websocket.close", "code": 1008, "reason": SPEAKS_NO_WEBSOCKET}
    ]


@pytest.mark.parametrize(
    ("target", "version", "host", "path"),
    [
        (b"http://a.example:80/x%20y", "1.1", b"a.example:80", "/x y"),
        (b"HTTPS://a.example", "1.0", b"a.example", "/"),
        (b"http://[::1]:8000/mcp", "1.1", b"[::1]:8000", "/mcp"),
    ],
)
def test_the_host_of_an_absolute_target_takes_the_place_of_the_header(target, version, host, path):
    given = [(b"host", b"other.example")] if version == "1.1" else []
    scope = HTTP | {"http_version": version, "path": target.decode(), "raw_path": target, "headers": given}
    found = in_origin_form(scope)
    assert (found["path"], found["headers"], scope["headers"]) == (path, [(b"host", host)], given)
    assert found["raw_path"].startswith(b"/")


@pytest.mark.parametrize(
    "target", [b"/http://a/b", b"http://a:b@c/d", b"http:///x", b"ftp://a/b", b"*", b"a:80", b"http://a/b#c"]
)
def test_other_targets_stay_as_they_are(target):
    scope = HTTP | {"path": target.decode(), "raw_path": target, "headers": []}
    assert in_origin_form(scope) is scope


def test_an_absolute_target_does_not_stand_in_for_the_host_of_http_1_1():
    scope = HTTP | {"path": "http://a/b", "raw_path": b"http://a/b", "headers": []}
    assert refusal_of_form(in_origin_form(scope)).code == "bad_request"


def test_raw_bytes_in_a_query_are_percent_encoded(router, reached):
    scope = {"type": "http", "path": "/api/v1/brands", "query_string": b"from=\xff&to=%31&x='\"<>"}
    asyncio.run(converse(router, scope, []))
    assert reached[0][2] == b"from=%FF&to=%31&x='\"<>"
    assert scope["query_string"] == b"from=\xff&to=%31&x='\"<>"
