"""Discovery: sitemaps, canonical addresses, links, titles and language versions (DIS)."""

import json
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from pathlib import Path

from visibility.audit.addresses import joined, on_site, page_key, same_page, same_site, split, spread
from visibility.audit.checks.directives import barring
from visibility.audit.checks.pages import key_pages, readable
from visibility.audit.facts import NOWHERE, Fetched, HeadLink, Link, ParsedPage, Site, Sitemap, SitePage
from visibility.audit.outcome import Evidence, Outcome, at_line, failed, inconclusive, judged, not_applicable, passed
from visibility.audit.sentences import also, counted, listed, shortened, theirs

SAMPLE = 20
MIN_EQUAL = 5
"""From so many addresses on, the same time of change for all is a fault."""
MAX_CLICKS = 3
MAX_HOPS = 2
MIN_ALIKE = 3
"""So many pages are a pattern."""
_OF_US = frozenset({0, 401, 402, 403, 405, 407, 429, 451, 503})
"""Statuses that may be due to our request or to the moment, not to the address."""
_GONE = frozenset({404, 410})
_CODE = re.compile(r"([a-z]{2,3})(?:-([a-z]{4}))?(?:-([a-z]{2}|\d{3}))?", re.IGNORECASE)
_CODES = json.loads(Path(__file__).with_name("codes.json").read_bytes())
LANGUAGES, PLACES = frozenset(_CODES["languages"]), frozenset(_CODES["places"])
"""ISO 639-1; ISO 3166-1 of two letters, and XK."""
_FAILING, _HOMES, _FOREIGN = LOSING = (
    "with one that answers an error",
    "with the home page's instead of their own",
    "with one in another language",
)
"""Faults of a canonical address that take the page itself out of the index."""
_LOOP, _CHAIN = "in a loop of canonical addresses", "with one that names another in its turn (a chain)"
_SEVERAL, _BESIDE_HEADER = "with several that differ", "with one in the HTML and another in the Link header"
_LINK_HEADER = re.compile(r"<([^<>]*)>([^<]*)")
_IS_CANONICAL = re.compile(r";\s*rel\s*=\s*(?:\"[^\"]*\bcanonical\b|'[^']*\bcanonical\b|canonical\b)", re.IGNORECASE)


def readable_sitemap(site: Site) -> Outcome:
    """DIS-01: a sitemap that can be read, within the bounds of the protocol, with addresses of this site."""
    faults = [fault for sitemap in site.sitemaps if (fault := _fault(sitemap, site))]
    read = (sitemap for sitemap in site.sitemaps if sitemap.fetched.answered and sitemap.text.kind)
    good = [sitemap for sitemap in read if not _fault(sitemap, site)]
    if good and not faults:
        total = sum(sitemap.text.total for sitemap in good if sitemap.text.kind != "index")
        return passed(f"{counted(total, 'address', 'addresses')} listed.")
    if not faults:
        waiting = [sitemap.fetched for sitemap in site.sitemaps if sitemap.fetched.status in (0, 429, 503)]
        if waiting:
            return inconclusive(f"The sitemap could not be fetched: {waiting[0].status or waiting[0].error}.")
        where = Evidence(site.robots.fetched.url, "robots.txt", "no Sitemap line that leads to a sitemap")
        return failed("No sitemap is named in robots.txt or at its usual address.", [where])
    finding = f"The sitemap {theirs(faults[0].url)} {faults[0].quote}.{also(len(faults), 'sitemap')}"
    return failed(finding, faults, share=len(good) / (len(good) + len(faults)))


def _fault(sitemap: Sitemap, site: Site) -> Evidence | None:
    """The fault of a sitemap that is named somewhere; null also where it could not be judged."""
    url, answer, text = sitemap.fetched.url, sitemap.fetched, sitemap.text
    if not answer.answered:
        if sitemap.listed_in == "guess" or answer.status in (0, 429, 503):
            return None
        return Evidence(url, "status", f"is named in the {sitemap.listed_in} and answered {answer.status}")
    if not text.kind:
        is_guess = sitemap.listed_in == "guess"
        return None if is_guess else Evidence(url, "its content", f"is none: {theirs(text.problem)}")
    if text.entries and not any(same_site(entry.url, site.home_url) for entry in text.entries):
        return Evidence(url, "its content", "lists only addresses of another site")
    if text.problem and "another host" not in text.problem:
        return Evidence(url, "its content", f"has a problem: {theirs(text.problem)}")
    if sitemap.written:
        written = theirs(sitemap.written)
        return Evidence(url, "robots.txt", f"is named by a relative address ({written}), which crawlers pass over")
    return None


