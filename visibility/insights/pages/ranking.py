"""Ranks the pages that answers with a gap cite. Pure.

Worth acting on is a page where the brand can come to stand: a list, a test, a thread, a report, or its own page,
which the answers used and did not name it by. On a competitor's page nobody else gets, and shops show what they sell.

order = answers with a gap that cite the page; of equal ones the class decides.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from urllib.parse import urlsplit
from uuid import UUID

from visibility.detection.types import SourceClass
from visibility.measured.facts import AnswerFacts, CitedPage, PromptFacts
from visibility.measured.sources import CitedByAnswer, Sources, Tally

ORDER = (
    SourceClass.REVIEW_SITE,
    SourceClass.COMMUNITY,
    SourceClass.NEWS,
    SourceClass.OWN,
    SourceClass.VIDEO,
    SourceClass.REFERENCE,
    SourceClass.OTHER,
)
"""The classes of pages that can be acted on, the most promising first."""
_OFFERS = re.compile(r"/(?:buy|cart|collections?|dp|products?|shop|store)(?:/|$)", re.IGNORECASE)


@dataclass(slots=True)
class RankedPage:
    """A cited page: `gaps` answers with a gap cite it, which name these competitors; `tally` is over all answers that
    cite it."""

    page: CitedPage
    tally: Tally
    gaps: int = 0
    rivals: Counter[UUID] = field(default_factory=Counter)


def tallies_by_page(sources: Sources) -> dict[CitedPage, Tally]:
    """Who is named by all answers that cite a page."""
    return {page: tally for source in sources.sources for page, tally in source.pages.items()}


def rank_pages(
    gap_answers: Iterable[AnswerFacts],
    prompts: Mapping[UUID, PromptFacts],
    cited: CitedByAnswer,
    tallies: Mapping[CitedPage, Tally],
    domain: str | None = None,
) -> list[RankedPage]:
    """The pages that these answers cite, below `domain` alone where that is given; an answer counts once, and only
    where it does not name the brand."""
    pages: dict[CitedPage, RankedPage] = {}
    for answer in {answer.id: answer for answer in gap_answers if not answer.brand_named}.values():
        for page in cited.get(answer.id, ()):
            if page.cls in ORDER and domain in (None, page.domain):
                row = pages.setdefault(page, RankedPage(page, tallies[page]))
                row.gaps += 1
                row.rivals.update(answer.rivals.keys() - prompts[answer.prompt].named)
    return sorted(pages.values(), key=lambda row: (-row.gaps, ORDER.index(row.page.cls), row.page.digest))


def offers_products(page: CitedPage, url: str) -> bool:
    """Whether a site of no class shows what it sells there, as its address says."""
    return page.cls is SourceClass.OTHER and _OFFERS.search(urlsplit(url).path) is not None
