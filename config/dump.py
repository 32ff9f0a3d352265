"""Dumps of the database and their return, by PostgreSQL's own programs of the server's version."""

import os
import subprocess
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.db import connection
from psycopg.conninfo import make_conninfo

from apikeys.notes import note_backup
from config.postgres import programs_for

COMPRESSION = 6
JOBS = 2
STDOUT = "-"
_NO_PART_OF_LIBPQ = ("cursor_factory", "context", "prepare_threshold", "password")


class DumpError(Exception):
    """A dump that was not written or not restored; the text says why."""


def dump(file: str) -> None:
    """Write the whole database into a file in PostgreSQL's own format, or to standard output (`-`).

    A file appears whole or not at all. Raises DumpError.
    """
    command = ["pg_dump", "--format=custom", f"--compress={COMPRESSION}", "--no-owner", "--no-privileges"]
    if file == STDOUT:
        _run(command)
        note_backup()
        return
    unfinished = Path(f"{file}.unfinished")
    try:
        unfinished.touch(mode=0o600)
        _run([*command, f"--file={unfinished}"])
        with unfinished.open("rb") as written:
            os.fsync(written.fileno())
        unfinished.replace(file)
        note_backup()
    except OSError as error:
        raise DumpError(f"{file} cannot be written ({error.strerror}).") from error
    finally:
        with suppress(OSError):
            unfinished.unlink()


def restore(file: str) -> None:
    """Fill the database, which has to be empty, from a file of `dump`, or from standard input (`-`).

    Raises DumpError; what was filled until then stays.
    """
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM pg_tables WHERE schemaname NOT IN ('pg_catalog', 'information_schema')")
        if cursor.fetchone()[0]:
            raise DumpError("The database is not empty. Restore into one that was just made.")
    command = ["pg_restore", "--exit-on-error", "--no-owner", "--no-privileges"]
    _run(command if file == STDOUT else [*command, f"--jobs={JOBS}", file])


def _version_of_server() -> int:
    with connection.cursor() as cursor:
        cursor.execute("SHOW server_version_num")
        return int(cursor.fetchone()[0]) // 10_000


def _run(command: Sequence[str]) -> None:
    """Run a program of PostgreSQL on the database of the settings. Its password is in no list of processes."""
    if settings.DATABASE_POOLER:
        raise DumpError("Dumps need PostgreSQL itself: give the DATABASE_URL of the server, and no DATABASE_POOLER.")
    parameters = connection.get_connection_params()
    place = make_conninfo(**{name: value for name, value in parameters.items() if name not in _NO_PART_OF_LIBPQ})
    try:
        folder = programs_for(_version_of_server())
    except ImproperlyConfigured as error:
        raise DumpError(str(error)) from None
    name, *arguments = command
    done = subprocess.run(  # noqa: S603
        [folder / name, f"--dbname={place}", *arguments],
        env=os.environ | ({"PGPASSWORD": parameters["password"]} if parameters.get("password") else {}),
        stderr=subprocess.PIPE,
        text=True,
        check=False,
    )
    if done.returncode:
        raise DumpError(f"{name} failed: {' '.join(done.stderr.split())}")
