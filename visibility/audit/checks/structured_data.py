"""Structured data: whether it can be read, says what it should, and uses words that exist."""

from collections.abc import Mapping
from difflib import get_close_matches
from itertools import islice
from typing import Any

from apikeys.text.sentences import counted, joined, shortened
from visibility.audit.checks.agreement import agreement
from visibility.audit.checks.content import articles, content_pages, further, home_of
from visibility.audit.checks.nodes import Placed, all_nodes, listed, main_nodes, texts_in
from visibility.audit.checks.pages import at_line, outcome_of
from visibility.audit.checks.vocabulary.vocabulary import PROPERTIES, TYPES, VERSION, is_a
from visibility.audit.outcome import MAX_EVIDENCE, Check, Evidence, Outcome, failed, not_applicable, passed, theirs
from visibility.audit.page import Markup, PageKind, ParsedPage, types_of
from visibility.audit.site import Site

EMPTY = "the block is empty"
"""The error of a block without any text: it says nothing, and nothing wrong."""
ORGANIZATION_SAYS = ("name", "url", "logo", "sameAs")
PREVIEW = ("og:title", "og:site_name", "og:description", "og:image")
OFFERED = ("Product", "Service", "SoftwareApplication", "Course", "Event", "Accommodation", "Trip", "CreativeWork")
"""What a page that sells may be about; a page itself is a work, too, and does not count (see `_FRAMES`)."""
OFFERS = ("Offer", "PriceSpecification")
WRITTEN = ("Article", "HowTo", "Review", "Question", "Report", "Blog", "FAQPage", "QAPage", "Recipe", "Dataset")
WATCHED = ("MediaObject", "Event", "JobPosting", "Claim", "Book", "Course", "Product")
"""What else a dated text may be about."""
_FRAMES = ("WebPage", "WebSite", "WebPageElement", "Article", "ImageObject")


def readable_blocks(site: Site) -> Outcome:
    """SCH-01: each block of JSON-LD is strict JSON with a context."""
    blocks = [
        (page, number, block)
        for page in site.parsed()
        for number, block in enumerate((markup for markup in page.markup if markup.syntax == "json-ld"), start=1)
        if block.error != EMPTY
    ]
    if not blocks:
        return not_applicable("The pages read have no JSON-LD.")
    broken = [(page, number, block, why) for page, number, block in blocks if (why := _unreadable(block))]
    if not broken:
        return passed()
    page, number, block, why = broken[0]
    line = block.error_line or block.line
    said = f"On {theirs(page.url)} block {number} of JSON-LD cannot be read: {theirs(why)} (line {line})."
    words = {"finding": said}
    evidence = [
        at_line(page.url, block.error_line or block.line, f"block {number}: {why}")
        for page, number, block, why in broken
    ]
    return failed(evidence=evidence, share=1 - len(broken) / len(blocks), words=words)


def _unreadable(block: Markup) -> str:
    if block.error:
        return block.error
    typed = any("@type" in node or "@graph" in node for node in block.nodes)
    if typed and not any("@context" in node for node in block.nodes):
        return "it has no @context, so that its types mean nothing"
    return ""


def publisher(site: Site) -> Outcome:
    """SCH-02: the home page names who publishes the site, and the site."""
    home = home_of(site)
    if isinstance(home, Outcome):
        return home
    makers = [placed.node for placed in all_nodes(home) if is_a(types_of(placed.node), "Organization")]
    makers = makers or [placed.node for placed in main_nodes(home, "Person")]
    named = any(texts_in(node, "name") for node in home.nodes("WebSite"))
    lacks = min(
        ([name for name in ORGANIZATION_SAYS if not listed(node.get(name))] for node in makers), key=len, default=None
    )
    said = [] if named else ["WebSite node with a name"]
    if lacks is None:
        said = ["Organization node", *said]
    have = named + (0 if lacks is None else 1 + len(ORGANIZATION_SAYS) - len(lacks))
    missing = f"The structured data of the home page has no {' and no '.join(said)}." if said else ""
    if lacks:
        missing = f"The Organization of the home page has no {joined(lacks)}." + (f" {missing}" if missing else "")
    if not missing:
        return passed()
    types = sorted({name for placed in all_nodes(home) for name in types_of(placed.node)})
    evidence = Evidence(home.url, "structured data", f"types found: {', '.join(types)}" if types else "none found")
    return failed(evidence=[evidence], share=have / (2 + len(ORGANIZATION_SAYS)), words={"finding": missing})


def types_of_kind(site: Site) -> Outcome:
    """SCH-03: a page that sells has a product or an offer in its structured data, an article has an article."""
    pages = [*content_pages(site, "product"), *(page for page in content_pages(site, "pricing") if page.prices)]
    pages += articles(site)
    lacking = [(page, lack) for page in pages if (lack := _lacks_type(page))]
    words = {}
    if lacking:
        page, lack = lacking[0]
        words = {"finding": f"{theirs(page.url)} {lack}. {further(len(lacking))}".strip()}
    evidence = [Evidence(page.url, "structured data", f"{lack}; {_found(page)}") for page, lack in lacking]
    none = "No product, price or article was found on the pages read."
    return outcome_of(len(pages), evidence, words, none=none)


