"""What competitor suggestions look like from outside."""

from uuid import UUID

from pydantic import Field

from apikeys.resources import Resource, Timestamp, UntrustedText


class CompetitorSuggestionResource(Resource):
    """A name that answers recommend and nobody watches. It is counted only after it was added."""

    id: UUID
    name: UntrustedText = Field(description="as answers write it")
    domain: UntrustedText = Field(description="a guess from what the answers cite; empty where nothing is clear")
    answers: int = Field(description="answers that name it, of `ofAnswers` in the newest runs")
    of_answers: int
    prompts: int = Field(description="prompts whose answers name it")
    engines: list[str]
    first_seen: Timestamp
    last_seen: Timestamp
    quote: UntrustedText = Field(description="what an answer says of it")
    examples: list[UUID] = Field(description="answers that name it, the newest first")
