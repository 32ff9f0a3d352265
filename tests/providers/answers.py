"""What the provider on loopback answers: a page of prose with links, of the length that real ones have.

Each protocol carries the same text and sources in its own shape, with searches, usage and parts that nobody reads.
"""

import hashlib
import json
from dataclasses import dataclass
from decimal import Decimal

from tests.engines import bodies

NAMES = ("Acme", "Rival", "Northwind", "Contoso", "Globex", "Initech", "Umbrella", "Hooli", "Stark", "Wayne")
PRAISE = (
    "is the one that most testers would buy again, above all for its grip on wet stone and its even wear",
    "costs less than the others and gives up little for it, though the sole is hard in the first weeks",
    "suits people with wide feet, comes in half sizes, and is sent back free of charge within thirty days",
    "is light and quick, yet lasts no longer than four hundred miles by the account of its own makers",
)
SITES = ("runner.example", "trail.example", "gear.example", "labs.example", "acme.example", "rival.example")


@dataclass(frozen=True)
class Prose:
    """One answer: its text, and each source with its place in the text."""

    text: str
    sources: tuple[tuple[str, str, int, int], ...]


def prose(question: str, paragraphs: int = 10) -> Prose:
    """Always the same for the same question, and another for another."""
    digest = hashlib.sha256(question.encode()).digest()
    text, sources = f"Here is what stands out for the question “{question}”:\n\n", []
    for number in range(paragraphs):
        byte = digest[number]
        name, site = NAMES[(byte + number) % len(NAMES)], SITES[byte % len(SITES)]
        text += f"{number + 1}. **{name}** {PRAISE[byte % 4]}. Readers of {site} agree, "
        link = f"([{site}](https://{site}/tests/{byte}?ref=answer))"
        sources.append((f"https://{site}/tests/{byte}", f"{name} in the test", len(text), len(text) + len(link)))
        text += f"{link} and add that the price moves with the season.\n\n"
    return Prose(text + "All of them can be tried on before they are bought.", tuple(sources))


def body(protocol: str, answer: Prose, question: str) -> bytes:
    """The whole body of an answer in the protocol's shape."""
    return _dumped(_CITED[protocol](answer, [f"{question} test", f"{question} price"]))


def cut_off(protocol: str, text: str) -> bytes:
    """An answer that the bound on output ends: after some words, or before the first."""
    ending = {
        "responses": {"status": "incomplete", "incomplete_details": {"reason": "max_output_tokens"}},
        "chat": {"choices": [{"index": 0, "finish_reason": "length", "message": _said(text)}]},
        "messages": {"stop_reason": "max_tokens"},
        "gemini": {"candidates": [{"content": {"parts": [{"text": text}]}, "finishReason": "MAX_TOKENS"}]},
    }
    return _dumped(_PLAIN[protocol](text, **ending[protocol]))


def held_back(protocol: str) -> bytes:
    """A 200 in which the provider's filter took the place of the answer."""
    ending = {
        "responses": {"status": "incomplete", "incomplete_details": {"reason": "content_filter"}},
        "chat": {"choices": [{"index": 0, "finish_reason": "content_filter", "message": _said("")}]},
        "messages": {"stop_reason": "refusal", "content": []},
        "gemini": {"candidates": [], "promptFeedback": {"blockReason": "PROHIBITED_CONTENT"}},
    }
    return _dumped(_PLAIN[protocol]("", **ending[protocol]))


def repeated(protocol: str, text: str) -> bytes:
    """A whole answer that says just this."""
    return _dumped(_PLAIN[protocol](text))


def wordless(protocol: str) -> bytes:
    """A whole answer without a word in it."""
    return repeated(protocol, "")


def tools_only(protocol: str) -> bytes:
    """An answer that calls a tool that nobody offered, and says nothing."""
    call = {"name": "lookup", "arguments": "{}"}
    instead = {
        "responses": {"output": [{"type": "function_call", "call_id": "c", **call}]},
        "chat": {
            "choices": [
                {
                    "index": 0,
                    "finish_reason": "tool_calls",
                    "message": {"role": "assistant", "content": None, "tool_calls": [{"id": "c", "function": call}]},
                }
            ]
        },
        "messages": {
            "stop_reason": "tool_use",
            "content": [{"type": "tool_use", "id": "c", "name": "lookup", "input": {}}],
        },
        "gemini": {
            "candidates": [{"content": {"parts": [{"functionCall": {"name": "lookup"}}]}, "finishReason": "STOP"}]
        },
    }
    return _dumped(_PLAIN[protocol]("", **instead[protocol]))