def listed_pages(site: Site) -> Outcome:
    """DIS-02: of 20 addresses of the sitemap, those that answer with a page that may be indexed and is its own
    canonical one. Addresses that were throttled or refused to us do not count."""
    entries = [entry.url for sitemap in site.sitemaps for entry in sitemap.text.entries]
    if not entries:
        return not_applicable("There is no sitemap that could be read.")
    # A sitemap may write http, www. or the slash at the end otherwise than the links that the crawl followed.
    known: dict[str, tuple[Fetched, ParsedPage | None]] = {page_key(each.url): (each, None) for each in site.sampled}
    known |= {page_key(page.fetched.url): (page.fetched, page.parsed) for page in site.pages}
    sample = spread((url for url in entries if page_key(url) in known), SAMPLE)
    clear = [(url, *known[page_key(url)]) for url in sample if known[page_key(url)][0].status not in _OF_US]
    lost = {page_key(evidence.url) for kind, evidence in canonical_faults(site) if kind in LOSING}
    faults = [
        Evidence(url, "the sitemap", fault)
        for url, answer, parsed in clear
        if (fault := _unfit(url, answer, parsed, lost, site.audited_at))
    ]
    cases = Counter(fault.quote.partition(":")[0] for fault in faults).most_common()
    total = sum(sitemap.text.total for sitemap in site.sitemaps if sitemap.text.kind != "index")
    finding = (
        f"Of {counted(len(clear), 'address', 'addresses')} sampled from the {total:,} of the sitemap {len(faults)} "
        f"should not be in it: {listed([f'{number} {case}' for case, number in cases])}."
    )
    return judged(len(clear), faults, finding, none="None of the listed addresses gave a clear answer.")


def _unfit(url: str, answer: Fetched, parsed: ParsedPage | None, lost: set[str], at: datetime) -> str:
    """Why an address should not be in a sitemap; empty where it should. `lost`: pages that DIS-04 reports."""
    if answer.status != 200:
        return f"answered {answer.status}"
    if answer.hops and page_key(answer.final_url) != page_key(url):
        return f"redirected elsewhere: {answer.final_url}"
    if mark := barring(answer, parsed, at):
        return f"marked {mark.word}: {mark.quote}"
    if parsed and page_key(parsed.url) not in lost and not same_page(parsed.canonical_url, url):
        return f"with another canonical address: {parsed.canonical_url}"
    return ""


def changes(site: Site) -> Outcome:
    """DIS-03: the sitemap says when pages changed: not in the future, and not the same for all."""
    files = [sitemap for sitemap in site.sitemaps if sitemap.text.kind == "urlset"]
    entries = [entry for sitemap in files for entry in sitemap.text.entries]
    if not entries:
        return not_applicable("There is no XML sitemap with addresses.")
    times = [entry.lastmod for entry in entries if entry.lastmod]
    every = counted(len(entries), "address", "addresses")
    if len(times) >= MIN_EQUAL and len(times) == len(entries) and len(set(times)) == 1:
        place = Evidence(files[0].fetched.url, "lastmod", entries[0].written)
        return failed(f"lastmod is the same on all {every} of the sitemap.", [place])
    latest = site.audited_at + timedelta(days=1)
    future = [entry for entry in entries if entry.lastmod and entry.lastmod > latest]
    without = [entry for entry in entries if not entry.lastmod]
    cases = [f"{len(future)} in the future"] * bool(future)
    cases += [f"{len(without)} missing or unreadable"] * bool(without)
    evidence = [Evidence(entry.url, "the sitemap", entry.written or "no lastmod") for entry in [*future, *without]]
    return judged(len({entry.url for entry in entries}), evidence, f"Of {every} lastmod is {listed(cases)}.")


def canonicals(site: Site) -> Outcome:
    """DIS-04: each page names one canonical address: absolute, answering, in its own language; not all the home
    page's. A page that names another as its own is lost."""
    pages, faults = readable(site), canonical_faults(site)
    counts = Counter(kind for kind, _ in faults)
    order = sorted(counts, key=lambda kind: (kind not in LOSING, -counts[kind]))
    away = sum(counts[kind] for kind in LOSING)
    cases = listed([f"{counted(counts[kind], 'page')} {kind}" for kind in order])
    finding = f"{len(faults)} of {counted(len(pages), 'page')} name a wrong canonical address or none: {cases}."
    finding += f" Search engines take another page for {away} of them: machines that answer miss them." * bool(away)
    faults.sort(key=lambda fault: order.index(fault[0]))
    evidence = [evidence for _, evidence in faults]
    return judged(len(pages), evidence, finding, lost=away / max(1, len(pages)))


