"""Sitemaps: whether there is one, what it lists, what it says of changes (DIS-01 to DIS-03)."""

from collections import Counter
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta

from apikeys.text.sentences import counted, joined, one_line
from visibility.audit.checks.addresses import page_key, same_page, same_site, spread
from visibility.audit.checks.directives import barring
from visibility.audit.checks.discovery.links import misnamed
from visibility.audit.checks.pages import outcome_of
from visibility.audit.outcome import Check, Evidence, Outcome, failed, inconclusive, not_applicable, passed, theirs
from visibility.audit.site import Fetched, Site, Sitemap, SitePage

MAX_ENTRIES = 50_000
MAX_BYTES = 50_000_000
MIN_EQUAL = 5
"""Addresses from which on the same time of change for all of them tells nothing."""
SAMPLE = 20
_OF_HOSTS = "on another host"
"""What the reader of a file says of addresses on other hosts than the file's: no fault where they are this site's, as
robots.txt may name a sitemap that stands elsewhere."""
_NOT_TOLD = frozenset({0, 401, 402, 403, 429, 503})
"""Statuses that say more of us, or of the moment, than of the address."""


def readable_sitemap(site: Site) -> Outcome:
    """DIS-01: a sitemap that can be read, within the bounds of the protocol, with addresses of this site."""
    faults = [fault for sitemap in site.sitemaps if (fault := _fault(sitemap, site))]
    good = [sitemap for sitemap in site.sitemaps if _read(sitemap) and not _fault(sitemap, site)]
    if good and not faults:
        return passed(f"{counted(sum(sitemap.total for sitemap in good), 'address is', 'addresses are')} listed.")
    if not faults:
        waiting = [sitemap for sitemap in site.sitemaps if sitemap.fetched.status in (0, 429, 503)]
        if waiting:
            return inconclusive(f"The sitemap could not be fetched: {_answer(waiting[0].fetched)}.")
        where = Evidence(site.robots.fetched.url, "robots.txt", "no Sitemap line that leads to a sitemap")
        return failed(
            evidence=[where], words={"finding": "No sitemap was found, in robots.txt or at its usual address."}
        )
    more = f" {counted(len(faults) - 1, 'more sitemap has', 'more sitemaps have')} a problem." if faults[1:] else ""
    evidence = [Evidence(fault.url, fault.where, fault.quote) for fault in faults]
    words = {"finding": f"The sitemap {theirs(faults[0].url)} {faults[0].quote}.{more}"}
    return failed(evidence=evidence, share=len(good) / (len(good) + len(faults)), words=words)


def listed_pages(site: Site) -> Outcome:
    """DIS-02: of 20 addresses of the sitemap, those that answer with a page that may be indexed and is its own
    canonical one. Addresses that were throttled or kept from us say nothing."""
    listed = [entry.url for sitemap in site.sitemaps for entry in sitemap.entries]
    if not listed:
        return not_applicable("There is no sitemap that could be read.")
    # A sitemap may write http, www. or the slash at the end otherwise than the links that the crawl followed.
    known: dict[str, Fetched | SitePage] = {page_key(answer.url): answer for answer in site.sampled}
    known.update((page_key(page.fetched.url), page) for page in site.pages)
    sample = [(url, known[page_key(url)]) for url in spread((u for u in listed if page_key(u) in known), SAMPLE)]
    clear = [(url, answer) for url, answer in sample if _status(answer) not in _NOT_TOLD]
    lost = misnamed(site)
    problems = [Evidence(url, "the sitemap", fault) for url, answer in clear if (fault := _unfit(url, answer, lost))]
    counts = Counter(problem.quote.split(":")[0] for problem in problems)
    of = counted(len(clear), "address", "addresses")
    cases = joined([f"{number} {fault}" for fault, number in counts.most_common()]) if counts else ""
    every = sum(sitemap.total for sitemap in site.sitemaps)
    said = f"Of {of} sampled from the {every:,} of the sitemap {len(problems)} should not be in it: {cases}."
    words = {"finding": said}
    return outcome_of(len(clear), problems, words, none="None of the listed addresses gave a clear answer.")


