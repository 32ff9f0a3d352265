"""An answer by an engine that reads: it may call tools that only read, as the one who asks, and says no number that
neither a fact nor a reply has."""

import json
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol
from uuid import UUID

from django.conf import settings

from visibility.resources.writing import AnswerFact
from visibility.writers.numbers import unfounded
from visibility.writers.protocol import ToolCall, Writer, WriterError, WrittenAnswer
from visibility.writers.tasks import AskTask, ToolOffer, ToolReply

MAX_CALLS = 6
MAX_ANSWERS = 2
"""The first one and one more where it has a number of its own."""
MAX_SECONDS = 150.0
MAX_REPLY = 12_000
"""Characters of a reply that are shown."""


NOTHING = WrittenAnswer(answer="Nothing can be said.", facts=[])


class ToolBox(Protocol):
    """The tools that only read, with the scopes and sites of the one who asks."""

    @property
    def offers(self) -> Sequence[ToolOffer]:
        """Those that the caller's scopes allow."""
        ...

    def read(self, tool: str, arguments: Mapping[str, Any]) -> str:
        """What the tool says: JSON for a model, the words of others between marks; a refusal is JSON as well."""
        ...


@dataclass(frozen=True, slots=True)
class Conversation:
    """How it ended: the answer, or None where it kept numbers of its own; and what was read on the way."""

    answer: WrittenAnswer | None
    replies: Sequence[ToolReply]


def converse(writer: Writer, task: AskTask, tools: ToolBox | None) -> Conversation:
    """Have the writer read until it answers; at most MAX_CALLS tools. Raises WriterError."""
    end = time.monotonic() + MAX_SECONDS
    offers = tools.offers if tools else ()
    task = replace(task, tools=offers, calls_left=MAX_CALLS if offers else 0)
    for _ in range(MAX_CALLS + MAX_ANSWERS):
        step = _step(writer, task)
        if time.monotonic() > end:
            raise WriterError("timeout", f"No answer came within {MAX_SECONDS:.0f} seconds.", billed=True)
        if isinstance(step, ToolCall):
            task = _after(task, step, tools)
            continue
        wrong = unfounded(step.answer, _sources(task))
        if not wrong:
            return Conversation(step, task.replies)
        if task.problem:
            break
        numbers = ", ".join(wrong)
        task = replace(task, calls_left=0, problem=f"No fact and no reply has {numbers}. Use only numbers of theirs.")
    return Conversation(None, task.replies)


def _step(writer: Writer, task: AskTask) -> WrittenAnswer | ToolCall:
    """The next step; once a provider has answered, the call counts, whatever comes of it."""
    try:
        return writer.answer(task)
    except WriterError as error:
        billed = error.billed or bool(task.replies or task.problem)
        raise WriterError(error.code, error.message, billed=billed) from None


def _after(task: AskTask, call: ToolCall, tools: ToolBox | None) -> AskTask:
    """The task with what the tool says."""
    text = tools.read(call.tool, call.arguments)[:MAX_REPLY] if tools else ""
    reply = ToolReply(f"call-{len(task.replies) + 1}", call.tool, call.arguments, text)
    return replace(task, replies=[*task.replies, reply], calls_left=task.calls_left - 1)


def _sources(task: AskTask) -> list[str]:
    return [task.question, *(fact.statement for fact in task.facts), *(reply.text for reply in task.replies)]


def fact_of_reply(reply: ToolReply, site: UUID | None) -> AnswerFact:
    """What was read on the way, as a fact of the answer: which tool, with what."""
    arguments = json.dumps(reply.arguments, ensure_ascii=False)
    statement = f"Read with {reply.tool} {arguments}."
    return AnswerFact(
        id=reply.id, tool=reply.tool.removeprefix(settings.TOOL_PREFIX), site=site, statement=statement, refs=[]
    )
