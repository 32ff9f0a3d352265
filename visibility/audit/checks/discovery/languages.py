"""Versions of pages for other languages and places (DIS-08)."""

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path

from apikeys.text.sentences import counted, joined, one_line, shortened
from visibility.audit.checks.addresses import page_key, same_page
from visibility.audit.checks.pages import at_line, outcome_of
from visibility.audit.outcome import Check, Evidence, Outcome
from visibility.audit.page import HeadLink, ParsedPage
from visibility.audit.site import Site

_CODE = re.compile(r"([a-z]{2,3})(?:[-_]([a-z]{4}))?(?:[-_]([a-z]{2}|\d{3}))?", re.IGNORECASE)
_CODES = json.loads(Path(__file__).with_name("codes.json").read_bytes())
LANGUAGES = frozenset(_CODES["languages"])
"""ISO 639-1."""
PLACES = frozenset(_CODES["places"])
"""ISO 3166-1 of two letters, and XK."""


def versions(site: Site) -> Outcome:
    """DIS-08: codes of languages are valid, each page lists itself among its versions, and its versions list it."""
    pages = {page_key(page.url): page for page in site.parsed() if _versions(page) and _is_canonical(page)}
    faults = [fault for page in pages.values() if (fault := next(_faults(page, pages), None))]
    counts = Counter(kind for kind, _ in faults)
    cases = joined([f"{counted(number, 'page')} {kind}" for kind, number in counts.most_common()]) if counts else ""
    return outcome_of(
        len(pages),
        [evidence for _, evidence in faults],
        {"finding": f"Language versions (hreflang): {cases}."},
        none="No page names versions for other languages (hreflang).",
    )


def valid_code(code: str) -> bool:
    """Whether a value of hreflang names a language that exists and, where it names one, a place that exists."""
    if code.lower() == "x-default":
        return True
    parts = _CODE.fullmatch(code)
    if not parts or (len(parts[1]) == 2 and parts[1].lower() not in LANGUAGES) or "_" in code:
        return False
    return not parts[3] or parts[3].isdigit() or parts[3].upper() in PLACES


def _faults(page: ParsedPage, pages: Mapping[str, ParsedPage]) -> Iterator[tuple[str, Evidence]]:
    named = _versions(page)
    for link in named:
        if not valid_code(link.hreflang.strip()):
            yield "with a code that names no language or place", _shown(page, link)
    if not any(same_page(link.url, page.url) for link in named):
        yield "without itself among its versions", _shown(page, named[0])
    for link in named:
        other = pages.get(page_key(link.url))
        if other and not any(same_page(back.url, page.url) for back in _versions(other)):
            yield "with a version that does not name it back", _shown(page, link)


def _versions(page: ParsedPage) -> list[HeadLink]:
    return [link for link in page.linked("alternate") if link.hreflang.strip()]


def _is_canonical(page: ParsedPage) -> bool:
    named = page.linked("canonical")
    return not named or same_page(named[0].url, page.url)


def _shown(page: ParsedPage, link: HeadLink) -> Evidence:
    href, code = shortened(one_line(link.href or link.url), 180), shortened(one_line(link.hreflang), 40)
    return at_line(page.url, link.line, f'<link rel="alternate" hreflang="{code}" href="{href}">')


CHECKS: Mapping[str, Check] = {"DIS-08": versions}
