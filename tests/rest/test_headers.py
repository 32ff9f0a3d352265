"""The headers of every answer; 304, HEAD, OPTIONS, gzip."""

import gzip
import re

import pytest
from django.core.handlers.wsgi import WSGIHandler
from django.test import RequestFactory

from apikeys.models import CallLog
from tests.factories import DailyScoreFactory, RunFactory

PARTS = ("", "/visibility", "/recommendations", "/runs")


@pytest.mark.parametrize("part", PARTS)
def test_headers_of_an_answer(api, key, part):
    response = api.get(api.brand + part, key)
    assert response.status_code == 200
    assert response.headers["Content-Type"] == "application/json"
    assert response.headers["Cache-Control"] == "private, no-cache"
    assert response.headers["Vary"] == "Authorization, Accept-Encoding"
    assert re.fullmatch(r'W/"[0-9a-f]{32}"', response.headers["ETag"])
    assert re.fullmatch(r"[0-9a-f]{32}", response.headers["X-Request-ID"])
    assert not response.cookies


def test_headers_of_every_refusal(api, callers):
    refused = [
        api.request("POST", api.brand),
        *(api.get(api.brand, callers[name]) for name in ("no key", "revoked", "free plan", "no scope", "stranger")),
        api.get(api.brand, callers["owner"], Accept="text/html"),
        api.get(api.brand + "?x=1", callers["owner"]),
        api.get("/api/nowhere"),
    ]
    for response in refused:
        assert response.headers["Cache-Control"] == "private, no-cache"
        assert "Authorization" in response.headers["Vary"]
        assert response.headers["X-Request-ID"]
        assert response.headers["ETag"].startswith('W/"')
    assert sorted({response.status_code for response in refused}) == [400, 401, 403, 404, 405, 406]


@pytest.mark.parametrize("given", ["a", "Report-2026.11_20", "x" * 64])
def test_a_sane_request_id_is_echoed(api, key, given):
    assert api.get(api.brand, key, X_Request_ID=given).headers["X-Request-ID"] == given


@pytest.mark.parametrize("given", ["", "x" * 65, "a b", "a\tb", "é", "a;b", '"', "<script>", "a,b"])
def test_another_request_id_is_replaced(api, key, given):
    assert re.fullmatch(r"[0-9a-f]{32}", api.get(api.brand, key, X_Request_ID=given).headers["X-Request-ID"])


SECRETS = (
    "bvs_live_x", "req-bvs_live_0123", "BVS_LIVE_0123", "sk-ant-api03-abc", "sk-proj-abc", "pk_live_abc", "pplx-0a1b",
    "xai-0a1b", "ghp_0a1b", "github_pat_11AA", "glpat-0a1b", "xoxb-1-2", "hf_abc", "AKIAIOSFODNN7EXAMPLE",
    "AIzaSyA0123456789abcdefghijklmno", "eyJhbGciOiJIUzI1NiJ9.e30.x", "0aB" * 11, "x-" + "Zz9_" * 8,
)  # fmt: skip
IDS = (
    "0198a3f2-5b1c-7c3e-9d54-2f6a8b7c1d0e", "0198A3F2-5B1C-7C3E-9D54-2F6A8B7C1D0E", "01ARZ3NDEKTSV4RRFFQ69G5FAV",
    "req_0ujtsYcgvSTl8PAuAdqWYSMnLOv", "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01", "task-123",
    "desk-7", "8f2b1c9e0d7a4f63b5e2", "V1StGXR8_Z5jdHi6B-myT",
)  # fmt: skip


@pytest.mark.parametrize("given", SECRETS)
def test_a_request_id_that_holds_a_key_is_replaced_and_not_kept(api, key, given, capsys, monkeypatch):
    monkeypatch.setattr("visibility.services.reading.reporting.brand_detail", lambda *args, **kwargs: 1 / 0)
    response = api.get(api.brand, key, X_Request_ID=given)
    assert re.fullmatch(r"[0-9a-f]{32}", response.headers["X-Request-ID"])
    assert response.json()["requestId"] == CallLog.objects.get().request_id == response.headers["X-Request-ID"]
    printed = capsys.readouterr().out
    assert response.headers["X-Request-ID"] in printed and given not in printed


@pytest.mark.parametrize("given", IDS)
def test_ids_that_are_common_are_no_secrets(api, key, given):
    assert api.get(api.brand, key, X_Request_ID=given).headers["X-Request-ID"] == given


