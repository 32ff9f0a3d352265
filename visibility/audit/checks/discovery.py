"""Discovery: sitemaps, canonical addresses, links, titles and language versions (DIS)."""

import json
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from pathlib import Path

from visibility.audit.addresses import joined, on_site, page_key, same_page, same_site, split, spread
from visibility.audit.checks.directives import barring
from visibility.audit.checks.pages import key_pages, readable
from visibility.audit.facts import NOWHERE, Fetched, HeadLink, Link, ParsedPage, Site, Sitemap, SitePage
from visibility.audit.outcome import Evidence, Outcome, at_line, failed, inconclusive, judged, not_applicable, passed
from visibility.audit.sentences import Sentence, also, counted, in_a_row, say, shortened, theirs

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
    say("with one that answers an error"),
    say("with the home page's instead of their own"),
    say("with one in another language"),
)
"""Faults of a canonical address that take the page itself out of the index."""
_LOOP, _CHAIN = say("in a loop of canonical addresses"), say("with one that names another in its turn (a chain)")
_SEVERAL, _BESIDE_HEADER = say("with several that differ"), say("with one in the HTML and another in the Link header")
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
        where = Evidence(site.robots.fetched.url, "robots.txt", say("no Sitemap line that leads to a sitemap"))
        return failed(say("No sitemap is named in robots.txt or at its usual address."), [where])
    finding = say(
        "The sitemap {url} {fault}.{also}",
        url=theirs(faults[0].url),
        fault=faults[0].quote,
        also=also(len(faults), "more sitemap"),
    )
    return failed(finding, faults, share=len(good) / (len(good) + len(faults)))


def _fault(sitemap: Sitemap, site: Site) -> Evidence | None:
    """The fault of a sitemap that is named somewhere; null also where it could not be judged."""
    url, answer, text = sitemap.fetched.url, sitemap.fetched, sitemap.text
    if not answer.answered:
        if sitemap.listed_in == "guess" or answer.status in (0, 429, 503):
            return None
        place = say("index") if sitemap.listed_in == "index" else sitemap.listed_in
        fault = say("is named in the {listed_in} and answered {status}", listed_in=place, status=answer.status)
        return Evidence(url, say("status"), fault)
    if not text.kind:
        is_guess = sitemap.listed_in == "guess"
        fault = say("is none: {problem}", problem=theirs(text.problem))
        return None if is_guess else Evidence(url, say("its content"), fault)
    if text.entries and not any(same_site(entry.url, site.home_url) for entry in text.entries):
        return Evidence(url, say("its content"), say("lists only addresses of another site"))
    if text.problem and "another host" not in text.problem:
        return Evidence(url, say("its content"), say("has a problem: {problem}", problem=theirs(text.problem)))
    if sitemap.written:
        fault = say(
            "is named by a relative address ({written}), which crawlers pass over", written=theirs(sitemap.written)
        )
        return Evidence(url, "robots.txt", fault)
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
    unfit = [
        (url, *fault)
        for url, answer, parsed in clear
        if (fault := _unfit(url, answer, parsed, lost, site.audited_at))
    ]
    cases = Counter(case for _, case, _ in unfit).most_common()
    finding = say(
        "Of {address} sampled from the {total} of the sitemap {number} should not be in it: {cases}.",
        address=counted(len(clear), "address", "addresses"),
        total=sum(sitemap.text.total for sitemap in site.sitemaps if sitemap.text.kind != "index"),
        number=len(unfit),
        cases=_numbered(cases),
    )
    faults = [
        Evidence(url, say("the sitemap"), say("{case}: {seen}", case=case, seen=quote) if quote else case)
        for url, case, quote in unfit
    ]
    return judged(len(clear), faults, finding, none="None of the listed addresses gave a clear answer.")


def _unfit(
    url: str, answer: Fetched, parsed: ParsedPage | None, lost: set[str], at: datetime
) -> tuple[Sentence, str] | None:
    """Why an address should not be in a sitemap, and what shows it; null where it should. `lost`: pages that DIS-04
    reports."""
    if answer.status != 200:
        return say("answered {status}", status=answer.status), ""
    if answer.hops and page_key(answer.final_url) != page_key(url):
        return say("redirected elsewhere"), answer.final_url
    if mark := barring(answer, parsed, at):
        return say("marked {word}", word=mark.word), mark.quote
    if parsed and page_key(parsed.url) not in lost and not same_page(parsed.canonical_url, url):
        return say("with another canonical address"), parsed.canonical_url
    return None


