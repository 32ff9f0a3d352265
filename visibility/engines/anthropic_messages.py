"""Engines that speak Anthropic's Messages protocol."""

from collections.abc import Awaitable, Callable
from typing import Any

import anthropic

from visibility.engines.bodies import table, tables, text, texts, whole
from visibility.engines.connection import Connections, keep_quiet, limits, timeouts
from visibility.engines.failures import http_failure, received, transport_failure
from visibility.engines.nothing import empty, filtered, missing, output_limit
from visibility.engines.pricing import Usage, price
from visibility.engines.protocol import EngineAnswer, EngineError, Question, Source
from visibility.engines.spec import EngineSpec

keep_quiet("anthropic", "httpx2")

TURNS = 5
"""A turn that the provider pauses is continued until there were so many; each is billed."""


class AnthropicMessages:
    """Asks one question as one message, and lets a paused turn go on."""

    def __init__(self, spec: EngineSpec, connections: Connections) -> None:
        self._spec = spec
        self._connections = connections

    async def ask(self, question: Question) -> EngineAnswer:
        """Ask once, in one turn or several. Raises EngineError."""
        messages: list[dict[str, Any]] = [{"role": "user", "content": question.text}]
        raws: list[bytes] = []
        bodies: list[dict[str, Any]] = []
        while len(bodies) < TURNS:
            searches = sum(_usage(body).searches for body in bodies)
            raw, body = await self._fetch(self._parameters(question, messages, searches))
            raws.append(raw)
            bodies.append(body)
            if body.get("stop_reason") != "pause_turn":
                break
            messages.append({"role": "assistant", "content": body.get("content")})
        return read(self._spec, bodies, b"\n".join(raws))

    async def _fetch(self, parameters: dict[str, Any]) -> tuple[bytes, dict[str, Any]]:
        secret = self._spec.api_key
        try:
            response = await self._connected().messages.with_raw_response.create(**parameters)
            raw = await response.read()
        except anthropic.APIStatusError as error:
            raise http_failure(error.status_code, error.response.headers, error.response.content, secret) from None
        except (anthropic.APIConnectionError, OSError) as error:
            raise transport_failure(error) from None
        return received(raw, secret)

    def _connected(self) -> anthropic.AsyncAnthropic:
        return self._connections.client("anthropic", self._spec, self._client)

    def _client(self) -> tuple[anthropic.AsyncAnthropic, Callable[[], Awaitable[None]]]:
        timeout = timeouts(self._spec)
        client = anthropic.AsyncAnthropic(
            api_key=self._spec.api_key,
            base_url=self._spec.address,
            max_retries=0,
            timeout=timeout,
            http_client=anthropic.DefaultAioHttpClient(timeout=timeout, limits=limits(), follow_redirects=False),
        )
        return client, client.close

    def _parameters(self, question: Question, messages: list[dict[str, Any]], searches: int) -> dict[str, Any]:
        spec = self._spec
        parameters: dict[str, Any] = {
            "model": spec.model,
            "max_tokens": spec.max_output_tokens,
            "messages": messages,
        }
        if instruction := spec.instruction(question.locale):
            parameters["system"] = instruction
        if spec.search:
            tool: dict[str, Any] = {
                "type": spec.provider.search_tool,
                "name": "web_search",
                # A paused turn goes on with what is left of its searches.
                "max_uses": max(spec.max_searches - searches, 1),
            }
            if country := spec.country(question.locale):
                tool["user_location"] = {"type": "approximate", "country": country}
            parameters["tools"] = [tool]
        return parameters


def read(spec: EngineSpec, bodies: list[dict[str, Any]], raw: bytes) -> EngineAnswer:
    """The answer that the turns hold together. Raises EngineError where they hold none."""
    last = bodies[-1]
    blocks = [block for body in bodies for block in tables(body.get("content"))]
    answer, sources = _prose(blocks)
    if not answer.strip():
        raise _why_nothing(spec, last)
    queries = [
        query
        for block in blocks
        if block.get("type") == "server_tool_use" and block.get("name") == "web_search"
        for query in texts([table(block.get("input")).get("query")])
    ]
    usage = sum((_usage(body) for body in bodies), Usage())
    model = text(last.get("model"))
    cost, cost_source = price(spec, model, usage)
    return EngineAnswer(
        text=answer,
        sources=tuple(sources),
        searched=bool(queries or usage.searches),
        searches=tuple(dict.fromkeys(queries)),
        truncated=last.get("stop_reason") in ("max_tokens", "pause_turn", "model_context_window_exceeded"),
        served_model=model,
        usage=usage.as_json(),
        cost=cost,
        cost_source=cost_source,
        raw=raw,
    )


def _prose(blocks: list[dict[str, Any]]) -> tuple[str, list[Source]]:
    """The text blocks joined, which are split wherever a citation begins or ends; each citation spans its block.

    Text before a search and text after it are paragraphs of their own.
    """
    answer, interrupted = "", False
    sources: list[Source] = []
    for block in blocks:
        if block.get("type") != "text":
            interrupted = True
            continue
        words = text(block.get("text"))
        if interrupted and answer and words:
            answer += "\n\n"
        interrupted = False
        sources += [
            Source(url=url, title=text(citation.get("title")), start=len(answer), end=len(answer) + len(words))
            for citation in tables(block.get("citations"))
            if (url := text(citation.get("url"))) and words
        ]
        answer += words
    return answer, sources


def _usage(body: dict[str, Any]) -> Usage:
    """Anthropic counts cached tokens beside the input, where others count them within."""
    usage = table(body.get("usage"))
    read_, written = whole(usage.get("cache_read_input_tokens")), whole(usage.get("cache_creation_input_tokens"))
    details = table(usage.get("output_tokens_details"))
    return Usage(
        input_tokens=(whole(usage.get("input_tokens")) or 0) + (read_ or 0) + (written or 0),
        cached_tokens=read_ or 0,
        cache_write_tokens=written or 0,
        output_tokens=whole(usage.get("output_tokens")) or 0,
        reasoning_tokens=whole(details.get("thinking_tokens")) or 0,
        searches=whole(table(usage.get("server_tool_use")).get("web_search_requests")) or 0,
    )


def _why_nothing(spec: EngineSpec, body: dict[str, Any]) -> EngineError:
    if body.get("stop_reason") == "refusal":
        return filtered()
    if body.get("stop_reason") == "max_tokens":
        return output_limit(spec)
    if not isinstance(body.get("content"), list):
        return missing("content")
    return empty()
