"""Mistral's Conversations protocol (beta), the one in which its models search."""

from collections.abc import Sequence

from visibility.engines.bodies import (
    Body,
    addressless,
    count,
    distinct,
    object_in,
    table,
    tables,
    text,
    texts,
    unknown_kinds,
)
from visibility.engines.dialect import Dialect
from visibility.engines.failures import missing
from visibility.engines.pricing import Usage
from visibility.engines.types import Question, Reply, Source

SEARCHES = ("web_search", "web_search_premium")
ITEMS = ("message.output", "tool.execution")
PARTS = ("text", "tool_reference", "thinking")


class Conversations(Dialect):
    """One question is one conversation that the provider does not store."""

    path = "/v1/conversations"
    answer_fields = ("outputs",)

    def request(self, question: Question) -> Body:
        body: Body = {
            "model": self.settings.model,
            "inputs": question.text,
            "completion_args": {"max_tokens": self.settings.max_output_tokens},
            "store": False,
            "stream": False,
        }
        if instruction := self.instruction(question):
            body["instructions"] = instruction
        if self.searches:
            body["tools"] = [{"type": self.preset.search_tool}]
        return body

    def usage(self, body: Body) -> Usage:
        """The tokens that connectors read are counted apart from the prompt."""
        usage = table(body.get("usage"))
        connectors = table(usage.get("connectors"))
        return Usage(
            input_tokens=count(usage, "prompt_tokens") + count(usage, "connector_tokens"),
            output_tokens=count(usage, "completion_tokens"),
            searches=sum(count(connectors, tool) for tool in SEARCHES),
        )

    def served_model(self, body: Body) -> str:
        """The model of the first message that names one."""
        models = [text(item.get("model")) for item in tables(body.get("outputs"))]
        return next(filter(None, models), text(body.get("model")))

    def read(self, turns: Sequence[Body]) -> Reply:
        body = turns[-1]
        if not isinstance(body.get("outputs"), list):
            raise missing("outputs")
        outputs = tables(body["outputs"])
        calls = [item for item in outputs if item.get("type") == "tool.execution" and item.get("name") in SEARCHES]
        answer, sources = "", list[Source]()
        unknown = unknown_kinds("outputs", outputs, ITEMS)
        for message in outputs:
            if message.get("type") == "message.output":
                parts = _parts(message.get("content"))
                unknown += unknown_kinds("content", parts, PARTS)
                unknown += addressless(part for part in parts if part.get("type") == "tool_reference")
                answer = _append(parts, f"{answer}\n\n" if answer else "", sources)
        return Reply(
            text=answer,
            sources=sources,
            searched=bool(calls or sources or self.usage(body).searches),
            searches=distinct(
                query for call in calls for query in texts([object_in(call.get("arguments")).get("query")])
            ),
            unknown_parts=distinct(unknown),
        )


def _parts(content: object) -> list[Body]:
    return [{"type": "text", "text": content}] if isinstance(content, str) else tables(content)


def _append(parts: list[Body], answer: str, sources: list[Source]) -> str:
    """The answer with the text of the parts. A reference is about the text before it; it may lack an address."""
    begin = len(answer)
    referring = False
    for part in parts:
        url = text(part.get("url")) if part.get("type") == "tool_reference" else ""
        words = text(part.get("text")) if part.get("type") == "text" else ""
        if words:
            begin = len(answer) if referring or begin == len(answer) else begin
            referring = False
            answer += words
        if url:
            referring = True
            place = (begin, len(answer)) if begin < len(answer) else (None, None)
            sources.append(Source(url, text(part.get("title")), *place))
    return answer