def canonical_faults(site: Site) -> list[tuple[str, Evidence]]:
    """The faults of canonical addresses, one a page."""
    pages = readable(site)
    answers = _answers(site)
    languages = {page_key(page.url): page.lang_detected for page in pages}
    home = page_key(site.home.url) if site.home else ""
    others = [page for page in pages if page_key(page.url) != home]
    swallowed = len(others) >= MIN_ALIKE and all(page_key(page.canonical_url) == home for page in others)
    in_header = {page.url: _canonicals_of_header(page) for page in site.pages}
    named = {page.url: (*page.linked("canonical"), *in_header.get(page.url, ())) for page in pages}
    leading = {page_key(page.url): named[page.url][0].url if named[page.url] else page.url for page in pages}
    every = (_canonical_fault(page, named[page.url], leading, answers, languages, swallowed) for page in pages)
    return [fault for fault in every if fault]


def _canonicals_of_header(page: SitePage) -> tuple[HeadLink, ...]:
    """The canonical addresses that the Link header names."""
    links = _LINK_HEADER.findall(page.fetched.header("link"))
    urls = [joined(page.url, target.strip()) for target, words in links if _IS_CANONICAL.search(words)]
    return tuple(HeadLink("canonical", url, 0, href=url) for url in urls)


def _canonical_fault(
    page: ParsedPage,
    named: Sequence[HeadLink],
    leading: Mapping[str, str],
    answers: Mapping[str, Fetched],
    languages: Mapping[str, str],
    swallowed: bool,
) -> tuple[str, Evidence] | None:
    """The first fault of the addresses that a page names; `leading`: what each page names, by its key."""
    own = f'<link rel="canonical" href="{page.url}">'
    if not named:
        return "without one", Evidence(page.url, "the head", "no canonical address", to=own)
    first, way = named[0], _way(page.url, leading)
    answer, other = answers.get(page_key(first.url)), languages.get(page_key(first.url), "")
    foreign = other and page.lang_detected and other != page.lang_detected and not same_page(first.url, page.url)
    relative = bool(first.href) and not first.href.lower().startswith(("http://", "https://", "//"))
    differing = [link for link in named if not same_page(link.url, first.url)]
    beside_header = bool(differing) and first.line and not differing[0].line
    faults = {
        _FAILING: bool(answer) and _is_error(answer),
        _HOMES: swallowed and page.kind != "home",
        _FOREIGN: bool(foreign),
        _LOOP: len(way) > len({page_key(url) for url in way}),
        _CHAIN: len(way) > 2,
        _BESIDE_HEADER: beside_header,
        _SEVERAL: bool(differing),
        "with one that is relative": relative,
    }
    kind = next((kind for kind, is_so in faults.items() if is_so), "")
    link = differing[0] if kind in (_BESIDE_HEADER, _SEVERAL) else first
    quote = f'<link rel="canonical" href="{shortened(link.href or link.url, 200)}">'
    if kind in (_LOOP, _CHAIN):
        own, quote = "", " → ".join(shortened(url, 90) for url in way)
    if kind and not link.line:
        return kind, Evidence(page.url, "header link", quote, own)
    return (kind, at_line(page.url, link.line, quote, own)) if kind else None


def _way(url: str, leading: Mapping[str, str]) -> list[str]:
    """An address and the canonical ones that it leads to, from page to page; in a loop the last is there twice."""
    way, keys = [url], {page_key(url)}
    while (following := leading.get(page_key(way[-1]))) and not same_page(following, way[-1]):
        way.append(following)
        if page_key(following) in keys:
            break
        keys.add(page_key(following))
    return way


def _is_error(answer: Fetched | None) -> bool:
    return answer is not None and (answer.status in _GONE or (answer.status >= 500 and answer.status != 503))


def _answers(site: Site) -> dict[str, Fetched]:
    """The answers of all requested addresses, by page key."""
    answers = {page_key(page.fetched.url): page.fetched for page in site.pages}
    return answers | {page_key(answer.url): answer for answer in site.sampled}


