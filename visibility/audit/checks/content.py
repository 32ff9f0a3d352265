"""The pages whose content is judged, and how what several of them show becomes one outcome."""

from collections.abc import Callable, Sequence

from apikeys.text.sentences import counted
from visibility.audit.checks.addresses import page_key
from visibility.audit.checks.nodes import all_nodes
from visibility.audit.checks.pages import readable
from visibility.audit.checks.phrases.phrases import not_read, phrases_of
from visibility.audit.checks.vocabulary.vocabulary import is_a
from visibility.audit.outcome import Outcome, inconclusive, not_applicable
from visibility.audit.page import PageKind, ParsedPage, types_of
from visibility.audit.site import Site

MIN_VISIBLE_WORDS = 20
"""A page with fewer says too little to be judged; whether it should say more is the concern of other checks."""


def content_pages(site: Site, *kinds: PageKind) -> list[ParsedPage]:
    """The pages with text, each address once and of these kinds, where any are named: none that only sends on."""
    pages: dict[str, ParsedPage] = {}
    for page in readable(site):
        wanted = page.kind in kinds if kinds else True
        if wanted and page.visible_words >= MIN_VISIBLE_WORDS and not page.meta("refresh"):
            pages.setdefault(page_key(page.url), page)
    return list(pages.values())


def articles(site: Site) -> list[ParsedPage]:
    """The articles that show what makes them one: a date, an author or markup. Many sites call every page an article
    in their previews."""
    return [page for page in content_pages(site, "article") if _is_dated(page) or _is_marked_up(page)]


def _is_dated(page: ParsedPage) -> bool:
    return bool(page.bylines) or any(date.source != "guess" for date in page.dates)


def _is_marked_up(page: ParsedPage) -> bool:
    return any(is_a(types_of(placed.node), "Article", "HowTo", "Recipe") for placed in all_nodes(page))


def by_phrases(
    pages: Sequence[ParsedPage], judge: Callable[[list[ParsedPage]], Outcome], *, none: str = "No page has such text."
) -> Outcome:
    """What `judge` says of the pages whose language has phrases to read by."""
    if not pages:
        return not_applicable(none)
    known = [page for page in pages if phrases_of(page) is not None]
    return judge(known) if known else not_applicable(not_read(tuple(pages)))


def further(number: int) -> str:
    """The sentence behind one about the first of so many pages; their faults may differ."""
    rest = counted(number - 1, "more page has", "more pages have")
    return f"{rest} a fault of this kind." if number > 1 else ""


def home_of(site: Site) -> ParsedPage | Outcome:
    """What the home page says, or the outcome of a check that needs it where it was not read."""
    home = site.home
    if home is None or home.parsed is None:
        return inconclusive("The home page could not be read.")
    return home.parsed
