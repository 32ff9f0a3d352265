"""The headers of every answer; 304, HEAD, OPTIONS, gzip."""

import gzip
import re

import pytest

from apikeys.models import CallLog
from tests.factories import DailyScoreFactory, RunFactory
from visibility.api import views

PARTS = ("", "/visibility", "/recommendations", "/runs")
NEW_ID = "[0-9a-f]{32}"
SECRETS = (
    *("bvs_live_x", "req-bvs_live_0123", "BVS_LIVE_0123", "sk-ant-api03-abc", "pk_live_abc", "pplx-0a1b", "xai-0a1b"),
    *("ghp_0a1b", "github_pat_11AA", "glpat-0a1b", "xoxb-1-2", "hf_abc", "AKIAIOSFODNN7EXAMPLE"),
    *("AIzaSyA0123456789abcdefghijklmno", "eyJhbGciOiJIUzI1NiJ9.e30.x", "0aB" * 11, "x-" + "Zz9_" * 8),
)
IDS = (
    *("a", "Report-2026.11_20", "x" * 64, "task-123", "8f2b1c9e0d7a4f63b5e2", "V1StGXR8_Z5jdHi6B-myT"),
    *("0198a3f2-5b1c-7c3e-9d54-2f6a8b7c1d0e", "0198A3F2-5B1C-7C3E-9D54-2F6A8B7C1D0E", "01ARZ3NDEKTSV4RRFFQ69G5FAV"),
    *("req_0ujtsYcgvSTl8PAuAdqWYSMnLOv", "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"),
)


@pytest.mark.parametrize("part", PARTS)
def test_headers_of_an_answer(rest, path, key, part):
    response = rest.call("GET", path + part, key)
    assert response.status_code == 200
    assert response.headers["Content-Type"] == "application/json"
    assert response.headers["Cache-Control"] == "private, no-cache"
    assert response.headers["Vary"] == "Authorization, Accept-Encoding"
    assert response.headers["X-Content-Type-Options"] == "nosniff"
    assert re.fullmatch(r'W/"[0-9a-f]{32}"', response.headers["ETag"])
    assert re.fullmatch(NEW_ID, response.headers["X-Request-ID"])
    assert not response.cookies


def test_headers_of_every_refusal(ask, callers, path):
    owner = callers["owner"]
    refused = [
        ask(None, path, "POST"),
        *(ask(callers[name], path) for name in ("no header", "revoked", "plan without API", "no scope", "stranger")),
        ask(owner, path, Accept="text/html"),
        ask(owner, path + "?x=1"),
        ask(owner, path, If_Match='"x"'),
        ask(None, "/api/nowhere"),
        ask(None, path, Host="evil.example"),
    ]
    for response in refused:
        assert response.headers["Cache-Control"] == "private, no-cache"
        assert response.headers["Vary"] == "Authorization, Accept-Encoding"
        assert response.headers["X-Content-Type-Options"] == "nosniff"
        assert response.headers["X-Request-ID"]
        assert response.headers["ETag"].startswith('W/"')
        assert int(response.headers["Content-Length"]) == len(response.content)
    assert {response.status_code for response in refused} == {400, 401, 403, 404, 405, 406, 412}


def test_a_sane_request_id_is_echoed(rest, path, key):
    for given in IDS:
        assert rest.call("GET", path, key, X_Request_ID=given).headers["X-Request-ID"] == given


def test_another_request_id_is_replaced(rest, path, key):
    for given in ("", "x" * 65, "a b", "a\tb", "é", "a;b", '"', "<script>", "a,b"):
        answered = rest.call("GET", path, key, X_Request_ID=given).headers["X-Request-ID"]
        assert re.fullmatch(NEW_ID, answered), given


def test_a_request_id_that_holds_a_key_is_replaced_and_stored_nowhere(rest, path, key, caplog, monkeypatch):
    monkeypatch.setattr(views, "get_brand", lambda *args: 1 / 0)
    for given in (*SECRETS, key):
        response = rest.call("GET", path, key, X_Request_ID=given)
        answered = response.headers["X-Request-ID"]
        assert re.fullmatch(NEW_ID, answered), given
        assert response.json()["requestId"] == CallLog.objects.latest("id").request_id == answered
        assert given not in caplog.text


