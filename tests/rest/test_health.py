"""What a load balancer asks."""

import pytest
from django.core.cache import caches
from django.db import DatabaseError, connection
from django.db.migrations.recorder import MigrationRecorder

from visibility.services import health


@pytest.fixture(autouse=True)
def _forget():
    health._current.clear()
    yield
    health._current.clear()


@pytest.fixture
def worker():
    caches["default"].set(health.HEARTBEAT_KEY, "alive", 60)


def test_healthz_looks_at_nothing(client, db, django_assert_num_queries):
    with django_assert_num_queries(0):
        response = client.get("/healthz")
    assert (response.status_code, response.json()) == (200, {"status": "ok"})
    assert response.headers["Cache-Control"] == "no-store"


def test_ready_when_all_parts_work(client, db, worker):
    response = client.get("/readyz")
    assert response.status_code == 200
    assert response.json() == {"status": "ok", "database": True, "migrations": True, "worker": True}


def test_not_ready_without_a_worker(client, db):
    response = client.get("/readyz")
    assert (response.status_code, response.json()["worker"]) == (503, False)


def test_not_ready_while_a_migration_is_missing(client, db, worker):
    MigrationRecorder.Migration.objects.filter(app="visibility").order_by("-pk").first().delete()
    assert (client.get("/readyz").status_code, client.get("/readyz").json()["migrations"]) == (503, False)


def test_migrations_are_looked_up_once(client, db, worker, django_assert_num_queries):
    client.get("/readyz")
    with django_assert_num_queries(1):
        assert client.get("/readyz").status_code == 200


def test_not_ready_without_a_database(client, db, worker, monkeypatch):
    def fail(*args, **kwargs):
        raise DatabaseError("gone")

    with monkeypatch.context() as patched:
        patched.setattr(connection, "cursor", fail)
        response = client.get("/readyz")
    assert response.status_code == 503
    assert response.json() == {"status": "unavailable", "database": False, "migrations": False, "worker": True}


def test_a_silent_cache_is_no_worker(client, db, monkeypatch):
    def fail(*args, **kwargs):
        raise OSError("gone")

    monkeypatch.setattr(type(caches["default"]), "get", fail)
    assert client.get("/readyz").json()["worker"] is False
