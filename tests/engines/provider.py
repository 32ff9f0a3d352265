"""A provider of answers as a process of its own, which speaks OpenAI's Responses and Chat Completions protocols.

    python -m tests.engines.provider --port 9000 --script 'latency=3&rate_429=0.05'

It prints its address and serves until it is ended. POST /v1/responses and /v1/chat/completions ask it, GET /counts
says what it did, POST /reset forgets that. A script is a query string; the one of the command line (or of the
environment variable PROVIDER_SCRIPT) holds for all models, and `name?latency=0.1` as a model changes it for that one.

    latency=3            seconds before an answer
    text=Buy {question}  the answer; {question}, {model} and {n} (the number of the call) are filled in
    key=sk-right         other keys are refused
    retry_after=2        what a 429 says
    rate_FAULT=0.1       how many calls fail, by chance, the same ones each time
    nth_FAULT=2,5-8,20-  which calls of that model fail, counted from 1

A FAULT is 429, 500, 401, quota, silence (no byte until the caller leaves) or cut (half of an answer).
"""

import argparse
import asyncio
import os
import random
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from typing import Any
from urllib.parse import parse_qsl

import orjson
from aiohttp import web

CITED = "([example.com](https://example.com/guide?utm_source=openai))"
TEXT = (
    f"For {{question}} many people choose Acme, whose Road Runner lasts long {CITED}. "
    "Others prefer Globex or Initech."
)
INPUT_TOKENS, OUTPUT_TOKENS = 1_000, 200
ERRORS: dict[str, tuple[int, dict[str, str]]] = {
    "429": (429, {"message": "Slow down.", "type": "requests", "code": "rate_limit_exceeded"}),
    "500": (500, {"message": "It broke.", "type": "server_error", "code": "server_error"}),
    "401": (401, {"message": "Incorrect API key provided: {key}.", "type": "", "code": "invalid_api_key"}),
    "quota": (429, {"message": "You exceeded your quota.", "type": "", "code": "insufficient_quota"}),
}
FAULTS = (*ERRORS, "silence", "cut")


@lru_cache(maxsize=10_000)
def script_of(model: str, general: str) -> dict[str, str]:
    """The options that hold for a model."""
    return {**dict(parse_qsl(general)), **dict(parse_qsl(model.partition("?")[2]))}


class Provider:
    """Answers, fails and counts."""

    def __init__(self, script: str) -> None:
        self.script = script
        self.forget()

    def forget(self) -> None:
        """Begin to count again, calls of each model included."""
        self.numbers: Counter[str] = Counter()
        self.counts: Counter[str] = Counter()
        self.faults: Counter[str] = Counter()
        self.questions: Counter[str] = Counter()
        self.open = self.most_open = 0

    async def ask(self, request: web.Request) -> web.StreamResponse:
        """Answer one call, or fail as the script says."""
        asked = orjson.loads(await request.read())
        model = asked.get("model", "")
        script = script_of(model, self.script)
        self.numbers[model] += 1
        self.counts["asked"] += 1
        self.open += 1
        self.most_open = max(self.most_open, self.open)
        try:
            return await self._answer(request, asked, script)
        finally:
            self.open -= 1

    async def _answer(self, request: web.Request, asked: Any, script: dict[str, str]) -> web.StreamResponse:
        model = asked.get("model", "")
        number = self.numbers[model]
        key = request.headers.get("authorization", "").removeprefix("Bearer ")
        fault = "401" if key != script.get("key", key) else fault_of(number, model, script)
        if fault:
            self.faults[fault] += 1
        if fault == "silence":
            await asyncio.sleep(3600)
        if fault in ERRORS:
            return refuse(fault, key, script)
        await asyncio.sleep(float(script.get("latency", 0)))
        chat = request.path.endswith("/chat/completions")
        question = asked["messages"][-1]["content"] if chat else asked["input"]
        text = script.get("text", TEXT).format(question=question, model=model, n=number)
        body = orjson.dumps(chat_body(model, text) if chat else responses_body(asked, model, question, text))
        self.counts["charged"] += 1
        self.counts["input_tokens"] += INPUT_TOKENS
        self.counts["output_tokens"] += OUTPUT_TOKENS
        if fault == "cut":
            return await cut(request, body)
        self.counts["answered"] += 1
        self.questions[question] += 1
        return web.Response(body=body, content_type="application/json")

    async def show(self, request: web.Request) -> web.Response:
        """What was asked, answered and charged: a cut answer is charged and not answered."""
        names = ("asked", "answered", "charged", "input_tokens", "output_tokens")
        repeated = sum(number - 1 for number in self.questions.values())
        shown = {
            **{name: self.counts[name] for name in names},
            "faults": dict(self.faults),
            "open": self.open,
            "most_open": self.most_open,
            "questions": len(self.questions),
            "repeated": repeated,
        }
        return web.json_response(shown)

    async def reset(self, request: web.Request) -> web.Response:
        """Forget what was counted."""
        self.forget()
        return web.json_response({})


