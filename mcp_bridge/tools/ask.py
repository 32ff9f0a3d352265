"""The tool that answers questions with facts."""

from typing import Annotated
from uuid import UUID

from django.conf import settings
from pydantic import Field

from apikeys.accounts.caller import Caller
from apikeys.scopes import Scope
from brands.models import LONGEST_NAME
from mcp_bridge.arguments import MAX_LIMIT, Arguments, Day, TopicName
from mcp_bridge.registry import Reply, tool
from visibility.ask.answer import answer_question
from visibility.ask.measures import NAMES
from visibility.ask.question import Question
from visibility.ask.resources import Answered, NextCall
from visibility.ask.subjects import TELLS

LONGEST_QUESTION = 2_000
KINDS = "; ".join(f"{about}: {tells}" for about, tells in TELLS.items())
Text = Annotated[str, Field(min_length=1, max_length=LONGEST_NAME)]


class AskArguments(Arguments):
    """A question, and what the caller understands of it."""

    question: Annotated[str, Field(min_length=1, max_length=LONGEST_QUESTION)]
    about: Text | None = Field(default=None, description=f"always fill; one or more, parted by commas: {KINDS}")
    measure: Annotated[Text, Field(json_schema_extra={"enum": [*NAMES]})] | None = Field(
        default=None,
        description="fill where one thing is asked; prices: in answers; cost: of scans; other: not listed",
    )
    site_id: UUID | None = Field(default=None, description="only needed with several sites")
    topic: TopicName | None = Field(default=None, description="its name or words of it")
    engine: Text | None = None
    competitor: Text | None = Field(default=None, description="id or name, tracked or not")
    market: Text | None = Field(default=None, description="country or language")
    from_: Day | None = Field(default=None, alias="from", description="day like 2026-11-01; default: now")
    to: Day | None = Field(default=None, description="likewise, included")
    words: Text | None = Field(default=None, description="to find in answers; with sources in domains")
    limit: int | None = Field(default=None, ge=1, le=MAX_LIMIT, description="facts at most; default: what fits")


@tool("Ask", Scope.READ_SITES)
def ask(caller: Caller, arguments: AskArguments) -> Reply[Answered]:
    """Answers a question in any language with counted facts, by what you fill in: its text narrows nothing.
    resolved says what facts are narrowed to, measures what they count, and cannotTell what has no answer, with a
    nextStep if one helps. about: definitions explains the fields."""
    given = arguments.model_dump(exclude={"question", "site_id", "from_", "to"})
    question = Question(text=arguments.question, first=arguments.from_, last=arguments.to, **given)
    reply = answer_question(caller, arguments.site_id, question)
    if reply.cannot_tell:
        step = _prefixed(reply.cannot_tell.next_step)
        reply.cannot_tell = reply.cannot_tell.model_copy(update={"next_step": step})
    return Reply(reply.model_copy(update={"see_more": _prefixed(reply.see_more)}))


def _prefixed(call: NextCall | None) -> NextCall | None:
    return call and call.model_copy(update={"tool": f"{settings.TOOL_PREFIX}{call.tool}"})
