"""Engines that speak OpenAI's Chat Completions protocol: Perplexity, OpenRouter, Mistral, Ollama, vLLM, llama.cpp."""

import re
from typing import Any

from visibility.engines.adapters.openai_client import OpenAIAdapter
from visibility.engines.bodies import blank, table, tables, text, texts, whole
from visibility.engines.failures import body_failure
from visibility.engines.nothing import empty, missing, output_limit
from visibility.engines.pricing import Usage, bill, reported_cost
from visibility.engines.protocol import Bill, EngineAnswer, EngineError, Question, Source
from visibility.engines.spans import spanned
from visibility.engines.spec import EngineSpec

_THOUGHT = re.compile(r"\s*<think>.*?(?:</think>\s*|\Z)", re.DOTALL)


class OpenAIChat(OpenAIAdapter):
    """Asks one question as one chat of one message."""

    path = "/chat/completions"

    def read(self, body: dict[str, Any], raw: bytes) -> EngineAnswer:
        """See `read` of this module."""
        return read(self._spec, body, raw)

    def bill(self, body: dict[str, Any]) -> Bill:
        """See `bill_of` of this module."""
        return bill_of(self._spec, body)

    def parameters(self, question: Question) -> dict[str, Any]:
        """The body of the request."""
        spec = self._spec
        instruction = spec.instruction(question.locale)
        system = [{"role": "system", "content": instruction}] if instruction else []
        # Only OpenAI itself has renamed this one; the other servers know the old name.
        limit = "max_completion_tokens" if spec.provider.pricing == "openai" else "max_tokens"
        return {
            "model": spec.model,
            "messages": [*system, {"role": "user", "content": question.text}],
            limit: spec.max_output_tokens,
            **_search_parameters(spec, spec.country(question.locale)),
        }


def _search_parameters(spec: EngineSpec, country: str) -> dict[str, Any]:
    if not spec.search:
        # Perplexity searches unless it is told not to.
        return {"disable_search": True} if spec.preset == "perplexity" else {}
    if spec.preset == "perplexity":
        return {"web_search_options": {"user_location": {"country": country}} if country else {}}
    place = {"type": "approximate", "country": country}
    if spec.preset == "openrouter":
        parameters: dict[str, Any] = {"max_uses": spec.max_searches}
        if country:
            parameters["user_location"] = place
        return {"tools": [{"type": spec.provider.search_tool, "parameters": parameters}]}
    location = {"user_location": {"type": "approximate", "approximate": {"country": country}}} if country else {}
    return {"web_search_options": location}


def read(spec: EngineSpec, body: dict[str, Any], raw: bytes) -> EngineAnswer:
    """The answer that a body holds. Raises EngineError, with its bill, where it holds none."""
    charged = bill_of(spec, body)
    choice = next(iter(tables(body.get("choices"))), None)
    if choice is None:
        raise missing("choices", charged)
    message = table(choice.get("message"))
    content = _content(message)
    answer = _THOUGHT.sub("", content, count=1) if _THOUGHT.match(content) else content
    refused = bool(text(message.get("refusal"))) or choice.get("finish_reason") == "content_filter"
    if blank(answer):
        failure = _why_nothing(spec, choice, charged)
        if failure.code != "empty_answer" or not refused:
            raise failure
    sources = _annotated(message, answer, len(content) - len(answer)) or _listed(body)
    return EngineAnswer(
        text=answer,
        sources=tuple(sources),
        searched=_searched(spec, _usage(table(body.get("usage"))), sources),
        truncated=choice.get("finish_reason") in ("length", "content_filter"),
        refused=refused,
        raw=raw,
    ).with_bill(charged)


def bill_of(spec: EngineSpec, body: dict[str, Any]) -> Bill:
    """What a response costs, be it an answer or none."""
    reported = table(body.get("usage"))
    usage = _usage(reported)
    # OpenAI's search models do not say how often they searched, and bill at least one search.
    searches = max(usage.searches, 1) if spec.search else usage.searches
    return bill(spec, text(body.get("model")), usage, reported=reported_cost(reported), billed_searches=searches)


def _content(message: dict[str, Any]) -> str:
    """The text, which some servers give in parts; a refusal is an answer too."""
    content = message.get("content")
    if isinstance(content, list):
        content = "".join(text(part.get("text")) for part in tables(content) if part.get("type") == "text")
    return text(content) or text(message.get("refusal"))


def _annotated(message: dict[str, Any], answer: str, removed: int) -> list[Source]:
    """The citations with their places. `removed` characters of reasoning stood before the answer."""
    sources = []
    for annotation in tables(message.get("annotations")):
        citation = table(annotation.get("url_citation"))
        url, start, end = (
            text(citation.get("url")),
            whole(citation.get("start_index")),
            whole(citation.get("end_index")),
        )
        if url:
            first = start - removed if start is not None else None
            last = end - removed if end is not None else None
            sources.append(spanned(url, text(citation.get("title")), 0, len(answer), first, last))
    return sources


def _listed(body: dict[str, Any]) -> list[Source]:
    """Perplexity's sources in the order of its markers [1], [2], …: with titles, or as a bare list of addresses."""
    results = [
        Source(url=text(result.get("url")), title=text(result.get("title")))
        for result in tables(body.get("search_results"))
        if text(result.get("url"))
    ]
    return results or [Source(url=url) for url in texts(body.get("citations"))]


def _searched(spec: EngineSpec, usage: Usage, sources: list[Source]) -> bool | None:
    if usage.searches or sources:
        return True
    return None if spec.search else False


def _usage(usage: dict[str, Any]) -> Usage:
    inputs, outputs = table(usage.get("prompt_tokens_details")), table(usage.get("completion_tokens_details"))
    tools = table(usage.get("server_tool_use_details")) or table(usage.get("server_tool_use"))
    reasoning = whole(outputs.get("reasoning_tokens")) or whole(usage.get("reasoning_tokens")) or 0
    return Usage(
        input_tokens=whole(usage.get("prompt_tokens")) or 0,
        cached_tokens=whole(inputs.get("cached_tokens")) or 0,
        cache_write_tokens=whole(inputs.get("cache_write_tokens")) or 0,
        output_tokens=whole(usage.get("completion_tokens")) or 0,
        reasoning_tokens=reasoning,
        searches=whole(tools.get("web_search_requests")) or whole(usage.get("num_search_queries")) or 0,
    )


def _why_nothing(spec: EngineSpec, choice: dict[str, Any], charged: Bill) -> EngineError:
    failure = body_failure(choice, spec.api_key)
    if failure:
        failure.bill = charged
        return failure
    return output_limit(spec, charged) if choice.get("finish_reason") == "length" else empty(charged)