def key_links(site: Site) -> Outcome:
    """DIS-05: anchors that can be followed lead to key pages within three clicks."""
    pages = [page for page in key_pages(site) if page.depth]
    linked = {page_key(link.url) for page in site.parsed() for link in page.links if link.url}
    complete = linked <= {*_answers(site), *(page_key(page.url) for page in site.pages)}
    faults = [fault for page in pages if (fault := _hard_to_reach(page, linked, complete=complete))]
    first = theirs(faults[0].url) if faults else ""
    finding = f"{first} cannot be reached from the home page in {MAX_CLICKS} clicks.{also(len(faults))}"
    return judged(len(pages), faults, finding, none="No key page besides the home page was read.")


def _hard_to_reach(page: SitePage, linked: set[str], *, complete: bool) -> Evidence | None:
    """The evidence that a page is hard to reach. A missing link is certain only where every linked page was requested
    (`complete`), or for a kind of page that home pages link."""
    if {page_key(page.url), page_key(page.fetched.url)} & linked:
        far = MAX_CLICKS < page.depth < NOWHERE
        return Evidence(page.url, "its way from the home page", f"{page.depth} clicks") if far else None
    expected = page.parsed is not None and page.parsed.kind in ("pricing", "about", "contact")
    return Evidence(page.url, "the pages read", "no link leads here") if complete or expected else None


def working_links(site: Site) -> Outcome:
    """DIS-06: internal links lead to pages, in two redirects or fewer. Refused and throttled ones are not broken."""
    links: dict[str, tuple[ParsedPage, Link]] = {}
    for page in site.parsed():
        for link in page.links:
            if url := on_site(link.url, site.home_url):
                links.setdefault(page_key(url), (page, link))
    linked = [answer for key, answer in _answers(site).items() if key in links]
    endless = [answer for answer in linked if answer.error == "too_many_redirects"]
    clear = [answer for answer in linked if answer.status not in _OF_US]
    broken = [answer for answer in clear if answer.status >= 400]
    long = [answer for answer in clear if len(answer.hops) > MAX_HOPS and answer.status < 400]
    cases = [(answer, f"answers {answer.status}") for answer in broken]
    cases += [(answer, "redirects on and on") for answer in endless]
    cases += [(answer, f"redirects {len(answer.hops)} times") for answer in long]
    evidence = []
    for answer, what in cases:
        page, link = links[page_key(answer.url)]
        to = answer.final_url if answer.hops and answer.status == 200 else ""
        evidence.append(at_line(page.url, link.line, f'<a href="{link.href or link.url}"> {what}', to))
    asked = len(clear) + len(endless)
    of = f" of {len(links):,} known" if len(links) > asked else ""
    parts = [f"{counted(len(broken), 'answers', 'answer')} with an error"] * bool(broken)
    parts += [f"{counted(len(long) + len(endless), 'redirects', 'redirect')} more than twice"] * bool(long or endless)
    finding = f"Of {counted(asked, 'linked address', 'linked addresses')} asked for{of}, {listed(parts)}."
    return judged(asked, evidence, finding, wrong=len(cases), none="No internal link was asked for.")


def titles(site: Site) -> Outcome:
    """DIS-07: each page has one title that no other page has. Descriptions are a remark."""
    pages = _one_for_each_canonical(site)
    missing = [page for page in pages if not page.title]
    several = [page for page in pages if len({title.text for title in page.titles}) > 1]
    shared = _sharing(pages, lambda page: page.title)
    cases = [
        f"{counted(len(group), 'page')} {what}"
        for group, what in ((missing, "without a title"), (several, "with several"), (shared, "with another page's"))
        if group
    ]
    evidence = [_titled(page) for page in {page.url: page for page in [*missing, *several, *shared]}.values()]
    silent = sum(not _description(page) for page in pages)
    doubled = len(_sharing(pages, _description))
    note = f"Descriptions: {silent} pages have none, {doubled} share one." if silent or doubled else ""
    return judged(len(pages), evidence, f"Titles: {listed(cases)}. {note}".strip(), remark=note)


def _titled(page: ParsedPage) -> Evidence:
    if not page.titles:
        return Evidence(page.url, "the head", "no title element")
    quote = " ".join(f"<title>{shortened(title.text, 130)}</title>" for title in page.titles[:2])
    return at_line(page.url, page.titles[0].line, quote)


def _description(page: ParsedPage) -> str:
    return next((meta.content for meta in page.meta("description") if meta.content), "")


