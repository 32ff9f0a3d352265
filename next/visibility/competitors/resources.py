"""What the doors show of competitors."""

from uuid import UUID

from pydantic import Field

from apikeys.resources import Resource, UntrustedText


class CompetitorResource(Resource):
    """A competitor with its figures of now, from the same answers as the brand's."""

    id: UUID
    name: str
    domain: str
    aliases: list[str]
    score: float | None
    low: float | None
    high: float | None
    share_of_voice: float | None


class Suggestion(Resource):
    """A company that several answers recommend and nobody tracks. It is counted only once it is added."""

    name: UntrustedText
    domain: UntrustedText = Field(description="a cited domain that is called so; empty: none")
    answers: int = Field(description="of the answers of now, those that offer it")
    of_answers: int


class Competitors(Resource):
    """The competitors of a brand by their score, and who else answers recommend."""

    brand: UUID
    competitors: list[CompetitorResource]
    suggestions: list[Suggestion]


class CitedDomain(Resource):
    """A site that answers cite, and how many do."""

    domain: UntrustedText
    answers: int


class Gap(Resource):
    """A prompt whose answers name a competitor and not the brand: in `without_brand` of `answers` answers."""

    prompt_id: UUID
    prompt: UntrustedText
    topic: UntrustedText
    competitor: str
    mentioned: int
    without_brand: int
    answers: int


class Gaps(Resource):
    """Where answers name competitors and not the brand, the most consistent first."""

    brand: UUID
    gaps: list[Gap]
