"""Whether answers can lean on the text: sources, speakers, support, pages of their own, prices."""

import re
from collections.abc import Mapping

from apikeys.text.sentences import counted, shortened
from visibility.audit.checks.alike import alike, canonical_key
from visibility.audit.checks.claims import Claim, praise, quotations, statistics
from visibility.audit.checks.content import by_phrases, content_pages
from visibility.audit.checks.domains import domain_of
from visibility.audit.checks.pages import outcome_of
from visibility.audit.checks.pricing import priced
from visibility.audit.outcome import Check, Evidence, Outcome, failed, not_applicable, passed, theirs
from visibility.audit.page import PageKind, ParsedPage
from visibility.audit.site import Site

CLAIMING: tuple[PageKind, ...] = ("home", "product", "pricing", "article", "about", "docs", "other")
QUOTING: tuple[PageKind, ...] = ("home", "article", "about", "other")
PRAISING: tuple[PageKind, ...] = ("home", "product", "pricing", "about")
MIN_ARTICLE = 300
"""Words of an article that needs sources; shorter ones announce."""
MIN_WORDS = 150
"""A page of fewer words is thin."""
MANY_VISIBLE = 600
"""Visible words above which an extractor that keeps little says nothing of the page."""
_SHARING = re.compile(
    r"/(?:sharer|share|intent|submit|pin/create|shareArticle)\b|[?&](?:u|url|text)=http", re.IGNORECASE
)


def sourced_statistics(site: Site) -> Outcome:
    """CIT-01: statistics name their source or link it."""
    return by_phrases(content_pages(site, *CLAIMING), _sourced_statistics)


def _sourced_statistics(pages: list[ParsedPage]) -> Outcome:
    claims = [claim for page in pages for claim in statistics(page)]
    if not claims:
        return not_applicable("No sentence of the pages read has a statistic.")
    sourced = sum(claim.supported for claim in claims)
    return _supported(claims, {"finding": f"{counted(len(claims), 'statistic')}, {sourced} of them with a source."})


def attributed_quotations(site: Site) -> Outcome:
    """CIT-02: quotations name who said it."""
    return by_phrases(content_pages(site, *QUOTING), _attributed_quotations)


def _attributed_quotations(pages: list[ParsedPage]) -> Outcome:
    claims = [claim for page in pages for claim in quotations(page)]
    if not claims:
        return not_applicable("The pages read quote nobody at length.")
    open_ones = sum(not claim.supported for claim in claims)
    said = counted(len(claims), "quotation")
    verb = "names" if open_ones == 1 else "name"
    return _supported(claims, {"finding": f"{open_ones} of {said} {verb} no speaker."})


def supported_praise(site: Site) -> Outcome:
    """CIT-04: praise in superlatives stands on a figure, a source or an award."""
    return by_phrases(content_pages(site, *PRAISING), lambda pages: _supported_praise(pages, site))


def _supported_praise(pages: list[ParsedPage], site: Site) -> Outcome:
    claims = [claim for page in pages for claim in praise(page, (site.brand, *site.names))]
    if not claims:
        return not_applicable("The pages read praise nothing in superlatives.")
    bare = [claim for claim in claims if not claim.supported]
    quote = shortened(bare[0].text, 160) if bare else ""
    n = counted(len(bare), "superlative stands", "superlatives stand") + " without support"
    return _supported(claims, {"finding": f"{n}, such as {theirs(quote)}."})


def _supported(claims: list[Claim], words: Mapping[str, str]) -> Outcome:
    bare = [claim for claim in claims if not claim.supported]
    if not bare:
        return passed(counted(len(claims), "of them, all supported", "of them, all supported"))
    evidence = [Evidence(claim.page.url, "the text", claim.text) for claim in bare]
    return failed(evidence=evidence, share=1 - len(bare) / len(claims), words=words)


