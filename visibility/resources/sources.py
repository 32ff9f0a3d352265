"""The domains and pages that answers cite: by topic and engine, who is named beside them, since when."""

from datetime import date as Date
from uuid import UUID

from pydantic import Field

from apikeys.resources import Resource, UntrustedText
from visibility.resources.steps import NextStep


class SourceEngine(Resource):
    """How many of one engine's answers cite it."""

    engine: str
    answers: int
    of_answers: int


class SourceTopic(Resource):
    """How many of the answers on one topic cite it."""

    topic: UntrustedText
    answers: int
    of_answers: int


class SourceSubject(Resource):
    """A competitor that answers name which cite the source."""

    competitor: UUID
    name: str
    answers: int


class SourcePage(Resource):
    """A page that answers cite."""

    url: UntrustedText
    title: UntrustedText
    answers: int
    named: int = Field(description="of these answers, those that name the brand")
    first_seen: Date = Field(description="the day of the first answer on record that cites it")


class SourceItem(Resource):
    """A cited domain."""

    domain: UntrustedText
    cls: str = Field(
        serialization_alias="class",
        description="own, competitor, review_site, community, news, reference, video, shop or other",
    )
    answers: int = Field(description="answers of now that cite it, of `ofAnswers`")
    of_answers: int
    named: int = Field(description="of these answers, those that name the brand; 0: it is absent there")
    competitors: list[SourceSubject] = Field(description="whom these answers name instead or beside it, most first")
    engines: list[SourceEngine]
    topics: list[SourceTopic] = Field(description="where it is cited, most often first")
    pages: list[SourcePage] = Field(description="most cited first")
    first_seen: Date = Field(description="the day of the first answer on record that cites it")


class SourceReport(Resource):
    """The sources of now, those that most answers cite first."""

    site: UUID
    as_of: Date | None = Field(description="the latest measured day; null before the first")
    topic: UntrustedText | None = Field(description="the topic that was asked for; null: all")
    engine: str | None = Field(description="the engine that was asked for; null: all")
    answers: int = Field(description="answers looked at")
    citing: int = Field(description="of these, answers that cite any source")
    sources: list[SourceItem]
    next_step: NextStep | None = Field(description="where there is nothing: how to get something")