def fault_of(number: int, model: str, script: dict[str, str]) -> str:
    """The fault of the n-th call of a model; empty for none. Chance is the same each time."""
    chance = random.Random(f"{model} {number}").random()
    for fault in FAULTS:
        if any(within(number, part) for part in script.get(f"nth_{fault}", "").split(",") if part):
            return fault
        chance -= float(script.get(f"rate_{fault}", 0))
        if chance < 0:
            return fault
    return ""


def within(number: int, part: str) -> bool:
    """Whether "3", "2-5" or "7-" holds the number."""
    first, dash, last = part.partition("-")
    return int(first) <= number <= (int(last or sys.maxsize) if dash else int(first))


def refuse(fault: str, key: str, script: dict[str, str]) -> web.Response:
    """An error as OpenAI says it; a refused key is repeated, as providers do."""
    status, error = ERRORS[fault]
    said = {**error, "message": error["message"].format(key=key), "param": None}
    headers = {"retry-after": script.get("retry_after", "1")} if fault == "429" else {}
    return web.json_response({"error": said}, status=status, headers=headers)


async def cut(request: web.Request, body: bytes) -> web.StreamResponse:
    """Half of an answer, then the end of the connection."""
    response = web.StreamResponse(headers={"content-type": "application/json", "content-length": str(len(body))})
    await response.prepare(request)
    await response.write(body[: len(body) // 2])
    if request.transport:
        request.transport.close()
    return response


def responses_body(asked: Any, model: str, question: str, text: str) -> dict[str, Any]:
    """A body of /v1/responses, with a search and its citation if the request allows a search."""
    searching = bool(asked.get("tools"))
    start = text.find(CITED)
    citation = {
        "type": "url_citation",
        "url": "https://example.com/guide?utm_source=openai",
        "title": "Guide",
        "start_index": start,
        "end_index": start + len(CITED),
    }
    part = {"type": "output_text", "text": text, "annotations": [citation] if searching and start >= 0 else []}
    search = {"type": "web_search_call", "status": "completed", "action": {"type": "search", "query": question}}
    message = {"type": "message", "role": "assistant", "status": "completed", "content": [part]}
    place = asked["tools"][0].get("user_location") or {} if searching else {}
    return {
        "id": "resp_1",
        "object": "response",
        "status": "completed",
        "error": None,
        "incomplete_details": None,
        "model": model.partition("?")[0],
        "output": [search, message] if searching else [message],
        "tools": [{"type": "web_search", "user_location": {"country": "US", **place}}] if searching else [],
        "usage": {"input_tokens": INPUT_TOKENS, "output_tokens": OUTPUT_TOKENS},
    }


def chat_body(model: str, text: str) -> dict[str, Any]:
    """A body of /v1/chat/completions."""
    message = {"role": "assistant", "content": text, "refusal": None, "annotations": []}
    return {
        "id": "chat_1",
        "object": "chat.completion",
        "model": model.partition("?")[0],
        "choices": [{"index": 0, "finish_reason": "stop", "message": message}],
        "usage": {"prompt_tokens": INPUT_TOKENS, "completion_tokens": OUTPUT_TOKENS},
    }


def application(script: str) -> web.Application:
    """The server with its four addresses."""
    provider = Provider(script)
    app = web.Application(client_max_size=10_000_000)
    for account in ("", "/{account}"):  # another address is another account
        app.router.add_post(f"{account}/v1/responses", provider.ask)
        app.router.add_post(f"{account}/v1/chat/completions", provider.ask)
    app.router.add_get("/counts", provider.show)
    app.router.add_post("/reset", provider.reset)
    return app


async def serve(port: int, script: str) -> None:
    """Print the address, then serve for ever."""
    runner = web.AppRunner(application(script), access_log=None, handler_cancellation=True)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", port, backlog=1024)
    await site.start()
    print(f"http://127.0.0.1:{runner.addresses[0][1]}", flush=True)
    await asyncio.Event().wait()


@contextmanager
def running_provider(script: str = "", port: int = 0) -> Iterator[str]:
    """Its address while it runs as a process of its own; a base URL is this with "/v1"."""
    command = [sys.executable, "-m", "tests.engines.provider", "--port", str(port), "--script", script]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        try:
            yield process.stdout.readline().strip()
        finally:
            process.kill()


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--script", default=os.environ.get("PROVIDER_SCRIPT", ""))
    arguments = parser.parse_args()
    asyncio.run(serve(arguments.port, arguments.script))
