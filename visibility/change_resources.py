"""Differences of two days as they look from outside, and why there is none."""

from datetime import date as Date
from typing import Literal

from pydantic import Field

from apikeys.resources import Resource

Verdict = Literal["moved", "within_noise", "cannot_detect", "not_comparable"]
Percent = float | None


class Cause(Resource):
    """Why two days cannot be compared."""

    code: Literal["prompts", "engines", "model", "locale", "detector", "no_score"]
    message: str = Field(description="the same in words")


class ChangeFigures(Resource):
    """A difference of two days on the prompts that both share, in points."""

    from_: Date = Field(alias="from")
    delta: Percent
    low: Percent
    high: Percent
    verdict: Verdict
    minimum_detectable: Percent = Field(description="smallest change seen with 80 % power, in points")


class EngineChange(ChangeFigures):
    """The change of one engine's score since the last day on which it counted."""

    engine: str
    causes: list[Cause] = Field(default=[], description="why it is not_comparable")


class CommonChange(ChangeFigures):
    """The change of the score over those engines that both days have."""

    engines: list[str]
