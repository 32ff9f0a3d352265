"""Real worker processes that tests kill."""

import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from functools import partial

import pytest
from django.conf import settings

from config.local.processes import die_with_parent
from tests.live import environment
from visibility.models import Generation, Run

LEASE_SECONDS = 3
PATIENCE_SECONDS = 120


@pytest.fixture
def celery(tmp_path):
    """Start real Celery processes on the database, queue and cache of the test; all are gone afterwards."""
    env = environment(
        SLOW_ENGINE_LOG=str(tmp_path / "asked"),
        SLOW_ENGINE_SECONDS="0.2",
        EXTRA_ENGINES="tests.scans.engines.Slow",
        SCAN_LEASE_SECONDS=str(LEASE_SECONDS),
        SCHEDULER_TICK_SECONDS="0.5",
        WORKER_THREADS="4",
    )
    processes = []

    def start(*arguments):
        command = [sys.executable, "-m", "celery", "-A", "config", *arguments]
        with open(tmp_path / f"{len(processes)}-{arguments[0]}.log", "w") as log:
            process = subprocess.Popen(
                command,
                env=env,
                stdout=log,
                stderr=log,
                start_new_session=True,
                preexec_fn=partial(die_with_parent, os.getpid()),
            )
        processes.append(process)
        return process

    start("beat", "-s", str(tmp_path / "schedule"), "--pidfile=")
    yield start
    for process in processes:
        kill(process)


def worker(celery):
    return celery("worker", "-P", "threads", "-c", "4", "-l", "INFO", "-n", f"test-{time.monotonic()}@%h")


def kill(process):
    """Kill -9 the process and whatever it started."""
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait(timeout=30)


@pytest.fixture
def wait_until(tmp_path):
    """Wait for a condition; tell the state of the rows and what the processes logged when it does not come."""

    def wait(condition, what):
        deadline = time.monotonic() + PATIENCE_SECONDS
        while not condition():
            if time.monotonic() > deadline:
                logs = "".join(f"\n{log.name}:\n{log.read_text()[-3000:]}" for log in sorted(tmp_path.glob("*.log")))
                queue = [path.name for path in (settings.VAR_DIR / "queue").glob("*")]
                rows = [*Run.objects.values()[:3], *Generation.objects.values()]
                pytest.fail(f"waited {PATIENCE_SECONDS} s for: {what}\n{rows}\n{queue}{logs}")
            time.sleep(0.05)

    return wait
