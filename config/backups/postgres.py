"""Backup and restore of a PostgreSQL database, by the programs pg_dump and pg_restore."""

import os
import re
import shutil
import subprocess
from pathlib import Path

from django.db import connection
from psycopg.conninfo import make_conninfo
from psycopg.pq import Conninfo

from config.backups.files import Refused, appearing, shown

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
        raise Refused(f"{shown(source)} is a backup of a database, but of none of this service.")
    _refuse_others()
    _drop_others(tables)
    database = make_conninfo(dbname=_parameters()["dbname"])
    connection.close()
    getattr(connection, "close_pool", lambda: None)()
    _run(
        "pg_restore",
        "--clean",
        "--if-exists",
        "--no-owner",
        "--no-privileges",
        "--single-transaction",
        "--exit-on-error",
        "--no-password",
        f"--dbname={database}",
        str(source.absolute()),
    )


def _refuse_others() -> None:
    """Also on other machines: whoever is connected to the database would work on while it is replaced."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid() "
            "AND coalesce(backend_type, 'client backend') = 'client backend'"
        )
        [others] = cursor.fetchone()
    if others:
        raise Refused(
            f"{others} other connection{'s are' if others > 1 else ' is'} open to the database. Stop the service on "
            "all machines, and all commands, then restore."
        )


def _drop_others(kept: set[str]) -> None:
    """Tables that the archive does not know came with a later release, and would hold on to those it replaces."""
    with connection.cursor() as cursor:
        for table in set(connection.introspection.table_names(cursor)) - kept:
            cursor.execute(f"DROP TABLE {connection.ops.quote_name(table)} CASCADE")


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
    told = subprocess.run([path, "--version"], capture_output=True, text=True, check=False).stdout  # noqa: S603 -- ours
    found = re.search(r"\) (\d+)", told)
    if found is None or int(found[1]) < version:
        raise Refused(
            f"{path} is of version {found[1] if found else 'unknown'}, and the server of {version}. "
            f"{INSTALL.format(version=version)}"
        )
    done = subprocess.run(  # noqa: S603 -- ours
        [path, *arguments], env=_environment(), capture_output=True, text=True, errors="replace", check=False
    )
    if done.returncode:
        lines = [line for line in done.stderr.splitlines() if line.strip()] or [f"exit code {done.returncode}"]
        raise Refused(f"{program} failed, and nothing was changed: {lines[0]}")
    return done.stdout


def _parameters() -> dict[str, str]:
    names = {option.keyword.decode() for option in Conninfo.get_defaults()}
    return {name: str(value) for name, value in connection.get_connection_params().items() if name in names}


def _environment() -> dict[str, str]:
    """The environment of the programs: the variables that libpq reads, one for each of our parameters."""
    given = _parameters()
    options = ((option.keyword.decode(), option.envvar) for option in Conninfo.get_defaults())
    return {**os.environ, **{name.decode(): given[key] for key, name in options if name and key in given}}
