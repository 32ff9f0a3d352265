"""Cited pages worth acting on, as they look from outside."""

from collections.abc import Iterable, Mapping
from uuid import UUID

from visibility.insights.pages.reading import PageToActOn
from visibility.measured.facts import most_named
from visibility.resources.sources import PageToActOn as PageResource

MAX_RIVALS = 3
"""Of a source in short, and of a page."""


def page_resources(pages: Iterable[PageToActOn], competitors: Mapping[UUID, str]) -> list[PageResource]:
    """The pages worth acting on, as they look from outside; `competitors` by name."""
    return [
        PageResource(
            url=page.words.url,
            title=page.words.title,
            cls=page.ranked.page.cls,
            gaps=page.ranked.gaps,
            answers=page.ranked.tally.answers,
            named=page.ranked.tally.named,
            competitors=[competitors[rival] for rival in most_named(page.ranked.rivals, competitors)[:MAX_RIVALS]],
        )
        for page in pages
    ]
