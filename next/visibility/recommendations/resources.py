"""What the doors show of recommendations."""

from typing import Literal
from uuid import UUID

from pydantic import ConfigDict, Field

from apikeys.resources import Resource, Timestamp, UntrustedText
from visibility.models.recommendations import Level, RecommendationStatus

EvidenceKind = Literal["answer", "citation", "page", "finding", "review", "figure"]


class Evidence(Resource):
    """What a recommendation rests on."""

    kind: EvidenceKind
    text: UntrustedText
    url: UntrustedText | None = None
    engine: str | None = None
    prompt_id: UUID | None = None
    answer_id: int | None = None


class Payload(Resource):
    """What it takes to act on a recommendation; some kinds add fields of their own."""

    model_config = ConfigDict(extra="allow")

    fix_prompt: str = Field(description="ready to paste into an assistant")


class RecommendationResource(Resource):
    """One thing to do, with the evidence for it."""

    id: UUID
    kind: str
    title: str
    summary: str
    status: RecommendationStatus
    priority: int = Field(description="0 to 100, the most urgent highest")
    impact: Level
    effort: Level
    created_at: Timestamp
    updated_at: Timestamp = Field(description="moves only when something in it changed")
    status_changed_at: Timestamp
    first_seen_run: UUID | None
    last_seen_run: UUID | None
    evidence: list[Evidence]
    payload: Payload


class Recommendations(Resource):
    """The recommendation queue of a brand, the most urgent first."""

    brand: UUID
    recommendations: list[RecommendationResource]
