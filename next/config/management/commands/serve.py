"""The whole service on one machine: the web server and the worker, started again whenever one of them ends."""

import ctypes
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Mapping
from multiprocessing import get_context
from types import FrameType
from typing import Any

from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError, CommandParser

PR_SET_PDEATHSIG = 1
GRACE_SECONDS = 8
FIRST_PAUSE, LONGEST_PAUSE = 0.25, 4.0
LOOK_EVERY = 0.2


class Child:
    """A process that is meant to run for as long as the service does."""

    def __init__(self, name: str, command: list[str], environment: Mapping[str, str]) -> None:
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
            try:
                os.killpg(self.process.pid, number)
            except ProcessLookupError:
                return

    def has_ended(self) -> bool:
        """Whether nothing of it runs."""
        return self.process is None or self.process.poll() is not None


class Command(BaseCommand):
    help = "Run the web server and the worker in the foreground. Ctrl-C or SIGTERM stops both."
    requires_system_checks = []  # `prepare` makes them, in a process of its own
    stopping = False

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--port", type=int, default=8000)
        parser.add_argument("--demo", action="store_true", help="make demo accounts, a demo brand and a key first")

    def handle(self, *args: Any, **options: Any) -> None:
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, self._stop)
        address = f"http://127.0.0.1:{options['port']}"
        _require_free(options["port"])
        # A fork: what it imports, 60 MB, is gone with it, while this process only watches.
        preparation = get_context("fork").Process(target=self.prepare, args=(address, options["demo"]))
        preparation.start()
        preparation.join()
        if preparation.exitcode:
            raise CommandError("The service was not started; what is wrong stands above.")
        environment = {**os.environ, "PORT": str(options["port"])}
        children = [
            Child("web server", [sys.executable, "-m", "gunicorn", "-c", "python:config.gunicorn"], environment),
            Child("worker", [sys.executable, "manage.py", "worker"], environment),
        ]
        self.stdout.write(f"The service answers at {address}. Ctrl-C stops it; its data stays.")
        self.stdout.flush()
        try:
            while not self.stopping:
                for child in children:
                    child.tend()
                time.sleep(LOOK_EVERY)
        finally:
            end_all(children)

    def prepare(self, address: str, demo: bool) -> None:
        """Refuse unsafe settings, bring tables and static files up to date, make what the demo needs."""
        self.check()
        call_command("migrate", verbosity=0)
        call_command("collectstatic", interactive=False, verbosity=0)
        if demo:
            call_command("seed_demo", address=address)

    def _stop(self, number: int, frame: FrameType | None) -> None:
        self.stopping = True


def _require_free(port: int) -> None:
    """Raise CommandError when another process listens on the port."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError as error:
            raise CommandError(f"Port {port} cannot be used ({error.strerror}). Choose another: --port") from error


def end_all(children: list[Child]) -> None:
    """Ask every child to end, and make it after some seconds."""
    for child in children:
        child.signal(signal.SIGTERM)
    deadline = time.monotonic() + GRACE_SECONDS
    while time.monotonic() < deadline and not all(child.has_ended() for child in children):
        time.sleep(LOOK_EVERY / 4)
    for child in children:
        child.signal(signal.SIGKILL)


def _end_with_parent() -> None:
    """Ask the kernel to end this process when its parent dies, even by kill -9 (Linux only)."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGTERM)
