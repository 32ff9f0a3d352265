"""What writing leaves behind, as it looks from outside: prompts, wordings, opportunities, drafts, answers."""

import re
from datetime import date as Date
from typing import Any, Literal
from uuid import UUID

from pydantic import Field, SerializationInfo, field_serializer

from apikeys.resources import FOR_AGENTS, Quota, Resource, Timestamp, UntrustedText
from apikeys.text.untrusted import marked, marked_inside
from visibility.resources.prompts import IntentName, PromptResource, StageName
from visibility.resources.recommendations import EngineCount, Evidence
from visibility.resources.sources import PageToActOn
from visibility.resources.steps import NextStep

Format = Literal["article", "faq", "comparison", "landing"]


class WriterResource(Resource):
    """Who wrote: the embedded writer, by rules and templates, or an AI engine."""

    kind: Literal["embedded", "engine"]
    name: str
    model: str | None = Field(default=None, description="null for the embedded writer")


RESTS_ON = "the search, criterion or competitor that it is made of; empty: none of these"


class CreatedPrompt(PromptResource):
    """A prompt that was written and is active from now on."""

    rests_on: UntrustedText = Field(default="", description=RESTS_ON)


class ProposedPrompt(Resource):
    """A prompt that could be added."""

    text: UntrustedText
    topic: UntrustedText
    stage: StageName
    intent: IntentName
    persona: UntrustedText
    locale: str
    rests_on: UntrustedText = Field(description=RESTS_ON)


class CoveredCell(Resource):
    """How many active prompts there are for one stage, intent and persona, and how many of the proposed ones."""

    stage: StageName | None
    intent: IntentName | None
    persona: UntrustedText = Field(description="who asks; empty: anybody")
    prompts: int
    proposed: int


class GeneratedPrompts(Resource):
    """Prompts that were written: active from now on, or in a dry run only shown."""

    site: UUID
    dry_run: bool
    created: list[CreatedPrompt] = Field(description="may be fewer than asked for: never above the quota")
    proposed: list[ProposedPrompt] = Field(description="of a dry run: what would be added")
    coverage: list[CoveredCell] = Field(description="of the active prompts, the new ones included")
    quota: Quota = Field(description="active prompts of this site")
    effect: str = Field(description="what adding them means for the cost of a scan, the score and comparisons")
    writer: WriterResource
    note: str | None = Field(description="what stood in the way, or would be different without dryRun")


class RefinedPrompt(Resource):
    """A prompt in a new wording, or out of use; answers to what it asked before stay on record."""

    site: UUID
    prompt: PromptResource
    archived: bool = Field(description="scans ask it no more, and its place in the quota is free again")
    earlier: UntrustedText = Field(description="the wording before; of an archived prompt the wording that it keeps")
    quota: Quota = Field(description="active prompts of this site")
    writer: WriterResource | None = Field(description="null where it was archived: nothing was written")


class OpportunityQuestion(Resource):
    """A prompt that the page should answer."""

    prompt_id: UUID
    text: UntrustedText


class Opportunity(Resource):
    """A page worth writing, with what it rests on."""

    id: str = Field(description="stays the same from day to day")
    kind: str = Field(description="as `not_named`, `not_cited`; others may come")
    title: UntrustedText
    why: UntrustedText
    score: int = Field(ge=0, le=100, description="as the priority of a recommendation")
    topic: UntrustedText
    format: Format = Field(description="what kind of page suits it")
    questions: list[OpportunityQuestion]
    competitors: list[str] = Field(description="who stands there instead, most often first")
    sources: list[UntrustedText] = Field(description="domains that the answers cite, most often first")
    pages: list[PageToActOn] = Field(description="cited pages to act on beside writing one; 5 at most")
    engines: list[EngineCount]
    evidence: list[Evidence]
    drafts: list[UUID] = Field(description="already written for it, newest first")
    own_page: UntrustedText | None = Field(description="to revise")


class SearchMade(Resource):
    """A search that engines made to answer."""

    query: UntrustedText
    topic: UntrustedText
    answers: int
    engines: list[str]
    own_page: UntrustedText | None = Field(description="answers it")


class DraftSource(Resource):
    """A passage that the draft rests on; its mark stands in the text, as [S1]."""

    mark: str
    text: UntrustedText
    source: UntrustedText = Field(description="where it is from")
    url: UntrustedText | None = None
    own: bool = Field(description="from a page of the brand")
    answer_id: UUID | None = Field(default=None, description="the answer that says or cites it")


