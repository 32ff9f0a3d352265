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
NotAveraged = Literal["coverage", "local_search", "surface"]
NotShown = Literal["too_few_answers", "too_old", "not_in_use"]


class EngineNow(EngineScore):
    """The figures of one engine on its own latest counted day."""

    as_of: Date = Field(description="the engine's latest counted day")
    averaged: bool = Field(description="whether it is part of the figure over engines")
    reason: NotAveraged | None = Field(
        description="why not: its day covers too few of the active prompts, it is local-search beside others, or its "
        "answers were taken elsewhere than those of the mean"
    )
    note: str | None = Field(description="the reason, and how old the day is where that matters, in words")


class LeftOutEngine(Resource):
    """An engine of which now shows nothing."""

    engine: str = Field(description="name of the engine")
    as_of: Date | None = Field(description="the last day on which it was asked")
    answers: int = Field(description="its answers on that day")
    reason: NotShown = Field(description="why nothing of it is shown")
    note: str = Field(description="the reason in words")


class NowItem(TrendItem):
    """What is measured now: of each engine in use its latest counted day within 14 days (or one and a half cadence
    intervals) up to the latest measured day, on the prompts active today. `date` is that latest measured day."""

    engines: list[EngineNow] = Field(  # type: ignore[assignment]  # the same fields and more
        description="one for each engine in use, by name, each on its own day"
    )
    left_out: list[LeftOutEngine] = Field(description="engines of which now shows nothing, and why")
    development: str = Field(description=DEVELOPMENT)
    change_records: list[ChangeRecord] = Field(  # type: ignore[assignment]  # the same fields and more
        default=[], description=CHANGE_RECORDS
    )
    based_on: str = Field(description="the engines of the figure over engines with their days, in words")
    age: str | None = Field(description="how old the oldest of these days is, in words; null where it is recent")
