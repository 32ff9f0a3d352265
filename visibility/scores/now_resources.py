"""What agents see of scores: now, by engine, topic and competitor, and the reported changes."""

import datetime
from typing import Literal
from uuid import UUID

from pydantic import Field

from apikeys.resources import Resource, UntrustedText
from visibility.models.changes import ChangeState, KnownBy
from visibility.scores.resources import Percentage, TrendItem

Relation = Literal["ahead", "behind", "no_clear_difference"]


class NowFigures(Resource):
    """The figures of now: what each engine's last counted day says, of the prompts that are asked today."""

    as_of: datetime.date
    score: Percentage
    low: Percentage
    high: Percentage
    share_of_voice: Percentage
    share_of_voice_low: Percentage
    share_of_voice_high: Percentage
    citation_rate: Percentage
    prominence: Percentage
    prompts: int
    topics: int
    answers: int


class EngineNow(Resource):
    """One engine's score of now, of its own last counted day."""

    engine: str
    surface: str
    as_of: datetime.date
    score: Percentage
    low: Percentage
    high: Percentage
    answers: int


class LeftOut(Resource):
    """An engine that was asked once and is not part of now, and why."""

    engine: str
    surface: str
    last_day: datetime.date
    reason: str


class Standing(Resource):
    """The site (competitorId null) or a competitor in the answers of now. `site_is`: how the site does against it,
    beyond chance."""

    name: str
    competitor_id: UUID | None
    score: Percentage
    low: Percentage
    high: Percentage
    share_of_voice: Percentage
    site_is: Relation | None


class TestedStanding(Standing):
    """The same with what `site_is` rests on."""

    without_brand: int | None = Field(default=None, description="answers that name it and not the site")
    only_brand: int | None = Field(default=None, description="answers that name the site and not it")
    chance: float | None = Field(default=None, description="how often luck alone gives such a difference, 0 to 1")


class DayScore(Resource):
    """One measured day; `verdict` is on its difference from the measured day before."""

    date: datetime.date
    score: Percentage
    low: Percentage
    high: Percentage
    answers: int
    verdict: str | None


class TopicResult(Resource):
    """A topic in the answers of now: so many of them name the site, and so many the competitor named most."""

    topic: UntrustedText
    prompts: int
    mentioned: int
    answers: int
    leader: str | None = Field(description="the competitor that is named in most of them, and how many more tie")
    leader_mentioned: int


class MeanBefore(Resource):
    """The mean of so many days."""

    value: float
    days: int


class ValueOn(Resource):
    """A value on a day."""

    value: float
    day: datetime.date


class Part(Resource):
    """What one topic, engine or wording adds to a change, in points; null: all others together."""

    name: UntrustedText | None
    points: float


class Parts(Resource):
    """What a change is made of: each list sums to it. In short results `wordings` is null."""

    topics: list[Part]
    engines: list[Part]
    wordings: list[Part] | None


class Neighbour(Resource):
    """A competitor's score, or how many of a hundred answers cite a site, over the same days."""

    name: UntrustedText
    before: float
    after: float


class Neighbours(Resource):
    """What else changed over the same days; no cause."""

    competitors: list[Neighbour]
    sources: list[Neighbour]


class ChangeResource(Resource):
    """A change of the score that may be called so: confirmed by later days, or raised by the monitor of slow
    change."""

    subject: str
    engine: str | None = Field(description="null: over all engines")
    since: datetime.date
    from_: MeanBefore = Field(alias="from")
    to: ValueOn
    delta: float
    low: float | None
    high: float | None
    known_by: KnownBy
    state: ChangeState
    parts: Parts
    beside: Neighbours


class Visibility(Resource):
    """The visibility of a site, or of one engine or topic of it: then everything is of that alone."""

    site_id: UUID
    engine: str | None
    topic: UntrustedText | None
    summary: list[str]
    now: NowFigures | None
    by_engine: list[EngineNow]
    left_out: list[LeftOut]
    share_of_voice: list[TestedStanding]
    changes_total: int
    changes: list[ChangeResource]
    first_day: datetime.date | None = Field(description="the first measured day of all")
    last_day: datetime.date | None
    trend: list[DayScore | TrendItem]
    is_recounting: bool = Field(description="figures do not know the latest names yet")
