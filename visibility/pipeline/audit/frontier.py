"""Which pages of a site are crawled for next: key pages first, then a fair part of candidate section.

The same pages are chosen whatever order answers came in, so that an audit that was interrupted asks for the same.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date
from itertools import chain, zip_longest
from typing import Literal
from urllib.parse import urlsplit

from visibility.audit.checks.addresses import page_key

MAX_ALIKE = 10
"""So many pages whose addresses differ in numbers or in values of parameters only are asked for at first. More of
them only when nothing else is left, and near the home page or in a sitemap: calendars and filters have no end."""
NEAR, NEAR_WITH_PARAMETERS = 3, 1
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
_NOT_FOR_READERS = re.compile(
    r"/(?:cart|basket|checkout|warenkorb|panier|wp-admin|wp-login\.php|wp-json|cgi-bin|login|signin|sign-in|logout|"
    r"register|signup|sign-up|account|my-account|search)(?:/|$)|add-to-cart=|replytocom=",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Candidate:
    """An address that could be crawled for: how it was other, from where, and how near to the home page."""

    url: str
    found_by: Literal["sitemap", "link"]
    text: str = ""
    """Of the link."""
    navigation: bool = False
    linked_from: str = ""
    depth: int = 99
    listed: bool = False
    """In a sitemap."""
    lastmod: date | None = None


def is_page(url: str) -> bool:
    """Whether the address can be one of an HTML page, as far as it tells."""
    return not _NO_PAGE.search(urlsplit(url).path)


def choose(candidates: Iterable[Candidate], crawled: Collection[str], room: int) -> list[Candidate]:
    """At most `room` of the candidates, in the order in which to ask for them. `crawled`: addresses
    that were asked already."""
    known = {page_key(url) for url in crawled}
    alike = Counter(_shape(url) for url in crawled)
    unknown = [
        candidate
        for candidate in _merged(candidates)
        if page_key(candidate.url) not in known and is_page(candidate.url)
    ]
    chosen: list[Candidate] = []
    more_alike: list[Candidate] = []
    for candidate in _in_order(unknown):
        shape = _shape(candidate.url)
        if not shape or alike[shape] < MAX_ALIKE:
            alike[shape] += 1
            chosen.append(candidate)
        elif _has_an_end(candidate):
            more_alike.append(candidate)
    return (chosen or more_alike)[:room]


def _has_an_end(candidate: Candidate) -> bool:
    """Whether the page is one of a number that somebody wrote down, as far as can be told."""
    near = NEAR_WITH_PARAMETERS if urlsplit(candidate.url).query else NEAR
    return candidate.listed or candidate.depth <= near


def _merged(candidates: Iterable[Candidate]) -> list[Candidate]:
    """Each page once: as the nearest link names it, with the time of the sitemap."""
    merged: dict[str, Candidate] = {}
    for candidate in candidates:
        key = page_key(candidate.url)
        known = merged.setdefault(key, candidate)
        nearer = min(known, candidate, key=lambda other: (other.depth, not other.navigation))
        merged[key] = replace(
            nearer, listed=known.listed or candidate.listed, lastmod=known.lastmod or candidate.lastmod
        )
    return list(merged.values())


def _in_order(candidates: Sequence[Candidate]) -> list[Candidate]:
    """Key pages, the other pages section by section in turn, and last what is not for readers."""
    first: list[Candidate] = []
    for kind in _KEY_KINDS:
        matching = sorted((candidate for candidate in candidates if kind.search(_told(candidate))), key=_nearness)
        first += matching[:PAGES_OF_A_KEY_KIND]
    sections: dict[str, list[Candidate]] = defaultdict(list)
    last: list[Candidate] = []
    for candidate in sorted(candidates, key=_nearness):
        if candidate in first:
            continue
        if _NOT_FOR_READERS.search(candidate.url):
            last.append(candidate)
        else:
            sections[_section(candidate.url)].append(candidate)
    turns = chain.from_iterable(zip_longest(*(sections[name] for name in sorted(sections))))
    readers_first = [candidate for candidate in dict.fromkeys(first) if not _NOT_FOR_READERS.search(candidate.url)]
    return [*readers_first, *(candidate for candidate in turns if candidate), *last]


def _nearness(candidate: Candidate) -> tuple[int, bool, int, str]:
    return candidate.depth, not candidate.navigation, len(candidate.url), candidate.url


def _told(candidate: Candidate) -> str:
    """What address and link say of the page: the last part of its path, and a short text of the link."""
    last = urlsplit(candidate.url).path.rstrip("/").rpartition("/")[2]
    return f"{last} {candidate.text if len(candidate.text) < 30 else ''}"


def _section(url: str) -> str:
    return urlsplit(url).path.lstrip("/").partition("/")[0] if urlsplit(url).path.count("/") > 1 else ""


def _shape(url: str) -> str:
    """The address with its numbers and the values of its parameters left out; empty where it has neither."""
    parts = urlsplit(url)
    path = re.sub(r"\d+", "#", parts.path)
    names = ",".join(sorted(pair.partition("=")[0] for pair in parts.query.split("&") if pair))
    return f"{path}?{names}" if names or "#" in path else ""