class DraftCheckResource(Resource):
    """One thing that the draft was checked for."""

    id: str
    passed: bool
    message: str = Field(description="what was found, and what to do where it did not pass")

    @field_serializer("message", when_used="json")
    def _quoting(self, message: str, info: SerializationInfo) -> str:
        return marked_inside(message) if info.context == FOR_AGENTS else message


class DraftSummary(Resource):
    """A draft without its text."""

    id: UUID
    title: UntrustedText
    topic: UntrustedText
    format: Format
    opportunity_id: str | None
    created_at: Timestamp
    writer: WriterResource


class Draft(DraftSummary):
    """A page to be finished by people. Gaps stand in it as [fact needed: …]; this service invents nothing."""

    site: UUID
    markdown: UntrustedText
    version: int
    page_url: UntrustedText | None = Field(default=None, description="own page that it revises")
    diff: UntrustedText | None = None
    structured_data: UntrustedText = Field(default="", description="JSON-LD")
    sources: list[DraftSource]
    checks: list[DraftCheckResource]


class WrittenDraftResource(Resource):
    """A draft that was written now."""

    draft: Draft
    quota: Quota = Field(description="drafts of this month")


class ContentReport(Resource):
    """What to write for a site, the most worthwhile first, and what has been written."""

    site: UUID
    as_of: Date | None = Field(description="the latest measured day; null before the first")
    topic: UntrustedText | None = Field(description="the one that was asked for; null: all")
    opportunities: list[Opportunity]
    pages: list[PageToActOn] = Field(description="cited pages to act on first over all opportunities; 10 at most")
    searches: list[SearchMade]
    own_pages: int = Field(description="that are known; 0: run an audit")
    drafts: list[DraftSummary] = Field(description="newest first")
    quota: Quota = Field(description="drafts of this month")
    how_to_get_more: str | None = Field(description="what to do where there is nothing; null otherwise")


OUR_WORDS = frozenset(
    [
        "subject",
        "competitor",
        "other",
        "engine",
        "least",
        "verdict",
        "state",
        "direction",
        "claimed",
        "standing",
        "scope",
        "scopes",
        "kinds",
        "kind",
        "status",
        "cadence",
        "reason",
        "severity",
        "check",
        "impact",
        "effort",
        "format",
        "polarity",
        "trait",
        "standing",
        "effect",
        "unit",
        "language",
        "definition",
        "category",
        "changed",
        "whose",
        "causes",
        "id",
        "like",
        "engines",
        "rivals",
    ]
)
"""Values of facts that hold no words of others: checked names, engines, codes and ids. Any other text that is no day
or moment is marked for agents."""
_DAY_OR_MOMENT = re.compile(r"\d{4}-\d\d-\d\d(?:T[\d:.]++Z)?", re.ASCII)


def _marked_values(values: Any) -> Any:
    """The values with marks around the words of others."""
    if isinstance(values, dict):
        return {name: _marked_value(name, value) for name, value in values.items()}
    if isinstance(values, list):
        return [_marked_values(value) for value in values]
    has_words = isinstance(values, str) and values and not _DAY_OR_MOMENT.fullmatch(values)
    return marked(values) if has_words else values


def _marked_value(name: str, value: Any) -> Any:
    has_rows = isinstance(value, list) and any(isinstance(row, dict) for row in value)
    return value if name in OUR_WORDS and not has_rows else _marked_values(value)


class AnswerFact(Resource):
    """One thing that an answer rests on."""

    id: str
    tool: str = Field(description="the tool that tells more")
    site: UUID | None = Field(description="null: it concerns the account")
    statement: UntrustedText
    values: dict[str, Any] = Field(
        default={},
        description="the same for machines: subject, named, answers, score, low, high, topic, engine, day …",
    )
    refs: list[str] = Field(description="ids of runs, prompts, competitors or recommendations that it speaks of")

    @field_serializer("values", when_used="json")
    def _quoting(self, values: dict[str, Any], info: SerializationInfo) -> dict[str, Any]:
        return _marked_values(values) if info.context == FOR_AGENTS else values


class Withheld(Resource):
    """A part that was left out because the key may not read it."""

    part: str
    required_scope: str


class AskAnswer(Resource):
    """An answer from the stored measurements."""

    answer: UntrustedText = Field(description="in the question's language")
    language: str = Field(description="ISO 639-1: en, de, fr or es")
    facts: list[AnswerFact] = Field(description="those that the answer rests on, the one that answers first")
    cannot_know: UntrustedText | None = Field(description="the one thing that is not known, in a sentence")
    next_step: NextStep | None = Field(description="the call that would tell it, or helps on")
    withheld: list[Withheld]
    writer: WriterResource
