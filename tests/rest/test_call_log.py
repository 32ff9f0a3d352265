"""One row for each call of a known key, and none for the others."""

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace

import pytest
from django.db import connection
from django.utils import timezone

from apikeys import keyformat
from apikeys.db import purging
from apikeys.models import ApiKey, CallLog
from apikeys.services import calls
from tests.factories import ApiKeyFactory


def rows():
    return list(CallLog.objects.order_by("pk").values_list("name", "success", "error_code"))


@pytest.mark.parametrize("part", ["", "/visibility", "/recommendations", "/runs"])
def test_a_call_is_kept_under_its_template(api, key, part):
    response = api.get(api.brand + part, key)
    row = CallLog.objects.get()
    assert (row.key_id, row.door, row.name) == (key.pk, "rest", f"GET /api/v1/brands/{{id}}{part}")
    assert (row.success, row.error_code, row.count) == (True, "", 1)
    assert row.request_id == response.headers["X-Request-ID"]
    assert 0 < row.duration_ms < 60_000


def test_the_list_and_other_methods(api, key):
    api.get("/api/v1/brands", key)
    api.request("HEAD", api.brand, key)
    assert [name for name, *_ in rows()] == ["GET /api/v1/brands", "HEAD /api/v1/brands/{id}"]


def test_a_412_is_a_refusal(api, key):
    assert api.get(api.brand, key, If_Match='"other"').status_code == 412
    assert [(success, code) for _, success, code in rows()] == [(False, "precondition_failed")]


def test_a_304_is_a_success(api, key):
    etag = api.get(api.brand, key).headers["ETag"]
    api.get(api.brand, key, If_None_Match=etag)
    assert [success for _, success, _ in rows()] == [True, True]


@pytest.mark.parametrize(
    ("caller", "code"),
    [
        ("revoked", "invalid_api_key"),
        ("expired", "invalid_api_key"),
        ("inactive owner", "invalid_api_key"),
        ("free plan", "tier_disallows_api"),
        ("no scope", "insufficient_scope"),
        ("stranger", "not_found"),
    ],
)
def test_refused_calls_of_known_keys_are_kept(api, callers, caller, code):
    api.get(api.brand + "/runs", callers[caller])
    row = CallLog.objects.get()
    assert (row.key_id, row.name) == (callers[caller].pk, "GET /api/v1/brands/{id}/runs")
    assert (row.success, row.error_code) == (False, code)


def test_bad_input_and_malformed_ids_are_kept_under_the_template(api, key):
    api.get(api.brand + "/visibility?from=x", key)
    api.get("/api/v1/brands/nonsense/visibility", key)
    api.get(api.brand, key, Accept="text/html")
    assert rows() == [
        ("GET /api/v1/brands/{id}/visibility", False, "invalid_parameter"),
        ("GET /api/v1/brands/{id}/visibility", False, "not_found"),
        ("GET /api/v1/brands/{id}", False, "not_acceptable"),
    ]


def test_calls_without_a_known_key_are_not_kept(api, key):
    api.get(api.brand)
    unknown = SimpleNamespace(raw=keyformat.mint())
    api.get(api.brand, unknown)
    for method in ("GET", "POST"):
        for path in (api.brand, "/api/nowhere", "/nowhere"):
            api.request(method, path, unknown)
            if (method, path) != ("GET", api.brand):
                api.request(method, path, SimpleNamespace(raw="nonsense"))
                api.request(method, path)
    api.request("OPTIONS", api.brand, key)
    api.get("/openapi.json", key)
    api.get("/healthz", key)
    assert rows() == []


@pytest.mark.parametrize(
    ("method", "path", "door", "name", "code"),
    [
        ("GET", "/api/nowhere", "rest", "GET (unknown path)", "not_found"),
        ("GET", "/api/v1/brands/", "rest", "GET (unknown path)", "not_found"),
        ("POST", "/v1/brands", "rest", "POST (unknown path)", "not_found"),
        ("GET", "/mcp/tools", "mcp", "GET (unknown path)", "not_found"),
        ("POST", "/api/v1/brands", "rest", "POST /api/v1/brands", "method_not_allowed"),
        ("DELETE", "/api/v1/brands/x/runs", "rest", "DELETE /api/v1/brands/{id}/runs", "method_not_allowed"),
        ("PUT", "/openapi.json", "rest", "PUT /openapi.json", "method_not_allowed"),
    ],
)
@pytest.mark.parametrize("debug", [False, True])
def test_unknown_paths_and_refused_methods_are_kept_under_their_door(
    api, key, settings, debug, method, path, door, name, code
):
    settings.DEBUG = debug
    response = api.request(method, path, key)
    row = CallLog.objects.get()
    assert (row.key_id, row.door, row.name) == (key.pk, door, name)
    assert (row.success, row.error_code) == (False, code)
    assert row.request_id == response.headers["X-Request-ID"]
    assert row.duration_ms > 0


