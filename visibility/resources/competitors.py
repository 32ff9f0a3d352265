"""What agents see of the competitors of a site."""

from datetime import date as Date
from uuid import UUID

from pydantic import Field

from apikeys.resources import Quota, Resource, Timestamp, UntrustedText
from visibility.resources.scores import SubjectFigures
from visibility.resources.suggestions import CompetitorSuggestionResource
from visibility.resources.topics import TopicItem


class CompetitorResource(Resource):
    """A rival whose mentions are counted in the same answers."""

    id: UUID
    name: str
    domain: str
    aliases: list[str]


class CompetitorItem(SubjectFigures, CompetitorResource):
    """A competitor with its figures now; null while it is not yet measured."""


class AmbiguousName(Resource):
    """A tracked name that also means something else, so that answers may be misread."""

    name: str
    reason: str
    cost: str | None = Field(
        default=None, description="how often it stands in the newest answers, and is meant there; null: not looked at"
    )
    occurrences: int | None = Field(default=None, description="places of it, with these capitals")
    counted: int | None = Field(default=None, description="of these, the ones that mean its owner")
    answers: int | None = Field(default=None, description="newest answers that were looked at")
    longer: list[UntrustedText] = Field(default=[], description="longer names that answers use where it is meant")


class RescoringResource(Resource):
    """The history is being measured again with other names; all figures change together at the end."""

    since: Timestamp
    looked: int
    answers: int
    percent: int


class CompetitorList(Resource):
    """The competitors of a site by name, with what is measured of them."""

    site: UUID
    as_of: Date | None = Field(description="the latest measured day; null before the first")
    based_on: str | None = Field(description="the engines of the figures with their days; null before the first")
    on_topic: TopicItem | None = Field(description="everybody on the topic that was asked for; null: none was")
    competitors: list[CompetitorItem] = Field(description="with a topic those that its answers name")
    quota: Quota = Field(description="of competitors of this site")
    ambiguous_names: list[AmbiguousName]
    suggestions: list[CompetitorSuggestionResource] = Field(
        description="companies that answers recommend and nobody watches, most often first; never counted until added"
    )
    more_suggestions: int = Field(description="suggestions beyond those listed: they move up as these are added")
    rescoring: RescoringResource | None = Field(description="null while the figures are those of these names")


class AddedCompetitor(Resource):
    """A competitor that was added. The history is measured again from stored answers, at no cost."""

    site: UUID
    competitor: CompetitorResource
    quota: Quota
    ambiguous_names: list[AmbiguousName] = Field(description="of its names, those that mean something else, too")
    rescored: bool = Field(
        description="the figures are those with it; false while this goes on, and without stored answers"
    )
    rescoring: RescoringResource | None = Field(
        description="how far that is, as in the list of competitors; null where nothing is under way"
    )
