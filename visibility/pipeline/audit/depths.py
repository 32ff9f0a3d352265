"""How many clicks pages are away from the home page, by the links of the pages that were read."""

from collections import defaultdict, deque
from collections.abc import Mapping, Sequence

from visibility.audit.checks.addresses import page_key
from visibility.audit.page import ParsedPage

NOWHERE = 99
"""The depth of a page that no link led to."""


def depths_of(pages: Sequence[tuple[str, ParsedPage]]) -> Mapping[str, int]:
    """Clicks by the key of an address, for all that these pages link; the first of them is the home page."""
    links = {page_key(address): {page_key(link.url) for link in page.links if link.url} for address, page in pages}
    depths: dict[str, int] = defaultdict(lambda: NOWHERE)
    waiting = deque([page_key(address) for address, _ in pages[:1]])
    for key in waiting:
        depths[key] = 0
    while waiting:
        key = waiting.popleft()
        for linked in links.get(key, ()):
            if linked not in depths:
                depths[linked] = depths[key] + 1
                waiting.append(linked)
    return depths


def first_links(pages: Sequence[tuple[str, ParsedPage]]) -> Mapping[str, str]:
    """The first page that links an address, by the address's key."""
    found: dict[str, str] = {}
    for address, page in pages:
        for link in page.links:
            if link.url:
                found.setdefault(page_key(link.url), address)
    return found
