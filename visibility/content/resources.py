"""What the doors show of content."""

from typing import Literal
from uuid import UUID

from pydantic import Field

from apikeys.resources import Quota, Resource, Timestamp, UntrustedText, Worded, WordedText
from apikeys.text import marked
from visibility.models import Draft
from visibility.models.content import DraftFormat
from visibility.prompts.resources import PromptEffect

PASTE = "## Prompt to paste"
"""The last heading of a brief; what follows has no words of others."""
WriterKind = Literal["brief", "engine", "none"]
SourceKind = Literal["prompt", "role", "limit", "page", "review", "answer", "gap"]


class Writer(Resource):
    """Who wrote: nobody but the service itself (`brief`: facts in order, no prose), or an engine."""

    kind: WriterKind
    engine: str | None = None
    model: str | None = None


class Source(Resource):
    """A row of a brief: a prompt, a role, a limit, a sentence of an own page, of a review or of an answer, or what is
    missing. `about`: whom it speaks of; null: nobody. `heading`: a reader's label, `counts`: how many say it."""

    id: str = ""
    kind: SourceKind
    text: UntrustedText
    heading: UntrustedText = ""
    counts: str = ""
    about: UntrustedText | None = None
    url: UntrustedText | None = None
    engine: str | None = None


class Check(Resource):
    """One thing that was looked at in a draft; `quote`: the words that it is about."""

    name: str
    passed: bool
    detail: str
    quote: UntrustedText | None = None


class DraftLine(Resource):
    """A draft that was made already."""

    id: UUID
    title: UntrustedText
    format: DraftFormat
    writer: Writer
    created_at: Timestamp


class DraftResource(DraftLine):
    """A brief or a draft in Markdown, with what it rests on and what was checked."""

    recommendation_id: UUID | None
    markdown: WordedText
    sources: list[Source]
    checks: list[Check]


class PlannedDraft(Resource):
    """What a draft would be about."""

    title: UntrustedText
    format: DraftFormat


def draft_resource(draft: Draft) -> DraftResource:
    """A stored draft as the doors show it. For agents what others wrote is between marks: all of a draft, and of a
    brief all but the prompt to paste."""
    text, heading, prompt = draft.markdown.rpartition(f"\n{PASTE}\n")
    is_brief = draft.writer["kind"] == "brief" and bool(heading)
    shown = f"{marked(text.rstrip())}\n{heading}{prompt}" if is_brief else marked(draft.markdown)
    return DraftResource(
        **{name: getattr(draft, name) for name in ("id", "title", "format", "writer", "created_at")},
        recommendation_id=draft.recommendation_id,
        markdown=Worded(draft.markdown, shown),
        sources=draft.sources,
        checks=draft.checks,
    )


class Opportunity(Resource):
    """A page worth writing or mending, with the counts that say so."""

    id: str
    kind: Literal["recommendation", "criterion", "search", "comparison"]
    title: WordedText
    why: WordedText
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
    other_drafts: list[DraftLine] = Field(description="drafts of what is not in the list any more, the newest first")
    draft: DraftResource | None = Field(description="the one that was asked for by draftId")
    writer: Writer = Field(description="who would write a draft now")
    quota: Quota = Field(description="drafts of this month")


class GeneratedPrompt(Resource):
    """A question that buyers ask. `id` null: it was not added, as this was a dry run."""

    id: UUID | None
    text: UntrustedText
    topic: UntrustedText
    because: str


class RefusedPrompt(Resource):
    """A question that was written and not taken, and why."""

    text: UntrustedText
    reason: str


class GeneratedPrompts(Resource):
    """Questions that were added, or in a dry run would be."""

    site_id: UUID
    dry_run: bool
    prompts: list[GeneratedPrompt]
    refused: list[RefusedPrompt]
    why_none: str | None = Field(description="null: there are some")
    prompt_to_copy: WordedText | None = Field(
        description="what to ask an assistant where no engine writes; its answer is taken as `reply`"
    )
    effect: PromptEffect
    quota: Quota = Field(description="active prompts of the site")
    writer: Writer
