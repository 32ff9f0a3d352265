"""Keeps database, web server and worker running: `serve` becomes this process, which loads next to nothing."""

import ctypes
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from types import FrameType

from config.postgres import embedded_server, restart_if_dead

PR_SET_PDEATHSIG = 1
GRACE_SECONDS = int(os.environ.get("WORKER_GRACE_SECONDS") or 120) + 10
"""How long the children may take to end. They are done in some seconds unless answers are under way."""
FIRST_PAUSE, LONGEST_PAUSE = 0.25, 4.0
LOOK_EVERY = 0.2
NOTE_AFTER = 4.0
COMMANDS = {
    "web server": [sys.executable, "-m", "gunicorn", "-c", "python:config.gunicorn"],
    "worker": [sys.executable, "manage.py", "worker"],
}


class Child:
    """A process that is meant to run for as long as the service does."""

    def __init__(self, name: str, command: list[str], environment: dict[str, str]) -> None:
        self.name, self.command, self.environment = name, command, environment
        self.pause, self.not_before = FIRST_PAUSE, 0.0
        self.process: subprocess.Popen[bytes] | None = None
        self.started_at = 0.0

    def tend(self) -> None:
        """Start the process if it does not run; after an early end with a pause that doubles each time."""
        if self.process is not None and self.process.poll() is None:
            return
        now = time.monotonic()
        if self.process is not None:
            print(f"The {self.name} ended with {self.process.returncode}; it is started again.", file=sys.stderr)
            self.pause = FIRST_PAUSE if now - self.started_at > LONGEST_PAUSE else min(self.pause * 2, LONGEST_PAUSE)
            self.not_before, self.process = now + self.pause, None
        if now >= self.not_before:
            self.started_at = now
            # A group of its own, so that whatever it started can be ended with it.
            self.process = subprocess.Popen(  # noqa: S603
                self.command, env=self.environment, start_new_session=True, preexec_fn=_end_with_parent
            )

    def signal(self, number: signal.Signals) -> None:
        """Send a signal to the process and to all that it started."""
        if self.process is not None:
            with suppress(ProcessLookupError):
                os.killpg(self.process.pid, number)

    def has_ended(self) -> bool:
        """Whether nothing of it runs."""
        return self.process is None or self.process.poll() is not None


def supervise() -> None:
    """Tend the children until SIGTERM or Ctrl-C; then let them end, or make them at the second such signal."""
    asked = threading.Event()
    pressed = threading.Event()

    def end(number: int, frame: FrameType | None) -> None:
        (pressed if asked.is_set() else asked).set()

    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, end)
    children = [Child(name, command, _environment(number)) for number, (name, command) in enumerate(COMMANDS.items())]
    try:
        while not asked.is_set():
            _tend_database()
            for child in children:
                child.tend()
            time.sleep(LOOK_EVERY)
    finally:
        end_all(children, pressed.is_set)


def _environment(number: int) -> dict[str, str]:
    """Each child has a port of its own for its metrics: METRICS_PORT, and those after it."""
    first = os.environ.get("METRICS_PORT")
    return os.environ | ({"METRICS_PORT": str(int(first) + number)} if first else {})


def _tend_database() -> None:
    try:
        if restart_if_dead():
            print("The embedded PostgreSQL had ended; it is started again.", file=sys.stderr)
    except RuntimeError as error:  # on a full disk, say: the others go on, and so does the next look
        print(error, file=sys.stderr)


def end_all(children: list[Child], is_pressed: Callable[[], bool]) -> None:
    """Ask every child to end, and make it after GRACE_SECONDS, or once somebody presses."""
    for child in children:
        child.signal(signal.SIGTERM)
    begun = time.monotonic()
    is_noted = False
    while not all(child.has_ended() for child in children) and not is_pressed():
        waited = time.monotonic() - begun
        if waited > GRACE_SECONDS:
            break
        if waited > NOTE_AFTER and not is_noted:
            print("Waiting for answers that are under way and paid for; Ctrl-C again ends at once.", file=sys.stderr)
            is_noted = True
        time.sleep(LOOK_EVERY / 4)
    for child in children:
        child.signal(signal.SIGKILL)


def _end_with_parent() -> None:
    """Ask the kernel to end this process when its parent dies, even by kill -9 (Linux only)."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGTERM)


if __name__ == "__main__":
    with embedded_server():
        supervise()
