"""What agents and pages see of the questions where competitors are named and the site is not."""

from datetime import date as Date
from uuid import UUID

from pydantic import Field

from apikeys.resources import Resource, UntrustedText
from visibility.resources.prompts import DomainCount, StageName
from visibility.resources.recommendations import EngineCount, Evidence
from visibility.resources.sources import PageToActOn


class GapCompetitor(Resource):
    """A competitor that stands in the gap, in so many answers."""

    id: UUID
    name: str
    answers: int


class CompetitorGap(Resource):
    """A prompt with answers that name a competitor, which the prompt itself does not name, and not the site."""

    prompt: UUID
    text: UntrustedText
    topic: UntrustedText
    stage: StageName | None
    priority: int = Field(ge=0, le=100, description="how consistently, and in how much of the topic")
    competitors: list[GapCompetitor] = Field(description="most often named first")
    engines: list[EngineCount] = Field(description="how consistently: in `gaps` of `answers`")
    sources: list[DomainCount] = Field(description="domains of others that these answers cite; 10 at most")
    pages: list[PageToActOn] = Field(description="cited pages to act on first for this gap; 5 at most")
    own_page_cited: bool = Field(description="some of these answers cite a page of the site, yet do not name it")
    evidence: list[Evidence]


class CompetitorGaps(Resource):
    """Where competitors are visible and the site is not, the most consistent gap first."""

    site: UUID
    as_of: Date | None = Field(description="the latest measured day; null before the first")
    topic: UntrustedText | None = Field(description="the one that was asked for; null: any")
    competitor: UUID | None = Field(description="the one that was asked for; null: any")
    prompts: int = Field(description="unbranded prompts that were answered on that day")
    gaps: list[CompetitorGap] = Field(description="50 at most")
    more: int = Field(description="gaps beyond those listed")
    pages: list[PageToActOn] = Field(description="cited pages to act on first over all gaps; 10 at most")