def _dumped(value) -> bytes:
    return json.dumps(value, default=float).encode()


def _said(text):
    return {"role": "assistant", "content": text}


def _responses(answer, queries):
    marks = [
        {
            "type": "url_citation",
            "url": f"{url}?utm_source=openai",
            "title": title,
            "start_index": start,
            "end_index": end,
        }
        for url, title, start, end in answer.sources
    ]
    found = [{"type": "url", "url": url} for url, *_ in answer.sources]
    search = {"type": "search", "query": queries[0], "queries": queries, "sources": found}
    said = {"type": "output_text", "text": answer.text, "annotations": marks, "logprobs": []}
    output = [
        {"id": "rs_1", "type": "reasoning", "summary": []},
        {"id": "ws_1", "type": "web_search_call", "status": "completed", "action": search},
        {"id": "msg_1", "type": "message", "status": "completed", "role": "assistant", "content": [said]},
    ]
    usage = {
        "input_tokens": 8_400,
        "input_tokens_details": {"cached_tokens": 0},
        "output_tokens": 1_100,
        "output_tokens_details": {"reasoning_tokens": 320},
        "total_tokens": 9_500,
    }
    return bodies.responses(output=output, usage=usage, tools=[{"type": "web_search"}], metadata={}, error=None)


def _chat(answer, queries):
    results = [
        {"title": title, "url": url, "date": "2026-05-02", "snippet": PRAISE[0]} for url, title, *_ in answer.sources
    ]
    usage = {
        "prompt_tokens": 14,
        "completion_tokens": 900,
        "num_search_queries": len(queries),
        "cost": {
            "input_tokens_cost": Decimal("0.001"),
            "request_cost": Decimal("0.006"),
            "total_cost": Decimal("0.007"),
        },
    }
    return bodies.chat(answer.text, usage=usage, search_results=results, citations=[each["url"] for each in results])


def _messages(answer, queries):
    content, at = [], 0
    calls = [
        {"type": "server_tool_use", "id": "t", "name": "web_search", "input": {"query": query}} for query in queries
    ]
    for url, title, start, end in answer.sources:
        cited = {"type": "web_search_result_location", "url": url, "title": title, "cited_text": PRAISE[1]}
        content.append({"type": "text", "text": answer.text[at:start]})
        content.append({"type": "text", "text": answer.text[start:end], "citations": [cited]})
        at = end
    content.append({"type": "text", "text": answer.text[at:]})
    found = [
        {"type": "web_search_result", "url": url, "title": title, "encrypted_content": "E" * 300}
        for url, title, *_ in answer.sources
    ]
    result = {"type": "web_search_tool_result", "tool_use_id": "t", "content": found}
    usage = {"input_tokens": 9_000, "output_tokens": 1_000, "server_tool_use": {"web_search_requests": len(queries)}}
    return bodies.messages(content=[*calls, result, *content], usage=usage)


def _gemini(answer, queries):
    def place(at):
        return len(answer.text[:at].encode())

    chunks = [{"web": {"uri": url, "title": url.split("/")[2]}} for url, *_ in answer.sources]
    supports = [
        {
            "segment": {"startIndex": place(start), "endIndex": place(end), "text": answer.text[start:end]},
            "groundingChunkIndices": [number],
        }
        for number, (_, _, start, end) in enumerate(answer.sources)
    ]
    candidate = {
        "content": {"role": "model", "parts": [{"text": answer.text}]},
        "finishReason": "STOP",
        "groundingMetadata": {"webSearchQueries": queries, "groundingChunks": chunks, "groundingSupports": supports},
    }
    usage = {"promptTokenCount": 12, "candidatesTokenCount": 900, "thoughtsTokenCount": 300, "totalTokenCount": 1_212}
    return bodies.gemini(candidates=[candidate], usageMetadata=usage)


_PLAIN = {"responses": bodies.responses, "chat": bodies.chat, "messages": bodies.messages, "gemini": bodies.gemini}
_CITED = {"responses": _responses, "chat": _chat, "messages": _messages, "gemini": _gemini}
