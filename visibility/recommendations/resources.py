"""What the doors show of recommendations."""

import datetime
from typing import Literal
from uuid import UUID

from pydantic import ConfigDict, Field

from apikeys.resources import MarkedText, Resource, Timestamp, UntrustedText
from visibility.models.recommendations import Level, RecommendationStatus

Slot = Literal["standing", "split", "criteria", "sources", "field"]
"""Of the diagnosis: how often answers name the brand; how engines differ; what answers judge by; what they rest on;
who else is in the field."""
EvidenceKind = Literal["answer", "citation", "page", "finding", "review", "figure"]

ProofState = Literal["worked", "fell", "no_effect", "too_early"]


class ProofResource(Resource):
    """Whether what was done shows: so many answers on its topic mention the brand before and since, judged beside the
    brand's other topics."""

    state: ProofState
    sentence: str
    done_on: datetime.date
    mentioned_before: int
    answers_before: int
    mentioned_since: int
    answers_since: int


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
    proof: ProofResource | None = Field(default=None, description="of what is done; null: nothing to say yet")


class RecommendationResource(Resource):
    """One thing to do, with the evidence for it."""

    id: UUID
    kind: str
    title: MarkedText
    summary: MarkedText
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


class DiagnosisFact(Resource):
    """One sentence of the diagnosis."""

    slot: Slot
    sentence: MarkedText


class RecommendationRow(Resource):
    """One thing to do, and the first piece of its evidence."""

    id: UUID
    kind: str
    title: MarkedText
    summary: MarkedText
    status: RecommendationStatus
    priority: int
    impact: Level
    effort: Level
    evidence_pieces: int
    first_evidence: UntrustedText | None


class SiteRecommendations(Resource):
    """The recommendation queue of a site, the most urgent first."""

    site_id: UUID
    summary: list[str]
    total: int
    recommendations: list[RecommendationRow | RecommendationResource]
