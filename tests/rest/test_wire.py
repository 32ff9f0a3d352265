"""What stands on the wire, over raw sockets against the real server: first lines, hosts, headers, upgrades."""

import json
import re
import socket
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from urllib.parse import urlsplit

import pytest

from tests.live import live_web

PUBLIC = ("/openapi.json", "/api/v1/openapi.json", "/api/v1/docs")
OTHER_METHODS = (
    "POST",
    "PUT",
    "PATCH",
    "DELETE",
    "TRACE",
    "LOCK",
    "PROPFIND",
    "SEARCH",
    "QUERY",
    "LINK",
    "BREW",
    "MOVE",
)
ALLOWED = "GET, HEAD, OPTIONS"
HOST = "Host: 127.0.0.1"
UPGRADE = (
    "Connection: Upgrade, close", "Upgrade: websocket", "Sec-WebSocket-Version: 13",
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
)  # fmt: skip
MINE = "X-Forwarded-For: 198.51.100."
pytestmark = [pytest.mark.server, pytest.mark.django_db(transaction=True, serialized_rollback=True)]


@pytest.fixture(scope="module")
def counting_server(django_db_setup, django_db_blocker):
    """One server with a small budget for each address; tests send from addresses of their own (see `MINE`)."""
    with (
        django_db_blocker.unblock(),
        live_web(RATE_LIMIT="20/300d", TRUSTED_PROXIES="127.0.0.0/8", WEB_WORKERS="2") as live,
    ):
        yield live


@pytest.fixture
def server(transactional_db, counting_server):
    return counting_server


def exchange(server, line, *headers, ready=None):
    """Send one request and return (status, headers in lower case, body) as they came, until the server closes."""
    parts = urlsplit(server.url)
    if not any(text.startswith("Connection:") for text in headers):
        headers = (*headers, "Connection: close")
    with socket.create_connection((parts.hostname, parts.port), timeout=20) as connection:
        if ready:
            ready.wait(20)
        connection.sendall("\r\n".join([line, *headers, "", ""]).encode())
        received = b""
        while chunk := connection.recv(65_536):
            received += chunk
    head, _, body = received.partition(b"\r\n\r\n")
    first, *rest = head.decode("latin-1").split("\r\n")
    found = [line.split(": ", 1) for line in rest]
    return int(first.split()[1]), {name.lower(): value for name, value in found}, body


def code_in(body):
    """The code of an error, whose body may come in chunks."""
    return json.loads(body[body.index(b"{") : body.rindex(b"}") + 1])["error"]


def test_other_methods_of_the_public_pages_are_refused_as_such(server):
    """A browser's token against forged requests is nothing that these pages ask for."""
    for n, path in enumerate(PUBLIC):
        own = f"{MINE}{n}"
        for method in OTHER_METHODS:
            status, headers, body = exchange(server, f"{method} {path} HTTP/1.1", HOST, own, "Content-Length: 0")
            assert (status, headers["allow"]) == (405, ALLOWED), (method, path)
            assert code_in(body) == "method_not_allowed"
        status, headers, body = exchange(server, f"OPTIONS {path} HTTP/1.1", HOST, own)
        assert (status, headers["allow"], body) == (204, ALLOWED, b"")


def test_304_has_the_vary_of_its_200_and_no_length(server, api, key):
    for path in (api.brand, api.brand + "/visibility", "/openapi.json"):
        line, bearer = f"GET {path} HTTP/1.1", f"Authorization: Bearer {key.raw}"
        _, first, _ = exchange(server, line, HOST, bearer)
        status, again, body = exchange(server, line, HOST, bearer, f"If-None-Match: {first['etag']}")
        assert (status, body) == (304, b"")
        assert again["vary"] == first["vary"] == "Authorization, Accept-Encoding"
        assert again["etag"] == first["etag"]
        assert again["cache-control"] == first["cache-control"]
        assert "content-length" not in again and "transfer-encoding" not in again


@pytest.mark.parametrize(
    ("line", "host", "status"),
    [
        ("GET http://127.0.0.1/healthz HTTP/1.1", HOST, 200),
        ("GET HTTP://localhost:8000/healthz HTTP/1.1", HOST, 200),
        ("GET http://127.0.0.1/healthz HTTP/1.1", "Host: evil.example", 200),
        ("GET http://127.0.0.1/healthz HTTP/1.1", "Host:", 200),
        ("GET https://localhost/healthz HTTP/1.0", "X-None: 1", 200),
        ("GET http://evil.example/openapi.json HTTP/1.1", HOST, 400),
        ("GET http://evil.example/mcp HTTP/1.1", HOST, 405),
        ("POST http://evil.example/mcp HTTP/1.1", HOST, 400),
        ("GET http://127.0.0.1/api/v1/brands?x=1 HTTP/1.1", HOST, 401),
        ("GET http://127.0.0.1/api/%76%31/brands HTTP/1.1", HOST, 401),
        ("GET http://127.0.0.1?x=1 HTTP/1.1", HOST, 302),
        ("GET http://127.0.0.1/healthz HTTP/1.1", "X-None: 1", 400),
        ("GET http:///healthz HTTP/1.1", HOST, 400),
        ("GET http://a:b@127.0.0.1/healthz HTTP/1.1", HOST, 400),
        ("GET ftp://127.0.0.1/healthz HTTP/1.1", HOST, 400),
        ("CONNECT 127.0.0.1:80 HTTP/1.1", HOST, 400),
    ],
)
def test_the_host_of_an_absolute_target_wins(shared_server, line, host, status):
    found, _, body = exchange(shared_server, line, host)
    assert found == status, body
    if status == 400:
        assert code_in(body) == "bad_request"


