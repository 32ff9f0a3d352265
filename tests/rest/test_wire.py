"""What goes over the wire, by raw sockets against the real server over a database of its own."""

import gzip
import json
import re
import socket
from concurrent.futures import ThreadPoolExecutor
from datetime import date, timedelta
from threading import Barrier
from urllib.parse import urlsplit

import pytest

from apikeys.models import CallLog
from tests.factories import BrandFactory, DailyScoreFactory, make_key
from tests.live import live_web, wait_for
from tests.rest.conftest import stored
from tests.rest.test_bad_input import BAD_QUERIES

HOST = "Host: 127.0.0.1"
UPGRADE = (
    "Connection: Upgrade",
    "Upgrade: websocket",
    "Sec-WebSocket-Version: 13",
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
)
LONGEST_LINE = 4_094
CLIENTS = 100


@pytest.fixture(scope="module")
def server(django_db_setup, django_db_blocker):
    """A server with a budget that no test of this module meets, but for those from addresses of their own."""
    with django_db_blocker.unblock(), live_web(RATE_LIMIT="1000/300d", TRUSTED_PROXIES="127.0.0.0/8") as live:
        yield live


@pytest.fixture(scope="module")
def bearer(server):
    return f"Authorization: Bearer {make_key()[1]}"


@pytest.fixture(scope="module")
def path(bearer):
    """The address of a brand with twenty measured days, which the key may read with `?from=0`."""
    brand = BrandFactory(owner=stored(bearer.split()[-1]).owner)
    for days in range(20):
        DailyScoreFactory(brand=brand, date=date(2026, 5, 24) + timedelta(days))
    return f"/api/v1/brands/{brand.pk}"


def exchange(server, line, *headers, ready=None):
    """Send one request; (status, headers in lower case, body) as they came, until the server closes. Status 0:
    it closed without an answer."""
    parts = urlsplit(server.url)
    if not any(text.startswith("Connection:") for text in headers):
        headers = (*headers, "Connection: close")
    with socket.create_connection((parts.hostname, parts.port), timeout=20) as connection:
        if ready:
            ready.wait(20)
        connection.sendall("\r\n".join([line, *headers, "", ""]).encode("latin-1"))
        received = b""
        while chunk := connection.recv(65_536):
            received += chunk
    head, _, body = received.partition(b"\r\n\r\n")
    first, *rest = head.decode("latin-1").split("\r\n")
    named = dict(line.split(": ", 1) for line in rest)
    return int((first.split() or [0, 0])[1]), {name.lower(): value for name, value in named.items()}, body


def test_gzip_head_and_304_on_the_wire(server, path, bearer):
    for address in (path, f"{path}/visibility?from=0", "/openapi.json"):
        status, plain, body = exchange(server, f"GET {address} HTTP/1.1", HOST, bearer)
        assert (status, int(plain["content-length"])) == (200, len(body))
        status, headed, nothing = exchange(server, f"HEAD {address} HTTP/1.1", HOST, bearer)
        assert (status, nothing, headed["content-length"]) == (200, b"", plain["content-length"])
        assert headed["etag"] == plain["etag"]
        status, again, nothing = exchange(
            server, f"GET {address} HTTP/1.1", HOST, bearer, f"If-None-Match: {plain['etag']}"
        )
        assert (status, nothing) == (304, b"")
        for name in ("vary", "etag", "cache-control"):
            assert again[name] == plain[name]
        assert "content-length" not in again and "transfer-encoding" not in again
    _, packed, body = exchange(
        server,
        f"GET {path}/visibility?from=0 HTTP/1.1",
        HOST,
        bearer,
        "Accept-Encoding: gzip, br",
        "Connection: close",
    )
    assert packed["content-encoding"] == "gzip" and int(packed["content-length"]) == len(body)
    assert len(json.loads(gzip.decompress(body))["trend"]) == 20
    status, headers, body = exchange(server, f"OPTIONS {path} HTTP/1.1", HOST)
    assert (status, body, headers["allow"]) == (204, b"", "GET, HEAD, OPTIONS")
    assert "content-length" not in headers


def test_errors_on_the_wire_are_json_with_a_length(server, path, bearer):
    ways = {
        "GET /api/v1/brands": 401,
        f"GET {path}x": 404,
        "GET /api/v1/brands/": 404,
        "GET /api/%2e%2e/x": 404,
        "GET /mcp/x": 404,
        f"POST {path}": 405,
        f"BREW {path}": 405,
        "PROPFIND /openapi.json": 405,
        f"GET {path}?x=1": 400,
    }
    for line, expected in ways.items():
        headers = (HOST, "Content-Length: 0", *([bearer] if expected != 401 else []))
        status, answered, body = exchange(server, f"{line} HTTP/1.1", *headers)
        assert (status, answered["content-type"]) == (expected, "application/json"), line
        assert int(answered["content-length"]) == len(body)
        assert json.loads(body)["error"]


def test_bad_queries_over_http(server, path, bearer):
    for part, queries in BAD_QUERIES.items():
        for query, name in queries:
            line = f"GET {path}{part}?{query} HTTP/1.1"
            status, _, body = exchange(server, line, HOST, bearer)
            if len(line) > LONGEST_LINE:
                assert status == 414  # the server's own answer: the request never reaches the application
            else:
                assert (status, json.loads(body)["parameter"]) == (400, name), query


