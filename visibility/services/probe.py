"""Whether the database takes writes, by a write that changes nothing."""

import os
import shutil
import sqlite3
from pathlib import Path

import psycopg
from django.contrib.sessions.models import Session
from django.db import Error, connection, transaction
from django.utils import timezone

from apikeys.db.outages import DATABASE

PROBE_CHARACTERS = 8_000
"""Random ones, which PostgreSQL cannot press into a page that it has: it needs another, of a full disk as well."""
MIN_FREE_BYTES = 32 * 2**20
"""SQLite writes to a log of some megabytes before it writes to its file: with less than that free it soon cannot."""
FULL = "The database accepts no writes: its disk is full."
READ_ONLY = "The database accepts no writes: it is read-only."
REFUSED = "The database did not accept a write."


def try_to_write() -> str:
    """Why the database takes no writes, in a sentence; empty when it does. Waits for no other writer."""
    try:
        return _write_to_file() if connection.vendor == "sqlite" else _write_to_server()
    except Error as error:
        DATABASE.failed(error)
        return _reason(error.__cause__)


def _write_to_server() -> str:
    """A session that nobody ever sees."""
    with transaction.atomic():
        Session.objects.create(
            session_key=f"readiness {os.getpid()}",
            session_data=os.urandom(PROBE_CHARACTERS // 2).hex(),
            expire_date=timezone.now(),
        )
        transaction.set_rollback(True)
    return ""


def _write_to_file() -> str:
    """The number that SQLite keeps for the users of a file, as it is. Who holds the lock writes: that will do."""
    if shutil.disk_usage(Path(connection.settings_dict["NAME"]).parent).free < MIN_FREE_BYTES:
        return FULL
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA busy_timeout=100")
        [version] = cursor.execute("PRAGMA user_version").fetchone()
        try:
            cursor.execute(f"PRAGMA user_version={version:d}")
        except Error as error:
            if _code(error.__cause__) != sqlite3.SQLITE_BUSY:
                raise
    return ""


def _reason(cause: BaseException | None) -> str:
    if isinstance(cause, psycopg.errors.DiskFull) or _code(cause) == sqlite3.SQLITE_FULL:
        return FULL
    if isinstance(cause, psycopg.errors.ReadOnlySqlTransaction) or _code(cause) == sqlite3.SQLITE_READONLY:
        return READ_ONLY
    return REFUSED


def _code(cause: BaseException | None) -> int:
    """SQLite's code of an error, without what it adds to some; 0 for others."""
    return int(getattr(cause, "sqlite_errorcode", 0)) & 0xFF
