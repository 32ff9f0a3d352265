"""How a brand stands on the topics that are its business, beside all topics that are asked."""

from collections.abc import Mapping
from dataclasses import dataclass

from visibility.detection.types import BRAND
from visibility.insights.recommendations.relevance import Concern
from visibility.measured.topic_table import TopicTable, measure_together
from visibility.services.overview.standing import place_in_words


@dataclass(frozen=True, slots=True)
class OwnTopics:
    """`named` of `answers` answers on the brand's own topics name it, which makes it the `place`-th of `brands`.

    `own` of `topics` topics are its own, `name` that of the only one; `undecided` wait until somebody says whether
    they are.
    """

    own: int
    topics: int
    undecided: int
    name: str
    named: int
    answers: int
    place: int | None
    brands: int
    is_shared: bool

    @property
    def place_words(self) -> str:
        """The place among the brands; empty without a rival."""
        return place_in_words(self.place, self.brands, is_shared=self.is_shared) if self.place else ""

    @property
    def are_told(self) -> bool:
        """Whether they say something else than all topics do."""
        return 0 < self.own < self.topics and self.answers > 0

    @property
    def are_decided(self) -> bool:
        """Whether people, or own pages, have said of all topics whose they are: while answers alone tell, those that
        name the brand are its own, and that they name it often says nothing."""
        return not self.undecided


def own_topics(table: TopicTable, concerns: Mapping[str, Concern]) -> OwnTopics:
    """By what is known of each topic; nothing is told where nothing is known."""
    own = [row for row in table.rows if (concern := concerns.get(row.topic.key)) and concern.is_own]
    figures = measure_together(table, {row.topic.key for row in own}) if own else {}
    scores = {subject: row.score.value for subject, row in figures.items() if row.score.value is not None}
    mine = scores.pop(BRAND, None)
    return OwnTopics(
        own=len(own),
        topics=len(table.rows),
        undecided=sum(concern is Concern.UNKNOWN for concern in concerns.values()),
        name=own[0].topic.name if len(own) == 1 else "",
        named=figures[BRAND].named if figures else 0,
        answers=figures[BRAND].answers if figures else 0,
        place=None if mine is None or not scores else 1 + sum(score > mine for score in scores.values()),
        brands=len(scores) + 1,
        is_shared=mine in scores.values(),
    )
