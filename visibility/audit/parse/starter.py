"""Starts the processes that read: forks of one that has loaded its libraries, which takes a second of processor time.

That one is a fresh interpreter with an empty environment: no connection, file or secret of the worker is in it, nor
in its forks. It ends with the worker, however that ends, and its forks end with it.
"""

import atexit
import os
import select
import signal
import socket
import subprocess
import sys
import threading
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from visibility.audit.parse.orders import NO_CHILD, ORDER, RESULT, RUNNING

START_SECONDS = 60.0
"""For the start of the interpreter and its libraries, which the first document waits for."""
_WORKER = "visibility.audit.parse.worker"
_ENVIRONMENT = {"LANG": "C.UTF-8", "OPENBLAS_NUM_THREADS": "1"}
"""Nothing of the worker's: no addresses, no keys. One thread, whose stacks count as memory."""
_ROOT = Path(__file__).resolve().parents[3]
_VERBS = {"page": b"p", "file": b"f"}
_POLL_SECONDS = 0.02


class ParserNotStarted(RuntimeError):
    """The process that reads could not be started: the machine's fault, not the page's."""


class _Forking:
    """The process that forks, and the socket that it is told through."""

    def __init__(self) -> None:
        self.owner = os.getpid()
        self._ours, theirs = socket.socketpair()
        self._ours.settimeout(START_SECONDS)
        with theirs:
            self._process = subprocess.Popen(  # noqa: S603
                [sys.executable, "-sEB", "-m", _WORKER, str(self.owner)],
                stdin=theirs.fileno(),
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                cwd=_ROOT,
                env=_ENVIRONMENT,
                start_new_session=True,
            )
        self._turn = threading.Lock()

    def obey(self, order: bytes, pipes: tuple[int, ...] = ()) -> int:
        """The result of an order. Raises OSError where the process has ended, or does not answer."""
        with self._turn:
            socket.send_fds(self._ours, [order], pipes)
            result = self._ours.recv(RESULT.size, socket.MSG_WAITALL)
        if len(result) < RESULT.size:
            raise ConnectionResetError("The process that forks has ended.")
        return int(RESULT.unpack(result)[0])

    def end(self) -> None:
        self._ours.close()
        if self.owner == os.getpid():
            try:
                self._process.wait(1.0)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()


@dataclass(frozen=True, slots=True)
class Reading:
    """A process that reads, with our ends of its pipes."""

    pid: int
    outgoing: int
    incoming: int
    forked_by: _Forking

    def is_alive(self) -> bool:
        """Whether it waits for a request: one that has ended has closed its pipe."""
        return not select.select([self.incoming], [], [], 0)[0]

    def end(self, patience: float = 0.0) -> int:
        """End the process; its exit code, negative for a signal. `patience`: seconds in which one that has closed its
        pipes may end by itself."""
        for pipe in (self.outgoing, self.incoming):
            os.close(pipe)
        deadline = time.monotonic() + patience
        while (code := self._code()) == RUNNING:
            if time.monotonic() >= deadline:
                os.kill(self.pid, signal.SIGKILL)  # its id is its own until its end was asked for
            time.sleep(_POLL_SECONDS)
        return code

    def _code(self) -> int:
        try:
            code = self.forked_by.obey(ORDER.pack(b"?", self.pid, 0, 0))
        except OSError:
            return -signal.SIGKILL
        return -signal.SIGKILL if code == NO_CHILD else code


class Starter:
    """Starts processes that read, for all threads of this process."""

    def __init__(self) -> None:
        self._forking: _Forking | None = None
        self._turn = threading.Lock()

    def begin(self) -> None:
        """Have the libraries loaded ahead of the first document. Does not wait for them."""
        self._current()

    def start(self, kind: Literal["page", "file"], cpu_seconds: int, memory: int) -> Reading:
        """A process that reads documents of a kind. Raises ParserNotStarted."""
        theirs, outgoing = os.pipe()
        incoming, answers = os.pipe()
        try:
            forking, pid = self._forked(ORDER.pack(_VERBS[kind], 0, cpu_seconds, memory), (theirs, answers))
        except OSError as error:
            for pipe in (outgoing, incoming):
                os.close(pipe)
            raise ParserNotStarted(f"The process that parses pages did not start ({error}).") from error
        finally:
            for pipe in (theirs, answers):
                os.close(pipe)
        return Reading(pid, outgoing, incoming, forking)

    def end(self) -> None:
        """End the process that forks, and with it its forks."""
        with self._turn:
            forking, self._forking = self._forking, None
        if forking:
            forking.end()

    def _forked(self, order: bytes, pipes: tuple[int, ...]) -> tuple[_Forking, int]:
        forking = self._current()
        try:
            return forking, forking.obey(order, pipes)
        except OSError:  # it ends when it was not needed for long
            self._forget(forking)
        forking = self._current()
        try:
            return forking, forking.obey(order, pipes)
        except OSError:
            self._forget(forking)
            raise

    def _current(self) -> _Forking:
        with self._turn:
            if self._forking is None or self._forking.owner != os.getpid():
                self._forking = _Forking()
            return self._forking

    def _forget(self, forking: _Forking) -> None:
        with self._turn:
            if self._forking is forking:
                self._forking = None
        forking.end()


STARTER = Starter()
"""Of this process."""
atexit.register(STARTER.end)