@pytest.mark.parametrize("part", PARTS)
def test_304_while_nothing_changed(rest, path, key, part):
    first = rest.call("GET", path + part, key)
    etag = first.headers["ETag"]
    for method in ("GET", "HEAD"):
        for given in (etag, etag.removeprefix("W/"), f'"x", {etag}', "*"):
            again = rest.call(method, path + part, key, If_None_Match=given)
            assert (again.status_code, again.content) == (304, b"")
            for name in ("ETag", "Cache-Control", "Vary"):
                assert again.headers[name] == first.headers[name]
            assert "Content-Length" not in again.headers
        assert rest.call(method, path + part, key, If_None_Match='W/"x"').status_code == 200


def test_the_etag_follows_the_data(rest, cast, path, key):
    before = rest.call("GET", path + "/runs", key).headers["ETag"]
    RunFactory(brand=cast.brand)
    after = rest.call("GET", path + "/runs", key, If_None_Match=before)
    assert after.status_code == 200
    assert after.headers["ETag"] != before


def test_no_304_for_who_may_not_read(ask, callers, path):
    etag = ask(callers["owner"], path).headers["ETag"]
    for caller in ("no header", "revoked", "plan without API", "no scope", "stranger"):
        for given in (etag, "*"):
            assert ask(callers[caller], path, If_None_Match=given).status_code in (401, 403, 404)
    assert ask(callers["owner"], path, If_None_Match="*", Accept="text/html").status_code == 406
    assert ask(callers["owner"], path + "?x=1", If_None_Match="*").status_code == 400


@pytest.mark.parametrize("part", PARTS)
def test_head_has_the_headers_of_get(rest, path, key, part):
    got, headed = rest.call("GET", path + part, key), rest.call("HEAD", path + part, key)
    assert (headed.status_code, headed.content) == (200, b"")
    for name in ("ETag", "Content-Type", "Cache-Control", "Content-Length"):
        assert headed.headers[name] == got.headers[name]


def test_options_is_answered_to_anyone_without_leave_for_other_sites(rest, path):
    for address in ("/api/v1/brands", path, "/openapi.json", "/api/v1/docs"):
        response = rest.call("OPTIONS", address)
        assert (response.status_code, response.content) == (204, b"")
        assert response.headers["Allow"] == "GET, HEAD, OPTIONS"
        assert "Access-Control-Allow-Origin" not in response.headers
        assert "Content-Length" not in response.headers


def test_gzip_keeps_the_meaning_and_the_etag(rest, cast, path, key):
    DailyScoreFactory.create_batch(2, brand=cast.brand)
    address = path + "/visibility?from=0"
    plain, packed = rest.call("GET", address, key), rest.call("GET", address, key, Accept_Encoding="gzip")
    assert packed.headers["Content-Encoding"] == "gzip"
    assert gzip.decompress(packed.content) == plain.content
    assert packed.headers["ETag"] == plain.headers["ETag"]
    assert packed.headers["Vary"] == plain.headers["Vary"] == "Authorization, Accept-Encoding"
    again = rest.call("GET", address, key, Accept_Encoding="gzip", If_None_Match=packed.headers["ETag"])
    assert again.status_code == 304


def test_gzip_is_sent_to_who_accepts_it_and_to_no_other(rest, db):
    wishes = dict.fromkeys(("gzip", "gzip;q=0.5, br", "deflate, gzip ; q=1.0", "gzip;q=0.001"), "gzip")
    refusals = dict.fromkeys(("gzip;q=0", "gzip;q=0.0, identity", "identity", "br, *;q=0", "notgzip", "not-gzip"))
    for accepted, encoding in {**wishes, **refusals}.items():
        answer = rest.call("GET", "/openapi.json", Accept_Encoding=accepted)
        assert answer.headers.get("Content-Encoding") == encoding, accepted
        assert "Accept-Encoding" in answer.headers["Vary"]
