"""What pages and headers let crawlers do: index, quote, use (ACC-06, 07, 09)."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from apikeys.text.sentences import counted, one_line, shortened
from visibility.audit.checks.directives import barring, directives
from visibility.audit.checks.pages import also, key_pages, outcome_of
from visibility.audit.outcome import Check, Evidence, Outcome, failed, not_applicable, passed
from visibility.audit.page import ParsedPage
from visibility.audit.site import Fetched, Site, SitePage

MIN_UNQUOTABLE = 0.5
"""From this part of the main text on, data-nosnippet keeps a page from being quoted; notices use it rightly."""
_SIGNAL = re.compile(r"ai-train\s*=\s*(yes|no)", re.IGNORECASE)
_USAGE = re.compile(r"train-ai\s*=\s*(y|n)", re.IGNORECASE)
_LINE = re.compile(r"\s*(content-signal|content-usage)\s*:(.*)", re.IGNORECASE)


class Declaration(NamedTuple):
    """Whether somewhere it is said that models may be trained on the site."""

    allowed: bool
    evidence: Evidence


def indexable(site: Site) -> Outcome:
    """ACC-06: key pages are not marked noindex; with the home page, marked so for all crawlers, all is lost."""
    pages = key_pages(site)
    marked = [(page, mark) for page in pages if (mark := barring(page.fetched, page.parsed))]
    others = _others_barred(site, pages)
    if not marked:
        outcome = outcome_of(len(pages), [], {}, none="No key page was read.")
        return replace(outcome, because=others) if pages else outcome
    barred_for_all = [page for page, mark in marked if not mark.bot]
    home = site.home in barred_for_all
    first, mark = marked[0]
    words = {
        "url": one_line(first.url),
        "directive": f"{mark.word} for {mark.bot}" if mark.bot else mark.word,
        "more": f"{also(len(marked))} {others}".strip(),
    }
    evidence = [Evidence(page.url, mark.where, mark.quote) for page, mark in marked]
    return outcome_of(len(pages), evidence, words, lost=1.0 if home else len(barred_for_all) / len(pages))


def quotable(site: Site) -> Outcome:
    """ACC-07: key pages may be quoted."""
    pages = [page for page in key_pages(site) if not barring(page.fetched, page.parsed)]
    evidence = [Evidence(page.url, *mark) for page in pages if (mark := _unquotable(page))]
    first = evidence[0] if evidence else Evidence("", "", "")
    words = {"url": one_line(first.url), "more": also(len(evidence))}
    return outcome_of(len(pages), evidence, words, none="No key page that may be indexed was read.")


def declarations(site: Site) -> Outcome:
    """ACC-09: what robots.txt, headers, meta elements and tdmrep.json say about training does not differ."""
    said = list(_declared(site))
    if len(said) < 2:
        return not_applicable("The site declares the use of its text for training in fewer than two places.")
    yes = next((item.evidence for item in said if item.allowed), None)
    no = next((item.evidence for item in said if not item.allowed), None)
    if not yes or not no:
        word = "allowed" if yes else "reserved"
        return passed(f"All of {counted(len(said), 'declaration')} say that training is {word}.")
    return failed(evidence=[yes, no], words={"a": yes.quote, "b": no.quote})


def _others_barred(site: Site, key: Sequence[SitePage]) -> str:
    """A sentence about the pages beside the key ones that are marked so, which is no fault."""
    keys = {page.url for page in key}
    many = sum(1 for page in site.pages if page.url not in keys and barring(page.fetched, page.parsed))
    return (
        f"{counted(many, 'page that is no key page is', 'pages that are no key pages are')} noindex." if many else ""
    )


def _unquotable(page: SitePage) -> tuple[str, str] | None:
    """Where and how a page forbids quotes of it."""
    for item in directives(page.fetched, page.parsed):
        if item.word in ("nosnippet", "max-snippet:0"):
            return item.where, item.quote
    parsed = page.parsed
    if parsed and parsed.words and parsed.unquotable_words >= MIN_UNQUOTABLE * parsed.words:
        return "data-nosnippet", f"{parsed.unquotable_words} of {parsed.words} words of the main text"
    return None


def _declared(site: Site) -> Iterator[Declaration]:
    yield from _of_robots(site)
    tdmrep = site.probes.get("tdmrep")
    if tdmrep and tdmrep.fetched.answered:
        yield from _of_tdmrep(tdmrep.fetched.url, tdmrep.text.reservation)
    if site.home:
        yield from _of_headers(site.home.fetched)
        if site.home.parsed:
            yield from _of_metas(site.home.fetched, site.home.parsed)


def _of_robots(site: Site) -> Iterator[Declaration]:
    if not site.robots.fetched.answered:
        return
    for line in site.robots.rules.others:
        marked = _LINE.match(line.text.partition("#")[0])
        said = marked and (_SIGNAL.search(marked[2]) or _USAGE.search(marked[2]))
        if said:
            where = f"robots.txt line {line.number}"
            place = Evidence(site.robots.fetched.url, where, shortened(one_line(line.text), 200))
            yield Declaration(said[1].lower().startswith("y"), place)


def _of_headers(answer: Fetched) -> Iterator[Declaration]:
    for name, value in answer.headers:
        said = (
            (_SIGNAL if name == "content-signal" else _USAGE).search(value) if name.startswith("content-") else None
        )
        place = Evidence(answer.url, f"header {name}", shortened(f"{name}: {one_line(value)}", 200))
        if said and name in ("content-signal", "content-usage"):
            yield Declaration(said[1].lower().startswith("y"), place)
        if name == "tdm-reservation" and value.strip() in ("0", "1"):
            yield Declaration(value.strip() == "0", place)


def _of_metas(answer: Fetched, parsed: ParsedPage) -> Iterator[Declaration]:
    for meta in parsed.meta("tdm-reservation"):
        if meta.content.strip() in ("0", "1"):
            quote = f'<meta name="tdm-reservation" content="{meta.content.strip()}">'
            yield Declaration(meta.content.strip() == "0", Evidence(parsed.url, f"line {meta.line}", quote))
    for item in directives(answer, parsed):
        if item.word == "noai":
            yield Declaration(False, Evidence(parsed.url, item.where, item.quote))


def _of_tdmrep(url: str, reservation: str) -> Iterator[Declaration]:
    """What tdmrep.json says of the whole site."""
    if reservation:
        yield Declaration(reservation == "0", Evidence(url, "its content", f'"tdm-reservation": {reservation}'))


CHECKS: Mapping[str, Check] = {"ACC-06": indexable, "ACC-07": quotable, "ACC-09": declarations}
