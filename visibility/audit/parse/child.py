"""The processes that read whatever the site of an audit sends, so that a hostile page takes nothing along but itself.

No connection, file or secret of the worker is in them (see `starter.py`). They limit their own memory and processor
time (see `worker.py`); the wall clock is held here. One that dies is replaced; the page that killed it is Unparsed.
Outside of them nothing looks into bytes that others sent: they go in, typed facts come out.
"""

import os
import select
import signal
import struct
import threading
import time
from collections import deque
from collections.abc import Sequence
from types import TracebackType
from typing import Any, Literal, Self, TypeVar

import orjson
from pydantic import TypeAdapter

from visibility.audit.page import ParsedPage, Unparsed
from visibility.audit.parse.limits import CPU_SECONDS, MAX_ANSWER, MEMORY, SITEMAP_TIMES
from visibility.audit.parse.sitemaps import ReadSitemap
from visibility.audit.parse.starter import START_SECONDS, STARTER, ParserNotStarted, Reading, Starter
from visibility.audit.robots import RobotsRules
from visibility.audit.site import TextFacts

WALL_SECONDS = 15.0
"""For one page or small file, from the request to the answer."""

_CHUNK = 1 << 16
_LENGTH = struct.Struct(">I")
T = TypeVar("T")
_PAGE: TypeAdapter[ParsedPage | Unparsed] = TypeAdapter(ParsedPage | Unparsed)
_ROBOTS: TypeAdapter[RobotsRules | Unparsed] = TypeAdapter(RobotsRules | Unparsed)
_SITEMAP: TypeAdapter[ReadSitemap | Unparsed] = TypeAdapter(ReadSitemap | Unparsed)
_TEXT: TypeAdapter[TextFacts | Unparsed] = TypeAdapter(TextFacts | Unparsed)


class _Reader:
    """Reads documents of a kind in a process of its own, which starts with the first one; threads take turns."""

    def __init__(self, kind: Literal["page", "file"], cpu_seconds: int, memory: int, starter: Starter) -> None:
        self._kind: Literal["page", "file"] = kind
        self._cpu_seconds = cpu_seconds
        self._memory = memory
        self._starter = starter
        self._process: Reading | None = None
        self._turn = threading.Lock()

    @property
    def pid(self) -> int | None:
        """The id of the process; null where none waits for a document."""
        return self._process.pid if self._process and self._process.is_alive() else None

    def said(self, url: str, request: Sequence[bytes], wall_seconds: float, cpu_seconds: int) -> bytes | Unparsed:
        """What the process answers to a request."""
        with self._turn:
            if not (self._process and self._process.is_alive()):
                self.end()
                self._start()
            try:
                return _exchange(self._started(), request, time.monotonic() + wall_seconds)
            except TimeoutError:
                self.end()
                limit = f"{wall_seconds:g} seconds"
                return Unparsed(url, "too_slow", f"The {self._kind} takes more than {limit} to read.")
            except (OSError, EOFError):
                code = self.end(patience=1.0)
                if code == -signal.SIGXCPU:
                    limit = f"{cpu_seconds} seconds of processor time"
                    return Unparsed(url, "too_slow", f"The {self._kind} takes more than {limit} to read.")
                detail = f"The {self._kind} ended the process that read it (exit code {code})."
                return Unparsed(url, "broken", detail)

    def end(self, patience: float = 0.0) -> int:
        """End the process; its exit code. `patience`: see `Reading.end`."""
        process, self._process = self._process, None
        return process.end(patience) if process else 0

    def _started(self) -> Reading:
        assert self._process is not None  # noqa: S101 (whoever has the turn has started it)
        return self._process

    def _start(self) -> None:
        self._process = self._starter.start(self._kind, self._cpu_seconds, self._memory)
        try:
            _exchange(self._process, [], time.monotonic() + START_SECONDS)
        except (OSError, EOFError) as error:
            code = self.end(patience=1.0)
            raise ParserNotStarted(f"The process that parses pages did not start (exit code {code}).") from error


class ParsingChild:
    """Reads pages and files in processes of their own: `with ParsingChild() as child: child.parse(body, url=…, …)`.

    Each method gives Unparsed where reading takes too long or its process dies. One process reads pages, another
    files; each starts with the first document and ends with the context, or with this process.
    """

    def __init__(
        self,
        *,
        wall_seconds: float = WALL_SECONDS,
        cpu_seconds: int = CPU_SECONDS,
        memory: int = MEMORY,
        starter: Starter = STARTER,
    ) -> None:
        self.wall_seconds = wall_seconds
        self.cpu_seconds = cpu_seconds
        self._starter = starter
        self._pages = _Reader("page", cpu_seconds, memory, starter)
        self._files = _Reader("file", cpu_seconds, memory, starter)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for reader in (self._pages, self._files):
            reader.end()

    @property
    def pid(self) -> int | None:
        """The id of the process that reads pages; null where none waits for one."""
        return self._pages.pid

    def start(self) -> None:
        """Have the libraries that read pages loaded ahead of the first page. Does not wait for them."""
        self._starter.begin()

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
        times = SITEMAP_TIMES if kind == "sitemap" else 1
        reader = self._pages if kind == "page" else self._files
        said = reader.said(details["url"], request, self.wall_seconds * times, self.cpu_seconds * times)
        return said if isinstance(said, Unparsed) else answer.validate_json(said)


def _exchange(process: Reading, request: Sequence[bytes], deadline: float) -> bytes:
    """Write a request, given in parts that follow each other, and read its answer. Raises TimeoutError at the
    deadline (of the monotonic clock), EOFError or BrokenPipeError where the process has ended."""
    outgoing, incoming = process.outgoing, process.incoming
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
