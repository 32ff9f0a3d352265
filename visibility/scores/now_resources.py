"""What agents see of scores: now, its days, and the reported changes."""

import datetime
from uuid import UUID

from pydantic import Field

from apikeys.resources import Resource, UntrustedText, WordedText
from visibility.counts.resources import EngineNow, LeftOut, NowFigures, Percentage, SecondaryFigures, TestedStanding
from visibility.models.changes import ChangeState, KnownBy
from visibility.scores.resources import TrendItem


class DayScore(Resource):
    """One measured day; `verdict` is on its difference from the measured day before."""

    date: datetime.date
    score: Percentage
    low: Percentage
    high: Percentage
    answers: int
    verdict: str | None


class MeanBefore(Resource):
    """The mean of so many days."""

    value: float
    days: int


class ValueOn(Resource):
    """A value on a day."""

    value: float
    day: datetime.date


class Part(Resource):
    """What one topic or wording adds to a change, in points; null: all others together."""

    name: UntrustedText | None
    points: float


class EnginePart(Part):
    """The same of an engine."""

    name: str | None


class Parts(Resource):
    """What a change is made of: each list sums to it. In short results `wordings` is null."""

    topics: list[Part]
    engines: list[EnginePart]
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


class EngineChanged(Resource):
    """An engine whose answers have had another form since a day, over all sites that ask it: by feature (length in
    characters, headings, items, bold, tables, links, sources, searched) its mean before and after."""

    engine: str
    surface: str
    since: datetime.date
    features: dict[str, list[float]]


class Instrument(Resource):
    """The engines that changed themselves within two days of a change, how many of its points are theirs, and the
    score on the other engines (null: there are none). `isMost`: more than half of the change is theirs."""

    changes: list[EngineChanged]
    points: float
    others_before: Percentage
    others_after: Percentage
    is_most: bool


class Event(Resource):
    """Something outside within two days of a change, as operators wrote it; no cause."""

    day: datetime.date
    engine: str | None = Field(description="null: not of one engine")
    text: UntrustedText
    url: str


class ChangeResource(Resource):
    """A change of the score that may be called so: confirmed by later days, or raised by the monitor of slow
    change."""

    subject: UntrustedText
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
    instrument: Instrument | None = Field(default=None, description="null: no engine changed itself at that time")
    events: list[Event] = []


class Visibility(Resource):
    """The visibility of a site, or of one engine or topic of it: then everything is of that alone."""

    site_id: UUID
    engine: str | None
    topic: UntrustedText | None
    summary: list[WordedText]
    now: NowFigures | None
    secondary: SecondaryFigures | None = Field(description="only in full")
    by_engine: list[EngineNow]
    left_out: list[LeftOut]
    share_of_voice: list[TestedStanding]
    changes_total: int
    changes: list[ChangeResource]
    first_day: datetime.date | None = Field(description="the first measured day of all")
    last_day: datetime.date | None
    trend: list[DayScore | TrendItem]
    is_recounting: bool = Field(description="some figures do not know the latest names, prompts or topics yet")
