"""What *now* looks like from outside: the figures, and of each engine its day and why it counts or not."""

from datetime import date as Date
from typing import Literal

from pydantic import Field

from apikeys.resources import Resource
from visibility.resources.brands import EngineScore, TrendItem
from visibility.resources.change_records import ChangeRecord
from visibility.resources.changes import DEVELOPMENT

CHANGE_RECORDS = (
    "what is told as a change: of the score, then of engines, then of topics; each until it has recovered or has "
    "been known for 28 days"
)
NotAveraged = Literal["local_search", "surface"]
NotShown = Literal["too_few_answers", "too_old", "not_in_use", "prompts_archived"]
NOT_ASKED_YET = "active prompts that are no part of it yet, as they were not asked then; null: not known"
FEW_LEFT = "where most of the prompts that were asked are archived: it stays, without a topic interval; else null"
PROMPTS_NOTE = "how many prompts are not asked yet, or not as worded now, and how few are left, in words; else null"


class FewLeft(Resource):
    """How many prompts are left of those that were asked."""

    left: int = Field(description="prompts that are still tracked, which the figure is of; 0: of all that were asked")
    total: int = Field(description="prompts that were asked")


class EngineNow(EngineScore):
    """The figures of one engine on its own latest counted day."""

    as_of: Date = Field(description="the engine's latest counted day")
    averaged: bool = Field(description="whether it is part of the figure over engines")
    reason: NotAveraged | None = Field(
        description="why not: it is local-search beside others, or its answers were taken elsewhere than those of "
        "the mean"
    )
    not_asked_yet: int | None = Field(description=NOT_ASKED_YET)
    note: str | None = Field(description="the reason, and how old the day is where that matters, in words")


class LeftOutEngine(Resource):
    """An engine of which now shows nothing."""

    engine: str = Field(description="name of the engine")
    as_of: Date | None = Field(description="the last day on which it was asked")
    answers: int = Field(description="its answers on that day")
    reason: NotShown = Field(description="why nothing of it is shown")
    note: str = Field(description="the reason in words")


class TopicCounts(Resource):
    """How many of the topics that scans ask about the site sells, as its owner or an editor said."""

    own: int = Field(description="it sells them: they count")
    not_own: int = Field(description="it does not: they are asked, and left out of every figure and list")
    undecided: int = Field(description="nobody has said: they count until somebody does")


class NowItem(TrendItem):
    """What is measured now: of each engine in use its latest counted day within 14 days (or one and a half cadence
    intervals) up to the latest measured day, on the prompts asked then that are still active. `date` is that latest
    measured day."""

    engines: list[EngineNow] = Field(  # type: ignore[assignment]  # the same fields and more
        description="one for each engine in use, by name, each on its own day"
    )
    left_out: list[LeftOutEngine] = Field(description="engines of which now shows nothing, and why")
    own_topics: TopicCounts = Field(description="whose the topics are that are asked about")
    no_score: str | None = Field(description="why there is no score, in words; null where there is one")
    development: str = Field(description=DEVELOPMENT)
    change_records: list[ChangeRecord] = Field(  # type: ignore[assignment]  # the same fields and more
        default=[], description=CHANGE_RECORDS
    )
    based_on: str = Field(description="the engines of the figure over engines with their days, in words")
    not_asked_yet: int | None = Field(description=NOT_ASKED_YET)
    few_left: FewLeft | None = Field(description=FEW_LEFT)
    prompts_note: str | None = Field(description=PROMPTS_NOTE)
    age: str | None = Field(description="how old the oldest of these days is, in words; null where it is recent")
