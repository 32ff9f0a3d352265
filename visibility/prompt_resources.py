"""What agents see of the prompts of a site."""

from datetime import date as Date
from typing import Literal
from uuid import UUID

from pydantic import Field

from apikeys.resources import Quota, Resource, Timestamp

StageName = Literal["awareness", "consideration", "decision"]
IntentName = Literal["informational", "comparison", "transactional"]


class NamedIn(Resource):
    """In how many answers of one engine to one prompt the site is named: `named` of `answers`."""

    engine: str
    named: int
    answers: int


class PromptItem(Resource):
    """A prompt in its current wording, and how often answers to it named the site on the latest measured day."""

    id: UUID
    text: str
    topic: str
    stage: StageName | None
    intent: IntentName | None
    persona: str
    locale: str = Field(description="BCP 47; empty: not stated")
    branded: bool = Field(description="it names the site itself, and does not count in the score")
    active: bool = Field(description="scans ask it")
    version: int
    created_at: Timestamp
    named: int = Field(description="answers that name the site, of all engines")
    answers: int = Field(description="0: not asked on that day")
    engines: list[NamedIn]


class Coverage(Resource):
    """How many active prompts there are for one stage and intent."""

    stage: StageName | None
    intent: IntentName | None
    prompts: int


class PromptList(Resource):
    """The prompts of a site by topic, and what they cover."""

    site: UUID
    as_of: Date | None = Field(description="the measured day of the answers; null before the first")
    prompts: list[PromptItem]
    coverage: list[Coverage] = Field(description="of all active prompts")
    quota: Quota = Field(description="of active prompts of this site")