def _lacks_type(page: ParsedPage) -> str:
    types = [types_of(placed.node) for placed in all_nodes(page)]
    offers = any(is_a(names, *OFFERS) for names in types)
    if page.kind == "article":
        return (
            ""
            if any(is_a(names, *WRITTEN, *WATCHED) for names in types)
            else "is an article, and its structured data names no Article"
        )
    if (
        any(price.main for price in page.prices)
        and not offers
        and not any("offers" in p.node for p in all_nodes(page))
    ):
        return "shows a price, and its structured data names no Offer"
    sold = any(is_a(names, *OFFERED) and not is_a(names, *_FRAMES) for names in types)
    return "" if sold or offers else "offers something, and its structured data names no Product, Service or Offer"


def _found(page: ParsedPage) -> str:
    types = sorted({name for placed in all_nodes(page) for name in types_of(placed.node)})
    return shortened(f"types found: {', '.join(types)}" if types else "no structured data", 200)


def known_terms(site: Site) -> Outcome:
    """SCH-05: types and properties are those of schema.org."""
    used: dict[_Term, tuple[bool, str, int]] = {}
    for page in site.parsed():
        for placed in all_nodes(page):
            for term, known in _terms(placed):
                used.setdefault(term, (known, page.url, placed.markup.line))
    if not used:
        return not_applicable("The pages read have no structured data of schema.org.")
    unknown = {term: (url, line) for term, (known, url, line) in used.items() if not known}
    if not unknown:
        return passed(f"All terms are in schema.org {VERSION}.")
    evidence = [at_line(url, line, _unknown(*term)) for term, (url, line) in islice(unknown.items(), MAX_EVIDENCE)]
    evidence += [at_line(url, line, "") for url, line in islice(unknown.values(), MAX_EVIDENCE, None)]
    said = f"{theirs(evidence[0].quote)}."
    if len(unknown) > 1:
        said = f"{len(unknown)} terms are not in schema.org {VERSION}: {theirs(evidence[0].quote)}, and others."
    return failed(evidence=evidence, share=1 - len(unknown) / len(used), words={"finding": said})


_Term = tuple[str, str]
"""A type, and a property on it; without a property, the type itself."""


def _terms(placed: Placed) -> list[tuple[_Term, bool]]:
    """The types and properties of a node, each as (type, property or empty), and whether schema.org has it. Only
    what can be meant to be schema.org: plain names, in a block of its context."""
    if not _of_schema_org(placed):
        return []
    types = [name for name in sorted(types_of(placed.node)) if _plain(name)]
    terms = [((name, ""), name in TYPES) for name in types]
    kind = types[0] if types else "a node without a type"
    names = [name for name in placed.node if isinstance(name, str) and _plain(name)]
    return terms + [((kind, name), _property(name)) for name in names]


def _property(name: str) -> bool:
    return name.removesuffix("-input").removesuffix("-output") in PROPERTIES


def _plain(name: str) -> bool:
    return bool(name) and ":" not in name and not name.startswith(("@", "http", "$"))


def _of_schema_org(placed: Placed) -> bool:
    if placed.markup.syntax == "microdata":
        return any("schema.org" in str(name).lower() for name in listed(placed.node.get("@type")))
    contexts = [node.get("@context") for node in placed.markup.nodes if isinstance(node, dict) and "@context" in node]
    own = placed.node.get("@context")
    return all(_is_schema_org(context) for context in [*contexts, *([own] if own else [])]) and bool(contexts)


def _is_schema_org(context: Any) -> bool:
    """Whether a context is schema.org and nothing else: other vocabularies may add words of their own."""
    if isinstance(context, str):
        return (
            context.strip().rstrip("/").lower().removeprefix("https://").removeprefix("http://").removeprefix("www.")
            == "schema.org"
        )
    return isinstance(context, list) and len(context) == 1 and _is_schema_org(context[0])


def _unknown(kind: str, name: str) -> str:
    near = get_close_matches(name or kind, PROPERTIES if name else TYPES, n=1, cutoff=0.75)
    hint = f" (is it {near[0]}?)" if near else ""
    return (
        f"Unknown property {shortened(name, 60)} on {shortened(kind, 60)}{hint}"
        if name
        else f"Unknown type {shortened(kind, 60)}{hint}"
    )


def previews(site: Site) -> Outcome:
    """SCH-06: pages have what previews show. Told, not scored."""
    kinds: tuple[PageKind, ...] = ("home", "product", "pricing", "article", "about", "docs", "other")
    pages = content_pages(site, *kinds)
    lacking = [(page, lacks) for page in pages if (lacks := _preview_lacks(page))]
    evidence = [Evidence(page.url, "the head of the page", f"no {joined(lacks)}") for page, lacks in lacking]
    words = {}
    if lacking:
        names = [name for name in PREVIEW if any(name in lacks for _, lacks in lacking)]
        words = {
            "finding": f"{counted(len(lacking), 'page has', 'pages have')} no {joined(names)}, in whole or in part."
        }
    return outcome_of(len(pages), evidence, words)


def _preview_lacks(page: ParsedPage) -> list[str]:
    return [name for name in PREVIEW if not any(meta.content.strip() for meta in page.meta(name))]


CHECKS: Mapping[str, Check] = {
    "SCH-01": readable_blocks,
    "SCH-02": publisher,
    "SCH-03": types_of_kind,
    "SCH-04": agreement,
    "SCH-05": known_terms,
    "SCH-06": previews,
}