@pytest.fixture(scope="module")
def shared_server(django_db_setup, django_db_blocker):
    """One server for tests that need no rows."""
    with django_db_blocker.unblock(), live_web(RATE_LIMIT="1000/300d") as live:
        yield live


@pytest.mark.parametrize("path", ["/openapi.json", "/mcp", "/healthz", "/static/x.css", "/login/"])
def test_a_request_names_its_host(shared_server, path):
    status, headers, body = exchange(shared_server, f"GET {path} HTTP/1.1")
    assert (status, code_in(body)) == (400, "bad_request")
    assert "Host" in json.loads(body)["detail"]
    assert headers["content-type"] == "application/json"
    assert exchange(shared_server, "GET /healthz HTTP/1.0")[0] == 200


def test_an_upgrade_to_websocket_is_refused_and_counted(server):
    found = [exchange(server, "GET /api/v1/brands HTTP/1.1", HOST, f"{MINE}7", *UPGRADE) for _ in range(21)]
    assert [status for status, *_ in found] == [400] * 20 + [429]
    _, headers, body = found[0]
    assert "WebSocket" in json.loads(body)["detail"]
    assert headers["ratelimit"].startswith('"default";r=19;t=')
    assert exchange(server, "GET /openapi.json HTTP/1.1", HOST, f"{MINE}7")[0] == 429


def test_exactly_as_many_pass_at_once_as_the_limit_says(server):
    """Two processes, thirty requests that are sent at the same moment, while the cache answers."""
    for n in range(20, 24):
        found = burst(server, f"{MINE}{n}")
        left = [int(re.search(r"r=(\d+)", headers["ratelimit"])[1]) for _, headers, _ in found]
        passed = [status for status, *_ in found].count(200)
        assert (passed, len(found)) == (20, 30), sorted(status for status, *_ in found)
        assert sorted(left) == [0] * 11 + list(range(1, 20))
    assert "cache silent" not in server.printed()


def burst(server, address):
    """The answers to thirty requests from one address, sent at the same moment."""
    ready = Barrier(30)
    with ThreadPoolExecutor(30) as pool:
        sent = [
            pool.submit(exchange, server, "GET /openapi.json HTTP/1.1", HOST, address, ready=ready) for _ in range(30)
        ]
        return [each.result() for each in sent]


def test_every_counted_answer_says_how_the_budget_stands(server, api, key):
    bearer = f"Authorization: Bearer {key.raw}"
    lines = ["GET /api/v1/brands", f"HEAD {api.brand}", f"GET {api.brand}/runs?x=1", "GET /nowhere", "GET /mcp",
             "POST /mcp", "GET /login/", "OPTIONS /api/v1/brands", "DELETE /openapi.json"]  # fmt: skip
    for spent, line in enumerate(lines, 1):
        _, headers, _ = exchange(server, f"{line} HTTP/1.1", HOST, bearer, f"{MINE}40", "Content-Length: 0")
        assert re.fullmatch(rf'"default";r={20 - spent};t=[1-9]\d*', headers["ratelimit"]), line
        assert headers["ratelimit-policy"] == '"default";q=20;w=25920000'
    for path in ("/healthz", "/static/nothing.css"):
        assert "ratelimit" not in exchange(server, f"GET {path} HTTP/1.1", HOST, f"{MINE}40")[1]


def test_a_key_sent_as_request_id_comes_back_from_no_door(server, key):
    for path in ("/healthz", "/api/v1/brands", "/mcp", "/nowhere"):
        _, headers, body = exchange(server, f"GET {path} HTTP/1.1", HOST, f"{MINE}50", f"X-Request-ID: {key.raw}")
        assert re.fullmatch("[0-9a-f]{32}", headers["x-request-id"])
        assert key.raw.encode() not in body
    for _ in range(20):
        _, headers, body = exchange(server, "GET /healthy HTTP/1.1", HOST, f"{MINE}51", f"X-Request-ID: {key.raw}")
        assert re.fullmatch("[0-9a-f]{32}", headers["x-request-id"]) and key.raw.encode() not in body
    assert key.raw not in server.printed()
