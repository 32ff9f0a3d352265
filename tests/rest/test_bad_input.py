"""Input that no client should send gets a clear answer, through Django and over real HTTP."""

import json
import socket
from urllib.parse import quote, urlsplit

import pytest

from tests.live import live_web

LINE_LIMIT = 4_094
BIG = "9" * 5_000
BARELY_FITS = "9" * (LINE_LIMIT - 100)
BAD_QUERIES = {
    "/visibility": [
        ("from=x", "from"),
        ("from=", "from"),
        ("to=-1", "to"),
        ("from=-0", "from"),
        ("from=1.5", "from"),
        ("from=1e3", "from"),
        ("from=+5", "from"),
        ("from=%205", "from"),
        ("from=5%0A", "from"),
        ("from=5%00", "from"),
        ("from=0x10", "from"),
        ("from=1_000", "from"),
        ("from=%D9%A1%D9%A2", "from"),
        ("from=%EF%BC%91", "from"),
        ("from=%C2%B2", "from"),
        ("from=NaN", "from"),
        ("from=true", "from"),
        ("from=null", "from"),
        ("to=4133980800000", "to"),
        ("to=32503680000000000000", "to"),
        (f"to={BIG}", "to"),
        (f"to={BARELY_FITS}", "to"),
        (f"to={'0' * 5_000}1", "to"),
        ("from=2026-11-20", "from"),
        ("from=5&to=4", "from"),
        ("from=4102444800000", "from"),  # later than now, which is the default end
        ("from=1&from=1", "from"),
        ("to=1&from=1&to=2", "to"),
        ("From=1", "From"),
        ("from%00=1", "from\x00"),
        ("from[]=1", "from[]"),
        ("status=open", "status"),
        ("=1", ""),
        ("%FF=1", "\ufffd"),
        ("from=%FF", "from"),
    ],
    "/recommendations": [
        ("status=", "status"),
        ("status=Open", "status"),
        ("status=open%00", "status"),
        ("status=nothing", "status"),
        ("status=open&status=open", "status"),
        ("status=%FF%FE", "status"),
        (f"status={'x' * 6_000}", "status"),
        ("limit=1", "limit"),
    ],
    "/runs": [("limit=1", "limit"), ("page=2", "page"), ("x", "x")],
    "": [("format=json", "format"), ("format=xml", "format"), (f"{'n' * 6_000}=1", "n" * 100)],
}
CASES = [(part, query, name) for part, queries in BAD_QUERIES.items() for query, name in queries]


def short(value):
    return value[:40] if isinstance(value, str) else None


@pytest.mark.parametrize(("part", "query", "name"), CASES, ids=short)
def test_a_bad_query_names_its_parameter(api, key, part, query, name):
    response = api.get(f"{api.brand}{part}?{query}", key)
    assert response.status_code == 400
    body = response.json()
    assert (body["error"], body["parameter"]) == ("invalid_parameter", name)
    assert len(response.content) < 1_000


def test_the_list_takes_no_parameters(api, key):
    assert api.get("/api/v1/brands?page=1", key).json()["parameter"] == "page"


def test_more_parameters_than_django_reads(api, key):
    response = api.get(f"{api.brand}/runs?{'&'.join(f'p{n}' for n in range(2_000))}", key)
    assert (response.status_code, response.json()["error"]) == (400, "invalid_parameter")


@pytest.mark.parametrize("query", ["", "?", "?&", "?&&&"])
def test_an_empty_query_is_none(api, key, query):
    assert api.get(f"{api.brand}/visibility{query}", key).status_code == 200


@pytest.mark.parametrize("id", ["%00", "%FF%FE", "..", "%2e%2e", "%2F", "-1", "null", BIG, quote("é" * 500), "{id}",
                                "urn:uuid:0198a3f2-5b1c-7c3e-9d54-2f6a8b7c1d0e", "0198a3f25b1c7c3e9d542f6a8b7c1d0e",
                                "0198a3f2-5b1c-7c3e-9d54-2f6a8b7c1d0e%0A", "%D9%A1198a3f2-5b1c-7c3e-9d54-2f6a8b7c1d0",
                                "' OR 1=1 --", "0198a3f2-5b1c-7c3e-9d54-2f6a8b7c1d0g"], ids=short)  # fmt: skip
