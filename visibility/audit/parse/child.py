"""One process that reads whatever the site of an audit sends, so that a hostile page takes nothing along but itself.

It is a fresh interpreter with an empty environment: no connection, file or secret of the worker is in it. It limits
its own memory and processor time (see `worker.py`); the wall clock is held here. One that dies is replaced; the page
that killed it is Unparsed. Outside of it nothing looks into bytes that others sent: they go in, typed facts come out.
"""

import os
import select
import signal
import struct
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TypeVar

import orjson
from pydantic import TypeAdapter

from visibility.audit.page import ParsedPage, Unparsed
from visibility.audit.parse.limits import CPU_SECONDS, MAX_ANSWER, MEMORY, SITEMAP_TIMES
from visibility.audit.parse.sitemaps import ReadSitemap
from visibility.audit.robots import RobotsRules
from visibility.audit.site import TextFacts

WALL_SECONDS = 15.0
"""For one page or small file, from the request to the answer."""
START_SECONDS = 60.0
"""For the start of the interpreter and its libraries, which the first page waits for."""

_WORKER = "visibility.audit.parse.worker"
_ENVIRONMENT = {"LANG": "C.UTF-8", "OPENBLAS_NUM_THREADS": "1"}
"""Nothing of the worker's: no addresses, no keys. One thread, whose stacks count as memory."""
_CHUNK = 1 << 16
_ROOT = Path(__file__).resolve().parents[3]
_LENGTH = struct.Struct(">I")
T = TypeVar("T")
_PAGE: TypeAdapter[ParsedPage | Unparsed] = TypeAdapter(ParsedPage | Unparsed)
_ROBOTS: TypeAdapter[RobotsRules | Unparsed] = TypeAdapter(RobotsRules | Unparsed)
_SITEMAP: TypeAdapter[ReadSitemap | Unparsed] = TypeAdapter(ReadSitemap | Unparsed)
_TEXT: TypeAdapter[TextFacts | Unparsed] = TypeAdapter(TextFacts | Unparsed)


class ParserNotStarted(RuntimeError):
    """The process that reads could not be started: the machine's fault, not the page's."""


class ParsingChild:
    """Reads pages and files in a process of its own: `with ParsingChild() as child: child.parse(body, url=…, …)`.

    Each method gives Unparsed where reading takes too long or its process dies. Threads take turns. The process
    starts with the first document and ends with the context, or with this process.
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
        """What `parsing.parse_page` says of a page."""
        details = {"url": url, "content_type": content_type, "is_home": is_home, "cut": cut}
        return self._read("page", body, details, _PAGE)

    def robots(self, body: bytes, *, url: str) -> RobotsRules | Unparsed:
        """What `robots.parse_robots` says of a robots.txt."""
        return self._read("robots", body, {"url": url}, _ROBOTS)

    def sitemap(self, body: bytes, *, url: str, cut: bool = False) -> ReadSitemap | Unparsed:
        """What `sitemaps.read_sitemap` says of a sitemap, as it was sent."""
        return self._read("sitemap", body, {"url": url, "cut": cut}, _SITEMAP)

    def text(self, body: bytes, *, url: str, cut: bool = False) -> TextFacts | Unparsed:
        """What `texts.read_text` says of a small file."""
        return self._read("text", body, {"url": url, "cut": cut}, _TEXT)

    def _read(
        self, kind: str, body: bytes, details: dict[str, Any], answer: TypeAdapter[T | Unparsed]
    ) -> T | Unparsed:
        header = orjson.dumps({"kind": kind, **details})
        request = [_LENGTH.pack(len(header)) + header + _LENGTH.pack(len(body)), body]
        what, times = "page" if kind == "page" else "file", SITEMAP_TIMES if kind == "sitemap" else 1
        with self._turn:
            process = self._process
            if process is None or process.poll() is not None:
                self._end()
                process = self._start()
            try:
                said = _exchange(process, request, time.monotonic() + self.wall_seconds * times)
            except TimeoutError:
                self._end()
                limit = f"{self.wall_seconds * times:g} seconds"
                return Unparsed(details["url"], "too_slow", f"The {what} takes more than {limit} to read.")
            except (OSError, EOFError):
                code = self._end(patience=1.0)
                if code == -signal.SIGXCPU:
                    limit = f"{self.cpu_seconds * times} seconds of processor time"
                    return Unparsed(details["url"], "too_slow", f"The {what} takes more than {limit} to read.")
                detail = f"The {what} ended the process that read it (exit code {code})."
                return Unparsed(details["url"], "broken", detail)
        return answer.validate_json(said)

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
            _exchange(process, [], time.monotonic() + START_SECONDS)
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


def _exchange(process: subprocess.Popen[bytes], request: Sequence[bytes], deadline: float) -> bytes:
    """Write a request, given in parts that follow each other, and read its answer. Raises TimeoutError at the
    deadline (of the monotonic clock), EOFError or BrokenPipeError where the process has ended."""
    assert process.stdin is not None and process.stdout is not None  # noqa: S101 (both are pipes)
    outgoing, incoming = process.stdin.fileno(), process.stdout.fileno()
    os.set_blocking(outgoing, False)
    unsent, answer = deque(memoryview(part) for part in request if part), bytearray()
    while True:
        left = deadline - time.monotonic()
        readable, writable, _ = select.select([incoming], [outgoing] if unsent else [], [], max(left, 0))
        if not readable and not writable:
            raise TimeoutError
        if writable:
            unsent[0] = unsent[0][os.write(outgoing, unsent[0][:_CHUNK]) :]
            if not unsent[0]:
                unsent.popleft()
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