def _numbered(cases: Iterable[tuple[Sentence, int]]) -> list[Sentence]:
    return [say("{number} {case}", number=number, case=case) for case, number in cases]


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
        return failed(say("lastmod is the same on all {every} of the sitemap.", every=every), [place])
    latest = site.audited_at + timedelta(days=1)
    future = [entry for entry in entries if entry.lastmod and entry.lastmod > latest]
    without = [entry for entry in entries if not entry.lastmod]
    cases = [say("{number} in the future", number=len(future))] * bool(future)
    cases += [say("{number} missing or unreadable", number=len(without))] * bool(without)
    evidence = [
        Evidence(entry.url, say("the sitemap"), entry.written or say("no lastmod")) for entry in [*future, *without]
    ]
    finding = say("Of {every} lastmod is {cases}.", every=every, cases=cases)
    return judged(len({entry.url for entry in entries}), evidence, finding)


def canonicals(site: Site) -> Outcome:
    """DIS-04: each page names one canonical address: absolute, answering, in its own language; not all the home
    page's. A page that names another as its own is lost."""
    pages, faults = readable(site), canonical_faults(site)
    counts = Counter(kind for kind, _ in faults)
    order = sorted(counts, key=lambda kind: (kind not in LOSING, -counts[kind]))
    away = sum(counts[kind] for kind in LOSING)
    finding = say(
        "{number} of {page} name a wrong canonical address or none: {cases}.",
        number=len(faults),
        page=counted(len(pages), "page"),
        cases=_of_pages((kind, counts[kind]) for kind in order),
    )
    if away:
        missed = say(
            "Search engines take another page for {away} of them: machines that answer miss them.", away=away
        )
        finding = in_a_row(finding, missed)
    faults.sort(key=lambda fault: order.index(fault[0]))
    evidence = [evidence for _, evidence in faults]
    return judged(len(pages), evidence, finding, lost=away / max(1, len(pages)))


def _of_pages(cases: Iterable[tuple[Sentence, int]]) -> list[Sentence]:
    return [say("{page} {case}", page=counted(number, "page"), case=case) for case, number in cases]


def canonical_faults(site: Site) -> list[tuple[Sentence, Evidence]]:
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
) -> tuple[Sentence, Evidence] | None:
    """The first fault of the addresses that a page names; `leading`: what each page names, by its key."""
    own = f'<link rel="canonical" href="{page.url}">'
    if not named:
        return say("without one"), Evidence(page.url, say("the head"), say("no canonical address"), to=own)
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
        say("with one that is relative"): relative,
    }
    kind = next((kind for kind, is_so in faults.items() if is_so), None)
    link = differing[0] if kind in (_BESIDE_HEADER, _SEVERAL) else first
    quote = f'<link rel="canonical" href="{shortened(link.href or link.url, 200)}">'
    if kind in (_LOOP, _CHAIN):
        own, quote = "", " → ".join(shortened(url, 90) for url in way)
    if kind and not link.line:
        return kind, Evidence(page.url, say("header link"), quote, own)
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
    finding = say(
        "{first} cannot be reached from the home page in {max_clicks} clicks.{also}",
        first=theirs(faults[0].url) if faults else "",
        max_clicks=MAX_CLICKS,
        also=also(len(faults), "more page"),
    )
    return judged(len(pages), faults, finding, none="No key page besides the home page was read.")


