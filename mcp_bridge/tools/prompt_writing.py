"""Writing prompts: new ones for a site, and another wording of one."""

from collections.abc import Callable
from functools import partial
from typing import Annotated, Any, Literal, Self
from uuid import UUID

from pydantic import Field, model_validator

from apikeys.caller import Caller
from apikeys.errors import ErrorCode
from apikeys.scopes import Scope
from brands.models import Brand
from mcp_bridge.arguments import CreatingArguments, SiteArguments
from mcp_bridge.registry import Tool, editable_site
from visibility.models.prompts import MAX_PERSONA, MAX_TOPIC
from visibility.resources.prompts import StageName
from visibility.resources.writing import GeneratedPrompts, RefinedPrompt
from visibility.services.prompts.generating import DEFAULT_PROMPTS, MAX_PROMPTS, prepare_prompts
from visibility.services.prompts.writing import (
    INSTRUCTION_LENGTH,
    archived_prompt,
    editable_prompt,
    prepare_refinement,
)
from visibility.writers.refining import FORMS

ERRORS = frozenset({ErrorCode.QUOTA_EXCEEDED, ErrorCode.CONFLICT, ErrorCode.UPSTREAM_UNAVAILABLE})


class GeneratePromptsArguments(SiteArguments, CreatingArguments):
    count: int = Field(default=DEFAULT_PROMPTS, ge=1, le=MAX_PROMPTS, description="how many, at most")
    topic: Annotated[str, Field(max_length=MAX_TOPIC)] | None = Field(
        default=None, description="what to ask about, without the site's name; else what the site offers"
    )
    stage: StageName | None = Field(default=None, description="only of this stage; else where there are fewest")
    persona: Annotated[str, Field(max_length=MAX_PERSONA)] | None = Field(
        default=None, description="who asks", examples=["a parent of two"]
    )
    locale: Annotated[str, Field(max_length=20)] | None = Field(
        default=None, description="BCP 47; else that of most prompts", examples=["en-GB"]
    )
    dry_run: bool = Field(default=False, description="only show what would be added; nothing is stored or spent")


class RefinePromptArguments(CreatingArguments):
    prompt_id: UUID = Field(description="id of a prompt, from {prefix}list_prompts")
    instruction: Annotated[str, Field(min_length=1, max_length=INSTRUCTION_LENGTH)] | None = Field(
        default=None,
        description=f"what to change in the wording. Always understood: {FORMS}; more where an engine writes",
        examples=["for small teams", "make it about commuting", "replace “best” with “safest”"],
    )
    archive: Literal[True] | None = Field(
        default=None, description="instead of an instruction: ask the prompt no more; its history stays"
    )

    @model_validator(mode="after")
    def _one_wish(self) -> Self:
        if (self.instruction is None) == (self.archive is None):
            raise ValueError("need either an instruction or archive: true, and not both")
        return self


def _generate(caller: Caller, arguments: GeneratePromptsArguments) -> Callable[[], GeneratedPrompts]:
    return prepare_prompts(
        caller,
        brand_id=arguments.site_id,
        count=arguments.count,
        topic=arguments.topic or "",
        stage=arguments.stage or "",
        persona=arguments.persona or "",
        locale=arguments.locale or "",
        dry_run=arguments.dry_run,
    )


def _refine(caller: Caller, arguments: RefinePromptArguments) -> Callable[[], RefinedPrompt]:
    if arguments.instruction is None:
        return partial(archived_prompt, caller, prompt_id=arguments.prompt_id)
    return prepare_refinement(caller, prompt_id=arguments.prompt_id, instruction=arguments.instruction)


def _brand_of_prompt(caller: Caller, arguments: RefinePromptArguments) -> Brand:
    brand: Brand = editable_prompt(caller, arguments.prompt_id).brand
    return brand


TOOLS: tuple[Tool[Any], ...] = (
    Tool(
        name="generate_prompts",
        title="Generate prompts",
        description=(
            "Writes new questions for a site, as buyers ask them, and adds them: the next scan asks them, until then "
            "the score is as it was. Use it to cover topics, stages or personas that {prefix}list_prompts shows few "
            "of. dryRun shows them first, `effect` what each scan then costs. Adds fewer where the plan ends."
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
        title="Refine or archive a prompt",
        description=(
            "Words one prompt anew by an instruction, or archives it: scans ask it no more and its place is free. "
            "The score counts the old wording until the new one is asked; an archived prompt leaves it at once. Use "
            "it when a question is unclear, misses what buyers ask, or is not worth asking."
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
