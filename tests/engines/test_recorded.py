"""Every recorded body of a real provider, over real HTTP. What is expected was read from the bodies by people.

Of event streams only the last event of OpenAI's Responses holds a whole body; the others are left out: nothing here
streams.
"""

import asyncio
import json
from decimal import Decimal
from pathlib import Path

import pytest

from tests.engines.serving import Said, ask, settings
from tests.engines.serving import serving as served
from tests.reference import reference_file
from visibility.engines import EngineError, Question, Reply

HERE = Path(__file__).parent
INDEXES = ("provider-responses/index.json", "provider-responses-2026-11/index.json")
# Requests, other protocols (Bedrock's Converse, Google's Interactions), the half of a paused answer.
LEFT_OUT = ("request.json", ".grpc.json", "bedrock/", "gemini/ai__google-search.json", "pause_turn_web_search_vcr.0")
STREAMS_WITHOUT_A_BODY = 22


def rows(name: str) -> list[dict]:
    return [json.loads(line) for line in (HERE / name).read_text().splitlines()]


def body_of(file: str) -> bytes:
    raw = reference_file(file).read_bytes()
    if file.endswith(".json"):
        return raw
    events = [line.removeprefix(b"data:") for line in raw.splitlines() if line.startswith(b"data:")]
    return json.dumps(json.loads(events[-1])["response"]).encode()


def index() -> dict[str, dict]:
    return {
        f"{name.partition('/')[0]}/{row['file']}": row
        for name in INDEXES
        for row in json.loads(reference_file(name).read_text())
    }


def ask_all(name: str) -> list[tuple[dict, Reply | EngineError]]:
    """Each row with what came of its body."""
    recorded = index()

    async def asked() -> list[tuple[dict, Reply | EngineError]]:
        said, results = Said(), []
        async with served(said.handle) as url:
            for row in rows(name):
                entry = recorded[row["file"]]
                said.body, said.status = body_of(row["file"]), entry["status"]
                said.headers = {k: v for k, v in (entry.get("headers") or {}).items() if "retry" in k.lower()}
                chosen = settings(row["preset"], url, search=row.get("search", False))
                results.append((row, await ask(chosen)))
        return results

    return asyncio.run(asked())


def test_recorded_answers_are_read_as_people_read_them():
    for row, reply in ask_all("answers.jsonl"):
        assert isinstance(reply, Reply), (row["file"], reply)
        first = reply.sources[0] if reply.sources else None
        seen = {
            "begins": reply.text[: len(row["begins"])],
            "ends": reply.text[-len(row["ends"]) :],
            "sources": len({source.url for source in reply.sources}),
            "first": first.url[:46] if first else "",
            "searches": len(reply.searches),
            "last": reply.searches[-1][:40] if reply.searches else "",
            "cost": reply.bill.cost,
            "country": reply.country,
            "unknown": list(reply.unknown_parts),
        }
        absent = {"sources": 0, "first": "", "searches": 0, "last": "", "cost": None, "country": "", "unknown": []}
        expected = {**absent, **{name: value for name, value in row.items() if name in seen}}
        expected["cost"] = expected["cost"] and Decimal(expected["cost"])
        assert seen == expected, row["file"]
        assert (reply.truncated, reply.refused) == (False, False), row["file"]
        assert reply.searched or not row.get("searches"), row["file"]
        if quote := row.get("quote"):
            assert reply.text[first.start : first.end].startswith(quote), row["file"]
        for source in reply.sources:
            assert source.start is None or 0 <= source.start < source.end <= len(reply.text), row["file"]


def test_recorded_errors_have_their_code():
    for row, error in ask_all("errors.jsonl"):
        assert isinstance(error, EngineError), row["file"]
        assert (error.code, error.retry_after) == (row["code"], row.get("retry_after")), row["file"]
        assert error.can_retry == (row["code"] in ("rate_limited", "server_error")), row["file"]
        used = {name: count for name, count in error.bill.usage.items() if count} if error.bill else {}
        assert used == row.get("usage", {}), row["file"]


def test_no_recorded_body_is_forgotten():
    wanted = {row["file"] for name in ("answers.jsonl", "errors.jsonl") for row in rows(name)}
    others = [file for file in index() if file not in wanted and not any(part in file for part in LEFT_OUT)]
    assert all(file.endswith(".sse.txt") for file in others), others
    assert len(others) == STREAMS_WITHOUT_A_BODY


def test_a_paused_answer_goes_on_and_is_one_answer():
    bodies = [
        body_of(f"provider-responses/anthropic/pydantic-ai__pause_turn_web_search_vcr.{turn}.json") for turn in "01"
    ]
    said = Said()

    async def handle(request):
        said.body = bodies[len(said.requests)]
        return await said.handle(request)

    async def asked():
        async with served(handle) as url:
            return await ask(settings("anthropic", url, search=True, max_searches=15), Question("What is new?"))

    reply = asyncio.run(asked())
    assert reply.text.startswith("I'll run these searches for you one at a time.")
    assert reply.text.endswith("information from February 2026.")
    assert len(reply.searches) == 15 and not reply.truncated
    assert reply.bill.usage["searches"] == 15
    # 401,468 tokens in and 792 out, then 494,549 and 1,245, at the price of long contexts, and 15 searches.
    assert reply.bill.cost == Decimal("5.5719345")
    assert [json.loads(line) for line in reply.raw.splitlines()] == [json.loads(body) for body in bodies]
    second = said.requests[1][2]
    assert second["messages"][1] == {"role": "assistant", "content": json.loads(bodies[0])["content"]}
    assert second["tools"][0]["max_uses"] == 5


@pytest.fixture(autouse=True)
def _aloud():
    reference_file(INDEXES[0])
