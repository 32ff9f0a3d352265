"""A small answer in the shape of each protocol, made for tests."""

import json
from typing import Any

TEXT = "Acme makes good shoes."


def responses(text: str = TEXT, **changes: Any) -> dict[str, Any]:
    """OpenAI Responses."""
    citation = {"type": "url_citation", "url": "https://a.example/", "title": "A", "start_index": 0, "end_index": 4}
    part = {"type": "output_text", "text": text, "annotations": [citation]}
    search = {
        "type": "web_search_call",
        "action": {"type": "search", "query": "shoes", "queries": ["shoes", "boots"]},
    }
    return {
        "status": "completed",
        "model": "model-1",
        "output": [search, {"type": "message", "role": "assistant", "content": [part]}],
        "tools": [{"type": "web_search", "user_location": {"country": "US"}}],
        "usage": {"input_tokens": 10, "output_tokens": 5, "input_tokens_details": {"cached_tokens": 1}},
        **changes,
    }


def agent(text: str = TEXT, **changes: Any) -> dict[str, Any]:
    """Perplexity Agent."""
    results = {
        "type": "search_results",
        "queries": ["shoes"],
        "results": [{"id": 7, "url": "https://a.example/", "title": "A"}],
    }
    message = {"type": "message", "content": [{"type": "output_text", "text": text, "annotations": []}]}
    usage = {"input_tokens": 10, "output_tokens": 5, "cost": {"total_cost": 0.002}}
    return {"status": "completed", "model": "model-1", "output": [results, message], "usage": usage, **changes}


def chat(text: str = TEXT, **changes: Any) -> dict[str, Any]:
    """Chat Completions."""
    citation = {"url": "https://a.example/", "title": "A", "start_index": 0, "end_index": 4}
    annotations = [{"type": "url_citation", "url_citation": citation}]
    message = {"role": "assistant", "content": text, "annotations": annotations}
    return {
        "model": "model-1",
        "choices": [{"index": 0, "finish_reason": "stop", "message": message}],
        "usage": {"prompt_tokens": 10, "completion_tokens": 5, "prompt_tokens_details": {"cached_tokens": 1}},
        "search_results": [{"url": "https://a.example/", "title": "A"}],
        **changes,
    }


def messages(text: str = TEXT, **changes: Any) -> dict[str, Any]:
    """Anthropic Messages."""
    citation = {"type": "web_search_result_location", "url": "https://a.example/", "title": "A"}
    search = {"type": "server_tool_use", "name": "web_search", "input": {"query": "shoes"}}
    return {
        "type": "message",
        "model": "model-1",
        "content": [search, {"type": "text", "text": text, "citations": [citation]}],
        "stop_reason": "end_turn",
        "usage": {"input_tokens": 10, "output_tokens": 5, "server_tool_use": {"web_search_requests": 1}},
        **changes,
    }


def gemini(text: str = TEXT, **changes: Any) -> dict[str, Any]:
    """Gemini."""
    grounding = {
        "webSearchQueries": ["shoes"],
        "groundingChunks": [{"web": {"uri": "https://a.example/", "title": "A"}}],
        "groundingSupports": [{"segment": {"endIndex": 4, "text": text[:4]}, "groundingChunkIndices": [0]}],
    }
    content = {"role": "model", "parts": [{"text": text}]}
    return {
        "candidates": [{"content": content, "finishReason": "STOP", "groundingMetadata": grounding}],
        "modelVersion": "model-1",
        "usageMetadata": {"promptTokenCount": 10, "candidatesTokenCount": 5},
        **changes,
    }


def conversations(text: str = TEXT, **changes: Any) -> dict[str, Any]:
    """Mistral Conversations."""
    reference = {"type": "tool_reference", "tool": "web_search", "title": "A", "url": "https://a.example/"}
    search = {"type": "tool.execution", "name": "web_search", "arguments": '{"query": "shoes"}'}
    message = {"type": "message.output", "model": "model-1", "content": [{"type": "text", "text": text}, reference]}
    usage = {"prompt_tokens": 10, "completion_tokens": 5, "connector_tokens": 3, "connectors": {"web_search": 1}}
    return {"object": "conversation.response", "outputs": [search, message], "usage": usage, **changes}


BODIES = {
    "openai": responses,
    "perplexity": agent,
    "openai-chat": chat,
    "anthropic": messages,
    "gemini": gemini,
    "mistral": conversations,
}
"""A body for each protocol, by a preset that speaks it."""


def raw(preset: str, *args: Any, **changes: Any) -> bytes:
    """The bytes of such a body."""
    return json.dumps(BODIES[preset](*args, **changes)).encode()
