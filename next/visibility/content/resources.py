"""What the doors show of content."""

from typing import Literal
from uuid import UUID

from pydantic import Field

from apikeys.resources import Quota, Resource, Timestamp, UntrustedText
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
    detail: UntrustedText


class DraftLine(Resource):
    """A draft that was made already."""

    id: UUID
    title: UntrustedText
    format: DraftFormat
    writer: Writer
    created_at: Timestamp


class Opportunity(Resource):
    """A page worth writing or mending, with the counts that say so."""

    id: str
    kind: Literal["recommendation", "criterion", "search", "comparison"]
    title: UntrustedText
    why: UntrustedText
    topic: str | None
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
    title: UntrustedText
    format: DraftFormat
    markdown: UntrustedText
    sources: list[Source]
    checks: list[Check]
    writer: Writer
    created_at: Timestamp
