"""The processes that read what a site sent; `starter.py` runs `python -m visibility.audit.parse.worker PARENT`.

The first one loads what readers need and reads nothing. At an order it forks one that reads: that limits itself
before it sees a byte that others wrote, reads requests from one pipe and writes answers to another, each a length of
four bytes and so many bytes: of a request first JSON (the kind of document, and what its reader is told beside the
body), then the body, which is read piece by piece; of an answer JSON.
"""

import gc
import os
import resource
import select
import socket
import struct
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from importlib import import_module
from types import ModuleType
from typing import Any, BinaryIO

import orjson

from visibility.audit.page import Unparsed
from visibility.audit.parse.limits import MAX_ANSWER, SITEMAP_TIMES
from visibility.audit.parse.orders import NO_CHILD, ORDER, RESULT, RUNNING
from visibility.audit.parse.robots import parse_robots
from visibility.audit.parse.sitemaps import read_sitemap
from visibility.audit.parse.texts import read_text

_LENGTH = struct.Struct(">I")
LOOK_SECONDS = 2.0
"""How often a process without work looks whether its parent is still there."""
IDLE_SECONDS = 900.0
"""After so long without an order the process that forks ends: what it has loaded takes 150 MB."""
PIECE = 1 << 16
_EXAMPLE = {"url": "https://x.example/", "content_type": "text/html"}


@cache
def pages_reader() -> ModuleType:
    """The reader of pages, whose libraries take a second of processor time to load: files are read without them, and
    while they load. What it loads at first use is loaded, too: no page pays for it."""
    parsing = import_module("visibility.audit.parse.parsing")
    text = "<p>It boils water in a minute and keeps it warm. " * 20
    page = f"<html><body><main>{text}</main></body></html>".encode()
    parsing.parse_page(page, **_EXAMPLE)
    return parsing


READERS: Mapping[str, Callable[..., Any]] = {
    "page": lambda body, **details: pages_reader().parse_page(b"".join(body), **details),
    "robots": lambda body, url, **details: parse_robots(b"".join(body), **details),
    "sitemap": read_sitemap,
    "text": lambda body, url, **details: read_text(b"".join(body), **details),
}
"""By kind of document: its reader, which takes the pieces of the body and what it needs beside it."""


def limit_process(memory: int) -> None:
    """Hold this process to what parsing needs: memory, no files, no processes, no core."""
    for kind, bound in (
        (resource.RLIMIT_AS, memory),
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_FSIZE, 0),
        (resource.RLIMIT_NOFILE, 16),
        (resource.RLIMIT_NPROC, 0),
    ):
        resource.setrlimit(kind, (bound, bound))


