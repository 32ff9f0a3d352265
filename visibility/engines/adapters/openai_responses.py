"""Engines that speak OpenAI's Responses protocol: OpenAI, xAI, DeepSeek and servers like them."""

import json
from typing import Any

from visibility.engines.adapters.openai_client import OpenAIAdapter
from visibility.engines.bodies import blank, table, tables, text, texts, whole
from visibility.engines.nothing import empty, missing, output_limit
from visibility.engines.pricing import Usage, bill, reported_cost
from visibility.engines.protocol import Bill, EngineAnswer, EngineError, Question, Source
from visibility.engines.spans import spanned
from visibility.engines.spec import EngineSpec

_NOTE = "ws_call_id="
"""DeepSeek puts the number of its call among its queries."""


class OpenAIResponses(OpenAIAdapter):
    """Asks one question as one response that the provider is told not to keep."""

    path = "/responses"

    def read(self, body: dict[str, Any], raw: bytes) -> EngineAnswer:
        """See `read` of this module."""
        return read(self._spec, body, raw)

    def bill(self, body: dict[str, Any]) -> Bill:
        """See `bill_of` of this module."""
        return bill_of(self._spec, body)

    def parameters(self, question: Question) -> dict[str, Any]:
        """The body of the request."""
        spec = self._spec
        parameters: dict[str, Any] = {
            "model": spec.model,
            "input": question.text,
            "max_output_tokens": spec.max_output_tokens,
            "store": False,
        }
        if instruction := spec.instruction(question.locale):
            parameters["instructions"] = instruction
        if spec.search:
            tool: dict[str, Any] = {"type": spec.provider.search_tool}
            if country := spec.country(question.locale):
                tool["user_location"] = {"type": "approximate", "country": country}
            parameters["tools"] = [tool]
            if spec.provider.bounds_searches:
                parameters["max_tool_calls"] = spec.max_searches
                parameters["include"] = ["web_search_call.action.sources"]
        return parameters


def read(spec: EngineSpec, body: dict[str, Any], raw: bytes) -> EngineAnswer:
    """The answer that a body holds. Raises EngineError, with its bill, where it holds none."""
    output = tables(body.get("output"))
    answer, sources, refused = _prose(output)
    charged = bill_of(spec, body)
    refused = refused or _stopped_by(body) == "content_filter"
    if blank(answer) and not refused:
        raise _why_nothing(spec, body, charged)
    calls = _calls(output)
    return EngineAnswer(
        text=answer,
        sources=tuple(sources),
        searched=bool(calls),
        searches=tuple(dict.fromkeys(query for call in calls for query in _queries(call))),
        truncated=body.get("status") == "incomplete",
        refused=refused,
        raw=raw,
    ).with_bill(charged)


def bill_of(spec: EngineSpec, body: dict[str, Any]) -> Bill:
    """What a response costs, be it an answer or none."""
    reported = table(body.get("usage"))
    usage = _usage(reported, _calls(tables(body.get("output"))))
    return bill(spec, text(body.get("model")), usage, reported=reported_cost(reported))


def _prose(output: list[dict[str, Any]]) -> tuple[str, list[Source], bool]:
    """The text of the final messages, their citations, and whether it is a refusal.

    What a model says between its searches is no answer.
    """
    messages = [item for item in output if item.get("type") == "message"]
    finals = [item for item in messages if item.get("phase") != "commentary"] or messages
    answer, refused = "", False
    sources: list[Source] = []
    for message in finals:
        answer += "\n\n" if answer else ""
        for part in tables(message.get("content")):
            words = text(part.get("text")) or text(part.get("refusal"))
            refused = refused or part.get("type") == "refusal"
            citations = [
                annotation
                for annotation in tables(part.get("annotations"))
                if annotation.get("type") == "url_citation"
            ]
            sources += [
                spanned(
                    text(citation.get("url")),
                    _title(citation),
                    len(answer),
                    len(words),
                    citation.get("start_index"),
                    citation.get("end_index"),
                )
                for citation in citations
                if text(citation.get("url"))
            ]
            answer += words
    return answer, sources, refused


def _title(annotation: dict[str, Any]) -> str:
    """The source's title; xAI gives the number of its marker instead."""
    title = text(annotation.get("title"))
    return "" if title.isdigit() else title


def _calls(output: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """What the model did in its searches: an `action`, which some servers give as JSON in `arguments`."""
    calls = [item for item in output if item.get("type") == "web_search_call"]
    return [table(item.get("action")) or _arguments(item.get("arguments")) for item in calls]


def _arguments(arguments: Any) -> dict[str, Any]:
    try:
        return table(json.loads(arguments)) if isinstance(arguments, str) else table(arguments)
    except (ValueError, RecursionError):
        return {}


def _queries(action: dict[str, Any]) -> list[str]:
    queries = texts(action.get("queries")) or texts([action.get("query")])
    return [query for query in queries if not query.startswith(_NOTE)]


def _usage(usage: dict[str, Any], calls: list[dict[str, Any]]) -> Usage:
    """Billed is each call that searches, however many queries it holds; opening a found page is not."""
    inputs, outputs = table(usage.get("input_tokens_details")), table(usage.get("output_tokens_details"))
    return Usage(
        input_tokens=whole(usage.get("input_tokens")) or 0,
        cached_tokens=whole(inputs.get("cached_tokens")) or 0,
        cache_write_tokens=whole(inputs.get("cache_write_tokens")) or 0,
        output_tokens=whole(usage.get("output_tokens")) or 0,
        reasoning_tokens=whole(outputs.get("reasoning_tokens")) or 0,
        searches=sum(call.get("type", "search") == "search" for call in calls),
    )


def _stopped_by(body: dict[str, Any]) -> str:
    return text(table(body.get("incomplete_details")).get("reason"))


def _why_nothing(spec: EngineSpec, body: dict[str, Any], charged: Bill) -> EngineError:
    if _stopped_by(body) == "max_output_tokens":
        return output_limit(spec, charged)
    if not isinstance(body.get("output"), list):
        return missing("output", charged)
    return empty(charged)
