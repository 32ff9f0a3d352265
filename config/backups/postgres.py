"""Backup and restore of a PostgreSQL database, by the programs pg_dump and pg_restore."""

import os
import re
import shutil
import subprocess
import time
from pathlib import Path
from typing import Any

import psycopg
from django.db import connection as configured
from psycopg import sql
from psycopg.conninfo import make_conninfo
from psycopg.pq import Conninfo

from config.backups.files import Refused, appearing, shown

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
    if not {"django_migrations", "visibility_run"} <= tables:
        raise Refused(f"{shown(source)} is a backup of a database, but not of one of this service.")
    # Its pool may open more than one, which would look like somebody else's.
    connection.close()
    connection.close_pool()
    with psycopg.connect(make_conninfo(**_parameters()), autocommit=True) as session:
        _refuse_others(session)
        _drop_others(session, tables)
    _run(
        "pg_restore",
        "--clean",
        "--if-exists",
        "--no-owner",
        "--no-privileges",
        "--single-transaction",
        "--exit-on-error",
        "--no-password",
        f"--dbname={make_conninfo(dbname=_parameters()['dbname'])}",
        str(source.absolute()),
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


def _drop_others(session: psycopg.Connection[Any], tables: set[str]) -> None:
    """Tables that the archive does not know came with a later release, and would hold on to those it replaces."""
    rows = session.execute("SELECT tablename FROM pg_tables WHERE schemaname = current_schema()").fetchall()
    for table in {name for (name,) in rows} - tables:
        session.execute(sql.SQL("DROP TABLE {} CASCADE").format(sql.Identifier(table)))


def _tables_in(archive: Path) -> set[str]:
    """The tables of an archive that was read to its end."""
    _run("pg_restore", f"--file={os.devnull}", str(archive.absolute()))
    listed = _run("pg_restore", "--list", str(archive.absolute()))
    return set(re.findall(r"^\d+; \d+ \d+ TABLE \S+ (\S+) ", listed, re.MULTILINE))


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
