"""The real service as processes of its own, on a free port, over a database that the test prepared."""

import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from itertools import cycle
from pathlib import Path
from urllib.parse import urlsplit

from django.conf import settings
from django.db import connection

from config.local.processes import die_with_parent

ROOT = Path(__file__).resolve().parent.parent
DIRECT = urllib.request.build_opener(urllib.request.ProxyHandler({}))
"""Opens addresses of this machine, whatever proxy the environment names."""


@dataclass(frozen=True)
class Live:
    """A running service: where it answers, its first process, and the file with what it printed."""

    url: str
    process: subprocess.Popen
    log: Path

    def printed(self) -> str:
        """Everything the service has printed so far, on either stream."""
        return self.log.read_text(errors="replace")


def inherited() -> dict[str, str]:
    """What a process of a test inherits. It is no worker of the tests, which give themselves folders of their own."""
    return {name: value for name, value in os.environ.items() if name != "PYTEST_XDIST_WORKER"}


def environment(**changes: str) -> dict[str, str]:
    """The environment in which a process shares the database, cache and queue of the running test."""
    name = str(connection.settings_dict["NAME"])
    given = os.environ.get("DATABASE_URL", "")
    url = (
        urlsplit(given)._replace(path=f"/{name}").geturl()
        if connection.vendor == "postgresql"
        else f"sqlite:///{name}"
    )
    return {
        **inherited(),
        "DATABASE_URL": url,
        "VAR_DIR": str(settings.VAR_DIR),
        "DJANGO_SETTINGS_MODULE": "config.settings.test",
        "PYTHONUNBUFFERED": "1",
        **changes,
    }


def manage(
    env: Mapping[str, str], *arguments: str, check: bool = True, seconds: float = 600
) -> subprocess.CompletedProcess[str]:
    """Run a command of manage.py to its end; unless `check` is off, it has to succeed."""
    result = subprocess.run(
        [sys.executable, "manage.py", *arguments],
        cwd=ROOT,
        env=dict(env),
        capture_output=True,
        text=True,
        timeout=seconds,
    )
    assert not check or result.returncode == 0, result.stderr
    return result


_FIRST_PORT = 10_000 + os.getpid() % 55 * 400
_PORTS = cycle(range(_FIRST_PORT, _FIRST_PORT + 400))


def free_port() -> int:
    """A port of the loopback that nobody listens on now, and that no connection out of this machine will take: the
    system chooses those from 32768 on. Processes that run tests at the same time look in different places."""
    while True:
        with socket.socket() as probe, suppress(OSError):
            probe.bind(("127.0.0.1", port := next(_PORTS)))
            return port


def wait_for(condition, *, seconds: float = 120.0, every: float = 0.1, what: str = "the condition"):
    """Return the first true value of `condition()`; fail with `what` when none comes in time."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        value = condition()
        if value:
            return value
        time.sleep(every)
    raise AssertionError(f"{what}: not within {seconds:g} s")


def answers(url: str) -> bool:
    """Whether a GET of the address is answered with 200."""
    try:
        with DIRECT.open(url, timeout=30) as response:
            return bool(response.status == 200)
    except (urllib.error.URLError, OSError):
        return False


def without_static_files(env: Mapping[str, str]) -> None:
    """A web server looks whether static files were collected; few tests need more of them than the folder."""
    Path(env["VAR_DIR"], "static", "admin").mkdir(parents=True, exist_ok=True)


@contextmanager
def live_process(command: list[str], env: Mapping[str, str], url: str, ready: str, seconds: float) -> Iterator[Live]:
    """Run a command until the block ends; wait until `ready` answers. Ends it as Ctrl-C does, then by force."""
    without_static_files(env)
    with tempfile.TemporaryDirectory(prefix="live-") as folder:
        log = Path(folder, "log")
        with log.open("wb") as output:
            process = subprocess.Popen(
                command,
                cwd=ROOT,
                env=dict(env),
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
                # Also when the tests are killed no service stays behind.
                preexec_fn=partial(die_with_parent, os.getpid()),
            )
        live = Live(url, process, log)
        try:
            wait_for(
                lambda: process.poll() is not None or answers(url + ready),
                seconds=seconds,
                what=f"an answer of {url}",
            )
            assert process.poll() is None, f"The service ended at its start:\n{live.printed()}"
            yield live
        except BaseException:
            sys.stderr.write(live.printed())
            raise
        finally:
            _end(process)


def _end(process: subprocess.Popen) -> None:
    process.send_signal(signal.SIGINT)
    try:
        process.wait(30)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()


@contextmanager
def live_web(seconds: float = 300.0, **env: str) -> Iterator[Live]:
    """The web server alone, as it runs in every variant. Ready when it answers /healthz."""
    port = free_port()
    command = [sys.executable, "-m", "gunicorn", "-c", "python:config.gunicorn"]
    changed = environment(BIND=f"127.0.0.1:{port}", **{"WEB_WORKERS": "1", **env})
    with live_process(command, changed, f"http://127.0.0.1:{port}", "/healthz", seconds) as live:
        yield live


@contextmanager
def live_service(*arguments: str, seconds: float = 300.0, ready: str = "/readyz", **env: str) -> Iterator[Live]:
    """Web server, worker and scheduler together: `manage.py serve`. Ready when /readyz finds all of them."""
    port = free_port()
    command = [sys.executable, "manage.py", "serve", "--port", str(port), *arguments]
    with live_process(command, environment(**env), f"http://127.0.0.1:{port}", ready, seconds) as live:
        yield live