def test_bytes_that_are_no_ascii_are_bad_input_and_no_failure(server, path, bearer):
    for target in (
        f"{path}/visibility?from=\xff",
        f"{path}?\xc3\xa9=1",
        "/healthz?\xff",
        "/api/\xff\xfe",
        "/\xc3\xa9",
    ):
        # The server's own refusal: a2wsgi reads the query as ASCII and would fail.
        assert exchange(server, f"GET {target} HTTP/1.1", HOST, bearer)[0] == 400
    status, _, body = exchange(server, f"GET {path} HTTP/1.1", HOST, "Authorization: Bearer \xff\xfe")
    assert (status, json.loads(body)["error"]) == (401, "invalid_api_key")


@pytest.mark.parametrize(
    "request_lines",
    [
        ("GET http://127.0.0.1/api/v1/brands HTTP/1.1", HOST),
        ("GET http://evil.example/api/v1/brands HTTP/1.1", HOST),
        ("GET http://evil.example/ HTTP/1.1", HOST),
        ("GET ftp://127.0.0.1/healthz HTTP/1.1", HOST),
        ("GET http:///healthz HTTP/1.1", HOST),
        ("GET * HTTP/1.1", HOST),
        ("OPTIONS * HTTP/1.1", HOST),
        ("CONNECT 127.0.0.1:80 HTTP/1.1", HOST),
        ("GET //api/v1/brands HTTP/1.1", HOST),
        ("GET nothing HTTP/1.1", HOST),
        ("GET /api/v1/brands HTTP/1.1",),
        ("GET /api/v1/brands HTTP/1.0",),
        ("GET /api/v1/brands HTTP/1.1", "Host:"),
        ("GET /api/v1/brands HTTP/1.1", "Host: evil.example"),
        ("GET /api/v1/brands HTTP/1.1", HOST, "Host: evil.example"),
        ("GET /api/v1/brands HTTP/9.9", HOST),
        ("GET /api/v1/brands", HOST),
        ("nonsense", HOST),
        ("POST /api/v1/brands HTTP/1.1", HOST, "Content-Length: x"),
        ("GET /api/v1/brands HTTP/1.1", HOST, "X_Forwarded_For: 1.2.3.4"),
        ("GET /api/v1/brands HTTP/1.1", HOST, *UPGRADE),
        ("GET /mcp HTTP/1.1", HOST, *UPGRADE),
    ],
    ids=lambda lines: " ".join(lines)[:60],
)
def test_an_odd_request_is_refused_and_no_failure(server, request_lines):
    status, _, body = exchange(server, *request_lines)
    assert 0 < status < 500, body
    assert b"brands" not in body or status >= 400
    assert exchange(server, "GET /healthz HTTP/1.1", HOST)[0] == 200
    assert "Traceback" not in server.printed()


def test_a_key_sent_as_request_id_comes_back_from_no_door_and_is_printed_nowhere(server, bearer):
    raw = bearer.split()[-1]
    for path in ("/healthz", "/api/v1/brands", "/mcp", "/nowhere", f"/api/{raw}", f"/{raw}"):
        _, headers, body = exchange(server, f"GET {path} HTTP/1.1", HOST, bearer, f"X-Request-ID: {raw}")
        assert re.fullmatch("[0-9a-f]{32}", headers["x-request-id"])
        assert raw.encode() not in body
    assert raw not in server.printed()


def test_a_hundred_clients_at_once_are_served(server, path, bearer):
    ready = Barrier(CLIENTS)
    before = CallLog.objects.count()
    with ThreadPoolExecutor(CLIENTS) as pool:
        line = f"GET {path}/visibility?from=0 HTTP/1.1"
        sent = [pool.submit(exchange, server, line, HOST, bearer, ready=ready) for _ in range(CLIENTS)]
        answers = [each.result() for each in sent]
    assert {status for status, *_ in answers} == {200}
    assert len({body for *_, body in answers}) == 1
    assert CallLog.objects.count() == before + CLIENTS


def test_the_limit_holds_over_the_wire_in_two_processes_and_refusals_reach_the_call_log(
    django_db_setup, django_db_blocker
):
    with django_db_blocker.unblock(), live_web(RATE_LIMIT="20/300d", WEB_WORKERS="2", TRUSTED_PROXIES="") as server:
        key, raw = make_key()
        ready = Barrier(30)
        with ThreadPoolExecutor(30) as pool:
            sent = [
                pool.submit(
                    exchange,
                    server,
                    "GET /api/v1/brands HTTP/1.1",
                    HOST,
                    f"Authorization: Bearer {raw}",
                    f"X-Forwarded-For: 198.51.100.{n}",  # forged: nothing here is a trusted proxy
                    ready=ready,
                )
                for n in range(30)
            ]
            answers = [each.result() for each in sent]
        assert sorted(status for status, *_ in answers) == [200] * 20 + [429] * 10
        left = sorted(int(re.search(r"r=(\d+)", headers["ratelimit"])[1]) for _, headers, _ in answers)
        assert left == [0] * 11 + list(range(1, 20))
        assert exchange(server, "GET /sign-in HTTP/1.1", HOST)[0] == 429
        assert exchange(server, "GET /healthz HTTP/1.1", HOST)[0] == 200
        server.process.terminate()  # whoever ends writes the rest of its tally
        wait_for(lambda: server.process.poll() is not None)
        refused = CallLog.objects.filter(key=key, error_code="rate_limited")
        assert sum(refused.values_list("count", flat=True)) == 10
        assert CallLog.objects.filter(key=key, success=True).count() == 20
