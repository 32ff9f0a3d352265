"""Canonical addresses and internal links (DIS-04 to DIS-06)."""

from collections import Counter
from collections.abc import Iterator, Mapping

from apikeys.text.sentences import counted, joined, one_line, shortened
from visibility.audit.checks.addresses import page_key, same_page, same_site
from visibility.audit.checks.pages import also, at_line, key_pages, outcome_of, readable
from visibility.audit.outcome import Check, Evidence, Outcome, failed, not_applicable, theirs
from visibility.audit.page import HeadLink, ParsedPage
from visibility.audit.site import Fetched, Site, SitePage

MAX_CLICKS = 3
MIN_ALIKE = 3
"""So many pages, or anchors, are a pattern."""
NO_LINK = 99
"""The depth of a page that no link led to."""
_REFUSED = frozenset({401, 402, 403, 405, 407, 429, 451})
"""4xx statuses that say who may come, or how often, and not that nothing is there."""
_FAILING, _HOMES, _FOREIGN = _LOSING = (
    "with one that answers an error",
    "with the home page's instead of their own",
    "with one in another language",
)
"""What takes the page itself out of the index."""
_OWN = '<link rel="canonical" href="[the page\'s own absolute address]">'
_EXPECTED = ("pricing", "about", "contact")
"""Kinds of pages that a home page leads to within a few clicks, however large the site is."""


def canonicals(site: Site) -> Outcome:
    """DIS-04: each page names one canonical address: absolute, answering, in its own language; not all the home
    page's. A page whose address is said to be another is lost."""
    pages = readable(site)
    faults = canonical_faults(site)
    counts = Counter(kind for kind, _ in faults)
    order = sorted(counts, key=lambda kind: (kind not in _LOSING, -counts[kind]))
    cases = joined([f"{counted(counts[kind], 'page')} {kind}" for kind in order]) if counts else ""
    away = sum(counts[kind] for kind in _LOSING)
    so = f" {_out_of_the_index(away)}" if away else ""
    of = counted(len(pages), "page")
    verb = "names" if len(faults) == 1 else "name"
    words = {"finding": f"{len(faults)} of {of} {verb} a wrong canonical address or none: {cases}.{so}"}
    faults.sort(key=lambda fault: order.index(fault[0]))
    lost = away / len(pages) if pages else 0.0
    return outcome_of(len(pages), [evidence for _, evidence in faults], words, lost=lost)


def canonical_faults(site: Site) -> list[tuple[str, Evidence]]:
    """What is wrong with the canonical address of each page, one fault a page."""
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
    return faults


def misnamed(site: Site) -> set[str]:
    """The keys of the pages that say to be a page which they are no copy of: they are lost."""
    return {page_key(evidence.url) for kind, evidence in canonical_faults(site) if kind in _LOSING}


def _out_of_the_index(number: int) -> str:
    them = "it" if number == 1 else "them"
    return f"Search engines take another address for {them}, or none: machines that answer do not find {them}."


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
    first = theirs(problems[0].url) if problems else ""
    far = f"{first} cannot be reached from the home page in {MAX_CLICKS} clicks."
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
    known = site.coverage["link"].known if "link" in site.coverage else len(cases)
    beside = f" (of {known:,} that pages link)" if known > len(cases) else ""
    verb = "answers" if len(broken) == 1 else "answer"
    addresses = counted(len(cases), "internal address", "internal addresses")
    words = {"finding": f"{len(broken):,} of {addresses} asked for{beside} {verb} with an error."}
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
            yield "without one", Evidence(page.url, "the head of the page", "no canonical address", to=_OWN)
        return
    first = named[0]
    evidence = _shown(page, first)
    answer = answers.get(page_key(first.url))
    if answer and (answer.status == 404 or answer.status == 410 or answer.status >= 500):
        yield _FAILING, evidence
    if swallowed and page.kind != "home":
        yield _HOMES, evidence
    other = languages.get(page_key(first.url), "")
    if other and page.lang_detected and other != page.lang_detected and not same_page(first.url, page.url):
        yield _FOREIGN, evidence
    if len({page_key(link.url) for link in named}) > 1:
        yield "with several that differ", _shown(page, named[-1])
    if first.href and not first.href.strip().lower().startswith(("http://", "https://", "//")):
        yield "with one that is relative", evidence


def _shown(page: ParsedPage, link: HeadLink) -> Evidence:
    href = shortened(one_line(link.href or link.url), 200)
    own = f'<link rel="canonical" href="{page.url}">'
    return Evidence(page.url, f"line {link.line}", f'<link rel="canonical" href="{href}">', to=own)


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
