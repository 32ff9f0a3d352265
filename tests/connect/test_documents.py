"""How the document of an app is fetched: over https from public hosts only, once, bounded, and remembered."""

import orjson
import pytest

from apikeys.connect.errors import UnsoundApp
from config.appdocuments import MAX_BYTES, fetch_document
from tests.audit.fetch.certificates import good, server_context, trusted
from tests.audit.fetch.servers import answer, forever, redirect, says, serving
from tests.connect.conftest import document
from visibility.audit.fetch import fetcher

HOST = "claude.example"
ADDRESS = f"https://{HOST}/client.json"
JSON = "Content-Type: application/json"


@pytest.fixture
def host(settings, tmp_path, monkeypatch):
    """Fetch the address of a document from a server that behaves like this; the server and the content."""
    tls = fetcher._tls.__wrapped__(trusted())
    monkeypatch.setattr(fetcher, "_tls", lambda authorities: tls)

    def run(behaviour, *, times=1, **more):
        with serving({"/client.json": behaviour, **more}, tls=server_context(good(HOST), tmp_path)) as server:
            settings.AUDIT_LOCAL_HOSTS = {HOST: server.address}
            contents = [fetched() for _ in range(times)]
        return server, contents[-1]

    return run


def fetched(address=ADDRESS):
    try:
        return fetch_document(address)
    except UnsoundApp as refusal:
        return refusal.message


@pytest.mark.parametrize("kind", [JSON, "Content-Type: application/json; charset=utf-8", "Content-Type: a/cimd+json"])
def test_a_document_is_fetched(host, kind):
    body = orjson.dumps(document(ADDRESS))
    assert host(says(answer(200, kind, body=body)))[1] == body


@pytest.mark.parametrize(
    ("behaviour", "words"),
    [
        (says(answer(404, JSON, body=b"{}")), "status 404"),
        (says(answer(500, JSON, body=b"{}")), "status 500"),
        (says(answer(204)), "status 204"),
        (says(answer(200, "Content-Type: text/html", body=b"{}")), "not JSON"),
        (says(answer(200, body=b"{}")), "not JSON"),
        (says(answer(200, JSON, body=b"x" * (MAX_BYTES + 1))), "more than 16384 bytes"),
        (forever(answer(200, JSON, "Content-Length: 9999999", length=False), b"x" * 65_536), "more than 16384 bytes"),
    ],
)
def test_what_is_no_document_is_refused(host, behaviour, words):
    assert words in host(behaviour)[1]


@pytest.mark.parametrize(
    "to", ["/other.json", f"https://{HOST}/other.json", "http://127.0.0.1/", "https://evil.example/"]
)
def test_no_redirect_is_followed(host, to):
    server, content = host(redirect(to), **{"/other.json": says(answer(200, JSON, body=b"{}"))})
    assert "does not say who the app is" in content
    assert server.paths == ["/client.json"]


def test_a_slow_host_is_given_up(host, monkeypatch):
    monkeypatch.setattr("config.appdocuments.SECONDS", 0.3)
    assert "within 0.3 seconds" in host(forever(answer(200, JSON, length=False), b"x", pause=0.1))[1]


@pytest.mark.parametrize("status", [200, 404])
def test_what_came_is_remembered_for_a_moment(host, status):
    server, _ = host(says(answer(status, JSON, body=b"{}")), times=3)
    assert len(server.requests) == 1


@pytest.mark.parametrize(
    "inner",
    [
        "127.0.0.1",
        "localhost",
        "10.0.0.1",
        "169.254.169.254",
        "192.168.1.1",
        "[::1]",
        "[fd00:ec2::254]",
        "[::ffff:127.0.0.1]",
        "2130706433",
        "metadata.google.internal",
    ],
)
def test_hosts_inside_are_not_asked(inner):
    assert "does not say who the app is" in fetched(f"https://{inner}/client.json")


def test_the_service_does_not_ask_itself(settings):
    settings.ALLOWED_HOSTS = ["visibility.example"]
    assert "does not say who the app is" in fetched("https://visibility.example/client.json")


def test_a_certificate_of_nobody_is_refused(settings, tmp_path):
    with serving({}, tls=server_context(good(HOST), tmp_path)) as server:
        settings.AUDIT_LOCAL_HOSTS = {HOST: server.address}
        assert "authority" in fetched()
