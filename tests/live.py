"""The service as processes of its own, on a free port, over a database of their own on the tests' server."""

import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from itertools import count
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import environ
import psycopg
from django.core.management import call_command
from django.db import connection

ROOT = Path(__file__).parent.parent
DIRECT = urllib.request.build_opener(urllib.request.ProxyHandler({}))
"""Opens addresses of this machine, whatever proxy the environment names."""
WEB = (sys.executable, "-m", "gunicorn", "-c", "python:config.gunicorn")
_numbers = count()


@dataclass(frozen=True)
class Live:
    """A running service: where it answers, its first process, and the file with what it printed."""

    url: str
    process: subprocess.Popen[bytes]
    log: Path

    def printed(self) -> str:
        """Everything the service has printed so far, on either stream."""
        return self.log.read_text(errors="replace")


@contextmanager
def own_database() -> Iterator[str]:
    """A migrated database, which this process uses, too, until the block ends. Yields its URL for other processes.

    Inside of the block use no `django_db` mark: its transactions would not be seen by other processes.
    """
    with _new_database(f"TEMPLATE {migrated_database()} STRATEGY FILE_COPY") as url:
        yield url


@contextmanager
def empty_database() -> Iterator[str]:
    """A database without tables, which this process uses, too, until the block ends. Yields its URL."""
    with _new_database() as url:
        yield url


@contextmanager
def _new_database(options: str = "") -> Iterator[str]:
    name = f"live_{os.getpid()}_{next(_numbers)}"
    _on_server(f"CREATE DATABASE {name} {options}")
    try:
        with used_here(_url_of(name)):
            yield _url_of(name)
    finally:
        _on_server(f"DROP DATABASE {name} WITH (FORCE)")


@contextmanager
def live_process(
    *command: str,
    database: str,
    ready: str = "/healthz",
    seconds: float = 60,
    folder: Path = ROOT,
    **environment: str,
) -> Iterator[Live]:
    """Run a command in a folder until the block ends; wait until `ready` answers at its port (empty: do not wait).

    It gets PORT, DATABASE_URL and a VAR_DIR of its own, besides `environment`, in which `{url}` is where it answers.
    Ends it as Ctrl-C does, then by force.
    """
    port = free_port()
    url = f"http://127.0.0.1:{port}"
    with tempfile.TemporaryDirectory(prefix="live-") as var:
        log = Path(var, "log")
        environment = {name: value.replace("{url}", url) for name, value in environment.items()}
        own = {"PORT": str(port), "DATABASE_URL": database, "VAR_DIR": var, "PYTHONUNBUFFERED": "1"}
        with log.open("wb") as output:
            process = subprocess.Popen(
                command,
                cwd=folder,
                env={**os.environ, **own, **environment},
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        live = Live(url, process, log)
        try:
            if ready:
                wait_for(lambda: process.poll() is not None or status_of(url + ready) == 200, seconds=seconds)
                assert process.poll() is None, "the service ended at its start"
            yield live
        except BaseException:
            sys.stderr.write(live.printed())
            raise
        finally:
            _end(process)


@contextmanager
def live_web(**environment: str) -> Iterator[Live]:
    """The web server alone over a database of its own, which this process uses, too. Ready when it is up."""
    with own_database() as database, live_process(*WEB, database=database, **environment) as live:
        yield live


def free_port() -> int:
    """A port of the loopback that nobody listens on now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def wait_for(condition: Callable[[], Any], *, seconds: float = 20, every: float = 0.05) -> Any:
    """The first true value of `condition()`; fails when none comes in time."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if value := condition():
            return value
        time.sleep(every)
    raise AssertionError(f"not within {seconds:g} s")


def status_of(url: str) -> int:
    """The status that a GET of the address gets; 0 when nobody answers."""
    try:
        with DIRECT.open(url, timeout=10) as response:
            return int(response.status)
    except urllib.error.HTTPError as refusal:
        return refusal.code
    except OSError:
        return 0


@cache
def migrated_database() -> str:
    """A migrated database that others are copies of, made by the first process of a test run that asks for it.

    It goes with the tests' server.
    """
    name = f"migrated_{os.environ.get('PYTEST_XDIST_TESTRUNUID', os.getpid())}"
    with psycopg.connect(os.environ["DATABASE_URL"], autocommit=True) as server:
        server.execute("SELECT pg_advisory_lock(1)")  # until it is closed
        if not server.execute("SELECT 1 FROM pg_database WHERE datname = %s", [name]).fetchone():
            server.execute(f"CREATE DATABASE new_{name}")
            with used_here(_url_of(f"new_{name}")):
                call_command("migrate", verbosity=0)
            server.execute(f"ALTER DATABASE new_{name} RENAME TO {name}")
    return name


@contextmanager
def used_here(url: str) -> Iterator[None]:
    """Point Django's connections of this process to another database, maybe of another server."""
    usual = dict(connection.settings_dict)
    _switch(environ.Env.db_url_config(url))
    try:
        yield
    finally:
        _switch(usual)


def _switch(place: dict[str, Any]) -> None:
    connection.close()
    connection.close_pool()  # its connections lead to the other database
    connection.settings_dict.update({key: place[key] for key in ("NAME", "HOST", "PORT", "USER", "PASSWORD")})
    options = connection.settings_dict["OPTIONS"]
    connection.settings_dict["OPTIONS"] = {**options, **place.get("OPTIONS", {})}  # the folder of a socket is there


def _on_server(*statements: str) -> None:
    with psycopg.connect(os.environ["DATABASE_URL"], autocommit=True) as server:
        for statement in statements:
            server.execute(statement)


def _url_of(name: str) -> str:
    return urlsplit(os.environ["DATABASE_URL"])._replace(path=f"/{name}").geturl()


def _end(process: subprocess.Popen[bytes]) -> None:
    """The process, and after ten seconds its whole group."""
    process.send_signal(signal.SIGINT)
    try:
        process.wait(10)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
