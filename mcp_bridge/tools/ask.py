"""Ask: an answer in words."""

from collections.abc import Callable
from typing import Annotated, Any
from uuid import UUID

from django.conf import settings
from pydantic import Field

from apikeys.caller import Caller
from apikeys.errors import ErrorCode
from apikeys.scopes import Scope
from mcp_bridge.arguments import Arguments, TopicName
from mcp_bridge.registry import Tool
from mcp_bridge.toolbox import ReadingTools
from mcp_bridge.tools import audit, competitors, content, prompts, recommendations, scans, sites, visibility, voice
from visibility.resources.writing import AskAnswer
from visibility.services.ask.answering import QUESTION_LENGTH, prepare_answer


class AskArguments(Arguments):
    question: Annotated[str, Field(min_length=1, max_length=QUESTION_LENGTH)] = Field(
        description="in plain words", examples=["Which competitors are ahead of us?"]
    )
    site_id: UUID | None = Field(
        default=None, description="the site that it is about; else those that it names, or all"
    )
    topic: TopicName | None = Field(default=None, description="the topic of that site that it is about")


READ: tuple[Tool[Any], ...] = (
    *sites.TOOLS,
    *scans.TOOLS,
    *audit.TOOLS,
    *visibility.TOOLS,
    *prompts.TOOLS,
    *competitors.TOOLS,
    *recommendations.TOOLS,
    *content.TOOLS,
    *voice.TOOLS,
)
"""What an engine that answers may read, as far as it only reads."""


def _ask(caller: Caller, arguments: AskArguments) -> Callable[[], AskAnswer]:
    tools = ReadingTools(caller, READ)
    answer = prepare_answer(
        caller, question=arguments.question, brand_id=arguments.site_id, topic=arguments.topic, tools=tools
    )
    return lambda: _with_callable_tools(answer())


def _with_callable_tools(answer: AskAnswer) -> AskAnswer:
    """The answer with the tools of its facts by the names that they are called by at this door."""
    facts = [fact.model_copy(update={"tool": f"{settings.TOOL_PREFIX}{fact.tool}"}) for fact in answer.facts]
    return answer.model_copy(update={"facts": facts})


TOOLS: tuple[Tool[Any], ...] = (
    Tool(
        name="ask",
        title="Ask about visibility",
        description=(
            "Answers a question in its language (English, German, French, Spanish) about figures, changes, engines, "
            "topics, competitors, gaps, sources, criteria, claims, reviews, what to do, scans or credits: the figure "
            "first, then a few facts with values and ids, and the call that would tell what is not known. Corrects "
            "what a question wrongly takes for granted."
        ),
        scope=Scope.READ_SITES,
        arguments=AskArguments,
        result=AskAnswer,
        writer=_ask,
        open_world=True,
        errors=frozenset(
            {ErrorCode.NOT_FOUND, ErrorCode.QUOTA_EXCEEDED, ErrorCode.CONFLICT, ErrorCode.UPSTREAM_UNAVAILABLE}
        ),
    ),
)
