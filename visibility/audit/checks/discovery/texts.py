"""What pages say of themselves where they are listed: titles, descriptions, feeds."""

import unicodedata
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence

from apikeys.text.sentences import counted, joined, one_line, shortened
from visibility.audit.checks.addresses import page_key, same_page
from visibility.audit.checks.pages import at_line, outcome_of, readable
from visibility.audit.outcome import Check, Evidence, Outcome, failed, not_applicable, passed
from visibility.audit.page import ParsedPage
from visibility.audit.site import Site

MIN_TITLE, MAX_TITLE = 10, 70
"""Columns: a wide character, such as one of Chinese, takes two."""
MAX_SHOWN = 130
"""Characters of a title that are shown."""
_FEEDS = ("application/rss+xml", "application/atom+xml", "application/feed+json")


def titles(site: Site) -> Outcome:
    """DIS-07: each page has one title, of 10 to 70 columns, that no other page has."""
    pages = _listed(site)
    missing = [page for page in pages if not _title(page)]
    several = [page for page in pages if len({one_line(title.text) for title in page.titles}) > 1]
    double = _doubles(pages, _title)
    odd = [page for page in pages if _title(page) and not MIN_TITLE <= columns(_title(page)) <= MAX_TITLE]
    bounds = f"a title under {MIN_TITLE} or over {MAX_TITLE} characters"
    cases = [
        f"{counted(len(group), one, many)} {rest}"
        for group, one, many, rest in (
            (missing, "page has", "pages have", "no title"),
            (several, "page has", "pages have", "several title elements that differ"),
            (double, "page shares", "pages share", "a title with another page"),
            (odd, "page has", "pages have", bounds),
        )
        if group
    ]
    problems = [_titled(page) for page in _once([*missing, *several, *double, *odd])]
    return outcome_of(len(pages), problems, {"finding": f"{joined(cases)}." if cases else ""})


def descriptions(site: Site) -> Outcome:
    """DIS-09: each page has a description that no other page has."""
    pages = _listed(site)
    missing = [page for page in pages if not _description(page)]
    double = _doubles(pages, _description)
    cases = [
        f"{counted(len(group), one, many)} {rest}"
        for group, one, many, rest in (
            (missing, "page has", "pages have", "no description"),
            (double, "page shares", "pages share", "a description with another page"),
        )
        if group
    ]
    problems = [_described(page) for page in _once([*missing, *double])]
    return outcome_of(len(pages), problems, {"finding": f"{joined(cases)}." if cases else ""})


def feeds(site: Site) -> Outcome:
    """DIS-10: a site with dated content announces a feed."""
    group = [link for page in site.parsed() for link in page.linked("alternate") if link.type.lower() in _FEEDS]
    if group:
        return passed(f"A feed is announced: {one_line(group[0].url)}. IndexNow cannot be seen from outside.")
    articles = site.parsed("article")
    if not articles:
        return not_applicable("The pages read have no articles that a feed could announce.")
    home = site.parsed()[0]
    words = {
        "finding": "No page announces a feed (RSS or Atom). Whether IndexNow is used cannot be seen from outside."
    }
    return failed(evidence=[Evidence(home.url, "the head of the page", "no feed")], words=words)


def columns(text: str) -> int:
    """The width of a text, wide characters twice."""
    return sum(2 if unicodedata.east_asian_width(character) in "WF" else 1 for character in text)


def _listed(site: Site) -> list[ParsedPage]:
    """One page for each canonical address, without those that only send on to another."""
    pages: dict[str, ParsedPage] = {}
    for page in readable(site):
        canonical = page.linked("canonical")
        named = canonical[0].url if canonical and canonical[0].url else page.url
        if any(meta.name == "refresh" for meta in page.metas) and not same_page(named, page.url):
            continue
        pages.setdefault(page_key(named), page)
    return list(pages.values())


def _once(pages: Sequence[ParsedPage]) -> list[ParsedPage]:
    return list({page.url: page for page in pages}.values())


def _title(page: ParsedPage) -> str:
    return one_line(page.titles[0].text) if page.titles else ""


def _description(page: ParsedPage) -> str:
    return next((one_line(meta.content) for meta in page.meta("description") if meta.content.strip()), "")


def _doubles(pages: Sequence[ParsedPage], text_of: Callable[[ParsedPage], str]) -> list[ParsedPage]:
    """Pages that share a text with another page of the same language."""
    sharing: dict[tuple[str, str], list[ParsedPage]] = defaultdict(list)
    for page in pages:
        if text := text_of(page).casefold():
            sharing[text, page.lang_declared.lower() or page.lang_detected].append(page)
    return [page for group in sharing.values() if len(group) > 1 and not _versions(group) for page in group]


def _versions(group: Sequence[ParsedPage]) -> bool:
    """Whether the pages name each other as versions for other languages or places."""
    keys = {page_key(page.url) for page in group}
    return all(
        keys <= {page_key(link.url) for link in page.linked("alternate") if link.hreflang} | {page_key(page.url)}
        for page in group
    )


def _titled(page: ParsedPage) -> Evidence:
    if not _title(page):
        return Evidence(page.url, "the head of the page", "no title element")
    elements = [f"<title>{shortened(one_line(title.text), MAX_SHOWN)}</title>" for title in page.titles[:2]]
    return at_line(page.url, page.titles[0].line, " ".join(dict.fromkeys(elements)))


def _described(page: ParsedPage) -> Evidence:
    for meta in page.meta("description"):
        return at_line(page.url, meta.line, shortened(one_line(meta.content), 200))
    return Evidence(page.url, "the head of the page", "no meta description")


CHECKS: Mapping[str, Check] = {"DIS-07": titles, "DIS-09": descriptions, "DIS-10": feeds}
