"""What a load balancer asks."""

import shutil
import sqlite3
import threading
from concurrent.futures import ThreadPoolExecutor

import psycopg
import pytest
from django.core.cache import caches
from django.db import OperationalError, connection, connections
from django.db.migrations.recorder import MigrationRecorder
from django.db.utils import InternalError
from django.test import Client

from visibility.services import health, probe

FINE = {"database": True, "writable": True, "migrations": True, "worker": True}
# It is looked at from a thread of its own, which sees what is committed.
pytestmark = pytest.mark.django_db(transaction=True, serialized_rollback=True)


@pytest.fixture(autouse=True)
def _forget(monkeypatch):
    health._current.clear()
    monkeypatch.setattr(health, "_LOOKS", health._Looks())
    monkeypatch.setattr(health, "FRESH_SECONDS", 0.0)
    yield
    health._current.clear()


@pytest.fixture
def refusing(monkeypatch):
    """Let every write of the probe fail in a way."""

    def use(error, cause):
        def fail():
            raise error from cause

        monkeypatch.setattr(probe, "_write_to_file", fail)
        monkeypatch.setattr(probe, "_write_to_server", fail)

    return use


def read_only_file():
    error = sqlite3.OperationalError("attempt to write a readonly database")
    error.sqlite_errorcode = sqlite3.SQLITE_READONLY_DBMOVED
    return error


@pytest.fixture
def worker():
    caches["default"].set(health.HEARTBEAT_KEY, "alive", 60)


def test_healthz_looks_at_nothing(client, django_assert_num_queries):
    with django_assert_num_queries(0):
        response = client.get("/healthz")
    assert (response.status_code, response.json()) == (200, {"status": "ok"})
    assert response.headers["Cache-Control"] == "no-store"


def test_ready_when_all_parts_work(client, worker):
    response = client.get("/readyz")
    assert response.status_code == 200
    assert response.json() == {"status": "ok", **FINE, "problems": []}


def test_not_ready_without_a_worker(client):
    response = client.get("/readyz")
    assert (response.status_code, response.json()["worker"]) == (503, False)
    assert response.json()["problems"] == ["No worker has been seen within the last minute."]


def test_not_ready_while_a_migration_is_missing(client, worker):
    applied = MigrationRecorder.Migration.objects.filter(app="visibility").order_by("-pk").first()
    applied.delete()
    try:
        response = client.get("/readyz")
    finally:
        applied.save()
    assert (response.status_code, response.json()["migrations"]) == (503, False)
    assert response.json()["problems"] == ["Migrations are missing: python manage.py migrate."]


def test_migrations_are_looked_up_once(client, worker, monkeypatch):
    client.get("/readyz")
    monkeypatch.setattr(health, "MigrationExecutor", lambda connection: 1 / 0)
    assert client.get("/readyz").status_code == 200


def test_not_ready_without_a_database(client, worker, monkeypatch):
    def fail(*args, **kwargs):
        raise OperationalError("gone")

    with monkeypatch.context() as patched:
        patched.setattr(type(connections["default"]), "cursor", fail)
        response = client.get("/readyz")
    assert response.status_code == 503
    nothing = {"status": "unavailable", "database": False, "writable": False, "migrations": False, "worker": True}
    assert response.json() == {**nothing, "problems": ["The database does not answer."]}


@pytest.mark.parametrize(
    ("error", "cause", "problem"),
    [
        (InternalError("no"), psycopg.errors.ReadOnlySqlTransaction("no"), probe.READ_ONLY),
        (OperationalError("no"), read_only_file(), probe.READ_ONLY),
        (OperationalError("no"), psycopg.errors.DiskFull("no space in base/16384/x"), probe.FULL),
        (OperationalError("no"), None, probe.REFUSED),
    ],
)
def test_not_ready_when_nothing_can_be_written(client, worker, refusing, error, cause, problem):
    refusing(error, cause)
    response = client.get("/readyz")
    assert response.status_code == 503
    assert response.json() == {"status": "unavailable", **FINE, "writable": False, "problems": [problem]}


