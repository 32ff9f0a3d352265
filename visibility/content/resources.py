"""What the doors show of content."""

from typing import Literal
from uuid import UUID

from pydantic import Field

from apikeys.resources import MarkedText, Quota, Resource, Timestamp, UntrustedText
from visibility.models.content import DraftFormat

WriterKind = Literal["brief", "engine", "none"]


class Writer(Resource):
    """Who wrote: nobody but the service itself (`brief`: facts in order, no prose), or an engine."""

    kind: WriterKind
    engine: str | None = None
    model: str | None = None


class Source(Resource):
    """What a draft rests on: an own page, an answer, a review."""

    kind: Literal["page", "answer", "review"]
    text: UntrustedText
    url: UntrustedText | None = None
    engine: str | None = None


class Check(Resource):
    """One thing that was looked at in a draft."""

    name: str
    passed: bool
    detail: MarkedText


class DraftLine(Resource):
    """A draft that was made already."""

    id: UUID
    title: MarkedText
    format: DraftFormat
    writer: Writer
    created_at: Timestamp


class Opportunity(Resource):
    """A page worth writing or mending, with the counts that say so."""

    id: str
    kind: Literal["recommendation", "criterion", "search", "comparison"]
    title: MarkedText
    why: MarkedText
    topic: UntrustedText | None
    format: DraftFormat
    answers: int = Field(description="answers that it touches")
    of: int
    page: UntrustedText | None = Field(description="the own page to edit; null: a new one")
    recommendation_id: UUID | None
    can_draft: bool
    why_not: str | None = Field(description="what is missing for a draft; null: nothing")
    drafts: list[DraftLine]


class Opportunities(Resource):
    """What is worth writing, the most answers first."""

    site_id: UUID
    opportunities: list[Opportunity]
    total: int
    writer: Writer = Field(description="who would write a draft now")
    quota: Quota = Field(description="drafts of this month")


class DraftResource(Resource):
    """A brief or a draft in Markdown, with what it rests on and what was checked."""

    id: UUID
    title: MarkedText
    format: DraftFormat
    markdown: MarkedText = Field(description="of a brief with the marks; of an engine as a whole between marks")
    sources: list[Source]
    checks: list[Check]
    writer: Writer
    created_at: Timestamp


class GeneratedPrompt(Resource):
    """A question that buyers ask. `id` null: it was not added, as this was a dry run."""

    id: UUID | None
    text: UntrustedText
    topic: UntrustedText
    because: str


class PromptEffect(Resource):
    """What the prompts mean for the next scan, in credits (null: no engine is set up), and for the trend."""

    prompts_before: int
    prompts_after: int
    credits_before: int | None
    credits_after: int | None
    comparability: str


class GeneratedPrompts(Resource):
    """Questions that were added, or in a dry run would be."""

    site_id: UUID
    dry_run: bool
    prompts: list[GeneratedPrompt]
    why_none: str | None = Field(description="null: there are some")
    effect: PromptEffect
    quota: Quota = Field(description="active prompts of the site")
    writer: Writer