@pytest.mark.parametrize("part", PARTS)
@pytest.mark.parametrize("method", ["GET", "HEAD"])
def test_304_while_nothing_changed(api, key, part, method):
    etag = api.get(api.brand + part, key).headers["ETag"]
    for given in (etag, etag.removeprefix("W/"), f'"x", {etag}', "*"):
        response = api.request(method, api.brand + part, key, If_None_Match=given)
        assert (response.status_code, response.content) == (304, b"")
        assert response.headers["ETag"] == etag
        assert response.headers["Cache-Control"] == "private, no-cache"
        assert response.headers["Vary"] == "Authorization, Accept-Encoding"
        assert "Content-Length" not in response.headers
    assert api.request(method, api.brand + part, key, If_None_Match='W/"x"').status_code == 200


def test_the_etag_follows_the_data(api, cast, key):
    before = api.get(api.brand + "/runs", key).headers["ETag"]
    RunFactory(brand=cast.brand)
    after = api.get(api.brand + "/runs", key, If_None_Match=before)
    assert after.status_code == 200
    assert after.headers["ETag"] != before


@pytest.mark.parametrize("caller", ["no key", "revoked", "free plan", "no scope", "stranger"])
def test_no_304_for_who_may_not_read(api, callers, caller):
    etag = api.get(api.brand, callers["owner"]).headers["ETag"]
    assert api.get(api.brand, callers[caller], If_None_Match=etag).status_code in (401, 403, 404)
    assert api.get(api.brand, callers[caller], If_None_Match="*").status_code in (401, 403, 404)


@pytest.mark.parametrize("part", PARTS)
def test_head_has_the_headers_of_get(api, key, part):
    got, headed = api.get(api.brand + part, key), api.request("HEAD", api.brand + part, key)
    assert (headed.status_code, headed.content) == (200, b"")
    for name in ("ETag", "Content-Type", "Cache-Control", "Content-Length"):
        assert headed.headers[name] == got.headers[name]


@pytest.mark.parametrize("path", ["/api/v1/brands", "/openapi.json", "/api/v1/docs"])
def test_options_is_answered_to_anyone(api, path):
    response = api.request("OPTIONS", path)
    assert (response.status_code, response.content) == (204, b"")
    assert response.headers["Allow"] == "GET, HEAD, OPTIONS"
    assert "Access-Control-Allow-Origin" not in response.headers


def test_gzip_keeps_the_meaning_and_the_etag(api, cast, key):
    DailyScoreFactory(brand=cast.brand)
    path = api.brand + "/visibility"
    plain, packed = api.get(path, key), api.get(path, key, Accept_Encoding="gzip")
    assert packed.headers["Content-Encoding"] == "gzip"
    assert gzip.decompress(packed.content) == plain.content
    assert packed.headers["ETag"] == plain.headers["ETag"]
    assert "Accept-Encoding" in packed.headers["Vary"]
    assert "Accept-Encoding" in plain.headers["Vary"]
    again = api.get(path, key, Accept_Encoding="gzip", If_None_Match=packed.headers["ETag"])
    assert again.status_code == 304


@pytest.mark.parametrize(
    "refusal", ["gzip;q=0", "gzip;q=0.0, identity", "identity", "br, *;q=0", "notgzip", "not-gzip"]
)
def test_gzip_is_not_sent_to_who_refuses_it(api, cast, key, refusal):
    DailyScoreFactory(brand=cast.brand)
    answer = api.get(api.brand + "/visibility", key, Accept_Encoding=refusal)
    assert "Content-Encoding" not in answer.headers
    assert answer.json()["trend"]


@pytest.mark.parametrize("wish", ["gzip", "gzip;q=0.5, br", "GZIP", "deflate, gzip ; q=1.0", "gzip;q=0.001"])
def test_gzip_is_sent_to_who_accepts_it(api, cast, key, wish):
    DailyScoreFactory(brand=cast.brand)
    answer = api.get(api.brand + "/visibility", key, Accept_Encoding=wish)
    assert answer.headers["Content-Encoding"] == "gzip"


@pytest.mark.parametrize("path", ["/api/v1/brands", "/openapi.json", "/login/", "/nowhere", "/healthz"])
def test_head_leaves_the_service_without_a_body(db, path):
    """The server drops it as well, with a line in its log for each such call."""
    sent = []
    environ = RequestFactory().head(path).environ
    body = b"".join(WSGIHandler()(environ, lambda status, headers: sent.extend(headers)))
    assert body == b""
    assert int(dict(sent)["Content-Length"]) > 10
