"""Readiness is about the process that is asked: can it read and write."""

import os
import subprocess
import sys

import pytest
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder

from config import postgres
from config.health import Readiness
from tests.live import ROOT, WEB, live_process
from tests.postgres import FAST
from tests.service.test_database_away import answer_of

pytestmark = pytest.mark.django_db(transaction=True, serialized_rollback=True)


def test_a_web_process_is_ready_without_a_worker(client):
    answer = client.get("/readyz")
    assert answer.status_code == 200
    assert answer.json() == {
        "status": "ok",
        "database": "ok",
        "disk": "ok",
        "migrations": "ok",
        "worker": "none is running",
    }


@pytest.mark.parametrize(
    ("name", "status", "words"),
    [
        ("9999_more_columns", 200, "ok"),
        ("9999_fewer_columns_from_0_1", 200, "ok"),
        ("9999_fewer_columns_from_99_0", 503, "1 are of a newer release"),
    ],
)
def test_a_migration_that_needs_a_newer_release_makes_it_unready(client, name, status, words):
    recorder = MigrationRecorder(connection)
    recorder.record_applied("visibility", name)
    try:
        answer = client.get("/readyz")
    finally:
        recorder.record_unapplied("visibility", name)
    assert (answer.status_code, answer.json()["migrations"]) == (status, words)


def test_a_database_that_takes_no_writes_makes_it_unready():
    with connection.cursor() as cursor:
        name = connection.ops.quote_name(connection.settings_dict["NAME"])
        cursor.execute(f"ALTER DATABASE {name} SET default_transaction_read_only = on")
        connection.close_pool()
    try:
        assert Readiness().look()["database"] == "takes no writes"
    finally:
        with connection.cursor() as cursor:
            cursor.execute("SET default_transaction_read_only = off")
            cursor.execute(f"ALTER DATABASE {name} RESET default_transaction_read_only")
        connection.close_pool()


@pytest.fixture
def small_disk(tmp_path):
    """A file system of its own for PostgreSQL."""
    for folder in (tmp_path, *tmp_path.parents[:2]):
        folder.chmod(0o711)
    disk = tmp_path / "disk"
    disk.mkdir(mode=0o711)
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=256m,mode=711", "none", disk], check=False).returncode:
        pytest.skip("This machine lets nobody mount a file system, so none can be filled.")
    yield disk
    subprocess.run(["umount", "-l", disk], check=True)


@pytest.mark.proof
def test_a_full_disk_makes_it_unready_until_there_is_room(small_disk):
    data = small_disk / "postgres"
    url = postgres.start(data, **FAST)
    environment = {**os.environ, "DATABASE_URL": url}
    subprocess.run([sys.executable, "manage.py", "migrate", "-v0"], cwd=ROOT, env=environment, check=True, timeout=60)
    filler = small_disk / "filler"
    try:
        with live_process(*WEB, database=url) as live:
            with filler.open("wb", buffering=0) as file, pytest.raises(OSError, match="space"):
                while True:
                    file.write(bytes(4096))
            status, _, body = answer_of(f"{live.url}/readyz", "")
            assert (status, body["disk"]) == (503, "full")
            filler.unlink()
            status, _, body = answer_of(f"{live.url}/readyz", "")
            assert (status, body["disk"]) == (200, "ok")
    finally:
        filler.unlink(missing_ok=True)
        postgres.stop(data)
