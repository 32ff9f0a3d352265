"""The stage of sitemaps: those that robots.txt names, else the usual place, with the files that an index lists."""

from collections import deque
from typing import Literal

from visibility.audit.checks.addresses import joined_to, split, spread
from visibility.audit.parse.sitemaps import ReadSitemap
from visibility.audit.site import Sitemap
from visibility.pipeline.audit.addresses import on_site, origin_of
from visibility.pipeline.audit.client import Client, Reply
from visibility.pipeline.audit.reading import FileReader
from visibility.pipeline.audit.rules import Rules

MAX_FILES = 12
MAX_OF_AN_INDEX = 8
MAX_DEPTH = 2

Place = Literal["robots.txt", "guess", "index"]


async def sitemaps_of(client: Client, files: FileReader, home_url: str, rules: Rules) -> tuple[Sitemap, ...]:
    """The sitemaps of the site, at most `MAX_FILES` files, an index before what it lists.

    One that robots.txt names by a relative address is looked for beside robots.txt.
    """
    robots_url = rules.robots.fetched.final_url or home_url
    relative = {joined_to(robots_url, written): written for written in rules.sitemaps if not split(written).scheme}
    absolute = [written for written in rules.sitemaps if split(written).scheme]
    waiting: deque[tuple[str, Place, int]] = deque((url, "robots.txt", 0) for url in [*absolute, *relative] if url)
    if not waiting:
        waiting.append((f"{origin_of(home_url)}/sitemap.xml", "guess", 0))
    known: set[str] = set()
    sitemaps: list[Sitemap] = []
    while waiting and len(sitemaps) < MAX_FILES and not client.out_of_bytes:
        url, place, depth = waiting.popleft()
        if url in known:
            continue
        known.add(url)
        reply = await client.sitemap(on_site(url, home_url) or url)
        key, read = await _read(files, reply)
        written = relative.get(url, "") if place == "robots.txt" else ""
        sitemaps.append(
            Sitemap(
                reply.fetched, place, read.kind, read.entries, read.total, read.problem, written, read.children, key
            )
        )
        if depth < MAX_DEPTH:
            waiting.extend((child, "index", depth + 1) for child in spread(read.children, MAX_OF_AN_INDEX))
    return tuple(sitemaps)


async def _read(files: FileReader, reply: Reply) -> tuple[str, ReadSitemap]:
    """What the answer is as a sitemap, and the key of that."""
    fetched = reply.fetched
    if not fetched.answered:
        return "", ReadSitemap("", problem=fetched.detail or f"The address answered {fetched.status}.")
    return await files.sitemap(reply)
