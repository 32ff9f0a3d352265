"""One row for each call of a known key, and none for the others."""

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta

import pytest
from django.db import connection

from apikeys.accounts import keyformat
from apikeys.edge import door
from apikeys.models import ApiKey, CallLog
from tests.factories import KeyFactory, make_key
from tests.rest.conftest import stored
from visibility.api import views

MINUTE = datetime(2026, 11, 20, 9, 30, tzinfo=UTC)


def rows():
    return list(CallLog.objects.order_by("pk").values_list("name", "success", "error_code"))


@pytest.mark.parametrize("part", ["", "/visibility", "/recommendations", "/runs"])
def test_a_call_is_recorded_under_its_template(rest, path, key, part):
    response = rest.call("GET", path + part, key)
    row = CallLog.objects.get()
    assert (row.key, row.door, row.name) == (stored(key), "rest", f"GET /api/v1/brands/{{id}}{part}")
    assert (row.success, row.error_code, row.count) == (True, "", 1)
    assert row.request_id == response.headers["X-Request-ID"]
    assert 0 < row.duration_ms < 60_000


def test_head_and_304_are_successes_and_412_is_a_refusal(rest, path, key):
    etag = rest.call("HEAD", path, key).headers["ETag"]
    rest.call("GET", path, key, If_None_Match=etag)
    rest.call("GET", path, key, If_Match='"other"')
    rest.get("/brands", key)
    assert rows() == [
        ("HEAD /api/v1/brands/{id}", True, ""),
        ("GET /api/v1/brands/{id}", True, ""),
        ("GET /api/v1/brands/{id}", False, "precondition_failed"),
        ("GET /api/v1/brands", True, ""),
    ]


def test_refused_calls_of_known_keys_are_recorded(ask, callers, path):
    refused = {
        "revoked": "invalid_api_key",
        "expired": "invalid_api_key",
        "owner deactivated": "invalid_api_key",
        "plan without API": "tier_disallows_api",
        "no scope": "insufficient_scope",
        "stranger": "not_found",
    }
    for caller, code in refused.items():
        ask(callers[caller], path + "/runs")
        row = CallLog.objects.latest("id")
        assert row.key == stored(callers[caller].split()[1])
        assert (row.name, row.success, row.error_code) == ("GET /api/v1/brands/{id}/runs", False, code)
    assert CallLog.objects.count() == len(refused)


def test_bad_input_and_malformed_ids_are_recorded_under_the_template(rest, path, key):
    rest.call("GET", path + "/visibility?from=x", key)
    rest.get("/brands/nonsense/visibility", key)
    rest.call("GET", path, key, Accept="text/html")
    assert rows() == [
        ("GET /api/v1/brands/{id}/visibility", False, "invalid_parameter"),
        ("GET /api/v1/brands/{id}/visibility", False, "not_found"),
        ("GET /api/v1/brands/{id}", False, "not_acceptable"),
    ]


def test_calls_without_a_known_key_are_not_recorded(rest, ask, path, key, callers):
    for caller in ("no header", "other scheme", "malformed key", "unknown key", "two keys"):
        for method in ("GET", "POST"):
            for address in (path, "/api/nowhere", "/nowhere"):
                ask(callers[caller], address, method)
    rest.call("OPTIONS", path, key)
    rest.call("GET", "/openapi.json", key)
    rest.call("GET", "/healthz", key)
    assert rows() == []


