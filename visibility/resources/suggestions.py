"""What competitor suggestions look like from outside."""

from typing import Any
from uuid import UUID

from pydantic import Field, computed_field, field_validator

from apikeys.resources import Resource, Timestamp, UntrustedText


class SuggestedTopic(Resource):
    """In how many answers on a topic a suggested company is offered."""

    topic: UntrustedText
    answers: int


class CompetitorSuggestionResource(Resource):
    """A company that answers recommend and nobody watches. It is counted only after it was added."""

    id: UUID
    name: UntrustedText = Field(description="as answers write it")
    domain: UntrustedText | None = Field(description="spelt as the name is among what answers cite; null: none clear")
    answers: int = Field(description="answers that offer it or a product of its, of `ofAnswers` in the newest runs")
    of_answers: int
    prompts: int = Field(description="prompts whose answers offer it")
    engines: list[str]
    topics: list[SuggestedTopic] = Field(description="where it is offered most often; 5 at most")
    first_seen: Timestamp
    last_seen: Timestamp
    quote: UntrustedText = Field(description="what an answer says of it")
    examples: list[UUID] = Field(description="answers that offer it, the newest first")

    @computed_field(description="true: ask the user before it is used; null without a domain")
    def domain_is_guess(self) -> bool | None:
        """Nobody has said whose the domain is."""
        return True if self.domain else None

    @field_validator("domain", mode="before")
    @classmethod
    def _null_where_there_is_none(cls, domain: str | None) -> str | None:
        return domain or None

    @field_validator("topics", mode="before")
    @classmethod
    def _of_pairs(cls, topics: list[Any]) -> list[Any]:
        """As stored: topic and answers."""
        return [
            item if isinstance(item, SuggestedTopic) else {"topic": item[0], "answers": item[1]} for item in topics
        ]
