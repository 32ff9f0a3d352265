"""Which topics are the brand's business. Pure.

A topic is when its owner said so, when an own page is about it, or when 5 % or more of its answers name the brand; it
is not when the owner said so. Otherwise nobody knows: nothing is recommended on it, and the owner is asked once.
"""

from collections.abc import Mapping
from enum import StrEnum

from visibility.measured.own_pages import OwnPages
from visibility.measured.topic_table import TopicRow, TopicTable

MIN_NAMED = 0.05


class Concern(StrEnum):
    """Whether a topic is the brand's business, and how that is known."""

    CHOSEN = "chosen"
    OWN_PAGE = "own_page"
    NAMED = "named"
    UNKNOWN = "unknown"
    NOT_OWN = "not_own"

    @property
    def is_own(self) -> bool:
        """Whether recommendations may be about it."""
        return self in (Concern.CHOSEN, Concern.OWN_PAGE, Concern.NAMED)


def concerns(table: TopicTable, pages: OwnPages, choices: Mapping[str, bool]) -> dict[str, Concern]:
    """By key of each topic that is answered now; `choices` are those of people, which overrule what was measured."""
    return {row.topic.key: _concern(row, pages, choices.get(row.topic.key)) for row in table.rows}


def _concern(row: TopicRow, pages: OwnPages, choice: bool | None) -> Concern:
    if choice is not None:
        return Concern.CHOSEN if choice else Concern.NOT_OWN
    if pages.pages and pages.is_about(row.topic.name):
        return Concern.OWN_PAGE
    return Concern.NAMED if row.own.named >= MIN_NAMED * row.own.answers else Concern.UNKNOWN
