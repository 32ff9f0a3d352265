"""Tools about content."""

from typing import Annotated, Any
from uuid import UUID

from pydantic import Field, model_validator

from apikeys.accounts.caller import Caller
from apikeys.scopes import Scope
from mcp_bridge.arguments import Creating, SiteArguments, SiteListing, TopicName
from mcp_bridge.registry import Later, Reply, Step, editable_site, tool
from visibility.content.prompts import MOST_COUNT, prepare_prompts, wished_topic
from visibility.content.questions import LONGEST_REPLY, Wishes
from visibility.content.reads import list_opportunities
from visibility.content.resources import (
    DraftResource,
    GeneratedPrompts,
    Opportunities,
    PlannedDraft,
    draft_resource,
)
from visibility.content.services import prepare_draft
from visibility.models.content import DraftFormat
from visibility.models.prompts import Stage
from visibility.topics.reads import topic_of


class OpportunityArguments(SiteListing):
    """The site, and a topic of it, or a draft."""

    topic: TopicName | None = None
    draft_id: UUID | None = Field(default=None, description="reads this draft again, in full")


class DraftArguments(SiteArguments, Creating):
    """The site, and what is to be written."""

    opportunity_id: Annotated[str, Field(max_length=200)] | None = Field(
        default=None, description="from {prefix}get_content_opportunities"
    )
    topic: TopicName | None = Field(default=None, description="instead of an opportunity")
    format: DraftFormat | None = Field(default=None, description="default: as the opportunity says")

    @model_validator(mode="after")
    def _one_subject(self) -> "DraftArguments":
        if (self.opportunity_id is None) == (self.topic is None):
            raise ValueError("must say one of two things: opportunityId, or topic")
        return self


class GenerateArguments(SiteArguments, Creating):
    """The site, and what kind of prompts, or what an assistant wrote."""

    count: int = Field(default=10, ge=1, le=MOST_COUNT, description=f"1 to {MOST_COUNT}")
    topic: TopicName | None = Field(default=None, description="only on this topic")
    stage: Stage | None = None
    persona: Annotated[str, Field(max_length=200)] | None = Field(default=None, description="who asks")
    locale: Annotated[str, Field(max_length=20)] | None = Field(default=None, description="such as en-GB")
    reply: Annotated[str, Field(max_length=LONGEST_REPLY)] | None = Field(
        default=None, description="what you or an assistant wrote to promptToCopy: a question a line, or JSON"
    )


@tool("Content opportunities", Scope.READ_CONTENT)
def get_content_opportunities(caller: Caller, arguments: OpportunityArguments) -> Reply[Opportunities]:
    """Lists pages worth writing or mending, with the counts that say so, the own page to edit, and the drafts made
    already; with draftId it gives one of these to read. canDraft false: whyNot says what is missing."""
    topic = topic_of(caller, arguments.site_id, arguments.topic)
    found = list_opportunities(caller, arguments.site_id, topic=topic, draft_id=arguments.draft_id)
    ready = next((each for each in found.opportunities if each.can_draft and not each.drafts), None)
    made = [draft for each in found.opportunities for draft in each.drafts] + found.other_drafts
    step = None
    if made and found.draft is None:
        step = Step("get_content_opportunities", {"siteId": found.site_id, "draftId": made[0].id}, "reads a draft")
    elif ready and found.quota.used < found.quota.limit:
        call = {"siteId": found.site_id, "opportunityId": ready.id}
        step = Step("generate_content_draft", call, "a brief or draft of the first; takes one draft of the quota")
    return Reply(found, step, rows="opportunities")


@tool("Draft content", Scope.WRITE_CONTENT, creates=editable_site, asks_engines=True)
def generate_content_draft(caller: Caller, arguments: DraftArguments) -> Later[DraftResource]:
    """Makes a brief for a page (prompts, role, limits, own facts, what customers and answers say, gaps, a prompt), or
    a draft where an engine that writes is set up: each statement rests on rows of the brief, else the brief comes
    back. Takes one draft of the month's quota: ask the user first. To read it again: get_content_opportunities."""
    store = prepare_draft(
        caller,
        brand_id=arguments.site_id,
        opportunity_id=arguments.opportunity_id,
        topic=topic_of(caller, arguments.site_id, arguments.topic),
        form=arguments.format,
        asks_engine=not arguments.dry_run,
    )

    def stored() -> Reply[Any]:
        if arguments.dry_run:
            return Reply(PlannedDraft.model_validate(store()), generate_content_draft.for_real(arguments, "makes it"))
        step = Step("get_content_opportunities", {"siteId": arguments.site_id}, "what else is worth writing")
        return Reply(draft_resource(store()), step)

    return Later(stored)


@tool("Generate prompts", Scope.WRITE_PROMPTS, creates=editable_site, asks_engines=True)
def generate_prompts(caller: Caller, arguments: GenerateArguments) -> Later[GeneratedPrompts]:
    """Adds questions as buyers ask them: worded by an engine that writes, or searched by engines; also the first ones
    of a new site. Without both, promptToCopy says what to ask an assistant: answer it, and send what you wrote as
    reply. Call with dryRun first, and show the user the prompts and what a scan then costs."""
    wishes = Wishes(
        count=arguments.count,
        topic=wished_topic(caller, arguments.site_id, arguments.topic),
        reply=arguments.reply or "",
        stage=arguments.stage,
        persona=arguments.persona or "",
        locale=arguments.locale or "",
    )
    store = prepare_prompts(caller, brand_id=arguments.site_id, wishes=wishes, dry_run=arguments.dry_run)

    def stored() -> Reply[GeneratedPrompts]:
        found, about = store(), {"siteId": arguments.site_id}
        if not found.prompts:
            return Reply(found)
        if arguments.dry_run:
            why = "adds them, and spends nothing until the next scan"
            return Reply(found, generate_prompts.for_real(arguments, why))
        return Reply(found, Step("list_prompts", about, "all prompts"))

    return Later(stored)
