"""Which pages of a site are crawled next: key pages first, then pages of each section in turn, then the rest.

The choice depends on stored facts alone, so that an interrupted audit goes on with the same pages.
"""

import re
from collections import Counter, defaultdict, deque
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from itertools import chain, islice, zip_longest
from urllib.parse import urlsplit

from visibility.audit.addresses import is_private, page_key
from visibility.audit.facts import NOWHERE, ParsedPage

MAX_ALIKE = 10
"""More pages whose addresses differ only in numbers or values of parameters come last: calendars and filters have no
end."""
PAGES_OF_A_KEY_KIND = 2
_KEY_KINDS = tuple(
    re.compile(rf"\b(?:{words})\b", re.IGNORECASE)
    for words in (
        r"about|about-us|company|who-we-are|ueber-uns|uber-uns|unternehmen|a-propos|qui-sommes-nous|sobre|nosotros",
        r"pricing|prices|plans|preise|tarifs?|precios|prezzi",
        r"products?|features?|solutions?|services?|platform|shop|produkte?|leistungen|produits?|productos?|servicios",
        r"contact|contact-us|kontakt|contacto|contatti|impressum|imprint",
        r"guides?|docs|documentation|help|support|faqs?|blog|articles?|resources|learn|ratgeber|hilfe|aide|ayuda",
    )
)
_NO_PAGE = re.compile(
    r"\.(?:7z|avi|bmp|bz2|css|csv|dmg|docx?|eot|epub|exe|gif|gz|ico|iso|jar|jpe?g|js|json|m4[av]|mkv|mov|mp[34]|msi|"
    r"ogg|otf|pdf|png|pptx?|rar|rss|svg|tar|tgz|tiff?|ttf|txt|wav|webm|webp|woff2?|xlsx?|xml|xz|zip)$",
    re.IGNORECASE,
)
_ACTION = re.compile(r"[?&](?:add-to-cart|replytocom)=")


@dataclass(frozen=True, slots=True)
class Candidate:
    """An address that could be crawled: the text of the link to it, whether that is in the navigation, and how many
    clicks from the home page."""

    url: str
    text: str = ""
    navigation: bool = False
    depth: int = NOWHERE


def choose(candidates: Iterable[Candidate], crawled: Collection[str], room: int) -> list[Candidate]:
    """At most `room` of the candidates, in the order in which to ask for them; more than MAX_ALIKE of a shape only
    where there is nothing else. `crawled`: addresses that were asked for already."""
    known = {page_key(url) for url in crawled}
    alike = Counter(_shape(url) for url in crawled)
    fair: list[Candidate] = []
    more: list[Candidate] = []
    for candidate in _in_order([each for key, each in _merged(candidates).items() if key not in known]):
        shape = _shape(candidate.url)
        alike[shape] += 1
        (more if shape and alike[shape] > MAX_ALIKE else fair).append(candidate)
    return (fair or more)[:room]


def depths_of(pages: Sequence[ParsedPage]) -> dict[str, int]:
    """Clicks from the home page, which is the first, by the key of an address, for all that these pages link."""
    urls = {page.url: [*(link.url for link in page.links), page.leads_to] for page in pages}
    links = {page_key(url): {page_key(linked) for linked in many if linked} for url, many in urls.items()}
    depths = {page_key(page.url): 0 for page in pages[:1]}
    waiting = deque(depths)
    while waiting:
        key = waiting.popleft()
        for linked in links.get(key, ()):
            if linked not in depths:
                depths[linked] = depths[key] + 1
                waiting.append(linked)
    return depths


def _merged(candidates: Iterable[Candidate]) -> dict[str, Candidate]:
    """Each page once, by its key: as the nearest link names it."""
    merged: dict[str, Candidate] = {}
    for candidate in candidates:
        if _NO_PAGE.search(urlsplit(candidate.url).path):
            continue
        key = page_key(candidate.url)
        known = merged.setdefault(key, candidate)
        merged[key] = min(known, candidate, key=lambda each: (each.depth, not each.navigation))
    return merged


def _in_order(candidates: Sequence[Candidate]) -> list[Candidate]:
    """Key pages, the other pages section by section in turn, and last those that are not for readers."""
    nearest = sorted(candidates, key=lambda each: (each.depth, not each.navigation, len(each.url), each.url))
    readers = [candidate for candidate in nearest if not _is_last(candidate.url)]
    first: dict[str, Candidate] = {}
    for kind in _KEY_KINDS:
        matching = (candidate for candidate in readers if kind.search(_words(candidate)))
        first |= {candidate.url: candidate for candidate in islice(matching, PAGES_OF_A_KEY_KIND)}
    sections: dict[str, list[Candidate]] = defaultdict(list)
    for candidate in readers:
        if candidate.url not in first:
            sections[_section(candidate.url)].append(candidate)
    turns = chain.from_iterable(zip_longest(*(sections[name] for name in sorted(sections))))
    last = [candidate for candidate in nearest if _is_last(candidate.url)]
    return [*first.values(), *(candidate for candidate in turns if candidate), *last]


def _is_last(url: str) -> bool:
    """Whether an address is not for readers: it is private, or requesting it changes something."""
    return is_private(url) or _ACTION.search(url) is not None


def _words(candidate: Candidate) -> str:
    """The words for a page in its address and link: the last part of the path, and the link's text if short."""
    last = urlsplit(candidate.url).path.rstrip("/").rpartition("/")[2]
    return f"{last} {candidate.text if len(candidate.text) < 30 else ''}"


def _section(url: str) -> str:
    path = urlsplit(url).path
    return path.lstrip("/").partition("/")[0] if path.count("/") > 1 else ""


def _shape(url: str) -> str:
    """The address with its numbers and the values of its parameters left out; empty where it has neither."""
    parts = urlsplit(url)
    path = re.sub(r"\d+", "#", parts.path)
    names = ",".join(sorted(pair.partition("=")[0] for pair in parts.query.split("&") if pair))
    return f"{path}?{names}" if names or "#" in path else ""