def changes(site: Site) -> Outcome:
    """DIS-03: the sitemap says when pages changed: not in the future, and not the same for all."""
    entries = [entry for sitemap in site.sitemaps if sitemap.kind == "urlset" for entry in sitemap.entries]
    if not entries:
        return not_applicable("There is no XML sitemap with addresses.")
    url = next(sitemap.fetched.url for sitemap in site.sitemaps if sitemap.kind == "urlset" and sitemap.entries)
    times = [_utc(entry.lastmod) for entry in entries if entry.lastmod]
    if len(times) >= MIN_EQUAL and len(times) == len(entries) and len(set(times)) == 1:
        quote = next(entry.lastmod_text for entry in entries if entry.lastmod) or times[0].isoformat()
        finding = f"lastmod is the same on all {counted(len(entries), 'address', 'addresses')} of the sitemap."
        return failed(evidence=[Evidence(url, "lastmod", quote)], words={"finding": finding})
    future = [
        entry for entry in entries if entry.lastmod and _utc(entry.lastmod) > _utc(site.audited_at) + timedelta(1)
    ]
    without = [entry for entry in entries if not entry.lastmod]
    wrong = [*future, *without]
    cases = [
        *([f"{counted(len(future), 'address has', 'addresses have')} one in the future"] if future else []),
        *([f"{counted(len(without), 'address has', 'addresses have')} none that can be read"] if without else []),
    ]
    if not wrong:
        return passed()
    evidence = [Evidence(entry.url, "the sitemap", entry.lastmod_text or "no lastmod") for entry in wrong]
    words = {"finding": f"Of the dates of change (lastmod) in the sitemap, {joined(cases)}."}
    return outcome_of(len({entry.url for entry in entries}), evidence, words)


def _fault(sitemap: Sitemap, site: Site) -> Evidence | None:
    """What is wrong with a sitemap that is named somewhere; null also where nothing can be said."""
    url, answer = sitemap.fetched.url, sitemap.fetched
    if not answer.answered:
        if sitemap.listed_in == "guess" or answer.status in (0, 429, 503):
            return None
        return Evidence(url, "status", f"is named in {_namer(sitemap)} and {_answer(answer)}")
    if sitemap.listed_in == "guess" and not sitemap.kind:
        return None
    home = site.home.url if site.home else site.home_url
    foreign = [entry.url for entry in sitemap.entries if not same_site(entry.url, home)]
    moot = _OF_HOSTS in sitemap.problem and not foreign
    if not sitemap.kind or (sitemap.problem and not moot):
        problem = one_line(sitemap.problem).rstrip(".")
        return Evidence(url, "its content", f"has a problem: {theirs(problem)}" if problem else "is no sitemap")
    if sitemap.total > MAX_ENTRIES:
        return Evidence(url, "its content", f"lists {sitemap.total:,} addresses; crawlers read 50,000 of a file")
    if answer.bytes > MAX_BYTES:
        return Evidence(url, "its content", f"has {answer.bytes:,} bytes; crawlers read 50 MB of a file")
    if sitemap.entries and len(foreign) == len(sitemap.entries):
        return Evidence(url, "its content", "lists only addresses of another site")
    if sitemap.written:
        written = one_line(sitemap.written)
        quote = f"is named in robots.txt by a relative address ({written}), which crawlers pass over"
        return Evidence(url, "robots.txt", quote)
    return None


def _read(sitemap: Sitemap) -> bool:
    return sitemap.fetched.answered and bool(sitemap.kind)


def _namer(sitemap: Sitemap) -> str:
    return "robots.txt" if sitemap.listed_in == "robots.txt" else "the index of sitemaps"


def _answer(answer: Fetched) -> str:
    return f"answered {answer.status}" if answer.status else f"did not answer ({answer.error.replace('_', ' ')})"


def _status(answer: Fetched | SitePage) -> int:
    return answer.fetched.status if isinstance(answer, SitePage) else answer.status


def _unfit(url: str, answer: Fetched | SitePage, lost: set[str]) -> str:
    """Why an address does not belong into a sitemap; empty where it does. Pages that are `lost` by a canonical
    address that is none of theirs are told by DIS-04."""
    return next(_unfits(url, answer, lost), "")


def _unfits(url: str, answer: Fetched | SitePage, lost: set[str]) -> Iterator[str]:
    fetched = answer.fetched if isinstance(answer, SitePage) else answer
    if fetched.status != 200:
        yield f"answered {fetched.status}"
    if fetched.hops and page_key(fetched.final_url) != page_key(url):
        yield f"redirected elsewhere: {one_line(fetched.final_url)}"
    parsed = answer.parsed if isinstance(answer, SitePage) else None
    if directive := barring(fetched, parsed):
        yield f"marked noindex: {directive.quote}"
    if (
        parsed
        and page_key(parsed.url) not in lost
        and (named := parsed.linked("canonical"))
        and named[0].url
        and not same_page(named[0].url, url)
    ):
        yield f"with another canonical address: {one_line(named[0].url)}"


def _utc(moment: datetime) -> datetime:
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


CHECKS: Mapping[str, Check] = {"DIS-01": readable_sitemap, "DIS-02": listed_pages, "DIS-03": changes}
