"""Runs the process that reads all that the site of an audit sends, so that a hostile page can only harm that process.

It is a fresh interpreter with an empty environment, without our connections, files or secrets. It limits its own
memory and processor time (`worker.py`); its wall time is limited here. One that dies is replaced, and its page is
Unparsed. Only this process looks into bytes from strangers: they go in, typed facts come out.
"""

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, Self, TypeVar

import orjson

from visibility.audit.facts import ParsedPage, SitemapText, SmallFile, Unparsed
from visibility.audit.read.limits import CPU_SECONDS, MAX_ANSWER, SITEMAP_TIMES, UNPARSED
from visibility.audit.robots import RobotsRules
from visibility.audit.stored import from_json

WALL_SECONDS = 15.0
"""For one page or small file, from the request to the answer."""
START_SECONDS = 30.0
"""More for the first document of a process, which waits for the interpreter and its libraries."""
READER_VERSION = 4
"""Raised when readers change: pages that an earlier version read are then asked for whole again."""
_WORKER = (sys.executable, "-sEB", "-m", "visibility.audit.read.worker")
_ROOT = Path(__file__).resolve().parents[3]
_ENVIRONMENT = {"LANG": "C.UTF-8", "OPENBLAS_NUM_THREADS": "1"}
"""No addresses, no keys. One thread, as the stacks of further ones count as memory."""
T = TypeVar("T")


class ReadingChild:
    """Reads documents in a process of its own: `with ReadingChild() as child: child.page(body, url=…, …)`.

    Each method gives Unparsed where reading takes too long or its process dies. Threads take turns.
    """

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        self._pipe: Connection | None = None
        self._grace = 0.0
        self._turn = threading.Lock()

    def __enter__(self) -> Self:
        self._start()
        return self

    def __exit__(self, *error: object) -> None:
        if process := self._process:
            process.kill()  # so that a thread which waits for an answer gives up its turn
        with self._turn:
            self._end()

    @property
    def pid(self) -> int | None:
        """The id of the process; null where none waits for a document."""
        return self._process.pid if self._process and self._process.poll() is None else None

    def page(
        self, body: bytes, *, url: str, content_type: str, is_home: bool = False, cut: bool = False
    ) -> ParsedPage | Unparsed:
        """What `pages.parse_page` says of a page."""
        details = {"url": url, "content_type": content_type, "is_home": is_home, "cut": cut}
        return self._read("page", body, details, ParsedPage)

    def robots(self, body: bytes, *, url: str) -> RobotsRules | Unparsed:
        """What `robots.parse_robots` says of a robots.txt."""
        return self._read("robots", body, {"url": url}, RobotsRules)

    def sitemap(self, body: bytes, *, url: str, cut: bool = False) -> SitemapText | Unparsed:
        """What `sitemaps.read_sitemap` says of a sitemap, as it was sent."""
        return self._read("sitemap", body, {"url": url, "cut": cut}, SitemapText)

    def small(self, body: bytes, *, url: str, cut: bool = False) -> SmallFile | Unparsed:
        """What `worker.read_small` says of a small file."""
        return self._read("small", body, {"url": url, "cut": cut}, SmallFile)

    def _read(self, kind: str, body: bytes, details: dict[str, Any], fact: Callable[..., T]) -> T | Unparsed:
        request = orjson.dumps({"kind": kind, **details})
        what, times = "page" if kind == "page" else "file", SITEMAP_TIMES if kind == "sitemap" else 1
        with self._turn:
            answer = self._asked(details["url"], what, (request, body), times)
        if isinstance(answer, Unparsed):
            return answer
        return from_json(Unparsed, answer[1:]) if answer[:1] == UNPARSED else from_json(fact, answer[1:])

    def _asked(self, url: str, what: str, request: tuple[bytes, bytes], times: int) -> bytes | Unparsed:
        """Write a request and read its answer."""
        process = self._process if self._process and self.pid else self._start()
        seconds = WALL_SECONDS * times
        alarm = threading.Timer(seconds + self._grace, process.kill)
        alarm.start()
        answer = self._exchange(request)
        late = not alarm.is_alive()
        alarm.cancel()
        if answer:
            self._grace = 0.0
            return answer
        code = self._end()
        if late:
            return Unparsed(url, "too_slow", f"The {what} takes more than {seconds:g} seconds to read.")
        if code == -signal.SIGXCPU:
            limit = f"{CPU_SECONDS * times} seconds of processor time"
            return Unparsed(url, "too_slow", f"The {what} takes more than {limit} to read.")
        return Unparsed(url, "broken", f"The {what} ended the process that read it (exit code {code}).")

    def _start(self) -> subprocess.Popen[bytes]:
        self._end()
        self._grace = START_SECONDS
        self._pipe, theirs = Pipe()
        with theirs:
            self._process = subprocess.Popen(  # noqa: S603
                [*_WORKER, str(theirs.fileno()), str(os.getpid())],
                pass_fds=[theirs.fileno()],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                cwd=_ROOT,
                env=_ENVIRONMENT,
                start_new_session=True,
            )
        return self._process

    def _exchange(self, request: tuple[bytes, bytes]) -> bytes:
        """The answer to a request; empty where the process ends before it is complete, or it is longer than it may
        be."""
        assert self._pipe  # noqa: S101 (it came with the process)
        try:
            for part in request:
                self._pipe.send_bytes(part)
            return self._pipe.recv_bytes(MAX_ANSWER)  # never objects, which would be unpickled
        except (EOFError, OSError):
            return b""

    def _end(self) -> int:
        """End the process; its exit code, negative for a signal."""
        process, self._process = self._process, None
        if process is None:
            return 0
        if self._pipe:
            self._pipe.close()
        try:
            return process.wait(0.5)
        except subprocess.TimeoutExpired:
            process.kill()
            return process.wait()