def linked_sources(site: Site) -> Outcome:
    """CIT-03: articles link pages of others in their text."""
    pages = [page for page in content_pages(site, "article") if page.words >= MIN_ARTICLE]
    silent = [page for page in pages if not _links_out(page)]
    words = {}
    if silent:
        verb = "links" if len(silent) == 1 else "link"
        words = {"finding": f"{len(silent)} of {counted(len(pages), 'article')} {verb} no source outside the site."}
    evidence = [Evidence(page.url, "the text", f"no link to another site in {page.words} words") for page in silent]
    return outcome_of(len(pages), evidence, words, none=f"No article of {MIN_ARTICLE} words or more was read.")


def _links_out(page: ParsedPage) -> bool:
    own = domain_of(page.url)
    inside = [url for block in page.blocks for url in block.links]
    inside += [link.url for link in page.links if link.place == "main"]
    return any(domain_of(url) not in ("", own) and not _SHARING.search(url) for url in inside)


def distinct_pages(site: Site) -> Outcome:
    """CIT-05: pages are not nearly the same as others, and none that should tell something is thin."""
    pages = {canonical_key(page): page for page in reversed(content_pages(site)) if _counts(page)}
    judged = list(reversed(pages.values()))
    pairs = alike([page for page in judged if page.words >= MIN_WORDS])
    thin = [page for page in judged if _thin(page)]
    said = []
    if pairs:
        one, other, share = pairs[0]
        said.append(f"{theirs(one.url)} and {theirs(other.url)} are {int(share * 100)} % alike")
    if thin:
        said.append(f"{counted(len(thin), 'page has', 'pages have')} fewer than {MIN_WORDS} words")
    words = {"finding": f"{'; '.join(said)}."}
    evidence = [
        Evidence(other.url, "the text", f"{int(share * 100)}% alike with {one.url}") for one, other, share in pairs
    ]
    evidence += [Evidence(page.url, "the text", f"{page.words} words") for page in thin]
    none = "No page was read whose text could be compared."
    return outcome_of(len(judged), evidence, words, none=none)


def _counts(page: ParsedPage) -> bool:
    """Whether a page is meant to be found: no private or legal one, none that asks to be left out."""
    left_out = any("noindex" in meta.content.lower() for meta in page.meta("robots"))
    return page.kind not in ("login", "search", "legal", "contact") and not left_out


def _thin(page: ParsedPage) -> bool:
    telling = page.kind in ("article", "about", "docs", "product")
    return telling and page.words < MIN_WORDS and page.visible_words < MANY_VISIBLE and not page.client_rendered


def prices(site: Site) -> Outcome:
    """CIT-06: pages that offer something show a price in their text, or say how one is made."""
    pages = content_pages(site, "product", "pricing")
    judged = [(page, shows) for page in pages if (shows := priced(page)) is not None]
    silent = [page for page, shows in judged if not shows]
    verb = "shows" if len(silent) == 1 else "show"
    words = {"finding": f"{len(silent)} of {counted(len(judged), 'offer page')} {verb} no price in the text."}
    evidence = [Evidence(page.url, "the text", _instead(page)) for page in silent]
    none = "No page that was read offers something." if not pages else "Whether a price is shown cannot be told: "
    none += "" if not pages else "the pages offer nothing now, or are in a language that this check does not read."
    return outcome_of(len(judged), evidence, words, none=none)


def _instead(page: ParsedPage) -> str:
    """What is known of the page where its price should stand."""
    heading = next((heading.text for heading in page.headings if heading.level == 1), "")
    return f"no price in {counted(page.visible_words, 'visible word')}" + (
        f" of “{shortened(heading, 100)}”" if heading else ""
    )


CHECKS: Mapping[str, Check] = {
    "CIT-01": sourced_statistics,
    "CIT-02": attributed_quotations,
    "CIT-03": linked_sources,
    "CIT-04": supported_praise,
    "CIT-05": distinct_pages,
    "CIT-06": prices,
}
