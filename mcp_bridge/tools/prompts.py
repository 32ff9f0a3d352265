"""Prompts: the questions that engines are asked for a site."""

from typing import Any

from pydantic import Field

from apikeys.caller import Caller
from apikeys.scopes import Scope
from mcp_bridge.arguments import SiteArguments
from mcp_bridge.registry import Tool
from visibility.prompt_resources import PromptList, StageName
from visibility.services.prompt_list import prompts_of


class ListPromptsArguments(SiteArguments):
    stage: StageName | None = Field(default=None, description="only prompts of this stage")
    branded: bool | None = Field(default=None, description="only prompts that name the site, or only others")
    active: bool | None = Field(default=True, description="true: those that scans ask; false: archived; null: all")


def _prompts(caller: Caller, arguments: ListPromptsArguments) -> PromptList:
    return prompts_of(
        caller,
        brand_id=arguments.site_id,
        stage=arguments.stage,
        branded=arguments.branded,
        active=arguments.active,
    )


TOOLS: tuple[Tool[Any], ...] = (
    Tool(
        name="list_prompts",
        title="List prompts",
        description=(
            "Lists the questions that engines are asked for a site, with how many answers named the site (named of "
            "answers), what stages and intents they cover, and how many more the plan allows. Use it to find weak "
            "questions and gaps."
        ),
        scope=Scope.READ_PROMPTS,
        arguments=ListPromptsArguments,
        result=PromptList,
        handler=_prompts,
    ),
)