def test_a_malformed_id_is_not_found(api, key, id):
    response = api.get(f"/api/v1/brands/{id}/runs", key)
    assert (response.status_code, response.json()["error"]) == (404, "not_found")


# Over real HTTP ---------------------------------------------------------------------------------------------------


@pytest.fixture
def server(transactional_db):
    with live_web(RATE_LIMIT="100000/m") as live:
        yield live


def exchange(server, lines, key=None):
    """Send a raw request (bytes) and return (status, headers, body) as they came over the wire."""
    parts = urlsplit(server.url)
    headers = [b"Host: 127.0.0.1", b"Connection: close"]
    if key:
        headers.append(f"Authorization: Bearer {key.raw}".encode())
    with socket.create_connection((parts.hostname, parts.port), timeout=20) as connection:
        connection.sendall(b"\r\n".join([lines[0], *headers, *lines[1:], b"", b""]))
        received = b""
        while chunk := connection.recv(65_536):
            received += chunk
    head, _, body = received.partition(b"\r\n\r\n")
    first, *rest = head.decode("latin-1").split("\r\n")
    return (
        int(first.split()[1]),
        {name.lower(): value for name, value in (line.split(": ", 1) for line in rest)},
        body,
    )


@pytest.mark.server
@pytest.mark.django_db(transaction=True, serialized_rollback=True)
def test_over_real_http(server, api, key):
    """One server for many requests: bad queries and ids, HEAD, wrong methods, long lines, odd bytes, pipelining."""
    base = api.brand.encode()
    for part, query, name in CASES:
        if not query.isascii() or " " in query:
            continue
        line = f"GET {api.brand}{part}?{query} HTTP/1.1".encode()
        status, headers, body = exchange(server, [line], key)
        if len(line) > LINE_LIMIT:
            assert status == 414  # the server's own answer: the request never reaches the application
            continue
        assert status == 400, (part, query, body)
        assert headers["content-type"] == "application/json"
        assert json.loads(body)["parameter"] == name

    assert exchange(server, [b"GET " + base + b" HTTP/1.1"], key)[0] == 200
    status, headers, body = exchange(server, [b"HEAD " + base + b" HTTP/1.1"], key)
    assert (status, body) == (200, b"")
    assert int(headers["content-length"]) > 100
    assert headers["etag"].startswith('W/"')

    for method in (b"POST", b"DELETE", b"BREW"):
        status, headers, body = exchange(server, [method + b" " + base + b" HTTP/1.1", b"Content-Length: 0"], key)
        assert (status, headers["allow"]) == (405, "GET, HEAD, OPTIONS")
        assert json.loads(body)["error"] == "method_not_allowed"
    status, headers, body = exchange(server, [b"OPTIONS " + base + b" HTTP/1.1"])
    assert (status, body) == (204, b"")

    for target in (b"/api/v1/brands/%00/runs", b"/api/v1/brands/%FF%FE", b"/api/%2e%2e/x", b"/api/v1/" + b"a" * 4_000,
                   b"/mcp/", b"/mcp/x", b"/openapi.json/x"):  # fmt: skip
        status, headers, body = exchange(server, [b"GET " + target + b" HTTP/1.1"], key)
        assert (status, json.loads(body)["error"]) == (404, "not_found"), target

    long_query = b"&".join(b"p%d=%d" % (n, n) for n in range(600))[:4_000]
    status, headers, body = exchange(server, [b"GET " + base + b"/runs?" + long_query + b" HTTP/1.1"], key)
    assert (status, json.loads(body)["error"]) == (400, "invalid_parameter")

    status, headers, body = exchange(server, [b"GET " + base + b" HTTP/1.1", b"Accept: text/html"], key)
    assert (status, json.loads(body)["error"]) == (406, "not_acceptable")
    status, headers, body = exchange(server, [b"GET " + base + b" HTTP/1.1", b"Authorization: Bearer \xff\xfe"])
    assert (status, json.loads(body)["error"]) == (401, "invalid_api_key")
    status, headers, body = exchange(server, [b"GET " + base + b" HTTP/1.1", b"If-None-Match: *"], key)
    assert (status, body) == (304, b"")
