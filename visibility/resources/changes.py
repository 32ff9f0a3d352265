"""Differences of two days as they look from outside, and why there is none."""

from datetime import date as Date
from typing import Annotated, Literal

from pydantic import BeforeValidator, Field
from pydantic.alias_generators import to_camel

from apikeys.resources import Resource

Verdict = Literal["moved", "within_noise", "cannot_detect", "not_comparable"]
Percent = float | None
WEEK = "since the latest comparable day 7 to 14 days before; null: there is none"
MONTH = "since the latest comparable day 28 to 56 days before; null: there is none"
CONFIRMATION = "how the latest days were tested for a move; what is told as a change stands in `changeRecords`"
MONITOR = "how daily monitoring stands; what is told as a change stands in `changeRecords`"
DEVELOPMENT = "what changed, in words: a clear change with its figures as in `changeRecords`, or that there is none"
MINIMUM = (
    "smallest change seen with 80 % power, in points, if it is even over topics; one that only some topics make is "
    "seen less often"
)
LOW, HIGH = "lower end of the 95 % interval", "upper end of the 95 % interval"
IntervalOf = Literal["topics", "questions"]
INTERVAL = (
    "what the interval speaks of: `topics`, prompts like these; `questions`, exactly these (fewer than four topics)"
)


TESTED = "what the test and its interval speak of: `topics`, prompts like these; `questions`, exactly these"


class Cause(Resource):
    """Why two days cannot be compared."""

    code: Literal["prompts", "engines", "model", "locale", "detector", "no_score", "counts"] = Field(
        description="what differs: the prompts, engines, an engine's model, the locale or the detector, or that one "
        "day has no score, or is still to be counted for comparisons"
    )
    message: str = Field(description="the same in words")


class ChangeFigures(Resource):
    """A difference of two days on the prompts that both share, in points."""

    since: Date = Field(alias="from", description="the measured day before")
    delta: Percent = Field(description="points gained or lost")
    low: Percent = Field(description=LOW)
    high: Percent = Field(description=HIGH)
    interval: IntervalOf | None = Field(default=None, description=TESTED)
    verdict: Verdict = Field(description="cannot_detect: too few prompts to tell; not_comparable: see `causes`")
    minimum_detectable: Percent = Field(description=MINIMUM)


class Confirmation(Resource):
    """Whether a move is confirmed: the day that moved, the next and the latest one, each against the pooled days
    before the move, show it in one direction. Said for seven measured days."""

    state: Literal["confirmed", "open", "too_few_days", "not_confirmed", "none"] = Field(
        description="open: waits for the next measured day; too_few_days: fewer than three comparable days before "
        "it; not_confirmed: the days around it do not bear it out; none: nothing moved"
    )
    moved_on: Date | None = Field(description="the day of the move")
    pooled_days: int = Field(description="comparable days before the move that it is held against")
    delta: Percent = Field(description="points from these days to the days since the move")
    low: Percent = Field(description=LOW)
    high: Percent = Field(description=HIGH)


class Monitor(Resource):
    """A monitor of slow change, which allows for looking on every day."""

    raised: bool = Field(description="whether it calls a change")
    looks: int = Field(description="days that it has looked at since it began anew")
    since: Date | None = Field(description="about when the change began")
    delta: Percent = Field(description="points since then")
    low: Percent = Field(description=LOW)
    high: Percent = Field(description=HIGH)


class EngineChange(ChangeFigures):
    """The change of one engine's score since the last day on which it counted."""

    engine: str = Field(description="name of the engine")
    causes: list[Cause] = Field(default=[], description="why it is not_comparable")
    week: ChangeFigures | None = Field(default=None, description=WEEK)
    month: ChangeFigures | None = Field(default=None, description=MONTH)
    confirmation: Confirmation | None = Field(default=None, description=CONFIRMATION)
    monitor: Monitor | None = Field(default=None, description=MONITOR)


class CommonChange(ChangeFigures):
    """The change of the score on what both days have: these engines, on the prompts that were asked on both."""

    engines: list[str] = Field(description="names of these engines")
    prompts: int | None = Field(default=None, description="prompts that both days asked in the same wording")
    rest: Percent = Field(
        default=None, description="the rest of the difference of the two scores: due to other prompts or engines"
    )


class Change(ChangeFigures):
    """The difference to the measured day before."""

    causes: list[Cause] = Field(default=[], description="why it is not_comparable; empty otherwise")
    common: CommonChange | None = Field(
        default=None,
        description="where other prompts or engines were asked: the change on those common to both days, and what "
        "the others make of the difference of the two scores",
    )
    by_engine: list[EngineChange] = Field(
        default=[], description="each engine's own change, where the score's is not comparable or of another day"
    )


class MetricChange(Resource):
    """The change of one figure since the measured day before, judged together with all others of that day."""

    engine: str | None = Field(description="null: over all engines")
    metric: Annotated[Literal["score", "shareOfVoice", "citationRate"], BeforeValidator(to_camel)]
    since: Date | None = Field(default=None, alias="from", description="the measured day before, of this engine")
    delta: Percent
    low: Percent
    high: Percent
    interval: IntervalOf | None = Field(default=None, description=TESTED)
    verdict: Verdict
    minimum_detectable: Percent = Field(description=MINIMUM)
    p: float | None = Field(description="two-sided p of this figure alone")
    adjusted_p: float | None = Field(description="the same with the other figures and days that it is judged with")
    week: ChangeFigures | None = Field(default=None, description=WEEK)
    month: ChangeFigures | None = Field(default=None, description=MONTH)
    confirmation: Confirmation | None = Field(default=None, description=CONFIRMATION)
    monitor: Monitor | None = Field(default=None, description=MONITOR)
