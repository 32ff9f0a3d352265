"""The recorded bodies of real providers, and a second reader of them that shares nothing with the adapters.

Texts come from the vendors' own models of their bodies, tokens from the price list's own reader, citations and
searches from a search through the whole body for what they look like.
"""

import json
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path

import genai_prices
import pytest
from google.genai.types import GenerateContentResponse
from openai.types.responses import Response

from tests.conftest import REFERENCE_DATA

FOLDER = REFERENCE_DATA / "provider-responses"
# LM Studio speaks OpenAI's protocol and has no preset of its own; nor has Azure.
PRESETS = {"lmstudio": "openai", "azure": "openrouter"}
LISTED = {"gemini": "google", "xai": "x-ai"}


@dataclass(frozen=True)
class Recording:
    """One recorded response."""

    file: str
    provider: str
    url: str
    status: int
    headers: dict
    asked: dict

    def __str__(self):
        return self.file

    @property
    def raw(self) -> bytes:
        return (FOLDER / self.file).read_bytes()

    @property
    def body(self):
        return json.loads(self.raw, parse_float=Decimal)

    @property
    def path(self) -> Path:
        return FOLDER / self.file

    @property
    def preset(self):
        if self.provider == "openai" and "chat/completions" in self.url:
            return "openai-chat"
        if self.provider in ("xai", "deepseek") and "chat/completions" in self.url:
            return "openrouter"
        return PRESETS.get(self.provider, self.provider)

    @property
    def searches(self):
        """Whether the request let the provider search."""
        tools = json.dumps(self.asked.get("tools", [])) + ("web_search" if "web_search_options" in self.asked else "")
        return self.provider == "perplexity" or "web_search" in tools or "google" in tools


def recordings(wanted):
    """Recorded JSON bodies, each with its file as its name; one that skips, aloud, where there are none.

    Bodies of event streams are left out: scans do not stream, so no adapter reads any.
    """
    index = FOLDER / "index.json"
    if not index.is_file():
        return [pytest.param(None, id="none", marks=pytest.mark.skip(f"no reference data at {FOLDER}"))]
    rows = [
        Recording(
            row["file"], row["provider"], row["url"], row["status"], row["headers"], row["request_subset"] or {}
        )
        for row in json.loads(index.read_text())
        if row["file"].endswith(".json")
    ]
    return [pytest.param(row, id=row.file) for row in rows if wanted(row)]


def expected_text(recording):
    """By the vendors' models; what a model says between searches ("commentary") is no answer."""
    body = json.loads(recording.raw)
    if "candidates" in body:
        return GenerateContentResponse.model_validate({"candidates": body["candidates"]}).text
    if "choices" in body:
        return body["choices"][0]["message"]["content"]
    if "output" in body:
        body["output"] = [item for item in body["output"] if item.get("phase") != "commentary"]
        return Response.construct(**body).output_text
    return None


def found(body, wanted):
    """Every object in the body, however deep, that `wanted` picks, in order."""
    if isinstance(body, dict):
        if wanted(body):
            yield body
        for value in body.values():
            yield from found(value, wanted)
    elif isinstance(body, list):
        for value in body:
            yield from found(value, wanted)


def expected_citations(recording):
    """The addresses cited, with repetitions where each place has its own."""
    body = recording.body
    if recording.provider == "gemini":
        chunks = [
            chunk["web"]["uri"]
            for chunk in next(found(body, lambda o: "groundingChunks" in o), {}).get("groundingChunks", [])
        ]
        uses = [
            index
            for each in found(body, lambda o: "groundingChunkIndices" in o)
            for index in each["groundingChunkIndices"]
        ]
        return sorted(uri for number, uri in enumerate(chunks) for _ in range(max(uses.count(number), 1)))
    if recording.provider == "anthropic":
        return sorted(each["url"] for each in found(body, lambda o: o.get("type") == "web_search_result_location"))
    if recording.provider == "perplexity":
        return (
            sorted(each["url"] for each in body["search_results"])
            if "search_results" in body
            else sorted(body.get("citations", []))
        )
    marked = found(body, lambda o: o.get("type") == "url_citation")
    return sorted((each.get("url_citation") or each)["url"] for each in marked)


def expected_quotes(recording):
    """The words of the answer that the citations point at, as the body itself repeats them, or None where it does
    not: a rendered link, a supported segment, a cited block."""
    body = recording.body
    if recording.provider == "gemini":
        return {each["segment"]["text"] for each in found(body, lambda o: "groundingChunkIndices" in o)}
    if recording.provider == "anthropic":
        return {each["text"] for each in found(body, lambda o: o.get("type") == "text" and o.get("citations"))}
    return None


def expected_searches(recording):
    """What was searched for, each query once."""
    body = recording.body
    queries = []
    for each in found(
        body, lambda o: o.get("type") in ("web_search_call", "server_tool_use") or "webSearchQueries" in o
    ):
        if "webSearchQueries" in each:
            queries += each["webSearchQueries"]
        elif each.get("name") == "web_search":
            queries.append(each["input"]["query"])
        elif each["type"] == "web_search_call" and each["action"]["type"] == "search":
            queries += each["action"].get("queries") or [each["action"]["query"]]
    return {query for query in queries if query and not query.startswith("ws_call_id=")}


def extracted(recording):
    """The tokens by the price list's own reader of bodies, or None where it has none for this protocol."""
    flavour = (
        "chat" if "chat/completions" in recording.url else "responses" if "responses" in recording.url else "default"
    )
    provider = LISTED.get(recording.provider, recording.provider)
    for flavor in (flavour, "default", "chat"):
        try:
            return genai_prices.extract_usage(json.loads(recording.raw), provider_id=provider, api_flavor=flavor)
        except (ValueError, LookupError):
            continue
    return None


def reported_cost(body):
    """The provider's own figure in US dollars, or None."""
    usage = body.get("usage", {})
    if "cost_in_usd_ticks" in usage:
        return Decimal(usage["cost_in_usd_ticks"]).scaleb(-10)
    cost = usage.get("cost")
    return cost["total_cost"] if isinstance(cost, dict) else cost
