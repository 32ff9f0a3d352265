"""Which pages of a site are asked for next: key pages first, then a fair part of each section.

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
"""Pages whose addresses differ in numbers or in values of parameters only, where neither home page nor sitemap names
them: calendars and filters have no end."""
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
    """An address that could be asked for: how it was found, from where, and how near to the home page."""

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


def choose(candidates: Iterable[Candidate], asked: Collection[str], room: int) -> list[Candidate]:
    """At most `room` of the candidates, in the order in which to ask for them. `asked`: addresses that were asked."""
    known = {page_key(url) for url in asked}
    alike = Counter(_shape(url) for url in asked)
    unknown = [each for each in _merged(candidates) if page_key(each.url) not in known and is_page(each.url)]
    chosen: list[Candidate] = []
    for each in _in_order(unknown):
        if len(chosen) == room:
            break
        shape = _shape(each.url)
        if shape and alike[shape] >= MAX_ALIKE and not each.listed and each.depth > 1:
            continue
        alike[shape] += 1
        chosen.append(each)
    return chosen


def _merged(candidates: Iterable[Candidate]) -> list[Candidate]:
    """Each page once: as the nearest link names it, with the time of the sitemap."""
    merged: dict[str, Candidate] = {}
    for each in candidates:
        key = page_key(each.url)
        known = merged.setdefault(key, each)
        nearer = min(known, each, key=lambda found: (found.depth, not found.navigation))
        merged[key] = replace(nearer, listed=known.listed or each.listed, lastmod=known.lastmod or each.lastmod)
    return list(merged.values())


def _in_order(candidates: Sequence[Candidate]) -> list[Candidate]:
    """Key pages, the other pages section by section in turn, and last what is not for readers."""
    first: list[Candidate] = []
    for kind in _KEY_KINDS:
        matching = sorted((each for each in candidates if kind.search(_told(each))), key=_nearness)
        first += matching[:PAGES_OF_A_KEY_KIND]
    sections: dict[str, list[Candidate]] = defaultdict(list)
    last: list[Candidate] = []
    for each in sorted(candidates, key=_nearness):
        if each in first:
            continue
        if _NOT_FOR_READERS.search(each.url):
            last.append(each)
        else:
            sections[_section(each.url)].append(each)
    turns = chain.from_iterable(zip_longest(*(sections[name] for name in sorted(sections))))
    readers_first = [each for each in dict.fromkeys(first) if not _NOT_FOR_READERS.search(each.url)]
    return [*readers_first, *(each for each in turns if each), *last]


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
