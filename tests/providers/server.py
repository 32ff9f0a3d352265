"""The provider itself: `python -m tests.providers.server --latency 3` prints its port; it answers until it is killed.

It speaks OpenAI Responses, Chat Completions, Anthropic Messages and Gemini at their usual paths. `GET /book` tells
what was asked of it and when, `DELETE /book` forgets it.
"""

import argparse
import asyncio
import json
import os
import time
from collections import Counter
from dataclasses import asdict
from functools import lru_cache
from itertools import cycle
from pathlib import Path

from aiohttp import web

from config.local.processes import die_with_parent
from tests.providers.answers import body, prose
from tests.providers.book import Request
from tests.providers.faults import Manner, Reply, provoked_by

NEVER_SECONDS = 3_600
LEFT_OUT = 20
"""Bytes at the end of a body that is cut off."""


class Repertoire:
    """Whole answers: of so many paragraphs, or the bodies in files, in turn, where such are named by protocol."""

    def __init__(self, paragraphs: int, files: dict[str, list[str]]) -> None:
        self._paragraphs = paragraphs
        self._files = {protocol: cycle([Path(file).read_bytes() for file in files[protocol]]) for protocol in files}
        # Made once, so that a question asked again costs the provider little.
        self._made = lru_cache(maxsize=10_000)(self._make)

    def __call__(self, protocol: str, question: str) -> bytes:
        return next(self._files[protocol]) if protocol in self._files else self._made(protocol, question)

    def _make(self, protocol: str, question: str) -> bytes:
        return body(protocol, prose(question, self._paragraphs), question)


class Provider:
    """Answers each question after `latency` seconds, unless the question asks for a fault."""

    def __init__(self, latency: float, repertoire: Repertoire) -> None:
        self._latency, self._repertoire = latency, repertoire
        self.forget()

    def forget(self) -> None:
        self.requests: list[Request] = []
        self._seen: Counter[tuple[str, str, str]] = Counter()
        self._now: Counter[str] = Counter()
        self.most: Counter[str] = Counter()

    async def answer(self, http: web.Request, protocol: str, key: str, question: str) -> web.StreamResponse:
        """Note the request, wait, and send what the question asks for."""
        fault, once = provoked_by(question)
        self._seen[protocol, key, question] += 1
        failing = fault is not None and (not once or self._seen[protocol, key, question] == 1)
        request = Request(question, protocol, key, time.time(), fault.name if failing else "answered")
        self.requests.append(request)
        self._now[key] += 1
        self.most[key] = max(self.most[key], self._now[key])
        try:
            await asyncio.sleep(self._latency)
            reply = fault.reply(protocol, key) if failing else Reply(body=self._repertoire(protocol, question))
            response = await _send(http, reply)
            request.ended = time.time()
            return response
        finally:
            self._now[key] -= 1


async def _send(http: web.Request, reply: Reply) -> web.StreamResponse:
    if reply.manner == Manner.NEVER:
        await asyncio.sleep(NEVER_SECONDS)
    if reply.manner == Manner.RESET:
        http.transport.abort()
    kind = reply.content_type
    if reply.manner != Manner.CUT:
        return web.Response(status=reply.status, body=reply.body, headers=reply.headers, content_type=kind)
    response = web.StreamResponse(headers={"Content-Length": str(len(reply.body)), "Content-Type": kind})
    await response.prepare(http)
    await response.write(reply.body[:-LEFT_OUT])
    http.transport.close()
    return response


QUESTIONS = {
    "/v1/responses": ("responses", lambda sent: sent["input"]),
    "/v1/chat/completions": ("chat", lambda sent: sent["messages"][-1]["content"]),
    "/v1/messages": ("messages", lambda sent: sent["messages"][0]["content"]),
    "/v1beta/models/{call}": ("gemini", lambda sent: sent["contents"][0]["parts"][0]["text"]),
}
"""Each path: its protocol, and where the question stands in what is sent."""


def key_of(headers) -> str:
    """The key that came along, in whichever header."""
    bearer = headers.get("Authorization", "").removeprefix("Bearer ")
    return bearer or headers.get("X-Api-Key") or headers["X-Goog-Api-Key"]


def application(provider: Provider) -> web.Application:
    """The paths of the four protocols, and of the book."""

    def asked(protocol, question_in):
        async def handle(http):
            return await provider.answer(http, protocol, key_of(http.headers), question_in(await http.json()))

        return handle

    async def read_book(http):
        return web.json_response({"requests": [asdict(each) for each in provider.requests], "most": provider.most})

    async def empty_book(http):
        provider.forget()
        return web.json_response({})

    app = web.Application()
    for path, (protocol, question_in) in QUESTIONS.items():
        app.router.add_post(path, asked(protocol, question_in))
    app.router.add_get("/book", read_book)
    app.router.add_delete("/book", empty_book)
    return app


async def serve(provider: Provider) -> None:
    """Listen on a free port of loopback, print it, and go on until the process ends."""
    runner = web.AppRunner(application(provider), access_log=None, handler_cancellation=True)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0, backlog=2_048)
    await site.start()
    print(runner.addresses[0][1], flush=True)
    await asyncio.Event().wait()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--latency", type=float, default=0.0, help="seconds before each answer")
    parser.add_argument("--paragraphs", type=int, default=10, help="length of an answer: about 320 characters each")
    parser.add_argument("--files", type=json.loads, default={}, help="JSON: files with bodies to send, by protocol")
    chosen = parser.parse_args()
    die_with_parent(os.getppid())
    asyncio.run(serve(Provider(chosen.latency, Repertoire(chosen.paragraphs, chosen.files))))
