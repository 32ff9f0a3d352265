"""The stage of sitemaps: those that robots.txt names, else the usual place, with the files that an index lists."""

from collections import deque
from collections.abc import Sequence
from typing import Literal

from visibility.audit.checks.addresses import spread
from visibility.audit.parse.sitemaps import read_sitemap
from visibility.audit.site import Sitemap
from visibility.pipeline.audit.addresses import origin_of
from visibility.pipeline.audit.client import Client

MAX_FILES = 12
MAX_OF_AN_INDEX = 8
MAX_DEPTH = 2
MAX_ENTRIES = 1_000
"""Of a file, spread over all of it: more would not change which pages are chosen."""

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
        sitemap, listed = read_sitemap(reply.body, fetched=reply.fetched, listed_in=place, max_entries=MAX_ENTRIES)
        found.append(sitemap)
        if depth < MAX_DEPTH:
            waiting.extend((each, "index", depth + 1) for each in spread(listed, MAX_OF_AN_INDEX))
    return tuple(found)