@pytest.mark.parametrize(
    ("method", "address", "door", "name", "code"),
    [
        ("GET", "/api/nowhere", "rest", "GET (unknown path)", "not_found"),
        ("GET", "/api/v1/brands/", "rest", "GET (unknown path)", "not_found"),
        ("GET", "/mcp/tools", "mcp", "GET (unknown path)", "not_found"),
        ("POST", "/api/v1/brands", "rest", "POST /api/v1/brands", "method_not_allowed"),
        ("DELETE", "/api/v1/brands/x/runs", "rest", "DELETE /api/v1/brands/{id}/runs", "method_not_allowed"),
        ("PUT", "/openapi.json", "rest", "PUT /openapi.json", "method_not_allowed"),
    ],
)
@pytest.mark.parametrize("debug", [False, True])
def test_unknown_paths_and_refused_methods_are_recorded_under_their_door(
    rest, key, settings, debug, method, address, door, name, code
):
    settings.DEBUG = debug
    response = rest.call(method, address, key)
    row = CallLog.objects.get()
    assert (row.key, row.door, row.name) == (stored(key), door, name)
    assert (row.success, row.error_code) == (False, code)
    assert row.request_id == response.headers["X-Request-ID"]
    assert row.duration_ms > 0


def test_a_stray_call_of_a_revoked_key_is_recorded(ask, callers):
    assert ask(callers["revoked"], "/api/nowhere").status_code == 404
    assert [code for _, _, code in rows()] == ["not_found"]


def test_a_call_that_cannot_be_recorded_is_not_answered(rest, path, key, monkeypatch, quiet):
    monkeypatch.setattr(CallLog, "save", lambda *args, **kwargs: 1 / 0)
    for address in (path, "/api/nowhere"):
        assert rest.call("GET", address, key).json()["error"] == "internal_error"


def test_what_callers_write_is_not_recorded(rest, path, key):
    marker = "callers-own-words"
    for address in (f"/api/v1/{key}", f"/api/{marker}", f"/api/v1/brands/{marker}", f"{path}?{marker}={marker}"):
        rest.call("GET", address, key)
    rest.call(marker.upper(), path, key)
    recorded = str(list(CallLog.objects.values()))
    assert CallLog.objects.count() == 5
    assert key not in recorded and marker not in recorded and marker.upper() not in recorded


def test_failures_of_the_service_are_recorded(rest, path, key, monkeypatch, quiet):
    monkeypatch.setattr(views, "get_brand", lambda *args: 1 / 0)
    rest.call("GET", path, key)
    assert rows() == [("GET /api/v1/brands/{id}", False, "internal_error")]


@pytest.mark.django_db(transaction=True, serialized_rollback=True)
def test_a_key_that_is_deleted_during_its_call_takes_its_log_along(rest, path, key, monkeypatch):
    real = views.get_brand

    def read_while_the_key_goes(*args):
        ApiKey.objects.all().delete()
        return real(*args)

    monkeypatch.setattr(views, "get_brand", read_while_the_key_goes)
    assert rest.call("GET", path, key).status_code == 200
    assert not CallLog.objects.exists()


@pytest.mark.django_db
def test_rate_refusals_of_both_doors_add_up_in_one_row_for_each_key_and_minute():
    key, other = KeyFactory(), KeyFactory()
    for count in (3, 4):
        door.record_rate_refusals(
            {
                (key.digest, MINUTE, CallLog.Door.REST): count,
                (key.digest, MINUTE, CallLog.Door.MCP): 1,
                (key.digest, MINUTE + timedelta(minutes=1), CallLog.Door.REST): 1,
                (other.digest, MINUTE, CallLog.Door.MCP): 2,
                (keyformat.digest("unknown"), MINUTE, CallLog.Door.REST): 9,
            }
        )
    recorded = CallLog.objects.values_list("key", "created_at", "count", "door", "error_code", "success")
    assert set(recorded) == {
        (key.pk, MINUTE, 9, "rest", "rate_limited", False),
        (key.pk, MINUTE + timedelta(minutes=1), 2, "rest", "rate_limited", False),
        (other.pk, MINUTE, 4, "mcp", "rate_limited", False),
    }


@pytest.mark.django_db(transaction=True, serialized_rollback=True)
def test_processes_that_write_the_same_minute_lose_no_refusal():
    key, _ = make_key()

    def write(_):
        try:
            door.record_rate_refusals({(key.digest, MINUTE, CallLog.Door.REST): 2})
        finally:
            connection.close()

    with ThreadPoolExecutor(8) as threads:
        list(threads.map(write, range(24)))
    assert CallLog.objects.get().count == 48
