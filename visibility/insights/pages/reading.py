"""Reads the pages worth acting on for many gaps at once, in one statement."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from visibility.insights.pages.ranking import RankedPage, offers_products, rank_pages, tallies_by_page
from visibility.measured.basis import EngineDay
from visibility.measured.facts import AnswerFacts, PromptFacts
from visibility.measured.sources import CitedByAnswer, PageWords, find_sources, read_page_words

MAX_OF_GAP = 5
MAX_OVER_ALL = 10
_SPARE = 2
"""How many times more are looked at than are shown: addresses, read for these alone, make some drop out."""


@dataclass(frozen=True, slots=True)
class GapAnswers:
    """The answers of a gap; of a source gap its `domain`."""

    answers: Sequence[AnswerFacts]
    domain: str | None = None


@dataclass(frozen=True, slots=True)
class PageToActOn:
    """A page with what is shown of it."""

    ranked: RankedPage
    words: PageWords


@dataclass(frozen=True, slots=True)
class PagesToActOn:
    """The pages of each of the listed gaps, in their order, and those over all gaps, best first."""

    by_gap: Sequence[Sequence[PageToActOn]]
    over_all: Sequence[PageToActOn]


def read_pages_to_act_on(
    engines: Sequence[EngineDay],
    cited: CitedByAnswer,
    answers: Iterable[AnswerFacts],
    prompts: Mapping[UUID, PromptFacts],
    gaps: Sequence[GapAnswers],
    listed: int,
) -> PagesToActOn:
    """What to act on first for these gaps; `answers` are all that were looked at, `cited` is what they cite, `listed`
    how many of the gaps have their own pages told."""
    tallies = tallies_by_page(find_sources(answers, prompts, cited))
    every = [answer for gap in gaps for answer in gap.answers]
    over_all = rank_pages(every, prompts, cited, tallies)[: _SPARE * MAX_OVER_ALL]
    by_gap = [
        rank_pages(gap.answers, prompts, cited, tallies, gap.domain)[: _SPARE * MAX_OF_GAP] for gap in gaps[:listed]
    ]
    words = read_page_words(engines, {row.page for rows in (over_all, *by_gap) for row in rows})
    return PagesToActOn([_first(rows, words, MAX_OF_GAP) for rows in by_gap], _first(over_all, words, MAX_OVER_ALL))


def _first(rows: Iterable[RankedPage], words: Mapping[str, PageWords], most: int) -> list[PageToActOn]:
    pages = [PageToActOn(row, words[row.page.digest]) for row in rows]
    return [page for page in pages if not offers_products(page.ranked.page, page.words.url)][:most]
