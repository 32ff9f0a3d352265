"""Backups, and their way back: what is restored is what was there, and its figures follow from its answers."""

from io import StringIO

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.core.management import CommandError, call_command
from django.db import connection

from config import postgres
from tests.live import empty_database, own_database
from tests.scores.conftest import answers, imported
from visibility.models import DailyScore

TABLES = ("visibility_answer", "visibility_cell", "visibility_mention", "visibility_dailyscore", "brands_brand")


def digests() -> dict[str, str]:
    """By table a digest of its rows."""
    found = {}
    with connection.cursor() as cursor:
        for table in TABLES:
            cursor.execute(f"SELECT md5(string_agg(t::text, '|' ORDER BY t::text)) FROM {table} t")
            found[table] = cursor.fetchone()[0]
    return found


@pytest.fixture
def measured(django_db_blocker):
    """A database with some measured days, which this process uses."""
    with django_db_blocker.unblock(), own_database():
        imported(answers(range(1, 6)))
        yield


def restored(file) -> str:
    printed = StringIO()
    call_command("restore", str(file), stdout=printed)
    return printed.getvalue()


def test_a_backup_comes_back_row_by_row_with_figures_that_are_computed_again(measured, tmp_path):
    before = digests()
    call_command("backup", str(tmp_path / "one.dump"), stdout=StringIO())
    with empty_database():
        printed = restored(tmp_path / "one.dump")
        assert digests() == before
    assert "10 scores on 5 days were computed again, and all are equal" in printed


def test_a_score_that_does_not_follow_from_its_answers_is_named(measured, tmp_path):
    wrong = DailyScore.objects.filter(competitor=None).exclude(date=None).first()
    DailyScore.objects.filter(pk=wrong.pk).update(score=1.25, low=None, high=None)
    call_command("backup", str(tmp_path / "one.dump"), stdout=StringIO())
    with empty_database(), pytest.raises(CommandError, match=f"Kryton on {wrong.date}: the brand"):
        restored(tmp_path / "one.dump")


def test_a_database_with_tables_is_not_restored_into(measured, tmp_path):
    call_command("backup", str(tmp_path / "one.dump"), stdout=StringIO())
    before = digests()
    with pytest.raises(CommandError, match="not empty"):
        restored(tmp_path / "one.dump")
    assert digests() == before


def test_a_backup_that_cannot_be_written_leaves_no_half_of_one(measured, tmp_path):
    with pytest.raises(CommandError, match="cannot be written"):
        call_command("backup", str(tmp_path / "missing" / "one.dump"))
    assert list(tmp_path.iterdir()) == []


def folder_of(version: int, root) -> None:
    """Programs of PostgreSQL that only say their version."""
    folder = root / str(version) / "bin"
    folder.mkdir(parents=True)
    for name in ("psql", "pg_dump"):
        (folder / name).write_text(f"#!/bin/sh\necho '{name} (PostgreSQL) {version}.3 (Debian)'\n")
        (folder / name).chmod(0o755)


@pytest.mark.parametrize(("server", "chosen"), [(15, 15), (16, 17), (17, 17)])
def test_the_programs_of_the_server_s_version_are_chosen_else_newer_ones(monkeypatch, tmp_path, server, chosen):
    for version in (15, 17):
        folder_of(version, tmp_path)
    monkeypatch.setattr(postgres, "PACKAGED", (f"{tmp_path}/*/bin",))
    monkeypatch.setattr(postgres, "_in_wheel", lambda: None)
    assert postgres.programs_for(server) == tmp_path / str(chosen) / "bin"


def test_programs_that_are_all_too_old_are_refused_with_the_package_to_install(monkeypatch, tmp_path):
    folder_of(15, tmp_path)
    monkeypatch.setattr(postgres, "PACKAGED", (f"{tmp_path}/*/bin",))
    monkeypatch.setattr(postgres, "_in_wheel", lambda: None)
    with pytest.raises(ImproperlyConfigured, match="postgresql-client-16"):
        postgres.programs_for(16)
