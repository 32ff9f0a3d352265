"""The process that reads what a site sent, started by `child.py`: `python -m visibility.audit.parse.worker PARENT
CPU_SECONDS MEMORY`.

It limits itself before it reads a byte that others wrote. It reads requests from its standard input and writes
answers to its standard output, each a length of four bytes and so many bytes: of a request first JSON (the kind of
document, and what its reader needs beside the body), then the body, which is read piece by piece; of an answer
JSON.
"""

import os
import resource
import select
import struct
import sys
from collections.abc import Callable, Iterator, Mapping
from typing import Any, BinaryIO

import orjson

from visibility.audit.page import ParsedPage, Unparsed
from visibility.audit.parse.limits import MAX_ANSWER, SITEMAP_TIMES
from visibility.audit.parse.parsing import parse_page
from visibility.audit.parse.robots import parse_robots
from visibility.audit.parse.sitemaps import read_sitemap
from visibility.audit.parse.texts import read_text

_LENGTH = struct.Struct(">I")
LOOK_SECONDS = 2.0
"""How often a process without work looks whether its parent is still there."""
PIECE = 1 << 16
READERS: Mapping[str, Callable[..., Any]] = {
    "page": lambda body, **details: parse_page(b"".join(body), **details),
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
    """Read what is asked for until the requests or the parent end."""
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
    """Wait for a request; false where the parent has ended. That its pipe closes then is not certain: another process
    may have it too."""
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


def _warm_up() -> None:
    """Load what readers load at first use, before the limit of files is set: no page pays for it."""
    text = "<p>It boils water in a minute and keeps it warm. " * 20
    parse_page(
        f"<html><body><main>{text}</main></body></html>".encode(), url="https://x.example/", content_type="text/html"
    )


def main() -> None:
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    # What a library prints must not stand between answers.
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    _warm_up()
    parent, cpu_seconds, memory = map(int, sys.argv[1:4])
    limit_process(memory)
    if not isinstance(parse_page(b"<p>ready", url="https://x.example/", content_type="text/html"), ParsedPage):
        sys.exit(1)
    write_part(answers, b"")  # ready
    serve(sys.stdin.buffer, answers, parent, cpu_seconds)


if __name__ == "__main__":
    main()
