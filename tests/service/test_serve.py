"""`serve`, with the embedded PostgreSQL: it survives the death of its parts, stops in seconds, leaves nothing."""

import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path

import psutil
import pytest

ROOT = Path(__file__).parent.parent.parent


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def status_of(url: str) -> int:
    try:
        with urllib.request.urlopen(url, timeout=3) as answer:
            return answer.status
    except urllib.error.HTTPError as error:
        return error.code
    except OSError:
        return 0


def wait_until(condition, seconds: float = 40) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "waited in vain"
        time.sleep(0.1)


class Service:
    """A `serve` with a folder of its own."""

    def __init__(self, var: Path) -> None:
        self.port = free_port()
        self.var = var
        self.environment = {name: text for name, text in os.environ.items() if name != "DATABASE_URL"}
        self.environment |= {"VAR_DIR": str(var)}
        command = [sys.executable, "manage.py", "serve", "--port", str(self.port)]
        self.process = subprocess.Popen(command, cwd=ROOT, env=self.environment)

    def is_ready(self) -> bool:
        return status_of(f"http://127.0.0.1:{self.port}/readyz") == 200

    def pids(self, word: str) -> set[int]:
        """The living children whose command has a word."""
        found = set()
        for child in psutil.Process(self.process.pid).children():
            try:
                if word in " ".join(child.cmdline()):
                    found.add(child.pid)
            except psutil.Error:  # it has just ended
                continue
        return found

    def processes(self) -> list[psutil.Process]:
        """Everything that runs with this folder: by its environment, or by its command (PostgreSQL)."""
        mark = str(self.var)
        found = []
        for process in psutil.process_iter():
            try:
                if mark in " ".join(process.cmdline()) or process.environ().get("VAR_DIR") == mark:
                    found.append(process)
            except psutil.Error:
                continue
        return [process for process in found if process.pid != os.getpid()]


@pytest.fixture
def service(tmp_path):
    tmp_path.chmod(0o711)
    started = Service(tmp_path / "var")
    yield started
    for process in started.processes():
        process.kill()


@pytest.mark.proof
def test_it_survives_the_death_of_its_parts_and_leaves_nothing(service):
    wait_until(service.is_ready, 60)
    for word in ("gunicorn", "worker"):
        [before] = service.pids(word)
        os.kill(before, signal.SIGKILL)
        wait_until(lambda word=word, before=before: service.pids(word) - {before})
    wait_until(service.is_ready)
    service.process.send_signal(signal.SIGTERM)
    assert service.process.wait(timeout=12) == 0
    wait_until(lambda: not service.processes(), 5)


@pytest.mark.proof
def test_a_killed_database_is_started_again_under_its_worker(service):
    wait_until(service.is_ready, 60)
    pid_file = service.var / "postgres" / "postmaster.pid"
    before = pid_file.read_text().split()[0]
    [worker] = service.pids("worker")
    os.kill(worker, signal.SIGSTOP)  # a worker that is started again brings the database along
    os.kill(int(before), signal.SIGKILL)
    wait_until(lambda: pid_file.exists() and pid_file.read_text().split()[:1] not in ([], [before]))
    os.kill(worker, signal.SIGCONT)
    wait_until(service.is_ready, 60)


@pytest.mark.proof
def test_a_killed_serve_takes_everything_along(service):
    wait_until(service.is_ready, 60)
    service.process.kill()
    service.process.wait()
    wait_until(lambda: not service.processes(), 15)


def test_a_port_in_use_is_said_at_once(tmp_path):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        command = [sys.executable, "manage.py", "serve", "--port", str(taken.getsockname()[1])]
        done = subprocess.run(command, cwd=ROOT, env=os.environ, capture_output=True, text=True, timeout=60)
    assert done.returncode == 1
    assert "Choose another: --port" in done.stderr
