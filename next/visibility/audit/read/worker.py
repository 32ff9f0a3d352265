"""The process that reads what a site sent; `child.py` starts it as `python -m visibility.audit.read.worker`.

It limits itself before it sees a byte that others wrote, then reads requests from its standard input and writes
answers to its standard output. A request is JSON (the kind of document, and what its reader needs besides the body)
and the body, an answer JSON, each after a length of four bytes. It ends with its parent.
"""

import json
import os
import re
import resource
import select
import struct
import sys
from collections.abc import Callable, Iterator, Mapping
from importlib import import_module
from types import ModuleType
from typing import Any, BinaryIO

import orjson

from visibility.audit.facts import SmallFile, Unparsed
from visibility.audit.read.limits import CPU_SECONDS, MAX_ANSWER, MEMORY, READ, SITEMAP_TIMES, UNPARSED
from visibility.audit.read.robots import parse_robots
from visibility.audit.read.sitemaps import read_sitemap

LOADING_SECONDS, LOADED_FILE = 4, 512 * 2**20
"""Of processor time, for the libraries that read pages; of the file that one of them unpacks while it loads."""
_LENGTH = struct.Struct(">I")
_PIECE = 1 << 16
LOOK_SECONDS = 2.0
"""How often a process without work looks whether its parent is still there."""
_PAGES = "visibility.audit.read.pages"
_EXAMPLE = {"url": "https://x.example/", "content_type": "text/html"}
_HEADING = re.compile(r"^# \S", re.MULTILINE)
_LINK = re.compile(r"\[[^\[\]\n]++\]\([^)\s\[]++\)")
"""Neither part runs over the next bracket, or a text of brackets alone would be looked through once for each."""


def read_small(body: bytes, *, cut: bool = False) -> SmallFile:
    """What the beginning of a small file says; never raises. `cut`: the body is the beginning of a longer one."""
    text = body.decode("utf-8", "replace").strip().removeprefix("\ufeff").strip()
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        value = text if cut and text[:1] in ("{", "[") else None
    return SmallFile(
        opening=text[:200],
        characters=len(text),
        is_html=text[:20].lower().startswith(("<!doctype", "<html", "<head", "<body")),
        is_json=isinstance(value, (dict, list)) or (isinstance(value, str) and value is text),
        has_heading=_HEADING.search(text) is not None,
        has_link=_LINK.search(text) is not None,
    )


READERS: Mapping[str, Callable[..., Any]] = {
    "page": lambda body, **details: load_pages().parse_page(b"".join(body), **details),
    "robots": lambda body, **details: parse_robots(b"".join(body)),
    "sitemap": read_sitemap,
    "small": lambda body, cut=False, **details: read_small(b"".join(body), cut=cut),
}
"""By kind of document: its reader, which takes the pieces of the body and what it needs besides."""


def limit_process() -> None:
    """Hold this process to what reading needs: memory, no processes, no core, no file written but while it loads."""
    for kind, bound in (
        (resource.RLIMIT_AS, MEMORY),
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_NOFILE, 16),
        (resource.RLIMIT_NPROC, 0),
    ):
        resource.setrlimit(kind, (bound, bound))
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, LOADED_FILE))


def load_pages() -> ModuleType:
    """What reads pages. Its libraries take a second to load and unpack a model into a file; from then on nothing is
    written any more."""
    if _PAGES not in sys.modules:
        resource.setrlimit(resource.RLIMIT_FSIZE, (LOADED_FILE, LOADED_FILE))
        import_module(_PAGES).parse_page(b"<main><p>It boils water.", **_EXAMPLE)
        resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    return sys.modules[_PAGES]


def grant_cpu(seconds: int) -> None:
    """Raise the soft limit of processor time to what was used so far and so much more; beyond it the kernel ends this
    process, whatever library it is in."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    soft = int(used.ru_utime + used.ru_stime) + seconds
    resource.setrlimit(resource.RLIMIT_CPU, (soft, resource.RLIM_INFINITY))


def serve(requests: BinaryIO, answers: BinaryIO, parent: int) -> None:
    """Answer requests until they or the parent end. While none waits, the libraries that read pages are loaded."""
    if not select.select([requests], [], [], 0.02)[0]:
        load_pages()
    while _awaited(requests, parent) and (header := _part(requests)) is not None:
        details = orjson.loads(header)
        kind = details.pop("kind")
        times = SITEMAP_TIMES if kind == "sitemap" else 1
        grant_cpu(CPU_SECONDS * times + (LOADING_SECONDS if kind == "page" and _PAGES not in sys.modules else 0))
        body = _pieces(requests)
        answer = _answer(kind, body, details)
        for _ in body:  # what the reader left
            pass
        answers.write(_LENGTH.pack(len(answer)) + answer)
        answers.flush()


def _awaited(requests: BinaryIO, parent: int) -> bool:
    """Wait for a request; false where the parent has ended. That its end of the pipe closes then is not certain:
    another process may have it, too."""
    while os.getppid() == parent:
        if select.select([requests], [], [], LOOK_SECONDS)[0]:
            return True
    return False


def _answer(kind: str, body: Iterator[bytes], details: dict[str, Any]) -> bytes:
    what, url = "page" if kind == "page" else "file", details["url"]
    try:
        fact = READERS[kind](body, **details)
        answer = (UNPARSED if isinstance(fact, Unparsed) else READ) + orjson.dumps(fact)
        if len(answer) > MAX_ANSWER:
            raise MemoryError
        return answer
    except MemoryError:
        return UNPARSED + orjson.dumps(
            Unparsed(url, "too_much_memory", f"The {what} takes more memory than one {what} may.")
        )
    except TypeError:  # what JSON cannot hold: halves of characters, numbers beyond 64 bits
        return UNPARSED + orjson.dumps(Unparsed(url, "broken", f"What the {what} says cannot be written down."))


def _part(stream: BinaryIO) -> bytes | None:
    """The next part; null where the stream has ended."""
    length = _exactly(stream, _LENGTH.size)
    return _exactly(stream, _LENGTH.unpack(length)[0]) if len(length) == _LENGTH.size else None


def _exactly(stream: BinaryIO, size: int) -> bytes:
    """So many bytes, fewer where the stream has ended. It has no buffer, so that `select` sees what waits."""
    parts: list[bytes] = []
    while size and (part := stream.read(size)):
        parts.append(part)
        size -= len(part)
    return b"".join(parts)


def _pieces(stream: BinaryIO) -> Iterator[bytes]:
    """The next part, piece by piece."""
    left = _LENGTH.unpack(_exactly(stream, _LENGTH.size))[0]
    while left and (piece := stream.read(min(left, _PIECE))):
        left -= len(piece)
        yield piece


def main() -> None:
    """Read until the parent wants no more."""
    limit_process()
    with os.fdopen(0, "rb", buffering=0) as requests, os.fdopen(1, "wb") as answers:
        serve(requests, answers, int(sys.argv[1]))


if __name__ == "__main__":
    main()
