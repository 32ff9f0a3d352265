"""Versions of pages for other languages and places (DIS-08)."""

import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from apikeys.text.sentences import counted, joined, one_line, shortened
from visibility.audit.checks.addresses import page_key, same_page, split
from visibility.audit.checks.languages import primary
from visibility.audit.checks.pages import at_line, outcome_of
from visibility.audit.outcome import Check, Evidence, Outcome, failed, not_applicable
from visibility.audit.page import HeadLink, ParsedPage
from visibility.audit.site import Fetched, Site

_CODE = re.compile(r"([a-z]{2,3})(?:[-_]([a-z]{4}))?(?:[-_]([a-z]{2}|\d{3}))?", re.IGNORECASE)
MIN_TREE = 2
"""Pages of a language below its code in the address that are a tree of their own."""
_CODES = json.loads(Path(__file__).with_name("codes.json").read_bytes())
LANGUAGES = frozenset(_CODES["languages"])
"""ISO 639-1."""
PLACES = frozenset(_CODES["places"])
"""ISO 3166-1 of two letters, and XK."""


def versions(site: Site) -> Outcome:
    """DIS-08: codes of languages are valid, versions answer, each page lists itself among its versions, and they list
    it; pages of several languages name their versions at all."""
    read = {page_key(page.url): page for page in site.parsed() if _is_canonical(page)}
    naming = [page for page in read.values() if _versions(page)]
    if not naming:
        return _unnamed(site, list(read.values()))
    answers = {page_key(answer.url): answer for answer in site.sampled}
    answers |= {page_key(page.fetched.url): page.fetched for page in site.pages}
    faults = [fault for page in naming for fault in _first_of_each(_faults(page, read, answers))]
    counts = Counter(kind for kind, _ in faults)
    cases = joined([f"{counted(number, 'page')} {kind}" for kind, number in counts.most_common()]) if counts else ""
    finding = f"Of {counted(len(naming), 'page')} with language versions (hreflang): {cases}."
    return outcome_of(len(naming), [evidence for _, evidence in faults], {"finding": finding})


def _first_of_each(faults: Iterable[tuple[str, Evidence]]) -> list[tuple[str, Evidence]]:
    """Of each kind of fault of a page the first."""
    first: dict[str, Evidence] = {}
    for kind, evidence in faults:
        first.setdefault(kind, evidence)
    return list(first.items())


def _unnamed(site: Site, pages: Sequence[ParsedPage]) -> Outcome:
    """Where no page names a version: a fault where the site has a tree of pages for each of several languages."""
    trees: dict[str, list[ParsedPage]] = defaultdict(list)
    for page in pages:
        part = split(page.url).path.lstrip("/").partition("/")[0]
        # At least a language of its own below the path of its code: mixed languages in one tree need no versions.
        trees[page.lang_detected if primary(part) == page.lang_detected else ""].append(page)
    codes = [code for code, tree in trees.items() if code and len(tree) >= MIN_TREE]
    home = site.home.parsed.lang_detected if site.home and site.home.parsed else ""
    said = any("hreflang" in page.fetched.header("link") for page in site.pages)
    if said or not codes or (len(codes) == 1 and home in ("", codes[0])):
        return not_applicable("No page names versions for other languages (hreflang).")
    evidence = [Evidence(page.url, "the head of the page", "no hreflang") for code in codes for page in trees[code]]
    finding = (
        f"There are pages in {joined(sorted({home or codes[0], *codes}))}, and no page names its versions in other "
        "languages (hreflang)."
    )
    return failed(evidence=evidence, words={"finding": finding})


def valid_code(code: str) -> bool:
    """Whether a value of hreflang names a language that exists and, where it names one, a place that exists."""
    if code.lower() == "x-default":
        return True
    parts = _CODE.fullmatch(code)
    if not parts or (len(parts[1]) == 2 and parts[1].lower() not in LANGUAGES) or "_" in code:
        return False
    return not parts[3] or parts[3].isdigit() or parts[3].upper() in PLACES


def _faults(
    page: ParsedPage, read: Mapping[str, ParsedPage], answers: Mapping[str, Fetched]
) -> Iterator[tuple[str, Evidence]]:
    named = _versions(page)
    for link in named:
        answer = answers.get(page_key(link.url))
        if answer and (answer.status >= 500 or answer.status in (404, 410)):
            quote = f"{_element(link)} answers {answer.status}"
            yield "with a version that answers an error", at_line(page.url, link.line, quote)
    for link in named:
        if not valid_code(link.hreflang.strip()):
            yield "with a code that names no language or place", at_line(page.url, link.line, _element(link))
    for link in named:
        other = read.get(page_key(link.url))
        if other is None or same_page(link.url, page.url) or link.hreflang.strip().lower() == "x-default":
            continue
        if not any(same_page(back.url, page.url) for back in _versions(other)):
            yield "with a version that does not name it back", at_line(page.url, link.line, _element(link))
    if not any(same_page(link.url, page.url) for link in named):
        to = f'<link rel="alternate" hreflang="{page.lang_declared or page.lang_detected}" href="{page.url}">'
        missing = Evidence(page.url, "the head of the page", "no link to the page itself", to=to)
        yield "without itself among its versions", missing


def _versions(page: ParsedPage) -> list[HeadLink]:
    return [link for link in page.linked("alternate") if link.hreflang.strip()]


def _is_canonical(page: ParsedPage) -> bool:
    named = page.linked("canonical")
    return not named or same_page(named[0].url, page.url)


def _element(link: HeadLink) -> str:
    href, code = shortened(one_line(link.href or link.url), 180), shortened(one_line(link.hreflang), 40)
    return f'<link rel="alternate" hreflang="{code}" href="{href}">'


CHECKS: Mapping[str, Check] = {"DIS-08": versions}
