"""The process that reads what a site sent; `child.py` starts it as `python -m visibility.audit.read.worker`.

It limits itself before it sees a byte that others wrote, then answers the requests that come through a pipe. A
request is JSON (the kind of document, and what its reader needs besides the body) and the body, an answer JSON. It
ends with its parent.
"""

import json
import os
import re
import resource
import signal
import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from multiprocessing.connection import Connection
from types import FrameType, ModuleType
from typing import Any

import orjson

from visibility.audit.facts import SmallFile, Unparsed
from visibility.audit.read.limits import CPU_SECONDS, MAX_ANSWER, MEMORY, READ, SITEMAP_TIMES, UNPARSED
from visibility.audit.read.robots import parse_robots
from visibility.audit.read.sitemaps import read_sitemap

LOADING_SECONDS, LOADED_FILE = 4, 512 * 2**20
"""Seconds of processor time to load the libraries that read pages; bytes of the file that one of them unpacks."""
LOOK_SECONDS = 2.0
"""How often the process looks whether its parent is still there."""
_PAGES = "visibility.audit.read.pages"
_EXAMPLE = {"url": "https://x.example/", "content_type": "text/html"}
_HEADING = re.compile(r"^# \S", re.MULTILINE)
_LINK = re.compile(r"\[[^\[\]\n]++\]\([^)\s\[]++\)")
"""Neither part runs over the next bracket, so that a text of brackets alone is read in linear time."""


def read_small(body: bytes, *, cut: bool = False) -> SmallFile:
    """The facts of the beginning of a small file; never raises. `cut`: the body is the beginning of a longer one."""
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
    "page": lambda body, **details: load_pages().parse_page(body, **details),
    "robots": lambda body, **details: parse_robots(body),
    "sitemap": read_sitemap,
    "small": lambda body, cut, **details: read_small(body, cut=cut),
}
"""By kind of document: its reader, which takes the body and what it needs besides."""


def limit_process() -> None:
    """Limit this process to bounded memory, no processes, no core dump, and no file written but while it loads."""
    for kind, bound in (
        (resource.RLIMIT_AS, MEMORY),
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_NOFILE, 16),
        (resource.RLIMIT_NPROC, 0),
    ):
        resource.setrlimit(kind, (bound, bound))
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, LOADED_FILE))


def load_pages() -> ModuleType:
    """The module that reads pages. Its libraries take a second to load and unpack a model into a file; after that
    nothing is written any more."""
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


def end_with(parent: int) -> None:
    """End this process when its parent has ended. The parent's end of the pipe may stay open then, as another process
    may have it, too."""

    def look(number: int, frame: FrameType | None) -> None:
        if os.getppid() != parent:
            os._exit(0)

    signal.signal(signal.SIGALRM, look)
    signal.setitimer(signal.ITIMER_REAL, LOOK_SECONDS, LOOK_SECONDS)


def serve(pipe: Connection) -> None:
    """Answer requests until there are no more. While none waits, the libraries that read pages are loaded."""
    if not pipe.poll(0.02):
        load_pages()
    while True:
        try:
            details, body = orjson.loads(pipe.recv_bytes()), pipe.recv_bytes()
        except EOFError:
            return
        kind = details.pop("kind")
        times = SITEMAP_TIMES if kind == "sitemap" else 1
        grant_cpu(CPU_SECONDS * times + (LOADING_SECONDS if kind == "page" and _PAGES not in sys.modules else 0))
        pipe.send_bytes(_answer(kind, body, details))


def _answer(kind: str, body: bytes, details: dict[str, Any]) -> bytes:
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


def main() -> None:
    """Serve requests until there are no more."""
    end_with(int(sys.argv[2]))
    limit_process()
    serve(Connection(int(sys.argv[1])))


if __name__ == "__main__":
    main()