def _hard_to_reach(page: SitePage, linked: set[str], *, complete: bool) -> Evidence | None:
    """The evidence that a page is hard to reach. A missing link is certain only where every linked page was requested
    (`complete`), or for a kind of page that home pages link."""
    if {page_key(page.url), page_key(page.fetched.url)} & linked:
        far = MAX_CLICKS < page.depth < NOWHERE
        clicks = say("{depth} clicks", depth=page.depth)
        return Evidence(page.url, say("its way from the home page"), clicks) if far else None
    expected = page.parsed is not None and page.parsed.kind in ("pricing", "about", "contact")
    if complete or expected:
        return Evidence(page.url, say("the pages read"), say("no link leads here"))
    return None


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
    cases = [(answer, say("answers {status}", status=answer.status)) for answer in broken]
    cases += [(answer, say("redirects on and on")) for answer in endless]
    cases += [(answer, say("redirects {number} times", number=len(answer.hops))) for answer in long]
    evidence = []
    for answer, what in cases:
        page, link = links[page_key(answer.url)]
        to = answer.final_url if answer.hops and answer.status == 200 else ""
        quote = say("{link} {what}", link=f'<a href="{link.href or link.url}">', what=what)
        evidence.append(at_line(page.url, link.line, quote, to))
    asked = len(clear) + len(endless)
    parts = [say("{answers} with an error", answers=counted(len(broken), "answers", "answer"))] * bool(broken)
    redirects = counted(len(long) + len(endless), "redirects", "redirect")
    parts += [say("{redirects} more than twice", redirects=redirects)] * bool(long or endless)
    finding = say(
        "Of {linked_address} asked for{of}, {parts}.",
        linked_address=counted(asked, "linked address", "linked addresses"),
        of=say(" of {number} known", number=len(links)) if len(links) > asked else "",
        parts=parts,
    )
    return judged(asked, evidence, finding, wrong=len(cases), none="No internal link was asked for.")


def titles(site: Site) -> Outcome:
    """DIS-07: each page has one title that no other page has. Descriptions are a remark."""
    pages = _one_for_each_canonical(site)
    missing = [page for page in pages if not page.title]
    several = [page for page in pages if len({title.text for title in page.titles}) > 1]
    shared = _sharing(pages, lambda page: page.title)
    groups = {
        say("without a title"): missing,
        say("with several"): several,
        say("with another page's"): shared,
    }
    cases = _of_pages((what, len(group)) for what, group in groups.items() if group)
    evidence = [_titled(page) for page in {page.url: page for page in [*missing, *several, *shared]}.values()]
    silent = sum(not _description(page) for page in pages)
    doubled = len(_sharing(pages, _description))
    note: str = ""
    if silent or doubled:
        note = say("Descriptions: {silent} pages have none, {doubled} share one.", silent=silent, doubled=doubled)
    return judged(len(pages), evidence, in_a_row(say("Titles: {cases}.", cases=cases), note), remark=note)


def _titled(page: ParsedPage) -> Evidence:
    if not page.titles:
        return Evidence(page.url, say("the head"), say("no title element"))
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
    cases = _of_pages(Counter(kind for kind, _ in faults).most_common())
    page = counted(len(naming), "page")
    finding = say("Of {page} with language versions (hreflang): {cases}.", page=page, cases=cases)
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
    evidence = [Evidence(page.url, say("the head"), say("no hreflang")) for code in codes for page in trees[code]]
    finding = say("There are pages in {codes}, and none names its versions (hreflang).", codes=codes)
    return failed(finding, evidence, share=1.0)


def valid_code(code: str) -> bool:
    """Whether a value of hreflang names a language that exists and, where it names one, a place that exists."""
    if not (parts := _CODE.fullmatch(code)):
        return code.lower() == "x-default"
    known = len(parts[1]) == 3 or parts[1].lower() in LANGUAGES
    return known and (not parts[3] or parts[3].isdigit() or parts[3].upper() in PLACES)


def _version_faults(
    page: ParsedPage, read: Mapping[str, ParsedPage], answers: Mapping[str, Fetched]
) -> Iterator[tuple[Sentence, Evidence]]:
    for link in reversed(page.versions):  # of each kind of fault the first is reported
        quote = f'<link rel="alternate" hreflang="{link.hreflang}" href="{shortened(link.href, 180)}">'
        if _is_error(answers.get(page_key(link.url))):
            status = answers[page_key(link.url)].status
            answered = say("{quote} answers {status}", quote=quote, status=status)
            yield say("with a version that answers an error"), at_line(page.url, link.line, answered)
        if not valid_code(link.hreflang):
            yield say("with a code that names no language or place"), at_line(page.url, link.line, quote)
        other = read.get(page_key(link.url))
        named_back = other and any(same_page(back.url, page.url) for back in other.versions)
        if other and not same_page(link.url, page.url) and link.hreflang.lower() != "x-default" and not named_back:
            yield say("with a version that does not name it back"), at_line(page.url, link.line, quote)
    if not any(same_page(link.url, page.url) for link in page.versions):
        code = page.lang_declared or page.lang_detected
        to = f'<link rel="alternate" hreflang="{code}" href="{page.url}">'
        lack = Evidence(page.url, say("the head"), say("no link to the page itself"), to)
        yield say("without itself among its versions"), lack
