"""Engines that speak OpenAI's Responses protocol: OpenAI, xAI, DeepSeek and servers like them."""

from decimal import Decimal
from typing import Any

from visibility.engines.bodies import table, tables, text, texts, whole
from visibility.engines.failures import body_failure
from visibility.engines.nothing import empty, filtered, missing, output_limit
from visibility.engines.openai_client import OpenAIAdapter
from visibility.engines.pricing import Usage, price, reported_cost
from visibility.engines.protocol import EngineAnswer, EngineError, Question, Source
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
    """The answer that a body holds. Raises EngineError where it holds none."""
    output = tables(body.get("output"))
    answer, sources = _prose(output)
    if not answer:
        raise _why_nothing(spec, body)
    calls = [table(item.get("action")) for item in output if item.get("type") == "web_search_call"]
    model = text(body.get("model"))
    usage = _usage(table(body.get("usage")), calls)
    cost, cost_source = price(spec, model, usage, reported=_reported(body))
    return EngineAnswer(
        text=answer,
        sources=tuple(sources),
        searched=bool(calls),
        searches=tuple(dict.fromkeys(query for call in calls for query in _queries(call))),
        truncated=body.get("status") == "incomplete",
        served_model=model,
        usage=usage.as_json(),
        cost=cost,
        cost_source=cost_source,
        raw=raw,
    )


def _prose(output: list[dict[str, Any]]) -> tuple[str, list[Source]]:
    """The text of the final messages and their citations; what a model says between its searches is no answer."""
    messages = [item for item in output if item.get("type") == "message"]
    finals = [item for item in messages if item.get("phase") != "commentary"] or messages
    answer = ""
    sources: list[Source] = []
    for message in finals:
        answer += "\n\n" if answer else ""
        for part in tables(message.get("content")):
            words = text(part.get("text")) or text(part.get("refusal"))
            cited = [each for each in tables(part.get("annotations")) if each.get("type") == "url_citation"]
            sources += [
                spanned(
                    text(each.get("url")),
                    _title(each),
                    len(answer),
                    len(words),
                    each.get("start_index"),
                    each.get("end_index"),
                )
                for each in cited
                if text(each.get("url"))
            ]
            answer += words
    return answer, sources


def _title(annotation: dict[str, Any]) -> str:
    """The source's title; xAI gives the number of its marker instead."""
    title = text(annotation.get("title"))
    return "" if title.isdigit() else title


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


def _reported(body: dict[str, Any]) -> Decimal | None:
    return reported_cost(table(body.get("usage")))


def _why_nothing(spec: EngineSpec, body: dict[str, Any]) -> EngineError:
    failure = body_failure(body, spec.api_key)
    if failure:
        return failure
    reason = text(table(body.get("incomplete_details")).get("reason"))
    if reason == "content_filter":
        return filtered()
    if reason == "max_output_tokens":
        return output_limit(spec)
    if not isinstance(body.get("output"), list):
        return missing("output")
    return empty()