def grant_cpu(seconds: int) -> None:
    """Raise the soft limit of processor time to what was used so far and so much more; beyond it the kernel ends
    this process, whatever library it is in."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    soft = int(used.ru_utime + used.ru_stime) + seconds
    resource.setrlimit(resource.RLIMIT_CPU, (soft, resource.RLIM_INFINITY))


def serve(requests: BinaryIO, answers: BinaryIO, parent: int, cpu_seconds: int) -> None:
    """Read what is asked for until the requests or the process that forked this one end."""
    while _asked(requests, parent) and (header := read_part(requests)):
        details = orjson.loads(header)
        kind = details.pop("kind")
        grant_cpu(cpu_seconds * (SITEMAP_TIMES if kind == "sitemap" else 1))
        body = pieces_of_part(requests)
        answer = _answer(kind, body, details)
        for _ in body:  # what the reader left
            pass
        write_part(answers, answer)


def _asked(requests: BinaryIO, parent: int) -> bool:
    """Wait for a request; false where the parent has ended, which does so with the worker. That the worker's end of
    the pipe closes then is not certain: another process may have it too."""
    while not select.select([requests], [], [], LOOK_SECONDS)[0]:
        if os.getppid() != parent:
            return False
    return os.getppid() == parent


def _answer(kind: str, body: Iterator[bytes], details: dict[str, Any]) -> bytes:
    what, url = "page" if kind == "page" else "file", details["url"]
    try:
        answer = orjson.dumps(READERS[kind](body, **details))
        if len(answer) > MAX_ANSWER:
            raise MemoryError
        return answer
    except MemoryError:
        return orjson.dumps(Unparsed(url, "too_much_memory", f"The {what} takes more memory than one {what} may."))
    except TypeError:  # what orjson cannot write: halves of characters, numbers beyond 64 bits
        return orjson.dumps(Unparsed(url, "broken", f"What the {what} says cannot be written down."))


def pieces_of_part(stream: BinaryIO) -> Iterator[bytes]:
    """The next part, piece by piece."""
    left = _LENGTH.unpack(stream.read(_LENGTH.size))[0]
    while left and (piece := stream.read(min(left, PIECE))):
        left -= len(piece)
        yield piece


def read_part(stream: BinaryIO) -> bytes | None:
    """The next part; null where the stream has ended."""
    length = stream.read(_LENGTH.size)
    if len(length) < _LENGTH.size:
        return None
    size = _LENGTH.unpack(length)[0]
    part = stream.read(size)
    return part if len(part) == size else None


def write_part(stream: BinaryIO, part: bytes) -> None:
    stream.write(_LENGTH.pack(len(part)))
    stream.write(part)
    stream.flush()


def read_in_fork(kind: str, pipes: Sequence[int], parent: int, cpu_seconds: int, memory: int) -> None:
    """Be the process that reads, on these two pipes, until it is no longer wanted."""
    requests, answers = pipes
    limit_process(memory)
    if kind == "page" and isinstance(pages_reader().parse_page(b"<p>ready", **_EXAMPLE), Unparsed):
        return
    with os.fdopen(requests, "rb") as incoming, os.fdopen(answers, "wb") as outgoing:
        write_part(outgoing, b"")  # ready
        serve(incoming, outgoing, parent, cpu_seconds)


def fork(kind: str, pipes: Sequence[int], control: socket.socket, cpu_seconds: int, memory: int) -> int:
    """Start a process that reads; gives its id."""
    parent = os.getpid()
    pid = os.fork()
    if pid == 0:
        try:
            control.close()
            read_in_fork(kind, pipes, parent, cpu_seconds, memory)
        finally:
            os._exit(0)
    return pid


def status_of(pid: int) -> int:
    """The exit code of a process that was forked here, negative for a signal; RUNNING while it runs."""
    try:
        ended, status = os.waitpid(pid, os.WNOHANG)
    except ChildProcessError:
        return NO_CHILD
    return os.waitstatus_to_exitcode(status) if ended else RUNNING


def main() -> None:
    """Obey orders until the parent ends, or gives none for long. What reads pages is loaded once no order waits."""
    parent = int(sys.argv[1])
    control = socket.socket(fileno=sys.stdin.fileno())
    running: set[int] = set()
    last, loaded = time.monotonic(), False
    while os.getppid() == parent and (running or time.monotonic() - last < IDLE_SECONDS):
        if not select.select([control], [], [], LOOK_SECONDS if loaded else 0)[0]:
            pages_reader()
            if not loaded:
                gc.freeze()  # what is loaded stays shared between the forks
            loaded = True
            continue
        order, pipes, _, _ = socket.recv_fds(control, ORDER.size, 2)
        if len(order) < ORDER.size:
            return
        last = time.monotonic()
        verb, pid, cpu_seconds, memory = ORDER.unpack(order)
        if verb == b"?":
            result = status_of(pid)
            if result != RUNNING:
                running.discard(pid)
        else:
            kind = "page" if verb == b"p" else "file"
            if kind == "page":
                pages_reader()
            result = fork(kind, pipes, control, cpu_seconds, memory)
            running.add(result)
            for pipe in pipes:
                os.close(pipe)
        control.sendall(RESULT.pack(result))


if __name__ == "__main__":
    main()
