"""Engines that speak Anthropic's Messages protocol."""

from collections.abc import Awaitable, Callable
from typing import Any

import anthropic

from visibility.engines.bodies import blank, table, tables, text, texts, whole
from visibility.engines.connection import Connections, keep_quiet
from visibility.engines.failures import received, transport_failure
from visibility.engines.nothing import empty, missing, output_limit
from visibility.engines.pricing import Usage, bill
from visibility.engines.protocol import Bill, EngineAnswer, EngineError, Question, Source
from visibility.engines.spec import EngineSpec
from visibility.engines.transport import http_client

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
            raw, body = await self._fetch(self._parameters(question, messages, searches), bodies)
            raws.append(raw)
            bodies.append(body)
            if body.get("stop_reason") != "pause_turn":
                break
            messages.append({"role": "assistant", "content": body.get("content")})
        return read(self._spec, bodies, b"\n".join(raws))

    async def _fetch(self, parameters: dict[str, Any], before: list[dict[str, Any]]) -> tuple[bytes, dict[str, Any]]:
        """The next turn. Where it fails, the turns `before` are charged all the same."""
        try:
            raw = await self._sent(parameters)
            return received(raw, self._spec.api_key, lambda body: bill_of(self._spec, [*before, body]))
        except EngineError as error:
            error.bill = error.bill or (bill_of(self._spec, before) if before else None)
            raise

    async def _sent(self, parameters: dict[str, Any]) -> bytes:
        try:
            response = await self._connected().messages.with_raw_response.create(**parameters)
            body: bytes = await response.read()
        except anthropic.APIConnectionError as error:
            raise transport_failure(error) from None
        return body

    def _connected(self) -> anthropic.AsyncAnthropic:
        return self._connections.client("anthropic", self._spec, self._client)

    def _client(self) -> tuple[anthropic.AsyncAnthropic, Callable[[], Awaitable[None]]]:
        client = anthropic.AsyncAnthropic(
            api_key=self._spec.api_key,
            base_url=self._spec.address,
            max_retries=0,
            timeout=None,
            http_client=http_client(self._spec),
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
    """The answer that the turns hold together. Raises EngineError, with their bill, where they hold none."""
    last = bodies[-1]
    blocks = [block for body in bodies for block in tables(body.get("content"))]
    answer, sources = _prose(blocks)
    charged = bill_of(spec, bodies)
    refused = last.get("stop_reason") == "refusal"
    if blank(answer) and not refused:
        raise _why_nothing(spec, last, charged)
    queries = [
        query
        for block in blocks
        if block.get("type") == "server_tool_use" and block.get("name") == "web_search"
        for query in texts([table(block.get("input")).get("query")])
    ]
    return EngineAnswer(
        text=answer,
        sources=tuple(sources),
        searched=bool(queries or charged.usage["searches"]),
        searches=tuple(dict.fromkeys(queries)),
        truncated=last.get("stop_reason") in ("max_tokens", "pause_turn", "model_context_window_exceeded"),
        refused=refused,
        raw=raw,
    ).with_bill(charged)


def bill_of(spec: EngineSpec, bodies: list[dict[str, Any]]) -> Bill:
    """What the turns cost together, be they an answer or none."""
    usage = sum((_usage(body) for body in bodies), Usage())
    return bill(spec, text(bodies[-1].get("model")), usage)


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


def _why_nothing(spec: EngineSpec, body: dict[str, Any], charged: Bill) -> EngineError:
    if body.get("stop_reason") == "max_tokens":
        return output_limit(spec, charged)
    if not isinstance(body.get("content"), list):
        return missing("content", charged)
    return empty(charged)
