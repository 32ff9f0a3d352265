"""Keeps a set of processes running: restarts what ends, stops all together, leaves nothing behind. SIGHUP has all of
them run new code.

Each process leads a session of its own, so that Ctrl-C in a terminal reaches only the supervisor, which then stops
the others in order, and so that whatever a process has started can be ended as one group.
"""

import os
import select
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from types import FrameType

from config.local.processes import die_with_parent

FIRST_BACKOFF = 0.5
MAX_BACKOFF = 30.0
STEADY_SECONDS = 60.0
"""A process that ran this long is healthy: its next restart waits the first backoff again."""
NEVER = float("inf")
STOP_SECONDS = 8.0
"""How long processes may take to finish what they are doing before they are killed."""


@dataclass(slots=True)
class Child:
    """One process to keep running. A `once` child is not restarted: its failure ends the service.

    One that `reloads` takes new code over by itself when it gets a SIGHUP; the others are asked to end, and started.
    """

    name: str
    command: Sequence[str]
    once: bool = False
    reloads: bool = False
    process: subprocess.Popen[bytes] | None = None
    started: float = 0.0
    backoff: float = FIRST_BACKOFF
    due: float = field(default=0.0)
    kill_at: float = NEVER

    @property
    def running(self) -> bool:
        """Whether the process was started and has not been seen to end."""
        return self.process is not None


class Supervisor:
    """Runs children until a signal asks to stop; `say` receives one line for each event worth telling.

    `check` is a command that fails, and says why, where the code on disk could not run: then SIGHUP changes nothing.
    """

    def __init__(
        self, children: Sequence[Child], env: Mapping[str, str], say: Callable[[str], None], check: Sequence[str] = ()
    ) -> None:
        self.children = list(children)
        self.env = dict(env)
        self.say = say
        self.check = Child("check", check)
        self.reload_requested = False
        self.stop_requests = 0
        self.exit_code = 0
        self._wake_read, self._wake_write = socket.socketpair()

    def run(self) -> int:
        """Start all, keep them running, and return the exit code once all have been stopped."""
        self._listen()
        try:
            while not self.stop_requests:
                for child in self.children:
                    if not child.running and child.due <= time.monotonic():
                        self._start(child)
                self._sleep(self._next_event())
                self._reap()
                self._reload()
        finally:
            self._stop()
        return self.exit_code

    def _listen(self) -> None:
        for end in (self._wake_read, self._wake_write):
            end.setblocking(False)
        signal.set_wakeup_fd(self._wake_write.fileno(), warn_on_full_buffer=False)
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, self._ask_to_stop)
        signal.signal(signal.SIGHUP, self._ask_to_reload)
        signal.signal(signal.SIGCHLD, lambda number, frame: None)

    def _ask_to_stop(self, number: int, frame: FrameType | None) -> None:
        self.stop_requests += 1

    def _ask_to_reload(self, number: int, frame: FrameType | None) -> None:
        self.reload_requested = True

    def _sleep(self, seconds: float | None) -> None:
        """Wait until a signal arrives or the time has passed; None waits for a signal alone."""
        if select.select([self._wake_read], [], [], seconds)[0]:
            self._wake_read.recv(4096)

    def _next_event(self) -> float | None:
        """Seconds until the next start, or until patience with a child that was asked to end is over."""
        due = min((child.kill_at if child.running else child.due for child in self.children), default=NEVER)
        return None if due == NEVER else max(0.0, due - time.monotonic())

    def _start(self, child: Child) -> None:
        child.started = time.monotonic()
        child.process = subprocess.Popen(  # noqa: S603 -- the commands are this program's own
            child.command,
            env=self.env,
            stdin=subprocess.DEVNULL,
            start_new_session=True,
            preexec_fn=partial(die_with_parent, os.getpid()),
        )

    def _reap(self) -> None:
        """Take note of what has ended, end the rest of its group, and set when it starts again."""
        for child in self.children:
            if child.process is None or not _has_ended(child.process):
                continue
            # Before the wait: until then the number of the group cannot belong to another.
            _signal_group(child.process, signal.SIGKILL)
            code = child.process.wait()
            child.process = None
            if child.once:
                child.due = NEVER
                if code and not self.stop_requests:
                    self.exit_code = code if code > 0 else 1
                    self.stop_requests += 1
            else:
                self._plan_restart(child, code)

    def _reload(self) -> None:
        """On request check the new code; when that has gone well take it over. Kill what was asked to end in vain."""
        if self.reload_requested and not self.check.running:
            self.reload_requested = False
            self._start(self.check)
        if self.check.process is not None and _has_ended(self.check.process):
            failed, self.check.process = self.check.process.wait(), None
            if failed:
                self.say("Nothing was reloaded, for the reason above: everything goes on as it was.")
            else:
                self._take_over()
        for child in self.children:
            if child.process is not None and child.kill_at <= time.monotonic():
                _signal_group(child.process, signal.SIGKILL)

    def _take_over(self) -> None:
        self.say("Reloading.")
        for child in self.children:
            if child.process is None or child.once:
                continue
            if child.reloads:
                child.process.send_signal(signal.SIGHUP)
            else:
                child.kill_at = time.monotonic() + STOP_SECONDS
                child.process.terminate()

    def _plan_restart(self, child: Child, code: int) -> None:
        if child.kill_at != NEVER:
            child.kill_at, child.due, child.backoff = NEVER, 0.0, FIRST_BACKOFF
            return
        now = time.monotonic()
        if now - child.started >= STEADY_SECONDS:
            child.backoff = FIRST_BACKOFF
        child.due = now + child.backoff
        if not self.stop_requests:
            self.say(f"{child.name} ended ({_reason(code)}); it starts again in {child.backoff:g} s.")
        child.backoff = min(child.backoff * 2, MAX_BACKOFF)

    def _stop(self) -> None:
        """Ask each process to finish, wait a little, kill what is left. A second signal does not wait."""
        requests_at_start = self.stop_requests
        for child in self.children:
            if child.process is not None and not _has_ended(child.process):
                child.process.terminate()
        deadline = time.monotonic() + STOP_SECONDS
        while (
            any(child.running for child in self.children)
            and time.monotonic() < deadline
            and self.stop_requests <= max(requests_at_start, 1)
        ):
            self._sleep(0.2)
            self._reap()
        for child in (*self.children, self.check):
            if child.process is not None:
                _signal_group(child.process, signal.SIGKILL)
                child.process.wait()
                child.process = None


def _has_ended(process: subprocess.Popen[bytes]) -> bool:
    """Whether the process has ended, without taking its exit code (its number stays reserved)."""
    return os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None


def _signal_group(process: subprocess.Popen[bytes], number: int) -> None:
    try:
        os.killpg(process.pid, number)
    except (ProcessLookupError, PermissionError):
        # Nobody is left in the group (macOS says so with a refusal).
        return


def _reason(code: int) -> str:
    return signal.Signals(-code).name if code < 0 else f"exit code {code}"


def python(*arguments: str) -> list[str]:
    """The command line that runs this interpreter, unbuffered, with `arguments`."""
    return [sys.executable, "-u", *arguments]
