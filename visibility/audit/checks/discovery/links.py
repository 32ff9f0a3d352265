"""Canonical addresses and internal links (DIS-04 to DIS-06)."""

from collections import Counter
from collections.abc import Iterator, Mapping

from apikeys.text.sentences import counted, joined, one_line, shortened
from visibility.audit.checks.addresses import page_key, same_page, same_site
from visibility.audit.checks.pages import also, at_line, key_pages, outcome_of, readable
from visibility.audit.outcome import Check, Evidence, Outcome, failed, not_applicable
from visibility.audit.page import HeadLink, ParsedPage
from visibility.audit.site import Fetched, Site, SitePage

MAX_CLICKS = 3
MIN_ALIKE = 3
"""So many pages, or anchors, are a pattern."""
NO_LINK = 99
"""The depth of a page that no link led to."""
_REFUSED = frozenset({401, 402, 403, 405, 407, 429, 451})
"""4xx statuses that say who may come, or how often, and not that nothing is there."""
_EXPECTED = ("pricing", "about", "contact")
"""Kinds of pages that a home page leads to within a few clicks, however large the site is."""


def canonicals(site: Site) -> Outcome:
    """DIS-04: each page names one canonical address: absolute, answering, in its own language; not all the home
    page's."""
    pages = readable(site)
    answers = {page_key(page.fetched.url): page.fetched for page in site.pages}
    answers.update((page_key(answer.url), answer) for answer in site.sampled)
    languages = {page_key(page.url): page.lang_detected for page in pages}
    swallowed = _all_to_home(site, pages)
    headers = {page.url: page.fetched.header("link") for page in site.pages}
    faults: list[tuple[str, Evidence]] = []
    for page in pages:
        fault = next(_canonical_faults(page, headers.get(page.url, ""), answers, languages, swallowed), None)
        if fault:
            faults.append(fault)
    counts = Counter(kind for kind, _ in faults)
    cases = joined([f"{counted(number, 'page')} {kind}" for kind, number in counts.most_common()]) if counts else ""
    return outcome_of(len(pages), [evidence for _, evidence in faults], {"finding": f"Canonical addresses: {cases}."})


def key_links(site: Site) -> Outcome:
    """DIS-05: anchors that can be followed lead to the key pages within three clicks."""
    pages = site.parsed()
    if not pages:
        return not_applicable("No page was read.")
    home = pages[0]
    scripted = [link for link in home.links if not link.url]
    if len(scripted) >= MIN_ALIKE and len(scripted) == len(home.links):
        evidence = [
            at_line(home.url, link.line, shortened(one_line(link.href or link.text), 200)) for link in scripted
        ]
        many = counted(len(scripted), "anchor")
        return failed(
            evidence=evidence, words={"finding": f"The home page has {many}, and none of them can be followed."}
        )
    looked_at = [page for page in key_pages(site) if page.depth != 0]
    linked = {page_key(link.url) for page in pages for link in page.links if link.url}
    complete = linked <= _visited(site)
    problems = [fault for page in looked_at if (fault := _hard_to_reach(page, linked, complete=complete))]
    first = one_line(problems[0].url) if problems else ""
    far = f"“{first}” is not within {MAX_CLICKS} clicks of links from the home page."
    words = {"finding": f"{far} {also(len(problems))}".rstrip()}
    return outcome_of(len(looked_at), problems, words, none="No key page beside the home page was read.")


def broken_links(site: Site) -> Outcome:
    """DIS-06: internal links lead somewhere. Refused and throttled ones are not broken."""
    answers = [page.fetched for page in site.pages if page.found_by == "link"]
    linked = {page.fetched.url: page.linked_from for page in site.pages if page.linked_from} | dict(site.linked_from)
    answers += [answer for answer in site.sampled if answer.url in linked]
    home = site.home.url if site.home else site.home_url
    cases = {a.url: a for a in answers if same_site(a.url, home) and (a.status and a.status not in _REFUSED)}
    broken = [answer for answer in cases.values() if answer.status >= 400]
    evidence = [_linking(site, answer, linked.get(answer.url, "")) for answer in broken]
    if not cases:
        return not_applicable("No internal link was asked for.")
    if not broken:
        return outcome_of(len(cases), [], {})
    many = counted(
        len(broken), "address that internal links lead to answers", "addresses that internal links lead to answer"
    )
    words = {"finding": f"{many} with an error."}
    return failed(evidence=evidence, share=1 - len(broken) / len(cases), words=words)