def _one_for_each_canonical(site: Site) -> list[ParsedPage]:
    """One page for each canonical address, without those that only redirect or are out of the index."""
    pages: dict[str, ParsedPage] = {}
    for page in readable(site):
        if not page.leads_to and not barring(Fetched(page.url), page, site.audited_at):
            pages.setdefault(page_key(page.canonical_url), page)
    return list(pages.values())


def _sharing(pages: Sequence[ParsedPage], text_of: Callable[[ParsedPage], str]) -> list[ParsedPage]:
    """Pages that share a text with another page of the same language and are no language versions of each other."""
    sharing: dict[tuple[str, str], list[ParsedPage]] = defaultdict(list)
    for page in pages:
        if text := text_of(page).casefold():
            sharing[text, page.lang_declared.lower() or page.lang_detected].append(page)
    return [page for group in sharing.values() if len(group) > 1 and not _are_versions(group) for page in group]


def _are_versions(group: Sequence[ParsedPage]) -> bool:
    keys = {page_key(page.url) for page in group}
    return all(keys <= {page_key(page.url), *(page_key(link.url) for link in page.versions)} for page in group)


def language_versions(site: Site) -> Outcome:
    """DIS-08: codes of languages are valid, versions answer, each page lists itself among its versions, and they list
    it; pages of several languages name their versions at all."""
    read = {page_key(page.url): page for page in site.parsed() if same_page(page.canonical_url, page.url)}
    naming = [page for page in read.values() if page.versions]
    if not naming:
        return _unnamed_versions(site, list(read.values()))
    answers = _answers(site)
    faults = [fault for page in naming for fault in dict(_version_faults(page, read, answers)).items()]
    counts = Counter(kind for kind, _ in faults).most_common()
    cases = listed([f"{counted(number, 'page')} {kind}" for kind, number in counts])
    finding = f"Of {counted(len(naming), 'page')} with language versions (hreflang): {cases}."
    return judged(len(naming), [evidence for _, evidence in faults], finding)


def _unnamed_versions(site: Site, pages: Sequence[ParsedPage]) -> Outcome:
    """Where no page names a version: a remark that costs nothing where the site has a tree of pages for each of
    several languages, as these need not be versions of each other."""
    trees: dict[str, list[ParsedPage]] = defaultdict(list)
    for page in pages:
        part = split(page.url).path.lstrip("/").partition("/")[0].lower()
        if page.lang_detected and part.partition("-")[0] == page.lang_detected:
            trees[page.lang_detected].append(page)
    codes = sorted(code for code, tree in trees.items() if len(tree) > 1)
    in_header = any("hreflang" in page.fetched.header("link") for page in site.pages)
    if in_header or len(codes) < 2:
        return not_applicable("No page names versions for other languages (hreflang).")
    evidence = [Evidence(page.url, "the head", "no hreflang") for code in codes for page in trees[code]]
    finding = f"There are pages in {listed(codes)}, and none names its versions (hreflang)."
    return failed(finding, evidence, share=1.0)


def valid_code(code: str) -> bool:
    """Whether a value of hreflang names a language that exists and, where it names one, a place that exists."""
    if not (parts := _CODE.fullmatch(code)):
        return code.lower() == "x-default"
    known = len(parts[1]) == 3 or parts[1].lower() in LANGUAGES
    return known and (not parts[3] or parts[3].isdigit() or parts[3].upper() in PLACES)


def _version_faults(
    page: ParsedPage, read: Mapping[str, ParsedPage], answers: Mapping[str, Fetched]
) -> Iterator[tuple[str, Evidence]]:
    for link in reversed(page.versions):  # of each kind of fault the first is reported
        quote = f'<link rel="alternate" hreflang="{link.hreflang}" href="{shortened(link.href, 180)}">'
        if _is_error(answers.get(page_key(link.url))):
            status = answers[page_key(link.url)].status
            yield "with a version that answers an error", at_line(page.url, link.line, f"{quote} answers {status}")
        if not valid_code(link.hreflang):
            yield "with a code that names no language or place", at_line(page.url, link.line, quote)
        other = read.get(page_key(link.url))
        named_back = other and any(same_page(back.url, page.url) for back in other.versions)
        if other and not same_page(link.url, page.url) and link.hreflang.lower() != "x-default" and not named_back:
            yield "with a version that does not name it back", at_line(page.url, link.line, quote)
    if not any(same_page(link.url, page.url) for link in page.versions):
        code = page.lang_declared or page.lang_detected
        to = f'<link rel="alternate" hreflang="{code}" href="{page.url}">'
        yield "without itself among its versions", Evidence(page.url, "the head", "no link to the page itself", to)
