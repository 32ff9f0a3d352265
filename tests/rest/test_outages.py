"""A database that is away, in the log and for workers; a file that SQLite calls malformed."""

import sqlite3

import psycopg
import pytest
from django.db import DatabaseError, IntegrityError, InterfaceError, OperationalError, connection
from django.db.utils import InternalError
from psycopg_pool import PoolTimeout

from apikeys.db import outages
from apikeys.db.outages import Outage, is_away
from visibility import tasks
from visibility.jobs import patience
from visibility.jobs.patience import DamagedDatabase, unless_away


def caused(error, cause):
    """The error as Django raises it, with that of the driver."""
    error.__cause__ = cause
    return error


def malformed(code=sqlite3.SQLITE_CORRUPT):
    cause = sqlite3.DatabaseError("database disk image is malformed")
    cause.sqlite_errorcode = code
    return caused(DatabaseError("database disk image is malformed"), cause)


@pytest.fixture
def clock(monkeypatch):
    """Seconds that pass when told."""
    now = [1000.0]
    monkeypatch.setattr(outages.time, "monotonic", lambda: now[0])
    return now


@pytest.mark.parametrize(
    ("error", "away"),
    [
        (OperationalError("gone"), True),
        (InterfaceError("closed"), True),
        (caused(InternalError("no"), psycopg.errors.ReadOnlySqlTransaction("no")), True),
        (malformed(), True),
        (malformed(sqlite3.SQLITE_CORRUPT_INDEX), True),
        (malformed(sqlite3.SQLITE_MISUSE), False),
        (InternalError("a bug"), False),
        (IntegrityError("twice"), False),
        (ValueError("no"), False),
        (None, False),
    ],
)
def test_what_passes_by_itself_is_told_from_what_is_wrong(error, away):
    assert is_away(error) is away


def test_a_minute_without_a_database_is_a_few_lines(clock, caplog, capsys):
    outage = Outage("The database")
    for _ in range(488):
        outage.failed(caused(OperationalError("x"), PoolTimeout("couldn't get a connection")))
        clock[0] += 0.125
    outage.works()
    outage.works()
    assert [record.getMessage() for record in caplog.records] == [
        "The database is unavailable (PoolTimeout: couldn't get a connection); the first failure",
        "The database is unavailable (PoolTimeout: couldn't get a connection); 481 failures in 60 s",
        "The database is back after 61 s; 488 calls failed",
    ]
    assert not any(record.exc_info for record in caplog.records)
    assert not capsys.readouterr().out, "which is for the results of commands"


def test_another_kind_of_failure_is_told_with_its_place(clock, caplog):
    outage = Outage("The database")
    outage.failed(caused(OperationalError("x"), PoolTimeout("gone")))
    try:
        raise OperationalError("database is locked")
    except OperationalError as error:
        outage.failed(error)
    assert "database is locked" in caplog.text and "test_another_kind" in caplog.text


@pytest.mark.django_db(transaction=True, serialized_rollback=True)
class TestMalformed:
    @pytest.fixture(autouse=True)
    def _new(self, monkeypatch):
        monkeypatch.setattr(patience, "_damaged_since", None)

    def fail(self):
        raise malformed()

    def test_a_file_that_is_whole_counts_as_away(self, monkeypatch):
        monkeypatch.setattr(patience, "_problem", lambda: "")
        for _ in range(100):
            assert unless_away(self.fail, "away") == "away"

    def test_one_that_stays_damaged_ends_it_after_half_a_minute(self, monkeypatch, clock):
        monkeypatch.setattr(patience, "_problem", lambda: "row 3 missing from index")
        assert unless_away(self.fail, "away") == "away"
        clock[0] += 29
        assert unless_away(self.fail, "away") == "away"
        clock[0] += 2
        with pytest.raises(DamagedDatabase, match=r"is damaged: row 3 missing from index\. Stop the service"):
            unless_away(self.fail, "away")

    def test_the_patience_begins_anew_once_it_was_whole(self, monkeypatch, clock):
        found = iter(["bad", "", "bad"])
        monkeypatch.setattr(patience, "_problem", lambda: next(found))
        for _ in range(3):
            assert unless_away(self.fail, "away") == "away"
            clock[0] += 20

    def test_what_is_no_outage_is_raised(self):
        with pytest.raises(ZeroDivisionError):
            unless_away(lambda: 1 / 0, None)

    def test_a_worker_with_a_damaged_database_says_so_and_ends(self, monkeypatch, caplog):
        signals = []

        def damaged():
            raise DamagedDatabase("The database x is damaged.")

        monkeypatch.setattr(tasks.os, "kill", lambda pid, number: signals.append(number))
        monkeypatch.setattr(tasks, "announce_due", damaged)
        tasks.tick()
        assert signals == [tasks.signal.SIGTERM]
        assert "The database x is damaged. This worker ends." in caplog.text

    def test_a_tick_without_a_database_is_no_failed_task(self, monkeypatch):
        def gone():
            raise OperationalError("gone")

        monkeypatch.setattr(tasks, "announce_due", gone)
        tasks.tick()


@pytest.mark.django_db(transaction=True, serialized_rollback=True)
def test_a_connection_that_rested_is_asked_and_serves(monkeypatch):
    """Whatever it was used for before: asking the server must not begin a transaction."""
    if connection.vendor != "postgresql":
        pytest.skip("only PostgreSQL has a pool of connections")
    monkeypatch.setattr("config.postgres.base.RESTED_SECONDS", -1.0)
    every = 2 * connection.pool.max_size
    for turn in range(2 * every):
        connection.close()
        with connection.cursor() as cursor:
            cursor.execute("SELECT %s", [turn])
            assert cursor.fetchone() == (turn,)
        assert connection.get_autocommit()
        if turn < every:
            connection.set_autocommit(False)
