"""Backup and restore of the embedded database, by SQLite's own backup call."""

import os
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from itertools import count
from pathlib import Path

from django.utils import timezone

from config.backups.files import Refused, appearing, shown, synced
from config.backups.schema import check_schema

BESIDE = ("-wal", "-shm", "-journal")
"""What SQLite keeps beside a database; left over, it would be replayed onto another file of that name."""


def database_files(database: Path) -> list[Path]:
    """The database and what may lie beside it."""
    return [database, *(_beside(database, suffix) for suffix in BESIDE)]


def backup(database: Path, target: Path) -> None:
    """Copy the database as of this moment into `target`, in one file. Others read and write meanwhile."""
    if not database.exists():
        raise Refused(f"There is no database at {shown(database)}.")
    with appearing(target) as unfinished:
        _copy(database, unfinished, damaged=f"The database {shown(database)} is damaged, so nothing was backed up")


def restore(source: Path, database: Path) -> Path | None:
    """Put the backup in the place of the database; returns where the one before is kept, if there was one.

    The name changes hands in one step: whoever is killed in between leaves the one or the other, whole. Raises
    Refused when the backup is damaged or of something else, or when anyone works on the database.
    """
    with appearing(database) as unfinished:
        _copy(source, unfinished, damaged=f"{shown(source)} is damaged and was not restored")
        _check_schema(unfinished, source)
        previous = _put_aside(database)
    return previous


def _copy(source: Path, target: Path, *, damaged: str) -> None:
    """Everything in one step: copied page by page in several, it would begin anew with each write of another.

    Raises Refused, which says `damaged` where that is why.
    """
    try:
        with closing(_opened(source)) as old, closing(sqlite3.connect(target)) as new:
            old.backup(new)
            # One file that needs nothing beside it.
            new.execute("PRAGMA journal_mode=DELETE")
    except sqlite3.Error as error:
        problem = (
            damaged
            if error.sqlite_errorcode & 0xFF == sqlite3.SQLITE_CORRUPT
            else f"{shown(source)} cannot be copied"
        )
        raise Refused(f"{problem}: {error}.") from error
    _check(target, damaged)


def _opened(path: Path) -> sqlite3.Connection:
    """Whatever its name: it is made an address with everything escaped."""
    connection = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, timeout=20)
    with suppress(sqlite3.OperationalError):
        connection.execute("PRAGMA query_only=1")
    return connection


def _check(path: Path, damaged: str) -> None:
    try:
        with closing(sqlite3.connect(path)) as connection:
            results = [row[0] for row in connection.execute("PRAGMA integrity_check(3)")]
    except sqlite3.Error as error:
        results = [str(error)]
    if results != ["ok"]:
        raise Refused(f"{damaged}: {'; '.join(results)}.")


def _check_schema(path: Path, source: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        tables = {row[0] for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
        try:
            applied = connection.execute("SELECT app, name FROM django_migrations").fetchall()
        except sqlite3.OperationalError:  # no such table, or one of somebody else
            applied = []
    check_schema(source, tables, applied)


def _put_aside(database: Path) -> Path | None:
    """Keep the database of before under a name of its own, and leave nothing beside the database."""
    if not database.exists():
        _unlink_beside(database)
        return None
    _settle(database)
    previous = _free_name(database)
    try:
        os.link(database, previous)
    except OSError:  # a file system without links
        with appearing(previous) as copy:
            shutil.copyfile(database, copy)
    synced(database.parent)
    _unlink_beside(database)
    return previous


def _free_name(database: Path) -> Path:
    """A name by the time, in UTC, that nothing has: what an earlier restore kept stays."""
    name = f".before-restore-{timezone.now():%Y%m%dT%H%M%SZ}"
    names = (_beside(database, name if number == 1 else f"{name}-{number}") for number in count(1))
    return next(path for path in names if not os.path.lexists(path))


def _settle(database: Path) -> None:
    """Have SQLite write its log into the file and delete it, which it refuses while anyone else has it open."""
    with _left_on_damage(), closing(sqlite3.connect(database, timeout=1)) as connection:
        try:
            [mode] = connection.execute("PRAGMA journal_mode=DELETE").fetchone()
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY:
                raise
            mode = "wal"
        if mode != "delete":
            raise Refused("Another process works on the database. Stop the service and all commands, then restore.")


@contextmanager
def _left_on_damage() -> Iterator[None]:
    """What is damaged cannot be settled. It is replaced all the same: that is what a restore is for."""
    with suppress(sqlite3.DatabaseError):
        yield


def _unlink_beside(database: Path) -> None:
    for suffix in BESIDE:
        _beside(database, suffix).unlink(missing_ok=True)


def _beside(database: Path, suffix: str) -> Path:
    return database.with_name(database.name + suffix)
