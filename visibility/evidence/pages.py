"""The sentences of the site's own pages, each with its place in the main text of its page."""

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple
from urllib.parse import unquote, urlsplit

from visibility.audit import ParsedPage
from visibility.evidence.resources import Quote

LONGEST = 600
"""Characters: what is longer was never written as one sentence."""
SPEAKING = ("home", "product", "pricing", "about")
"""Kinds of pages on which a site speaks of itself and what it sells."""
_END = re.compile(
    r"(?<![\s.][A-Z])(?<!\b(?:sq|vs|Dr|St|Mr|No|oz|lb|ft|ca))(?<!\b(?:Mrs|inc|Inc|e\.g|i\.e|bzw|z\.B))(?<!\bapprox)"
    r"[.!?…][\"”’)\]]{0,3}\s+(?=[\"“(]?[^\W\d_a-zß-ÿ]|\d)|[。！？]\s{0,3}"
)
ENDED = re.compile(r"[.!?…。！？][\"”’)»]{0,3}\Z")
_FEATURES = re.compile(
    r"(?:our-|key-|product-)?(?:features?|why(?:-[a-z0-9-]{1,40})?|what-we-do|capabilities|solutions?|funktionen|vorteile"
    r"|fonctionnalites|caracteristicas)(?:\.\w{1,5})?"
)
_BY_CUSTOMERS = re.compile(
    r"\b(?:reviews?|testimonials?|bewertungen|kundenstimmen|avis|opiniones)\b"
    r"|\bwhat (?:\w+ ){0,3}(?:customers|users|clients|people) (?:say|think|love)",
    re.IGNORECASE,
)
_SET_ASIDE = re.compile(
    r"\bcookies?\b|\bpersonal (?:data|information)\b|\bprivacy (?:policy|notice)\b|\bconsents?\b|\bunsubscribe\b"
    r"|\bterms (?:of|and)\b",
    re.IGNORECASE,
)


class Sentence(NamedTuple):
    """A sentence at `start:end` of the main text of a page."""

    text: str
    start: int
    end: int
    page: ParsedPage

    @property
    def quote(self) -> Quote:
        """The sentence with its place."""
        return Quote(text=self.text, start=self.start, end=self.end, url=self.page.url)


def speaks_for_itself(page: ParsedPage) -> bool:
    """Whether it is a page on which the site speaks of itself: home, product, prices, features, about."""
    segments = unquote(urlsplit(page.url).path).casefold().strip("/").split("/")
    return page.kind in SPEAKING or any(map(_FEATURES.fullmatch, segments))


def sentences_of(pages: Iterable[ParsedPage]) -> Iterator[Sentence]:
    """The sentences that the site itself wrote in paragraphs and items: no headings, no words of customers, nothing
    on cookies. What several pages repeat comes once."""
    known: set[str] = set()
    for page in pages:
        for block in page.blocks:
            if block.kind not in ("paragraph", "item") or block.text in known:
                continue
            known.add(block.text)
            if any(map(_BY_CUSTOMERS.search, block.path)):
                continue
            for start, end in _spans(block.text):
                text = block.text[start:end]
                if len(text) <= LONGEST and not _SET_ASIDE.search(text):
                    yield Sentence(text, block.offset + start, block.offset + end, page)


def _spans(text: str) -> Iterator[tuple[int, int]]:
    start = 0
    for end in _END.finditer(text):
        yield start, start + len(text[start : end.end()].rstrip())
        start = end.end()
    if start < len(text):
        yield start, len(text)
