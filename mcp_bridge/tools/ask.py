"""The tool that answers questions with facts."""

from typing import Annotated
from uuid import UUID

from django.conf import settings
from pydantic import Field

from apikeys.caller import Caller
from apikeys.scopes import Scope
from brands.models import LONGEST_NAME
from mcp_bridge.arguments import MAX_LIMIT, Arguments, Day, TopicName
from mcp_bridge.registry import Reply, Step, tool
from visibility.ask.answer import answer_question
from visibility.ask.question import Question
from visibility.ask.resources import About, Answered, CannotTell, NextCall
from visibility.ask.subjects import TELLS

LONGEST_QUESTION = 2_000
KINDS = "; ".join(f"{about}: {tells}" for about, tells in TELLS.items())
Text = Annotated[str, Field(min_length=1, max_length=LONGEST_NAME)]


class AskArguments(Arguments):
    """A question, and what the caller understands of it."""

    question: Annotated[str, Field(min_length=1, max_length=LONGEST_QUESTION)]
    site_id: UUID | None = Field(default=None, description="only needed with several sites")
    about: About | None = Field(default=None, description=f"what kind of facts; fill it whenever one fits: {KINDS}")
    topic: TopicName | None = Field(default=None, description="only this topic, by its full name")
    engine: Text | None = Field(default=None, description="only this engine")
    competitor: Text | None = Field(default=None, description="id or name of another brand, tracked or not")
    from_: Day | None = Field(default=None, alias="from", description="day like 2026-11-01; default: now")
    to: Day | None = Field(default=None, description="likewise, included")
    words: Text | None = Field(default=None, description="to find in the texts of answers")
    limit: int | None = Field(default=None, ge=1, le=MAX_LIMIT, description="facts at most; default: what fits")


@tool("Ask", Scope.READ_SITES)
def ask(caller: Caller, arguments: AskArguments) -> Reply[Answered]:
    """Answers a question in any language with counted facts. Fill the optional arguments with what you understand: in
    the question itself only full names are linked, and only where it comes alone. resolved says what facts are
    narrowed to; cannotTell what has no answer (nothing is forecast, of a country or in money), with a nextStep if one
    helps."""
    question = Question(
        text=arguments.question,
        first=arguments.from_,
        last=arguments.to,
        **{name: getattr(arguments, name) for name in ("about", "topic", "engine", "competitor", "words", "limit")},
    )
    reply = answer_question(caller, arguments.site_id, question)
    more = {"see_more": _prefixed(reply.see_more), "cannot_tell": _with_prefix(reply.cannot_tell)}
    prompt = next((row.id for row in reply.resolved if row.kind == "prompt"), None)
    step = Step("get_prompt_detail", {"promptId": prompt}, "its wordings and answers") if prompt else None
    return Reply(reply.model_copy(update=more), step)


def _with_prefix(reason: CannotTell | None) -> CannotTell | None:
    return reason and reason.model_copy(update={"next_step": _prefixed(reason.next_step)})


def _prefixed(call: NextCall | None) -> NextCall | None:
    return call and call.model_copy(update={"tool": f"{settings.TOOL_PREFIX}{call.tool}"})