def test_a_stray_call_of_a_revoked_key_is_kept_and_one_that_cannot_be_kept_is_not_answered(api, callers, monkeypatch):
    assert api.get("/api/nowhere", callers["revoked"]).status_code == 404
    assert [(row.key, row.error_code) for row in CallLog.objects.all()] == [(callers["revoked"], "not_found")]
    monkeypatch.setattr(calls._CALLS, "add", lambda row: 1 / 0)
    assert api.get("/api/nowhere", callers["owner"]).json()["error"] == "internal_error"


def test_what_callers_write_as_a_path_is_not_kept(api, key):
    api.get(f"/api/v1/{key.raw}", key)
    assert key.raw not in str(CallLog.objects.values())


def test_failures_of_the_service_are_kept(api, key, monkeypatch):
    monkeypatch.setattr("visibility.services.reading.reporting.brand_detail", lambda *args, **kwargs: 1 / 0)
    api.get(api.brand, key)
    assert rows() == [("GET /api/v1/brands/{id}", False, "internal_error")]


@pytest.mark.django_db(transaction=True, serialized_rollback=True)
def test_a_key_that_is_deleted_meanwhile_takes_its_log_along(key):
    gone = ApiKey.objects.get(pk=key.pk)
    key.delete()
    calls.record_call(key=gone, door="rest", name="x", duration_ms=1.0, request_id="")
    assert not CallLog.objects.exists()


MINUTE = datetime(2026, 11, 20, 9, 30, tzinfo=UTC)


def test_refusals_add_up_in_one_row_a_minute(key):
    other = ApiKeyFactory()
    for count in (3, 4):
        calls.record_refusals(
            {
                (key.digest, MINUTE, CallLog.Door.REST): count,
                (key.digest, MINUTE + timedelta(minutes=1), CallLog.Door.REST): 1,
                (other.digest, MINUTE, CallLog.Door.MCP): 2,
                (keyformat.digest("unknown"), MINUTE, CallLog.Door.REST): 9,
            }
        )
    found = CallLog.objects.order_by("key__created_at", "created_at").values_list(
        "key", "created_at", "count", "door", "error_code", "success"
    )
    assert set(found) == {
        (key.pk, MINUTE, 7, "rest", "rate_limited", False),
        (key.pk, MINUTE + timedelta(minutes=1), 2, "rest", "rate_limited", False),
        (other.pk, MINUTE, 4, "mcp", "rate_limited", False),
    }


def test_one_minute_of_both_doors_is_one_row(key):
    calls.record_refusals({(key.digest, MINUTE, CallLog.Door.REST): 2, (key.digest, MINUTE, CallLog.Door.MCP): 3})
    assert CallLog.objects.get().count == 5


def test_old_calls_are_purged_in_batches(key, monkeypatch):
    monkeypatch.setattr(purging, "PURGE_BATCH", 3)
    now = timezone.now()
    CallLog.objects.bulk_create(
        [CallLog(key=key, door="rest", name="x", success=True, created_at=now - timedelta(days=n)) for n in range(10)]
    )
    limit = now - timedelta(days=2, hours=1)
    assert calls.purge_calls(older_than=limit) == 7
    assert CallLog.objects.count() == 3
    assert not CallLog.objects.filter(created_at__lt=limit).exists()
    assert calls.purge_calls(older_than=limit) == 0


@pytest.mark.django_db(transaction=True, serialized_rollback=True)
def test_processes_that_write_the_same_minute_lose_nothing():
    key = ApiKeyFactory()

    def write(_):
        try:
            calls.record_refusals({(key.digest, MINUTE, CallLog.Door.REST): 2})
        finally:
            connection.close()

    with ThreadPoolExecutor(8) as threads:
        list(threads.map(write, range(24)))
    assert CallLog.objects.get().count == 48
