"""The stage of sitemaps: those that robots.txt names, else the usual place, with the files that an index lists."""

import asyncio
from collections import deque
from collections.abc import Sequence
from typing import Literal

from visibility.audit.checks.addresses import spread
from visibility.audit.fetch.inflate import BrokenGzip, inflate
from visibility.audit.parse.sitemaps import read_sitemap
from visibility.audit.site import Sitemap
from visibility.pipeline.audit.addresses import origin_of
from visibility.pipeline.audit.client import Client, Reply

MAX_FILES = 12
MAX_OF_AN_INDEX = 8
MAX_DEPTH = 2
MAX_BYTES = 8 * 2**20
"""Of a file, unpacked."""
MAX_ENTRIES = 1_000
"""Of a file, spread over all of it: more would not change which pages are chosen."""

_GZIP = b"\x1f\x8b"
Place = Literal["robots.txt", "guess", "index"]


async def sitemaps_of(client: Client, home_url: str, named: Sequence[str]) -> tuple[Sitemap, ...]:
    """The sitemaps of the site, at most `MAX_FILES` files, an index before what it lists."""
    waiting: deque[tuple[str, Place, int]] = deque((url, "robots.txt", 0) for url in dict.fromkeys(named))
    if not waiting:
        waiting.append((f"{origin_of(home_url)}/sitemap.xml", "guess", 0))
    seen: set[str] = set()
    found: list[Sitemap] = []
    while waiting and len(found) < MAX_FILES:
        url, place, depth = waiting.popleft()
        if url in seen:
            continue
        seen.add(url)
        reply = await client.page(url)
        sitemap, children = await asyncio.to_thread(_read, reply, place)
        found.append(sitemap)
        if depth < MAX_DEPTH:
            waiting.extend((each, "index", depth + 1) for each in spread(children, MAX_OF_AN_INDEX))
    return tuple(found)


def _read(reply: Reply, place: Place) -> tuple[Sitemap, tuple[str, ...]]:
    """What the answer is as a sitemap, and the files that it lists where it is an index."""
    fetched = reply.fetched
    if not fetched.answered:
        told = fetched.detail or f"The address answered {fetched.status}."
        return Sitemap(fetched, place, problem=told), ()
    try:
        body = inflate(reply.body, MAX_BYTES)[0] if reply.body.startswith(_GZIP) else reply.body
    except BrokenGzip:
        return Sitemap(fetched, place, problem="The file is damaged: it cannot be unpacked."), ()
    read = read_sitemap(body, fetched.final_url)
    step = max(-(-len(read.entries) // MAX_ENTRIES), 1)
    kept = read.entries[::step]
    return Sitemap(fetched, place, read.kind, kept, read.total, read.problem), read.children
