"""How the brand and its competitors stand on each topic, by engine: k of n."""

from datetime import date as Date
from typing import Literal
from uuid import UUID

from pydantic import Field

from apikeys.resources import Resource, UntrustedText
from visibility.resources.brands import Percent
from visibility.resources.steps import NextStep

NoTopicInterval = Literal["asked_once"]


class TopicEngine(Resource):
    """In how many answers of one engine on one topic a subject is named."""

    engine: str
    named: int
    answers: int


class TopicSubject(Resource):
    """The brand (competitor null) or a competitor on one topic.

    One topic has no topic interval; the interval here is that of exactly these prompts.
    """

    competitor: UUID | None = Field(description="null: the brand itself")
    name: str
    named: int = Field(description="answers that name it, of `answers`, all engines of now together")
    answers: int
    score: Percent = Field(description="the mean of the engines of now, prompts weighing alike, as the score")
    panel_low: Percent = Field(description="95 % interval of exactly these prompts; null where there is none")
    panel_high: Percent
    no_interval: NoTopicInterval | None = Field(
        description="why there is none where it was measured: each prompt was asked once only"
    )
    engines: list[TopicEngine] = Field(description="each on its own latest counted day")


class TopicItem(Resource):
    """One topic with everybody's figures."""

    topic: UntrustedText = Field(description="the name, which is what a `topic` argument takes")
    prompts: int = Field(description="unbranded prompts that were answered")
    subjects: list[TopicSubject] = Field(description="the brand first, then whom most answers name")


class UndecidedTopic(Resource):
    """A topic of which nobody has said whether the site sells it."""

    topic: UntrustedText
    proposed: Literal["own", "not_own"] | None = Field(
        description="by the audited site or the description; null: neither says anything of it"
    )
    because: UntrustedText | None = Field(description="the page or the words that it is proposed for")


class UndecidedTopics(Resource):
    """The question which topics the site sells: until its people have answered it, all count in its score."""

    question: str = Field(description="with how many are not decided, who decides, and where")
    page: str = Field(description="where its owner and editors answer it, below the address of this service")
    topics: list[UndecidedTopic]


class TopicDay(Resource):
    """The site on one topic on a measured day."""

    date: Date
    named: int = Field(description="answers that name the site, of `answers`")
    answers: int
    score: Percent
    panel_low: Percent
    panel_high: Percent
    no_interval: NoTopicInterval | None


class TopicScores(TopicItem):
    """One topic with everybody's figures now, and the site's own over time."""

    trend: list[TopicDay] = Field(description="the measured days of the window, oldest first, 100 at most")
    no_change: str = Field(description="why nothing is said of topic intervals and changes here")


class TopicReport(Resource):
    """The table topic × brand × engine, now. The brand's strongest topic first."""

    site: UUID
    as_of: Date | None = Field(description="the latest measured day; null before the first")
    topics: list[TopicItem]
    next_step: NextStep | None = Field(description="where there is nothing: how to get something")
