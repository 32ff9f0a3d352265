"""Prompts: the questions that engines are asked for a site."""

from typing import Annotated, Any
from uuid import UUID

from pydantic import Field

from apikeys.caller import Caller
from apikeys.errors import ErrorCode
from apikeys.scopes import Scope
from mcp_bridge.arguments import ListingArguments, TopicArguments
from mcp_bridge.following import from_prompt, from_prompts, from_rivals
from mcp_bridge.missing import answers_first, call, empty, first_of, scan_first
from mcp_bridge.registry import Tool
from mcp_bridge.short.answers import around_mentions
from mcp_bridge.short.projection import Body, Omitted, Short
from visibility.resources.prompts import PromptCompetitorResults, PromptDetail, PromptList, StageName
from visibility.services.prompts.detail import MAX_ANSWERS, prompt_competitor_results, prompt_detail
from visibility.services.prompts.listing import prompts_of


class ListPromptsArguments(TopicArguments):
    stage: StageName | None = Field(default=None, description="only prompts of this stage")
    branded: bool | None = Field(default=None, description="only prompts that name the site, or only others")
    active: bool | None = Field(default=True, description="true: those that scans ask; false: archived; null: all")


class PromptArguments(ListingArguments):
    prompt_id: UUID = Field(description="id of a prompt, from {prefix}list_prompts")


class PromptDetailArguments(PromptArguments):
    answer_ids: Annotated[list[UUID], Field(min_length=1, max_length=MAX_ANSWERS)] | None = Field(
        default=None, description="only these of the latest answers, whole"
    )

    @property
    def whole(self) -> bool:
        """Whether the result is wanted whole."""
        return super().whole or self.answer_ids is not None


def _prompts(caller: Caller, arguments: ListPromptsArguments) -> PromptList:
    return prompts_of(
        caller,
        brand_id=arguments.site_id,
        stage=arguments.stage,
        branded=arguments.branded,
        active=arguments.active,
        topic=arguments.topic,
    )


def _detail(caller: Caller, arguments: PromptDetailArguments) -> PromptDetail:
    return prompt_detail(caller, prompt_id=arguments.prompt_id, answer_ids=arguments.answer_ids)


def _rivals(caller: Caller, arguments: PromptArguments) -> PromptCompetitorResults:
    return prompt_competitor_results(caller, prompt_id=arguments.prompt_id)


_PROMPT = ("topic", "stage", "intent", "persona", "locale", "version", "createdAt")


def _most_covered_first(body: Body, omitted: Omitted) -> None:
    """Stages and intents that have no prompt at all are counted, not listed."""
    coverage = body["coverage"]
    body["coverage"] = sorted((row for row in coverage if row["prompts"]), key=lambda row: -row["prompts"])
    omitted["coverage"] += len(coverage) - len(body["coverage"])


_LIST = Short(
    rows=("prompts", "coverage"),
    spread="topic",
    leave_out=tuple(f"prompts[].{name}" for name in (*_PROMPT[1:], "engines")),
    at_most={"coverage": 4},
    texts={"prompts[].text": 120},
    unless={"prompts[].branded": False, "prompts[].active": True},
    reshape=_most_covered_first,
)

_DETAIL = Short(
    rows=("latestAnswers",),
    spread="engine",
    by_ids="answerIds",
    leave_out=(
        "prompt.version",
        "prompt.createdAt",
        "prompt.engines[].age",
        "latestAnswers[].run",
        "latestAnswers[].sample",
        "latestAnswers[].servedModel",
        "latestAnswers[].citations[].spans",
        "latestAnswers[].citations[].title",
        "latestAnswers[].citations[].domain",
    ),
    at_most={"versions": 2, "latestAnswers[].citations": 3, "latestAnswers[].mentions": 6},
    texts={"versions[].text": 150},
    unless={
        "latestAnswers[].refused": False,
        "latestAnswers[].citations[].competitor": None,
        "prompt.active": True,
        "prompt.branded": False,
    },
    reshape=around_mentions,
    tokens=2500,
)

_RIVALS = Short(
    rows=("subjects",),
    leave_out=("subjects[].engines[].age",),
    at_most={"subjects[].engines[].domains": 3},
    unless={
        "subjects[].inPrompt": False,
        "subjects[].engines[].stances.recommended": 0,
        "subjects[].engines[].stances.unknown": 0,
        "subjects[].engines[].stances.cautioned": 0,
        "subjects[].engines[].stances.rejected": 0,
        "subjects[].engines[].stances.notFound": 0,
    },
)

_WRITE_SOME = call(
    "generate_prompts", "Writes questions as buyers ask them; none is here yet, or none fits the filters."
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
        leads_to=from_prompts,
        missing=(first_of(empty("prompts", "no_prompts", _WRITE_SOME), scan_first("named")),),
        short=_LIST,
    ),
    Tool(
        name="get_prompt_detail",
        title="Prompt detail",
        description=(
            "Returns one prompt with all its wordings, how many answers of each engine named the site, and the "
            "latest answers with the places of names and sources. Use it to read what engines really say."
        ),
        scope=Scope.READ_PROMPTS,
        arguments=PromptDetailArguments,
        result=PromptDetail,
        handler=_detail,
        leads_to=from_prompt,
        missing=(answers_first("latestAnswers", lambda body: body["prompt"]["answers"]),),
        short=_DETAIL,
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
        leads_to=from_rivals,
        missing=(answers_first("subjects", lambda body: body["subjects"][0]["answers"]),),
        short=_RIVALS,
        errors=frozenset({ErrorCode.NOT_FOUND}),
    ),
)