def test_a_database_that_takes_no_writes_is_found_out_by_one(client, worker):
    """Really: the connections of PostgreSQL begin read-only, the file of SQLite is opened so."""
    options = connection.settings_dict["OPTIONS"]
    if connection.vendor == "sqlite":
        changed = {"init_command": options["init_command"] + "PRAGMA query_only=1;"}
    else:
        changed = {"options": "-c default_transaction_read_only=on"}
    kept = dict(options)
    connection.close()
    _forget_pool()
    try:
        options.update(changed)
        assert client.get("/readyz").json()["problems"] == [probe.READ_ONLY]
    finally:
        options.clear()
        options.update(kept)
        connection.close()
        _forget_pool()
    assert client.get("/readyz").status_code == 200


def _forget_pool():
    getattr(connection, "close_pool", lambda: None)()


@pytest.mark.skipif(connection.vendor != "sqlite", reason="about the disk below a file")
def test_a_disk_that_is_almost_full_is_told_before_writes_fail(client, worker, monkeypatch):
    usage = shutil.disk_usage("/")._replace(free=probe.MIN_FREE_BYTES - 1)
    monkeypatch.setattr(probe.shutil, "disk_usage", lambda path: usage)
    assert client.get("/readyz").json()["problems"] == [probe.FULL]


def test_the_probe_writes_and_leaves_nothing_behind(client, worker):
    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            assert probe.try_to_write() == ""
            pages = cursor.execute("PRAGMA wal_checkpoint").fetchone()[1]
        assert pages > 0, "it reached the log"
    assert probe.try_to_write() == ""
    assert not probe.Session.objects.exists()


@pytest.mark.skipif(connection.vendor != "sqlite", reason="one writer at a time")
def test_a_long_write_of_another_does_not_make_it_unready(client, worker, transactional_db):
    other = sqlite3.connect(connection.settings_dict["NAME"], isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    try:
        assert client.get("/readyz").status_code == 200
    finally:
        other.close()


def test_a_database_that_hangs_is_told_in_time_and_looked_at_by_one_thread(client, worker, monkeypatch):
    goes_on = threading.Event()
    monkeypatch.setattr(health, "_look_at_database", lambda: goes_on.wait(60) and health.Database(True, True, True))
    monkeypatch.setattr(health, "WAIT_SECONDS", 0.2)
    before = threading.active_count()
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda _: health.check(), range(20)))
    assert {each.ready for each in found} == {False}
    assert found[0].problems == ["The database did not answer within 0.2 seconds."]
    assert len([thread for thread in threading.enumerate() if thread.name == "readiness"]) == 1
    assert threading.active_count() <= before + 1
    goes_on.set()
    monkeypatch.setattr(health, "WAIT_SECONDS", 30.0)
    assert health.check().ready


def test_a_silent_cache_is_no_worker(client, monkeypatch):
    def fail(*args, **kwargs):
        raise OSError("gone")

    monkeypatch.setattr(type(caches["default"]), "get", fail)
    assert client.get("/readyz").json()["worker"] is False


@pytest.mark.parametrize("path", ["/healthz", "/readyz"])
def test_other_methods_are_refused_as_such_without_a_look_at_forms(path):
    response = Client(enforce_csrf_checks=True).post(path)
    assert (response.status_code, response["Allow"]) == (405, "GET, HEAD")


@pytest.mark.parametrize("host", ["10.1.2.3:8000", "unknown.example", "not a host", ""])
def test_a_load_balancer_may_call_by_any_address(client, host):
    assert client.get("/healthz", headers={"host": host}).status_code == 200
    assert client.get("/readyz", headers={"host": host}).status_code in (200, 503)
    assert client.get("/login/", headers={"host": host}).status_code == 400