def _canonical_faults(
    page: ParsedPage,
    header: str,
    answers: Mapping[str, Fetched],
    languages: Mapping[str, str],
    swallowed: bool,
) -> Iterator[tuple[str, Evidence]]:
    named = page.linked("canonical")
    if not named:
        if "canonical" not in header.lower():
            yield "without one", Evidence(page.url, "the head of the page", "no canonical address")
        return
    first = named[0]
    evidence = _shown(page, first)
    if len({page_key(link.url) for link in named}) > 1:
        yield "with several that differ", _shown(page, named[-1])
    if first.href and not first.href.strip().lower().startswith(("http://", "https://", "//")):
        yield "with one that is relative", evidence
    answer = answers.get(page_key(first.url))
    if answer and (answer.status == 404 or answer.status == 410 or answer.status >= 500):
        yield "with one that answers an error", evidence
    if swallowed and page.kind != "home":
        yield "with the home page's instead of their own", evidence
    other = languages.get(page_key(first.url), "")
    if other and page.lang_detected and other != page.lang_detected and not same_page(first.url, page.url):
        yield "with one in another language", evidence


def _shown(page: ParsedPage, link: HeadLink) -> Evidence:
    return at_line(
        page.url, link.line, f'<link rel="canonical" href="{shortened(one_line(link.href or link.url), 200)}">'
    )


def _all_to_home(site: Site, pages: list[ParsedPage]) -> bool:
    """Whether three pages or more, all but the home page, name the home page as theirs."""
    home = page_key(site.home.url) if site.home else ""
    others = [page for page in pages if page_key(page.url) != home]
    return len(others) >= MIN_ALIKE and all(
        page.linked("canonical") and page_key(page.linked("canonical")[0].url) == home for page in others
    )


def _visited(site: Site) -> set[str]:
    """The addresses that were asked for, and all that stand on other sites."""
    home = site.home.url if site.home else site.home_url
    visited = {page_key(page.fetched.url) for page in site.pages} | {page_key(page.url) for page in site.pages}
    visited |= {page_key(answer.url) for answer in site.sampled}
    outside = {
        page_key(link.url)
        for page in site.parsed()
        for link in page.links
        if link.url and not same_site(link.url, home)
    }
    return visited | outside


def _hard_to_reach(page: SitePage, linked: set[str], *, complete: bool) -> Evidence | None:
    """Told of a page that no link leads to only where that is certain: where every linked page was asked for, or the
    kind of page is one that a home page leads to."""
    if page_key(page.url) in linked or page_key(page.fetched.url) in linked:
        if MAX_CLICKS < page.depth < NO_LINK:
            return Evidence(page.url, "its way from the home page", f"{page.depth} clicks")
        return None
    expected = page.parsed is not None and page.parsed.kind in _EXPECTED
    if complete or expected:
        return Evidence(page.url, "the pages read", "no link leads here")
    return None


def _linking(site: Site, answer: Fetched, source: str) -> Evidence:
    """The link on the page that has it."""
    for page in site.parsed():
        if source and not same_page(page.url, source):
            continue
        for link in page.links:
            if link.url and page_key(link.url) == page_key(answer.url):
                return at_line(page.url, link.line, f'<a href="{link.href or link.url}"> answers {answer.status}')
    return Evidence(source or answer.url, "a link", f"{one_line(answer.url)} answers {answer.status}")


CHECKS: Mapping[str, Check] = {"DIS-04": canonicals, "DIS-05": key_links, "DIS-06": broken_links}
