"""Dates: whether machines read them, whether they agree, and how old the content is."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Literal

from apikeys.text.sentences import counted, shortened
from visibility.audit.checks.content import articles, content_pages, further
from visibility.audit.checks.pages import outcome_of
from visibility.audit.checks.phrases.phrases import phrases_of
from visibility.audit.outcome import Check, Evidence, Outcome, failed, inconclusive, not_applicable, passed, theirs
from visibility.audit.page import ParsedPage
from visibility.audit.parse.day_words import months_in
from visibility.audit.site import Site

MACHINE_READ = ("published", "modified", "meta", "time")
SHOWN = ("visible", "time")
DECLARED = ("published", "modified", "meta")
ONE_DAY = timedelta(days=1)
"""By how much one moment can differ between two time zones that a page and its markup use."""
MAX_OWN_DATES = 2
"""Days that a page shows of itself, published and updated; one with more lists dates of other things."""
YEAR = timedelta(days=366)
TWO_YEARS = timedelta(days=731)


def machine_dates(site: Site) -> Outcome:
    """FRE-01: articles have a date in structured data, a meta or a time element."""
    pages = articles(site)
    silent = [page for page in pages if not any(entry.source in MACHINE_READ for entry in page.dates)]
    n = counted(len(silent), "article has", "articles have")
    evidence = [Evidence(page.url, "the page", _dates(page) or "no date") for page in silent]
    words = {"finding": f"{n} no machine-readable date."} if silent else {}
    return outcome_of(len(pages), evidence, words, none="The pages read have no articles.")


def _dates(page: ParsedPage) -> str:
    texts = [f"{entry.source} {entry.day}" for entry in page.dates]
    return shortened(", ".join(dict.fromkeys(texts)), 200)


def agreeing_dates(site: Site) -> Outcome:
    """FRE-02: dates are not in the future, and what is declared, shown and listed is one day."""
    lastmods = _lastmods(site)
    pages = [(page, _pairs(page, lastmods.get(page.url))) for page in content_pages(site)]
    judged = [(page, pairs) for page, pairs in pages if pairs or _declared(page)]
    contradictions = [(page, said) for page, pairs in judged if (said := _disagrees(page, pairs, _latest(site)))]
    words = {}
    if contradictions:
        page, (a, b) = contradictions[0]
        words = {"finding": f"On {theirs(page.url)} {a}, {b}. {further(len(contradictions))}".strip()}
    evidence = [Evidence(page.url, "the dates", f"{a}, {b}") for page, (a, b) in contradictions]
    return outcome_of(
        len(judged), evidence, words, none="No page declares a date, or shows two that could be compared."
    )


@dataclass(frozen=True, slots=True)
class _Pair:
    """Days that should be one, by where they stand."""

    name: str
    declared: tuple[date, ...]
    place: str
    others: tuple[date, ...]


def _pairs(page: ParsedPage, lastmod: date | None) -> list[_Pair]:
    own = len({entry.day for entry in page.dates if entry.source in SHOWN}) <= MAX_OWN_DATES
    sources = SHOWN if own else ()
    pairs = [
        _Pair(
            "datePublished", _days(page, "published", DECLARED), "the page says", _days(page, "published", sources)
        ),
        _Pair("dateModified", _days(page, "modified", DECLARED), "the page says", _days(page, "modified", sources)),
        _Pair("dateModified", _days(page, "modified", DECLARED), "the sitemap says", (lastmod,) if lastmod else ()),
    ]
    return [pair for pair in pairs if pair.declared and pair.others]


def _days(page: ParsedPage, meaning: Literal["published", "modified"], sources: tuple[str, ...]) -> tuple[date, ...]:
    return tuple(
        entry.day for entry in page.dates if entry.source in sources and meaning in (entry.meaning, entry.source)
    )


def _declared(page: ParsedPage) -> tuple[date, ...]:
    return _days(page, "published", DECLARED) + _days(page, "modified", DECLARED)


def _disagrees(page: ParsedPage, pairs: list[_Pair], latest: date) -> tuple[str, str] | None:
    """What two dates say that cannot both be right. Of several dates of a kind, any that agrees will do."""
    if future := [day for day in _declared(page) if day > latest]:
        return f"a declared date is {max(future)}", "which is in the future"
    for pair in pairs:
        if all(abs(one - other) > ONE_DAY for one in pair.declared for other in pair.others):
            return f"{pair.name} is {max(pair.declared)}", f"{pair.place} {max(pair.others)}"
    return None


def _latest(site: Site) -> date:
    """The last day that is not in the future in any time zone."""
    return site.audited_at.date() + ONE_DAY


def _lastmods(site: Site) -> dict[str, date]:
    """The days that the sitemap names, by address; none where most pages have the same: the day of a build."""
    lastmods = {page.parsed.url: page.lastmod for page in site.pages if page.parsed is not None and page.lastmod}
    common = max(Counter(lastmods.values()).values(), default=0)
    return {} if common > 2 and common * 2 > len(lastmods) else lastmods


def newest_content(site: Site) -> Outcome:
    """FRE-03: the newest content is at most 24 months old; its age is told in any case. Inconclusive where only a
    month that a text names ("released in June 2026") shows that something is newer."""
    dated = [(day, page) for page in content_pages(site) for day in _told(page) if day <= _latest(site)]
    if not dated:
        return not_applicable("No page has a date: nothing of it claims to be new.")
    newest = max(day for day, _ in dated)
    page = next(page for day, page in dated if day == newest)
    if site.audited_at.date() - newest <= TWO_YEARS:
        return passed(f"Newest content is {newest}: {page.url}")
    if later := _later_month(site, newest):
        return inconclusive(f"The newest day shown is {newest}, but the text of {later}.")
    by_page = {page.url: page for _, page in sorted(dated, key=lambda one: one[0], reverse=True)}
    evidence = [Evidence(page.url, "the dates", _dates(page)) for page in by_page.values()]
    return failed(evidence=evidence, words={"finding": f"The newest content is of {newest}."})


def _told(page: ParsedPage) -> list[date]:
    return [entry.day for entry in page.dates if entry.source != "guess"]


def _later_month(site: Site, newest: date) -> str:
    """A page whose text names a month of the last 24 that is later than this day; empty where there is none."""
    first = max(newest, site.audited_at.date() - TWO_YEARS)
    for page in content_pages(site):
        for month in months_in(page.main_text):
            if first < month.day <= _latest(site):
                return f"{page.url} names {month.quote}"
    return ""


def recent_dates(site: Site) -> Outcome:
    """FRE-04: guides, comparisons, lists and prices show a date of the last 12 months, and no date moves while its
    text stands still."""
    every = content_pages(site)
    moved = [problem for page in every if (problem := _moved(page, site))]
    if moved:
        said = f"{counted(len(moved), 'page shows', 'pages show')} a new date over the text of the last audit."
        return failed(evidence=moved, share=1 - len(moved) / len(every), words={"finding": said})
    pages = [page for page in content_pages(site, "article", "docs", "pricing", "other") if _dates_itself(page)]
    old = [page for page in pages if not _shows_recent(page, site)]
    verb = "shows" if len(old) == 1 else "show"
    dating = counted(len(pages), "page that goes out of date", "pages that go out of date")
    said = f"{len(old)} of {dating} {verb} no date of the last 12 months."
    evidence = [Evidence(page.url, "the text", _dates(page) or "no date in the text") for page in old]
    none = "No guide, comparison, list or price was found on the pages read."
    return outcome_of(len(pages), evidence, {"finding": said}, none=none)


def _dates_itself(page: ParsedPage) -> bool:
    phrases = phrases_of(page)
    if phrases is None:
        return False
    named = [
        *(title.text for title in page.titles[:1]),
        *(heading.text for heading in page.headings if heading.level == 1),
    ]
    guide = any(phrases.pages.dating.search(text) for text in named)
    return (
        bool(page.prices)
        if page.kind == "pricing"
        else (guide and page.kind != "other") or (guide and bool(page.dates))
    )


def _shows_recent(page: ParsedPage, site: Site) -> bool:
    today = site.audited_at.date()
    return any(entry.source in SHOWN and today - YEAR <= entry.day <= _latest(site) for entry in page.dates)


def _moved(page: ParsedPage, site: Site) -> Evidence | None:
    before = site.earlier.get(page.url)
    days = [entry.day for entry in page.dates if entry.source in SHOWN]
    if before is None or before.visible_date is None or before.content_hash != page.content_hash or not days:
        return None
    if max(days) <= before.visible_date + ONE_DAY:
        return None
    return Evidence(page.url, "the text", f"shows {max(days)}, before {before.visible_date}, over the same text")


CHECKS: Mapping[str, Check] = {
    "FRE-01": machine_dates,
    "FRE-02": agreeing_dates,
    "FRE-03": newest_content,
    "FRE-04": recent_dates,
}
