"""What the doors show of measured days. Rates are 0 to 100, with two decimals; unmeasured is null, never 0."""

import datetime
from typing import Literal
from uuid import UUID

from pydantic import Field

from apikeys.resources import Resource
from visibility.counts.resources import HERE, IN_GENERAL, SHOWN, Percentage, Shown


class EngineFigures(Resource):
    """One engine's score on a day."""

    engine: str
    score: Percentage
    low: Percentage = Field(default=None, description=IN_GENERAL)
    high: Percentage = None
    panel_low: Percentage = Field(default=None, description=HERE)
    panel_high: Percentage = None
    mentioned: int | None = None
    answers: int
    shown: Shown | None = Field(default=None, description=SHOWN)


class Change(Resource):
    """The change of the score since an earlier measured day."""

    from_: datetime.date = Field(alias="from", description="the earlier day")
    delta: float | None = Field(description="percentage points, on the prompts that both days asked")
    low: float | None
    high: float | None
    verdict: Literal["moved", "within_noise", "cannot_detect", "not_comparable"]
    minimum_detectable: float | None = Field(description="the smallest change, in points, that would have shown")


class TrendItem(Resource):
    """One UTC day that was measured: score, share of voice, prominence and citation rate, each with its interval."""

    date: datetime.date
    score: Percentage = Field(description="share of answers that mention the brand")
    low: Percentage = Field(description=IN_GENERAL)
    high: Percentage
    panel_low: Percentage = Field(default=None, description=HERE)
    panel_high: Percentage = None
    prompts: int = 0
    topics: int = 0
    answers: int = 0
    failed: int = 0
    share_of_voice: Percentage = None
    share_of_voice_low: Percentage = None
    share_of_voice_high: Percentage = None
    prominence: Percentage = None
    prominence_low: Percentage = None
    prominence_high: Percentage = None
    citation_rate: Percentage = None
    citation_rate_low: Percentage = None
    citation_rate_high: Percentage = None
    recommended_rate: Percentage = Field(default=None, description="share of answers that recommend the brand")
    recommended_rate_low: Percentage = None
    recommended_rate_high: Percentage = None
    recommended: int | None = None
    cautioned: int | None = Field(default=None, description="answers that warn against the brand or reject it")
    stance_balance: float | None = Field(default=None, description="(recommended - cautioned) of both, -100 to 100")
    citation_share: Percentage = Field(default=None, description="its part of all cited sites, each once an answer")
    repeatability: Percentage = Field(
        default=None, description="how often two answers to one prompt agree on naming the brand"
    )
    topics_for_ten: int | None = Field(
        default=None, description="how many topics a margin of 10 points over topics takes; null: over 1,000"
    )
    engines: list[EngineFigures] = []
    comparable: bool | None = Field(description="with the item before; null: it is the first measured day")
    change: Change | None = Field(description="since the item before")
    runs: list[UUID] = Field(description="the runs that the day pools")


class Trend(Resource):
    """Daily visibility of a brand, the oldest day first; only days that were measured."""

    brand: UUID
    trend: list[TrendItem]
