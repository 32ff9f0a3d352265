"""What AI reads: the sites that answers cite, by kind, and the pages of all or one with the brands on them."""

from collections.abc import Sequence
from typing import Any

from django.core.paginator import Paginator
from django.http import HttpResponse
from django.utils.translation import gettext, ngettext

from apikeys.language import number_words
from visibility.drawing import charts
from visibility.pages.frame import Visit, brand_page
from visibility.pages.tables import Table, wanted
from visibility.sources.cited import CitedSite, citations_by_class, cited_sites
from visibility.sources.pages import Page, cited_pages

MOST_SITES, MOST_PAGES = 25, 100


@brand_page
def sources(visit: Visit) -> HttpResponse:
    """The sites and pages behind the answers of now, of one topic, engine or kind where the address says so; with
    `site` only its pages."""
    filters = visit.filters()
    now = filters.now
    every = cited_sites(now)
    kinds = citations_by_class(every)
    kind = visit.choice("kind", dict(kinds))
    sites = [each for each in every if kind in (None, each.source_class)]
    chosen = visit.query.get("site", "")
    only = {"domain": chosen, "source_class": "" if chosen else kind}
    pages = cited_pages(now, **{name: value for name, value in only.items() if value})
    if file := wanted(visit, *_tables(sites, pages)):
        return file
    page = Paginator(sites, MOST_SITES).get_page(visit.query.get("page"))
    return visit.show(
        "sources.html",
        "sources",
        lead=_lead(every),
        page=page,
        filters=filters,
        kind=kind,
        kept=_filters(visit),
        **_kinds(kinds),
        **_pages(pages, chosen),
    )


def _kinds(kinds: Sequence[tuple[str, int]]) -> dict[str, Any]:
    """How often each kind of sites is cited, with the class of its colour."""
    return {
        "kinds": [(name, f"k-{name}", number) for name, number in kinds],
        "drawn": charts.split([(f"k-{name}", number) for name, number in kinds]),
        "citations": sum(number for _, number in kinds),
    }


def _pages(pages: Sequence[Page], chosen: str) -> dict[str, Any]:
    """The first pages, of the chosen site or of all, how many there are, and whether any was read."""
    return {
        "chosen": chosen,
        "pages": pages[:MOST_PAGES],
        "all_pages": len(pages),
        "some_read": any(each.reading for each in pages),
    }


def _lead(sites: Sequence[CitedSite]) -> str:
    """How many sites are cited, and how many answers that cite the most cited foreign one mention the brand."""
    if not sites:
        return gettext("No answer cites a source yet.")
    first = ngettext("Answers cite {number} site.", "Answers cite {number} sites.", len(sites))
    first = first.format(number=number_words(len(sites)))
    foreign = [each for each in sites if each.source_class != "own"]
    if not foreign:
        return first
    most = foreign[0]
    citing, naming = number_words(most.citing), number_words(most.naming)
    if foreign[1:] and foreign[1].citing == most.citing:
        second = ngettext(
            "Among the most cited is {domain}: {citing} answer cites it, {naming} of them mention you.",
            "Among the most cited is {domain}: {citing} answers cite it, {naming} of them mention you.",
            most.citing,
        )
    else:
        second = ngettext(
            "Most of all {domain}: {citing} answer cites it, {naming} of them mention you.",
            "Most of all {domain}: {citing} answers cite it, {naming} of them mention you.",
            most.citing,
        )
    return f"{first} {second.format(domain=most.domain, citing=citing, naming=naming)}"


def _filters(visit: Visit) -> str:
    """The filters of the address, to be followed by another."""
    query = visit.query.copy()
    for name in ("site", "page", "format", "table", "kind"):
        query.pop(name, None)
    return f"{query.urlencode()}&" if query else ""


def _tables(sites: Sequence[CitedSite], pages: Sequence[Page]) -> tuple[Table, ...]:
    return (
        Table(
            "sites",
            ("site", "kind", "answers that cite it", "of these mention you", "of"),
            lambda: ([each.domain, each.source_class, each.citing, each.naming, each.of] for each in sites),
        ),
        Table(
            "pages",
            (
                *("page", "site", "title", "answers that cite it", "of these mention you"),
                *("page mentions you", "competitors on it", "read", "why not read"),
            ),
            lambda: map(_page_cells, pages),
        ),
    )


def _page_cells(page: Page) -> list[Any]:
    cells, read = [page.url, page.domain, page.title, page.answers, page.naming], page.reading
    if read is None:
        return [*cells, None, None, None, None]
    return [*cells, read.names_brand, ", ".join(read.competitors), read.read_at.date(), read.error]
