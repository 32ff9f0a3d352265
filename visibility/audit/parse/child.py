"""One process that parses the pages of an audit, so that a hostile page takes nothing along but itself.

It is a fresh interpreter with an empty environment: no connection, file or secret of the worker is in it. It limits
its own memory and processor time (see `worker.py`); the wall clock is held here. One that dies is replaced; the page
that killed it is Unparsed.
"""

import os
import select
import signal
import struct
import subprocess
import sys
import threading
import time
from pathlib import Path
from types import TracebackType
from typing import Self

import orjson
from pydantic import TypeAdapter

from visibility.audit.page import ParsedPage, Unparsed
from visibility.audit.parse.limits import CPU_SECONDS, MAX_ANSWER, MEMORY

WALL_SECONDS = 15.0
"""For one page, from the request to the answer."""
START_SECONDS = 60.0
"""For the start of the interpreter and its libraries, which the first page waits for."""

_WORKER = "visibility.audit.parse.worker"
_ENVIRONMENT = {"LANG": "C.UTF-8", "OPENBLAS_NUM_THREADS": "1"}
"""Nothing of the worker's: no addresses, no keys. One thread, whose stacks count as memory."""
_CHUNK = 1 << 16
_ROOT = Path(__file__).resolve().parents[3]
_LENGTH = struct.Struct(">I")
_ANSWER: TypeAdapter[ParsedPage | Unparsed] = TypeAdapter(ParsedPage | Unparsed)


class ParserNotStarted(RuntimeError):
    """The process that parses could not be started: the machine's fault, not the page's."""


class ParsingChild:
    """Parses pages in a process of its own: `with ParsingChild() as child: child.parse(body, url=…, …)`.

    Threads take turns. The process starts with the first page and ends with the context, or with this process.
    """

    def __init__(
        self, *, wall_seconds: float = WALL_SECONDS, cpu_seconds: int = CPU_SECONDS, memory: int = MEMORY
    ) -> None:
        self.wall_seconds = wall_seconds
        self.cpu_seconds = cpu_seconds
        self.memory = memory
        self._process: subprocess.Popen[bytes] | None = None
        self._turn = threading.Lock()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._end()

    @property
    def pid(self) -> int | None:
        """The id of the process; null where none runs."""
        return self._process.pid if self._process and self._process.poll() is None else None

    def start(self) -> None:
        """Start the process ahead of its first page, which otherwise waits for it. Raises ParserNotStarted."""
        with self._turn:
            if self.pid is None:
                self._end()
                self._start()

    def parse(
        self, body: bytes, *, url: str, content_type: str, is_home: bool = False, cut: bool = False
    ) -> ParsedPage | Unparsed:
        """What `parsing.parse_page` says of a page; Unparsed where it takes too long or its process dies."""
        header = orjson.dumps({"url": url, "content_type": content_type, "is_home": is_home, "cut": cut})
        request = _LENGTH.pack(len(header)) + header + _LENGTH.pack(len(body)) + body
        with self._turn:
            return self._parsed(url, request)

    def _parsed(self, url: str, request: bytes) -> ParsedPage | Unparsed:
        process = self._process
        if process is None or process.poll() is not None:
            self._end()
            process = self._start()
        try:
            return _ANSWER.validate_json(_exchange(process, request, time.monotonic() + self.wall_seconds))
        except TimeoutError:
            self._end()
            return Unparsed(url, "too_slow", f"The page takes more than {self.wall_seconds:g} seconds to read.")
        except (OSError, EOFError):
            return self._killed(url, self._end(patience=1.0))

    def _killed(self, url: str, code: int) -> Unparsed:
        if code == -signal.SIGXCPU:
            detail = f"The page takes more than {self.cpu_seconds} seconds of processor time to read."
            return Unparsed(url, "too_slow", detail)
        return Unparsed(url, "broken", f"The page ended the process that read it (exit code {code}).")

    def _start(self) -> subprocess.Popen[bytes]:
        process = self._process = subprocess.Popen(  # noqa: S603
            [sys.executable, "-sEB", "-m", _WORKER, *map(str, (os.getpid(), self.cpu_seconds, self.memory))],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            bufsize=0,
            cwd=_ROOT,
            env=_ENVIRONMENT,
            start_new_session=True,
        )
        try:
            _exchange(process, b"", time.monotonic() + START_SECONDS)
        except (OSError, EOFError) as error:
            raise ParserNotStarted(
                f"The process that parses pages did not start (exit code {self._end(patience=1.0)})."
            ) from error
        return process

    def _end(self, patience: float = 0.0) -> int:
        """End the process; its exit code. `patience`: seconds in which one that has closed its pipes may end by
        itself."""
        process, self._process = self._process, None
        if process is None:
            return 0
        try:
            process.wait(patience)
        except subprocess.TimeoutExpired:
            process.kill()
        code = process.wait()
        for pipe in (process.stdin, process.stdout):
            if pipe is not None:
                pipe.close()
        return code


def _exchange(process: subprocess.Popen[bytes], request: bytes, deadline: float) -> bytes:
    """Write a request and read its answer. Raises TimeoutError at the deadline (of the monotonic clock), EOFError or
    BrokenPipeError where the process has ended."""
    assert process.stdin is not None and process.stdout is not None  # noqa: S101 (both are pipes)
    outgoing, incoming = process.stdin.fileno(), process.stdout.fileno()
    os.set_blocking(outgoing, False)
    unsent, answer = memoryview(request), bytearray()
    while True:
        left = deadline - time.monotonic()
        readable, writable, _ = select.select([incoming], [outgoing] if unsent else [], [], max(left, 0))
        if not readable and not writable:
            raise TimeoutError
        if writable:
            unsent = unsent[os.write(outgoing, unsent[:_CHUNK]) :]
        if readable:
            part = os.read(incoming, _CHUNK)
            if not part:
                raise EOFError
            answer += part
            if len(answer) >= _LENGTH.size and len(answer) - _LENGTH.size >= _size(answer):
                return bytes(answer[_LENGTH.size :])


def _size(answer: bytearray) -> int:
    size = int(_LENGTH.unpack_from(answer)[0])
    if size > MAX_ANSWER:
        raise EOFError
    return size
