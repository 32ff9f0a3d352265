"""Content: its age (FRE), whether it can be quoted (CIT), and what it offers to agents (AGT)."""

import re
from datetime import date, timedelta
from itertools import combinations

from visibility.audit.addresses import page_key, path_of
from visibility.audit.checks.pages import content_pages, readable
from visibility.audit.facts import ParsedPage, ProbeName, Site
from visibility.audit.markup import nodes_in, numbers_of
from visibility.audit.outcome import Evidence, Outcome, at_line, failed, inconclusive, judged, not_applicable, passed
from visibility.audit.sentences import counted, in_a_row, iso_day, listed, of_this_kind, say, shortened, theirs

DECLARED, SHOWN = ("markup", "meta"), ("time", "text")
ONE_DAY = timedelta(days=1)
"""The largest difference of dates that time zones explain."""
TWO_YEARS = timedelta(days=731)
MAX_OWN_DATES = 2
"""Days that a page shows of itself: published and updated; with more of them it lists other things."""
RUN, MIN_ALIKE, MAX_WORDS = 5, 0.85, 20_000
"""Words of a shingle; shared shingles, as a part of those of both, from which two pages are near-duplicates; words
of a page that are compared."""
MIN_WORDS = 150
MIN_LLMS = 50
"""Characters of an llms.txt that says something."""
_NUMBERED = re.compile(
    r"(?:^|[/?&_-])(?:page|p|seite|pagina|paged|start|offset)[/=_-]?\d{1,5}(?:$|[/&.])", re.IGNORECASE
)
_HIDING = {"unicode": say("unicode"), "style": say("style"), "comment": say("comment")}
_SURFACES: dict[ProbeName, str] = {
    "mcp.json": "an MCP server",
    "api-catalog": "an API catalog",
    "agent card": "an agent card",
    "ucp": "a UCP profile",
}


def machine_dates(site: Site) -> Outcome:
    """FRE-01: articles have a date in structured data, a meta or a time element."""
    pages = content_pages(site, "article")
    silent = [page for page in pages if not any(day.source in (*DECLARED, "time") for day in page.dates)]
    evidence = [Evidence(page.url, say("the page"), _days_of(page) or say("no date")) for page in silent]
    finding = say(
        "{number} of {article} have no machine-readable date.",
        number=len(silent),
        article=counted(len(pages), "article"),
    )
    return judged(len(pages), evidence, finding, none="The pages read have no articles.")


def _days_of(page: ParsedPage) -> str:
    return shortened(", ".join(dict.fromkeys(f"{day.source} {day.day}" for day in page.dates)), 200)


def agreeing_dates(site: Site) -> Outcome:
    """FRE-02: dates are not in the future, declared and shown dates agree, and no date moves over the same text."""
    latest = site.audited_at.date() + ONE_DAY
    pages = [page for page in content_pages(site) if any(day.source in DECLARED for day in page.dates)]
    faults = [fault for page in pages if (fault := _disagrees(page, latest))]
    moved = [fault for page in content_pages(site) if (fault := _moved(page, site))]
    faults += moved
    finding = ""
    if faults:
        first = say("{url}: {fault}.", url=theirs(faults[0].url), fault=faults[0].quote)
        finding = in_a_row(first, of_this_kind(len(faults)))
    none = "No page declares a date."
    return judged(len({page.url for page in pages} | {fault.url for fault in moved}), faults, finding, none=none)


def _disagrees(page: ParsedPage, latest: date) -> Evidence | None:
    """Two dates that contradict each other. Of several dates of a kind, one that agrees is enough."""
    declared = [day for day in page.dates if day.source in DECLARED]
    future = [day for day in declared if day.day > latest]
    if future:
        return at_line(
            page.url, future[0].line, say("a declared date is {day}, in the future", day=iso_day(future[0].day))
        )
    shown = [day for day in page.dates if day.source in SHOWN]
    if len({day.day for day in shown}) > MAX_OWN_DATES:
        return None
    for meaning in ("published", "modified"):
        ours = [day for day in declared if day.meaning == meaning]
        others = [day for day in shown if day.meaning == meaning]
        if ours and others and all(abs(one.day - other.day) > ONE_DAY for one in ours for other in others):
            quote = say(
                "the declared date ({meaning}) is {day}, and the page says {shown}",
                meaning=say("published") if meaning == "published" else say("modified"),
                day=iso_day(ours[0].day),
                shown=iso_day(others[0].day),
            )
            return at_line(page.url, ours[0].line, quote, to=str(others[0].day))
    return None


def _moved(page: ParsedPage, site: Site) -> Evidence | None:
    before = site.earlier.get(page.url)
    if not before or before.content_hash != page.content_hash:
        return None
    newest, earlier = page.newest_shown, before.newest_shown
    if not newest or not earlier or newest <= earlier + ONE_DAY:
        return None
    quote = say(
        "it shows {newest}, before {earlier}, over the same text", newest=iso_day(newest), earlier=iso_day(earlier)
    )
    return Evidence(page.url, say("the text"), quote)


def newest_content(site: Site) -> Outcome:
    """FRE-03: the newest dated content is younger than two years."""
    today = site.audited_at.date()
    days = [(day.day, page) for page in content_pages(site) for day in page.dates if day.day <= today + ONE_DAY]
    if not days:
        return not_applicable("No page declares or shows a date.")
    newest, page = max(days, key=lambda pair: pair[0])
    finding = say("The newest content is of {newest}.", newest=iso_day(newest))
    if today - newest <= TWO_YEARS:
        return passed(finding)
    return failed(finding, [Evidence(page.url, say("its dates"), _days_of(page))])


