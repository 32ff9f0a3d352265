"""What the tests of engines share: a provider on loopback, and engines of every preset that are pointed at it."""

import asyncio
import re
from dataclasses import replace

import pytest

from visibility.engines.presets import CHAT, GEMINI, MESSAGES, RESPONSES
from visibility.engines.protocol import Question
from visibility.engines.registry import build
from visibility.engines.spec import EngineSpec

KEY = "sk-live/secret+key-4711"
BASE_PATHS = {RESPONSES: "/v1", CHAT: "/v1", MESSAGES: "", GEMINI: ""}
ONE_OF_EACH = ("openai", "perplexity", "anthropic", "gemini")
"""A preset of each adapter."""


def ask(engine, text="which shoes are best?", locale=""):
    """What the engine answers, in a loop of its own as in a worker."""

    async def asked():
        try:
            return await engine.ask(Question(text, locale))
        finally:
            await engine.aclose()

    return asyncio.run(asked())


@pytest.fixture
def spec(httpserver):
    """The specification of an engine whose provider is the loopback server."""

    def make(preset, **changes):
        plain = EngineSpec(name="tested", preset=preset, model="model-1", api_key=KEY, search=True, timeout=60)
        base_url = httpserver.url_for(BASE_PATHS[plain.provider.adapter])
        return replace(plain, base_url=base_url, **changes)

    return make


@pytest.fixture
def serve(httpserver):
    """Let the provider answer every request with these bytes, or with these in turn."""

    def answer(*bodies, status=200, content_type="application/json", headers=None):
        for body in bodies:
            httpserver.expect_oneshot_request(re.compile(".*"), method="POST").respond_with_data(
                body, status=status, content_type=content_type, headers=headers
            )

    return answer


@pytest.fixture
def engine(spec):
    def make(preset, **changes):
        return build(spec(preset, **changes))

    return make
