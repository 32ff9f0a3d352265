"""Pages whose texts are nearly the same, compared exactly: at most 50 pages make 1,225 pairs of sets."""

import re
from collections.abc import Sequence
from itertools import combinations

from visibility.audit.checks.addresses import page_key, path_of
from visibility.audit.checks.languages import same_language
from visibility.audit.checks.matching import words_in
from visibility.audit.checks.phrases.phrases import language_of
from visibility.audit.page import ParsedPage

RUN = 5
"""Words of a shingle."""
MIN_ALIKE = 0.85
"""Shared shingles, as a part of those of both pages, from which two pages are near-duplicates."""
MAX_WORDS = 20_000
"""Words of a page that are compared."""
_NUMBERED = re.compile(
    r"(?:^|[/?&_-])(?:page|p|seite|pagina|página|paged|start|offset)[/=_-]?\d{1,5}(?:$|[/&.])", re.IGNORECASE
)


def alike(pages: Sequence[ParsedPage]) -> list[tuple[ParsedPage, ParsedPage, float]]:
    """The pairs of pages that are nearly the same, with how much they share. Not told: versions for other languages
    or places, pages of one listing, and pages that name the same canonical address."""
    shingles = {page.url: _shingles(page) for page in pages}
    pairs = []
    for one, other in combinations(pages, 2):
        share = _share(shingles[one.url], shingles[other.url])
        if share >= MIN_ALIKE and not _rightly_alike(one, other):
            pairs.append((one, other, share))
    return pairs


def _shingles(page: ParsedPage) -> frozenset[int]:
    words = words_in(page.main_text)[:MAX_WORDS]
    return frozenset(hash(tuple(words[at : at + RUN])) for at in range(len(words) - RUN + 1))


def _share(one: frozenset[int], other: frozenset[int]) -> float:
    if not one or not other or min(len(one), len(other)) < MIN_ALIKE * max(len(one), len(other)):
        return 0.0
    both = len(one & other)
    return both / (len(one) + len(other) - both)


def _rightly_alike(one: ParsedPage, other: ParsedPage) -> bool:
    if not same_language(language_of(one), language_of(other)):
        return True
    if (
        one.kind == other.kind == "listing"
        or _NUMBERED.search(path_of(one.url))
        or _NUMBERED.search(path_of(other.url))
    ):
        return True
    versions = {page_key(link.url) for page in (one, other) for link in page.linked("alternate")}
    if page_key(other.url) in versions or page_key(one.url) in versions:
        return True
    return canonical_key(one) == canonical_key(other)


def canonical_key(page: ParsedPage) -> str:
    """The key of the address that a page says to be its own."""
    canonical = page.linked("canonical")
    return page_key(canonical[0].url if canonical and canonical[0].url else page.url)