def distinct_pages(site: Site) -> Outcome:
    """CIT-05: pages are not nearly the same as others."""
    pages = {page_key(page.canonical_url): page for page in reversed(content_pages(site)) if _counts(page)}
    compared = [page for page in reversed(pages.values()) if page.words >= MIN_WORDS]
    shingles = {page.url: _shingles(page) for page in compared}
    pairs = []
    for one, other in combinations(compared, 2):
        share = _shared(shingles[one.url], shingles[other.url])
        if share >= MIN_ALIKE and not _rightly_alike(one, other):
            pairs.append((one, other, int(share * 100)))
    finding = ""
    if pairs:
        one, other, share = pairs[0]
        finding = say(
            "{url} and {other} are {share} % alike; {such_pair}.",
            url=theirs(one.url),
            other=theirs(other.url),
            share=share,
            such_pair=counted(len(pairs), "such pair"),
        )
    evidence = [
        Evidence(other.url, say("the text"), say("{share} % alike with {url}", share=share, url=one.url))
        for one, other, share in pairs
    ]
    return judged(len(compared), evidence, finding, none="No two pages were read whose texts could be compared.")


def _counts(page: ParsedPage) -> bool:
    """Whether a page is meant to be discovered: no legal one, none that asks to be left out."""
    is_barred = any("noindex" in meta.content.lower() for meta in page.meta("robots"))
    return page.kind not in ("legal", "contact") and not is_barred


def _shingles(page: ParsedPage) -> frozenset[int]:
    words = page.main_text.casefold().split()[:MAX_WORDS]
    return frozenset(hash(tuple(words[at : at + RUN])) for at in range(len(words) - RUN + 1))


def _shared(one: frozenset[int], other: frozenset[int]) -> float:
    if not one or not other or min(len(one), len(other)) < MIN_ALIKE * max(len(one), len(other)):
        return 0.0
    both = len(one & other)
    return both / (len(one) + len(other) - both)


def _rightly_alike(one: ParsedPage, other: ParsedPage) -> bool:
    """Versions for other places, and pages of one listing."""
    if one.kind == other.kind == "listing" or any(_NUMBERED.search(path_of(page.url)) for page in (one, other)):
        return True
    versions = {page_key(link.url) for page in (one, other) for link in page.versions}
    return bool(versions & {page_key(one.url), page_key(other.url)})


def prices(site: Site) -> Outcome:
    """CIT-06: a price that structured data or meta elements declare for an offer is in the text of its page."""
    pages = [page for page in content_pages(site, "product", "pricing") if not page.cut]
    declaring = [(page, amount) for page in pages if (amount := _declared_price(page))]
    silent = [(page, amount) for page, amount in declaring if not page.prices]
    evidence = [
        Evidence(
            page.url,
            say("the text"),
            say("no price in {visible_word}", visible_word=counted(page.visible_words, "visible word")),
            to=amount,
        )
        for page, amount in silent
    ]
    finding = say(
        "{number} of {page} that declare a price show none in their text.",
        number=len(silent),
        page=counted(len(declaring), "page"),
    )
    return judged(len(declaring), evidence, finding, none="No page that was read declares the price of an offer.")


def _declared_price(page: ParsedPage) -> str:
    """Amount and currency that a page declares for what it offers; empty for none, or nothing to buy now."""
    for node in nodes_in([block.nodes for block in page.markup]):
        amounts = [number for name in ("price", "lowPrice") for number in numbers_of(node.get(name)) if number > 0]
        away = str(node.get("availability", "")).rpartition("/")[2] in ("OutOfStock", "Discontinued", "SoldOut")
        if amounts and not away and node.get("priceCurrency"):
            return f"{amounts[0]} {shortened(str(node['priceCurrency']), 3)}"
    return ""


def surfaces(site: Site) -> Outcome:
    """AGT-01: what the site offers to agents; an llms.txt that is there has a heading, links and some text."""
    missing, llms = site.probes.get("missing page"), site.probes.get("llms.txt")
    if not site.probes:
        return inconclusive("No further address was asked for.")
    soft = bool(missing and missing.fetched.answered)
    there = [what for name, what in _SURFACES.items() if (each := site.probes.get(name)) and each.text.is_json]
    markdown = site.probes.get("markdown")
    if markdown and "markdown" in markdown.fetched.header("content-type"):
        there.append("its pages as Markdown")
    if llms and llms.fetched.answered and not (soft and llms.text.is_html):
        text, faults = llms.text, list[str]()
        faults += [say("it is a web page")] if text.is_html else []
        faults += [] if text.has_heading else [say("it has no heading")]
        faults += [] if text.has_link else [say("it has no link")]
        short = text.characters < MIN_LLMS
        faults += [say("it has {characters} characters", characters=text.characters)] if short else []
        if faults:
            evidence = Evidence(llms.fetched.url, say("its content"), shortened(text.opening, 120))
            return failed(say("llms.txt is malformed: {faults}.", faults=faults), [evidence])
        there.append("an llms.txt")
    return passed(f"The site has {listed(there)}.") if there else not_applicable("No surface for agents was seen.")


def no_hidden_orders(site: Site) -> Outcome:
    """AGT-05: no text that people do not see gives orders to AI systems."""
    pages = readable(site)
    pieces = [(page, hidden) for page in pages for hidden in page.hidden]
    evidence = [
        Evidence(page.url, say("line {line} ({how})", line=str(hidden.line), how=_HIDING[hidden.how]), hidden.quote)
        for page, hidden in pieces
    ]
    finding = ""
    if pieces:
        finding = say(
            "Hidden text on {page} addresses AI systems: {quote}.",
            page=counted(len({page.url for page, _ in pieces}), "page"),
            quote=theirs(pieces[0][1].quote),
        )
    return judged(len(pages), evidence, finding)
