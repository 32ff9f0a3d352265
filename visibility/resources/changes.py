"""Differences of two days as they look from outside, and why there is none."""

from datetime import date as Date
from typing import Literal

from pydantic import Field

from apikeys.resources import Resource

Verdict = Literal["moved", "within_noise", "cannot_detect", "not_comparable"]
Percent = float | None
LOW, HIGH = "lower end of the 95 % topic interval", "upper end of the 95 % topic interval"


class Cause(Resource):
    """Why two days cannot be compared."""

    code: Literal["prompts", "engines", "model", "locale", "detector", "no_score"] = Field(
        description="what differs: the prompts, engines, an engine's model, the locale or the detector, or that one "
        "day has no score"
    )
    message: str = Field(description="the same in words")


class ChangeFigures(Resource):
    """A difference of two days on the prompts that both share, in points."""

    since: Date = Field(alias="from", description="the measured day before")
    delta: Percent = Field(description="points gained or lost")
    low: Percent = Field(description=LOW)
    high: Percent = Field(description=HIGH)
    verdict: Verdict = Field(description="cannot_detect: too few prompts to tell; not_comparable: see `causes`")
    minimum_detectable: Percent = Field(description="smallest change seen with 80 % power, in points")


class EngineChange(ChangeFigures):
    """The change of one engine's score since the last day on which it counted."""

    engine: str = Field(description="name of the engine")
    causes: list[Cause] = Field(default=[], description="why it is not_comparable")


class CommonChange(ChangeFigures):
    """The change of the score over those engines that both days have."""

    engines: list[str] = Field(description="names of these engines")
