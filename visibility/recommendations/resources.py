"""What the doors show of recommendations and the diagnosis."""

import datetime
from typing import Literal
from uuid import UUID

from pydantic import Field

from apikeys.resources import Resource, Timestamp, UntrustedText, WordedText
from visibility.audits.words import UntrustedSentence, WithSentences
from visibility.models.recommendations import Level, RecommendationStatus

Slot = Literal["standing", "split", "words", "sources", "next"]
"""Of the diagnosis: how often answers name the brand, and whom else; how engines differ; what they say of it; what
they rest on; what to do next."""
EvidenceKind = Literal["answer", "citation", "page", "finding", "review", "figure"]
ProofState = Literal["waiting", "rose", "fell", "no_change"]


class ProofResource(Resource):
    """What was seen after it was done: so many answers are as they should be before and since, judged once, on a day
    fixed when it was done."""

    state: ProofState
    sentence: WordedText
    done_on: datetime.date
    verdict_on: datetime.date | None = Field(description="null: of an earlier edition, it stays as it is")
    count_before: int
    answers_before: int
    count_since: int
    answers_since: int


class Evidence(WithSentences):
    """What a recommendation rests on."""

    kind: EvidenceKind
    text: UntrustedSentence
    url: UntrustedText | None = None
    engine: str | None = None
    prompt_id: UUID | None = None
    answer_id: int | None = None


class TaskResource(Resource):
    """What one of the brand's people can do: product, content, PR, commerce, community or tech."""

    owner: str
    text: WordedText = Field(description="ready to paste: a mail, a question, a change for an assistant")


class Payload(Resource):
    """What it takes to act on a recommendation."""

    fix_prompt: str = Field(
        description="ready to paste into an assistant: fact, why, all tasks; words of others are between marks"
    )
    fact: WordedText = Field(description="what was counted")
    why: WordedText = Field(description="why it is so, as far as it is known; empty: nothing is")
    goal: WordedText = Field(description="the least change that the planned scans would show")
    tasks: list[TaskResource]
    is_chore: bool = Field(description="housekeeping: right, and nothing that wins answers by itself")
    topic: UntrustedText | None
    page: UntrustedText | None = Field(description="the own page to edit")
    k: int | None = Field(description="answers that are as they should be, of those that it is about")
    of: int | None
    proof: ProofResource | None = Field(default=None, description="of what is done; null: nothing to say yet")


class RecommendationResource(Resource):
    """One thing to do, with the evidence for it."""

    id: UUID
    kind: str
    title: WordedText
    summary: WordedText = Field(description="fact and why")
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


class DiagnosisFact(Resource):
    """One sentence of the diagnosis, and where its answers are: the ones on a topic, of an engine."""

    slot: Slot
    sentence: WordedText
    topic_id: UUID | None = None
    engine: str | None = None


class Recommendations(Resource):
    """The recommendation queue of a brand, the most urgent first, and how the brand stands."""

    brand: UUID
    recommendations: list[RecommendationResource]
    diagnosis: list[DiagnosisFact] | None = Field(
        description="null: it takes the scopes read:visibility and read:competitors, too"
    )


class RecommendationRow(Resource):
    """One thing to do, and the first piece of its evidence."""

    id: UUID
    kind: str
    title: WordedText
    summary: WordedText
    status: RecommendationStatus
    priority: int
    impact: Level
    effort: Level
    is_chore: bool
    owners: list[str]
    evidence_pieces: int
    first_evidence: UntrustedText | None


class SiteRecommendations(Resource):
    """The recommendation queue of a site, the most urgent first; `chores` of them are housekeeping."""

    site_id: UUID
    summary: list[str]
    total: int
    chores: int
    recommendations: list[RecommendationRow | RecommendationResource]
