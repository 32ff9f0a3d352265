"""Engines that speak Google's Gemini protocol."""

from collections.abc import Awaitable, Callable
from typing import Any

from google import genai
from google.genai import types

from visibility.engines.bodies import blank, table, tables, text, texts, whole
from visibility.engines.connection import Connections, keep_quiet
from visibility.engines.failures import received
from visibility.engines.nothing import empty, missing, output_limit
from visibility.engines.pricing import MODELS, Usage, bill
from visibility.engines.protocol import Bill, EngineAnswer, EngineError, Question, Source
from visibility.engines.spans import ByteText
from visibility.engines.spec import EngineSpec
from visibility.engines.transport import http_client

keep_quiet("google_genai", "aiohttp")

_NOWHERE: list[tuple[int | None, int | None]] = [(None, None)]
_FILTERED = frozenset({"SAFETY", "RECITATION", "BLOCKLIST", "PROHIBITED_CONTENT", "SPII", "IMAGE_SAFETY", "LANGUAGE"})


class Gemini:
    """Asks one question as one generation."""

    def __init__(self, spec: EngineSpec, connections: Connections) -> None:
        self._spec = spec
        self._connections = connections

    async def ask(self, question: Question) -> EngineAnswer:
        """Ask once. Raises EngineError."""
        response = await self._connected().aio.models.generate_content(
            model=self._spec.model, contents=question.text, config=self._config(question)
        )
        http = response.sdk_http_response
        raw = ((http.body if http else None) or "").encode("utf-8", "replace")
        raw, body = received(raw, self._spec.api_key, lambda body: bill_of(self._spec, body))
        return read(self._spec, body, raw)

    def _connected(self) -> genai.Client:
        return self._connections.client("gemini", self._spec, self._client)

    def _client(self) -> tuple[genai.Client, Callable[[], Awaitable[None]]]:
        spec = self._spec
        connection = http_client(spec)
        client = genai.Client(
            api_key=spec.api_key,
            vertexai=False,
            http_options=types.HttpOptions(
                base_url=spec.address,
                api_version="v1beta",
                # One attempt. Without this the client tries a lost connection again by itself.
                retry_options=types.HttpRetryOptions(attempts=1),
                httpx_async_client=connection,
            ),
        )
        return client, connection.aclose

    def _config(self, question: Question) -> types.GenerateContentConfig:
        spec = self._spec
        return types.GenerateContentConfig(
            max_output_tokens=spec.max_output_tokens,
            system_instruction=spec.instruction(question.locale) or None,
            tools=[types.Tool(google_search=types.GoogleSearch())] if spec.search else None,
            should_return_http_response=True,
            automatic_continuation=False,
        )


def read(spec: EngineSpec, body: dict[str, Any], raw: bytes) -> EngineAnswer:
    """The answer that a body holds. Raises EngineError, with its bill, where it holds none."""
    candidate = next(iter(tables(body.get("candidates"))), {})
    parts = tables(table(candidate.get("content")).get("parts"))
    words = [text(part.get("text")) if not part.get("thought") else "" for part in parts]
    answer = "".join(words)
    charged = bill_of(spec, body)
    blocked = table(body.get("promptFeedback")).get("blockReason")
    refused = bool(blocked) or candidate.get("finishReason") in _FILTERED
    if blank(answer) and not refused:
        raise _why_nothing(spec, candidate, charged)
    grounding = table(candidate.get("groundingMetadata"))
    queries = texts(grounding.get("webSearchQueries"))
    sources = _sources(grounding, words)
    return EngineAnswer(
        text=answer,
        sources=tuple(sources),
        searched=bool(queries or sources),
        searches=tuple(dict.fromkeys(queries)),
        truncated=candidate.get("finishReason") in _FILTERED | {"MAX_TOKENS"},
        refused=refused,
        raw=raw,
    ).with_bill(charged)


def bill_of(spec: EngineSpec, body: dict[str, Any]) -> Bill:
    """What a response costs, be it an answer or none."""
    candidate = next(iter(tables(body.get("candidates"))), {})
    queries = texts(table(candidate.get("groundingMetadata")).get("webSearchQueries"))
    model = text(body.get("modelVersion")).removeprefix(MODELS)
    usage = _usage(table(body.get("usageMetadata")), len(queries))
    return bill(spec, model, usage, billed_searches=_billed(model or spec.model.removeprefix(MODELS), queries))


def _sources(grounding: dict[str, Any], words: list[str]) -> list[Source]:
    """Each source with each place that it supports, in the order of the sources.

    Addresses are redirects of Google and titles the bare domains behind them. Offsets are UTF-8 bytes into one part
    of the answer, the first place of which is left out.
    """
    chunks = [table(chunk.get("web")) for chunk in tables(grounding.get("groundingChunks"))]
    answer = ByteText("".join(words))
    places: list[list[tuple[int, int]]] = [[] for _ in chunks]
    for support in tables(grounding.get("groundingSupports")):
        segment = table(support.get("segment"))
        base = len("".join(words[: whole(segment.get("partIndex")) or 0]).encode("utf-8", "replace"))
        start, end = whole(segment.get("startIndex")) or 0, whole(segment.get("endIndex")) or 0
        place = answer.place(base + start, base + end, text(segment.get("text")))
        indices = support.get("groundingChunkIndices")
        for index in indices if isinstance(indices, list) else []:
            if place and whole(index) is not None and index < len(chunks):
                places[index].append(place)
    return [
        Source(url=url, title=text(chunk.get("title")), start=start, end=end)
        for chunk, spans in zip(chunks, places, strict=True)
        if (url := text(chunk.get("uri")))
        for start, end in spans or _NOWHERE
    ]


def _usage(usage: dict[str, Any], searches: int) -> Usage:
    """Thinking is counted beside the output, and pages that were read beside the prompt."""
    thoughts = whole(usage.get("thoughtsTokenCount")) or 0
    return Usage(
        input_tokens=(whole(usage.get("promptTokenCount")) or 0) + (whole(usage.get("toolUsePromptTokenCount")) or 0),
        cached_tokens=whole(usage.get("cachedContentTokenCount")) or 0,
        output_tokens=(whole(usage.get("candidatesTokenCount")) or 0) + thoughts,
        reasoning_tokens=thoughts,
        searches=searches,
    )


def _billed(model: str, queries: list[str]) -> int:
    """Up to generation 2 a grounded answer is billed once, from 3 on each query (Google's price page, 2026)."""
    return min(len(queries), 1) if model.startswith(("gemini-1", "gemini-2")) else len(queries)


def _why_nothing(spec: EngineSpec, candidate: dict[str, Any], charged: Bill) -> EngineError:
    if candidate.get("finishReason") == "MAX_TOKENS":
        return output_limit(spec, charged)
    return empty(charged) if candidate else missing("candidates", charged)
