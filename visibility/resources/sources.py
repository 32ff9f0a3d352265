"""The domains and pages that answers cite: by topic and engine, who is named beside them, since when."""

from datetime import date as Date
from uuid import UUID

from pydantic import Field

from apikeys.resources import Resource, UntrustedText
from visibility.detection.types import SourceClass
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
    title: UntrustedText = Field(description="as engines give it; empty where none does")
    cls: SourceClass = Field(alias="class", description="as of the domain")
    answers: int
    named: int = Field(description="of these answers, those that name the site")
    first_seen: Date = Field(description="the day of the first answer on record that cites it")


class PageToActOn(Resource):
    """A list, a test, a thread, a report or the like that answers with a gap rest on, where the site could stand."""

    url: UntrustedText
    title: UntrustedText = Field(description="as engines give it; empty where none does")
    cls: SourceClass = Field(alias="class", description="what kind of site it is; own: revise the page")
    gaps: int = Field(description="answers with the gap that cite it and do not name the site")
    answers: int = Field(description="all answers of now that cite it")
    named: int = Field(description="of these, those that name the site")
    competitors: list[str] = Field(description="whom these name, most often first; 3 at most")


class SourceSummary(Resource):
    """A cited domain in short."""

    domain: UntrustedText
    cls: SourceClass = Field(alias="class", description="whose or what kind of site it is")
    answers: int = Field(description="answers of now that cite it, of `ofAnswers`")
    of_answers: int
    named: int = Field(description="of these answers, those that name the site; 0: it is absent there")
    gaps: int = Field(description="of these answers, those that name a competitor and not the site")
    competitors: list[SourceSubject] = Field(description="whom these answers name instead or beside it, most first")
    first_seen: Date = Field(description="the day of the first answer on record that cites it")


class SourceItem(SourceSummary):
    """A cited domain: where it is cited, and its pages."""

    engines: list[SourceEngine]
    topics: list[SourceTopic] = Field(description="where it is cited, most often first")
    pages: list[SourcePage] = Field(description="most cited first; 10 at most")
    more_pages: int = Field(description="cited pages beyond those listed")


class SourceReport(Resource):
    """The sources of now, those that most answers cite first."""

    site: UUID
    as_of: Date | None = Field(description="the latest measured day; null before the first")
    topic: UntrustedText | None = Field(description="the topic that was asked for; null: all")
    engine: str | None = Field(description="the engine that was asked for; null: all")
    answers: int = Field(description="answers looked at")
    citing: int = Field(description="of these, answers that cite any source")
    sources: list[SourceItem] = Field(description="50 at most")
    more: int = Field(description="sources beyond those listed")
    next_step: NextStep | None = Field(description="where there is nothing: how to get something")


class CitingAnswer(Resource):
    """An answer of now that cites a source."""

    id: UUID
    prompt: UUID
    text: UntrustedText = Field(description="the wording that was asked")
    engine: str
    named: bool = Field(description="whether it names the site")


class SourceDetail(Resource):
    """One cited domain: its pages, and the answers that cite them."""

    site: UUID
    as_of: Date | None
    domain: UntrustedText
    sources: list[SourceItem] = Field(description="one for each owner; none where only branded questions cite it")
    answers: list[CitingAnswer] = Field(description="newest first; 100 at most")
