"""Prompts: the questions that engines are asked for a site."""

from typing import Any
from uuid import UUID

from pydantic import Field

from apikeys.caller import Caller
from apikeys.errors import ErrorCode
from apikeys.scopes import Scope
from mcp_bridge.arguments import Arguments, TopicArguments
from mcp_bridge.registry import Tool
from visibility.resources.prompts import PromptCompetitorResults, PromptDetail, PromptList, StageName
from visibility.services.prompts.detail import prompt_competitor_results, prompt_detail
from visibility.services.prompts.listing import prompts_of


class ListPromptsArguments(TopicArguments):
    stage: StageName | None = Field(default=None, description="only prompts of this stage")
    branded: bool | None = Field(default=None, description="only prompts that name the site, or only others")
    active: bool | None = Field(default=True, description="true: those that scans ask; false: archived; null: all")


class PromptArguments(Arguments):
    prompt_id: UUID = Field(description="id of a prompt, from {prefix}list_prompts")


def _prompts(caller: Caller, arguments: ListPromptsArguments) -> PromptList:
    return prompts_of(
        caller,
        brand_id=arguments.site_id,
        stage=arguments.stage,
        branded=arguments.branded,
        active=arguments.active,
        topic=arguments.topic,
    )


def _detail(caller: Caller, arguments: PromptArguments) -> PromptDetail:
    return prompt_detail(caller, prompt_id=arguments.prompt_id)


def _rivals(caller: Caller, arguments: PromptArguments) -> PromptCompetitorResults:
    return prompt_competitor_results(caller, prompt_id=arguments.prompt_id)


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
    Tool(
        name="get_prompt_detail",
        title="Prompt detail",
        description=(
            "Returns one prompt with all its wordings, how many answers of each engine named the site, and the "
            "latest answers with the places of names and sources. Use it to read what engines really say."
        ),
        scope=Scope.READ_PROMPTS,
        arguments=PromptArguments,
        result=PromptDetail,
        handler=_detail,
        errors=frozenset({ErrorCode.NOT_FOUND}),
    ),
    Tool(
        name="get_prompt_competitor_results",
        title="Competitors on a prompt",
        description=(
            "Returns whom the answers to one prompt name, by brand and engine: how many of how many, mean rank, in "
            "which tone, citing which domains. Use it to see who wins a question, and on which sources."
        ),
        scope=Scope.READ_PROMPTS,
        arguments=PromptArguments,
        result=PromptCompetitorResults,
        handler=_rivals,
        errors=frozenset({ErrorCode.NOT_FOUND}),
    ),
)
