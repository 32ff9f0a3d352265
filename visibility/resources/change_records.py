"""One change of the score as every door tells it: from what to what, how it is known, what it is made of."""

from datetime import date as Date
from typing import Literal
from uuid import UUID

from pydantic import Field

from apikeys.resources import Resource, UntrustedText


class AnswerToRead(Resource):
    """An answer that shows a part of a change."""

    answer: UUID
    day: Date
    engine: str
    prompt: UntrustedText
    named: bool = Field(description="whether it names the brand")


class Part(Resource):
    """What one topic, engine or wording adds to a change: the parts of one partition sum to the change."""

    key: UntrustedText = Field(description="empty: all others together")
    name: UntrustedText
    points: float = Field(description="its part of `delta`, in points of the whole figure")
    before: float = Field(description="its own rate before, 0–100, on the cells that both sides have")
    after: float
    answers: list[AnswerToRead] = Field(default=[], description="two to read, of the largest parts")


class Beside(Resource):
    """What changed at the same time in the same cells. It has no share in the change and is not its cause."""

    key: UntrustedText
    name: UntrustedText
    before: float = Field(description="its own rate before, 0–100")
    after: float
    points: float


class Known(Resource):
    """What is known to be a cause, as it was read: such as an own cited page that answers 404."""

    what: str
    url: UntrustedText
    day: Date


class Against(Resource):
    """The latest figure against an earlier time."""

    span: Literal["month", "period"] = Field(
        description="month: the comparable day 4 to 8 weeks before; period: the last 28 days against those before"
    )
    since: Date
    delta: float
    low: float | None
    high: float | None


class ChangeContent(Resource):
    """What a change is made of, as it is kept. Each of the three partitions sums to `delta`."""

    topics: list[Part] = []
    engines: list[Part] = []
    wordings: list[Part] = []
    competitors: list[Beside] = []
    sources: list[Beside] = Field(default=[], description="share of answers that cite a page, by domain or address")
    known_causes: list[Known] = []
    against: list[Against] = []


class DatedChange(Resource):
    """One change of the brand's score that is confirmed, or that daily monitoring found, without what it is made of.
    Figures 0–100, the rest in points. `before` + `delta` + `promptsChanged` = `after`."""

    of: Literal["score", "engine", "topic"] = Field(
        description="what changed: the score, or it on one engine or topic"
    )
    engine: str | None = Field(description="null: over engines")
    direction: Literal["up", "down"] = Field(description="as it became known")
    began: Date = Field(description="day of the move; of a change that monitoring found, about when it began")
    known_by: Literal["confirmed", "monitor"] = Field(description="monitor: found by daily monitoring")
    known_on: Date = Field(description="the measured day since which it is known")
    state: Literal["holds", "went_on", "recovered"] = Field(description="what became of it up to the latest day")
    state_since: Date = Field(description="since when it is so")
    before: float = Field(description="the mean of the measured days `beforeFirst` to `beforeLast`")
    before_first: Date = Field(description="first of the days before")
    before_last: Date = Field(description="last of them")
    before_days: int = Field(description="how many of them were measured")
    after: float = Field(description="on `afterDay`, the latest measured day or the day that ended the change")
    after_day: Date = Field(description="the day of `after`")
    delta: float = Field(description="on the engines and prompts that both sides have")
    low: float | None = Field(description="lower end of its 95 % interval")
    high: float | None = Field(description="upper end of its 95 % interval")
    prompts_changed: float = Field(description="what other prompts or engines make of the difference")
    told_until: Date = Field(description="it is told as a change up to this measured day, then it is history")
    words: str = Field(description="the same as one sentence")


class ChangeRecord(DatedChange, ChangeContent):
    """One change with what it is made of: three partitions, each of which sums to `delta`."""

    topic: UntrustedText | None = Field(description="its name; null: all own topics")
    words: UntrustedText = Field(description="the same as one sentence")
