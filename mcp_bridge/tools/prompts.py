"""Tools about prompts."""

from collections.abc import Callable
from functools import partial
from typing import Annotated, Any

from pydantic import Field, model_validator

from apikeys.accounts.caller import Caller
from apikeys.scopes import Scope
from apikeys.text import marked
from brands.access import editable_brand
from brands.models import Brand
from mcp_bridge.arguments import Creating, Listing, PromptArguments, SiteListing, TopicName
from mcp_bridge.registry import Later, Reply, Step, tool
from visibility.content.prompts import prepare_wording
from visibility.models import Prompt
from visibility.models.prompts import LONGEST_PROMPT, Stage
from visibility.prompts import reads, services
from visibility.prompts.resources import PromptCompetitorResults, PromptDetail, PromptList, RefinedPrompt
from visibility.topics.reads import topic_of


class ListArguments(SiteListing):
    """The site, and which of its prompts."""

    topic: TopicName | None = None
    stage: Stage | None = None
    branded: bool | None = Field(default=None, description="true: only prompts that name the site")
    active: bool | None = Field(default=None, description="false: the archived ones; default: true")


class DetailArguments(PromptArguments, Listing):
    """The prompt."""


class RefineArguments(PromptArguments, Creating):
    """The prompt, and its new wording, how an engine shall word it, or that it is archived."""

    wording: Annotated[str, Field(min_length=1, max_length=LONGEST_PROMPT)] | None = Field(
        default=None, description="the new text, asked as it stands"
    )
    instruction: Annotated[str, Field(min_length=1, max_length=500)] | None = Field(
        default=None, description="how the engine that writes shall word it anew"
    )
    archive: bool = Field(default=False, description="true: ask it no more")

    @model_validator(mode="after")
    def _one_change(self) -> "RefineArguments":
        if (self.wording is not None) + (self.instruction is not None) + self.archive != 1:
            raise ValueError("must say one of three things: wording, instruction, or archive: true")
        return self


def editable_site_of_prompt(caller: Caller, arguments: PromptArguments) -> Brand:
    """For `creates`: the site of a prompt, if the caller may change it."""
    return editable_brand(caller, reads.readable_prompt(caller, arguments.prompt_id).brand_id)


@tool("List prompts", Scope.READ_PROMPTS)
def list_prompts(caller: Caller, arguments: ListArguments) -> Reply[PromptList]:
    """Lists the questions that engines are asked for a site, those that name it least first: in how many answers it
    is named, and which competitor is named most. Gives prompt ids and topics."""
    only = reads.PromptFilter(
        stage=arguments.stage,
        branded=arguments.branded,
        active=arguments.active is not False,
        topic=topic_of(caller, arguments.site_id, arguments.topic),
    )
    found = reads.list_prompts(caller, arguments.site_id, only, full=arguments.is_full)
    step = None
    if found.prompts:
        step = Step("get_prompt_detail", {"promptId": found.prompts[0].id}, "what engines answer to the first one")
    elif only == reads.PromptFilter():
        call = {"siteId": arguments.site_id, "dryRun": True}
        step = Step("generate_prompts", call, "first prompts, or what to ask an assistant for them; adds nothing")
    return Reply(found, step, rows="prompts")


@tool("Prompt detail", Scope.READ_PROMPTS)
def get_prompt_detail(caller: Caller, arguments: DetailArguments) -> Reply[PromptDetail]:
    """Shows one prompt: its wordings, results by engine, and the latest answers with the sentences that name the site
    or competitors and the pages they cite. detail: "full" gives whole answers."""
    found = reads.read_prompt(caller, arguments.prompt_id, full=arguments.is_full)
    step = Step("get_prompt_competitor_results", {"promptId": arguments.prompt_id}, "who is named in these answers")
    return Reply(found, step, rows="answers")


@tool("Prompt results by competitor", Scope.READ_PROMPTS)
def get_prompt_competitor_results(caller: Caller, arguments: DetailArguments) -> Reply[PromptCompetitorResults]:
    """Compares the site with its competitors on one prompt: in how many answers of each engine each is named, its
    mean rank, how often recommended or cautioned against, and which sites are cited."""
    found = reads.read_prompt_results(caller, arguments.prompt_id)
    step = Step("get_prompt_detail", {"promptId": found.prompt_id}, "the answers themselves")
    return Reply(found, step, rows="results")


@tool("Refine a prompt", Scope.WRITE_PROMPTS, creates=editable_site_of_prompt, asks_engines=True)
def refine_prompt(caller: Caller, arguments: RefineArguments) -> Later[RefinedPrompt]:
    """Rewords a prompt from the next scan on, or archives it. Its earlier wording keeps its answers and history.
    Ask the user first."""
    prompt = reads.readable_prompt(caller, arguments.prompt_id)
    about: dict[str, Any] = {"brand_id": prompt.brand_id, "prompt_id": prompt.pk}
    if arguments.wording is not None:
        change: Callable[[], Prompt] = partial(services.reword_prompt, caller, **about, text=arguments.wording)
    elif arguments.instruction is not None:
        change = prepare_wording(caller, brand_id=prompt.brand_id, prompt=prompt, instruction=arguments.instruction)
    else:
        change = partial(services.archive_prompt, caller, **about)

    def stored() -> Reply[RefinedPrompt]:
        change()
        found = reads.refined(prompt, reads.readable_prompt(caller, arguments.prompt_id))
        if arguments.dry_run and arguments.instruction is not None:
            worded = {"promptId": found.prompt_id, "wording": marked(found.text)}
            return Reply(found, Step("refine_prompt", worded, "takes this wording"))
        if arguments.dry_run:
            return Reply(found, refine_prompt.for_real(arguments))
        return Reply(found, Step("get_prompt_detail", {"promptId": found.prompt_id}, "its wordings and history"))

    return Later(stored)
