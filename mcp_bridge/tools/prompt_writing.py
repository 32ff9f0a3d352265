"""Writing prompts: new ones for a site, and another wording of one."""

from collections.abc import Callable
from typing import Annotated, Any
from uuid import UUID

from pydantic import Field

from apikeys.caller import Caller
from apikeys.errors import ErrorCode
from apikeys.scopes import Scope
from brands.models import Brand
from mcp_bridge.arguments import CreatingArguments, SiteArguments
from mcp_bridge.registry import Tool, editable_site
from visibility.prompt_resources import StageName
from visibility.services.prompt_writing import (
    DEFAULT_PROMPTS,
    INSTRUCTION_LENGTH,
    MOST_PROMPTS,
    editable_prompt,
    prepare_prompts,
    prepare_refinement,
)
from visibility.services.prompts import PERSONA_LENGTH, TOPIC_LENGTH
from visibility.writing_resources import GeneratedPrompts, RefinedPrompt

ERRORS = frozenset({ErrorCode.QUOTA_EXCEEDED, ErrorCode.CONFLICT, ErrorCode.UPSTREAM_UNAVAILABLE})


class GeneratePromptsArguments(SiteArguments, CreatingArguments):
    count: int = Field(default=DEFAULT_PROMPTS, ge=1, le=MOST_PROMPTS, description="how many, at most")
    topic: Annotated[str, Field(max_length=TOPIC_LENGTH)] | None = Field(
        default=None, description="what to ask about, without the site's name; else what the site offers"
    )
    stage: StageName | None = Field(default=None, description="only of this stage; else where there are fewest")
    persona: Annotated[str, Field(max_length=PERSONA_LENGTH)] | None = Field(
        default=None, description="who asks", examples=["a parent of two"]
    )
    locale: Annotated[str, Field(max_length=20)] | None = Field(
        default=None, description="BCP 47; else that of most prompts", examples=["en-GB"]
    )


class RefinePromptArguments(CreatingArguments):
    prompt_id: UUID = Field(description="id of a prompt, from {prefix}list_prompts")
    instruction: Annotated[str, Field(min_length=1, max_length=INSTRUCTION_LENGTH)] = Field(
        description="what to change in the wording", examples=["for small teams", "replace “best” with “safest”"]
    )


def _generate(caller: Caller, arguments: GeneratePromptsArguments) -> Callable[[], GeneratedPrompts]:
    return prepare_prompts(
        caller,
        brand_id=arguments.site_id,
        count=arguments.count,
        topic=arguments.topic or "",
        stage=arguments.stage or "",
        persona=arguments.persona or "",
        locale=arguments.locale or "",
    )


def _refine(caller: Caller, arguments: RefinePromptArguments) -> Callable[[], RefinedPrompt]:
    return prepare_refinement(caller, prompt_id=arguments.prompt_id, instruction=arguments.instruction)


def _brand_of_prompt(caller: Caller, arguments: RefinePromptArguments) -> Brand:
    brand: Brand = editable_prompt(caller, arguments.prompt_id).brand
    return brand


TOOLS: tuple[Tool[Any], ...] = (
    Tool(
        name="generate_prompts",
        title="Generate prompts",
        description=(
            "Writes new questions for a site, as buyers ask them, and adds them: the next scan asks them. Use it to "
            "cover topics, stages or personas that {prefix}list_prompts shows few of. Adds fewer than asked for "
            "where the plan ends."
        ),
        scope=Scope.WRITE_PROMPTS,
        arguments=GeneratePromptsArguments,
        result=GeneratedPrompts,
        writer=_generate,
        brand_of=editable_site,
        open_world=True,
        errors=ERRORS,
    ),
    Tool(
        name="refine_prompt",
        title="Refine a prompt",
        description=(
            "Words one prompt anew by an instruction. Answers to earlier wordings stay with them, so figures before "
            "and after may not be comparable. Use it when a question is unclear or misses what buyers ask."
        ),
        scope=Scope.WRITE_PROMPTS,
        arguments=RefinePromptArguments,
        result=RefinedPrompt,
        writer=_refine,
        brand_of=_brand_of_prompt,
        open_world=True,
        errors=ERRORS | {ErrorCode.NOT_FOUND},
    ),
)
