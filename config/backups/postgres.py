"""Backup and restore of a PostgreSQL database, by the programs pg_dump, pg_restore and psql."""

import os
import re
import shutil
import subprocess
import tempfile
import time
from pathlib import Path
from typing import Any

import psycopg
from django.conf import settings
from django.db import connection as configured
from psycopg import sql
from psycopg.conninfo import make_conninfo
from psycopg.pq import Conninfo

from config.backups.files import Refused, appearing
from config.backups.schema import check_schema

LEAVING_SECONDS = 3.0
"""A server takes a moment to see off those who have just left."""
_OTHERS = """SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()
AND coalesce(backend_type, 'client backend') = 'client backend'"""
connection: Any = configured  # PostgreSQL's, which has more than any database has
INSTALL = (
    "Install the client programs of PostgreSQL {version} or newer (postgresql-client) and have them on the PATH."
)


def backup(target: Path) -> None:
    """Write an archive of the database as of this moment. Others read and write meanwhile."""
    with appearing(target) as unfinished:
        _run("pg_dump", "--format=custom", "--no-password", f"--file={unfinished}")
        _tables_in(unfinished)


def restore(source: Path) -> None:
    """Replace what the database holds by what the archive holds, all of it or, when anything fails, nothing.

    Raises Refused when the archive is damaged or of something else, or when anyone else is connected.
    """
    tables = _tables_in(source)
    check_schema(source, tables, _migrations_in(source))
    # Its pool may open more than one, which would look like somebody else's.
    connection.close()
    connection.close_pool()
    with psycopg.connect(make_conninfo(**_parameters()), autocommit=True) as session:
        _refuse_others(session)
        others = _others(session, tables)
        drops = [sql.SQL("DROP TABLE {} CASCADE").format(sql.Identifier(name)).as_string(session) for name in others]
    # One script for everything, which is there to its end before the first of it is done, and one transaction.
    with tempfile.TemporaryDirectory(dir=settings.VAR_DIR) as folder:
        script = Path(folder, "restore.sql")
        _run(
            "pg_restore",
            *("--clean", "--if-exists", "--no-owner", "--no-privileges"),
            f"--file={script}",
            str(source.absolute()),
        )
        _run(
            "psql",
            *("--no-psqlrc", "--quiet", "--no-password", "--single-transaction", "--set=ON_ERROR_STOP=1"),
            *(f"--command={drop}" for drop in drops),
            f"--file={script}",
        )


def _refuse_others(session: psycopg.Connection[Any]) -> None:
    """Also on other machines: whoever is connected to the database would work on while it is replaced."""
    deadline = time.monotonic() + LEAVING_SECONDS
    while others := session.execute(_OTHERS).fetchall():
        if time.monotonic() > deadline:
            raise Refused(
                f"{len(others)} other connection{'s are' if len(others) > 1 else ' is'} open to the database. Stop "
                "the service on all machines, and all commands, then restore."
            )
        time.sleep(0.1)


def _others(session: psycopg.Connection[Any], tables: set[str]) -> list[str]:
    """Tables that the archive does not know came with a later release, and would hold on to those it replaces."""
    rows = session.execute("SELECT tablename FROM pg_tables WHERE schemaname = current_schema()").fetchall()
    return sorted({name for (name,) in rows} - tables)


def _tables_in(archive: Path) -> set[str]:
    """The tables of an archive that was read to its end."""
    _run("pg_restore", f"--file={os.devnull}", str(archive.absolute()))
    listed = _run("pg_restore", "--list", str(archive.absolute()))
    return set(re.findall(r"^\d+; \d+ \d+ TABLE \S+ (\S+) ", listed, re.MULTILINE))


def _migrations_in(archive: Path) -> list[tuple[str, str]]:
    """The migrations (app, name) that are noted in the archive."""
    data = _run("pg_restore", "--data-only", "--table=django_migrations", "--file=-", str(archive.absolute()))
    copied = re.search(r"^COPY \S+ \(([^)]*)\) FROM stdin;\n(.*?)^\\\.$", data, re.MULTILINE | re.DOTALL)
    if copied is None:
        return []
    columns = copied[1].split(", ")
    rows = [dict(zip(columns, line.split("\t"), strict=False)) for line in copied[2].splitlines()]
    return [(row.get("app", ""), row.get("name", "")) for row in rows]


def _run(program: str, *arguments: str) -> str:
    """What the program prints. Where to connect to, and the password, travel in its environment: all may see its
    arguments."""
    version = connection.pg_version // 10_000
    path = shutil.which(program)
    if path is None:
        raise Refused(f"The program {program} was not found. {INSTALL.format(version=version)}")
    output = subprocess.run([path, "--version"], capture_output=True, text=True, check=False).stdout  # noqa: S603 -- ours
    match = re.search(r"\) (\d+)", output)
    if match is None or int(match[1]) < version:
        raise Refused(
            f"{path} is of version {match[1] if match else 'unknown'}, and the server of {version}. "
            f"{INSTALL.format(version=version)}"
        )
    process = subprocess.run(  # noqa: S603 -- ours
        [path, *arguments], env=_environment(), capture_output=True, text=True, errors="replace", check=False
    )
    if process.returncode:
        lines = [line for line in process.stderr.splitlines() if line.strip()] or [f"exit code {process.returncode}"]
        raise Refused(f"{program} failed, and nothing was changed: {lines[0]}")
    return process.stdout


def _parameters() -> dict[str, str]:
    names = {option.keyword.decode() for option in Conninfo.get_defaults()}
    return {name: str(value) for name, value in connection.get_connection_params().items() if name in names}


def _environment() -> dict[str, str]:
    """The environment of the programs: the variables that libpq reads, one for each of our parameters."""
    parameters = _parameters()
    options = ((option.keyword.decode(), option.envvar) for option in Conninfo.get_defaults())
    return {**os.environ, **{name.decode(): parameters[key] for key, name in options if name and key in parameters}}
