"""The provider for other tests does what its script says, and counts it; engines ask it as they ask real ones."""

import asyncio
import json
from urllib.request import urlopen

import pytest

from tests.engines.provider import running_provider
from tests.engines.serving import NOON, settings
from visibility.engines import EngineError, Question, open_engine


@pytest.fixture(scope="module")
def provider():
    with running_provider("key=sk-right-key") as url:
        yield url


async def codes(url, script, number, preset="openai"):
    """What came of so many questions, one after the other."""
    model, key = f"gpt-5.2?{script}", "sk-right-key"
    chosen = settings(preset, f"{url}/v1", model=model, api_key=key, search=True, timeout=0.5)
    engine = open_engine(chosen, lambda: NOON)
    results = []
    for place in range(number):
        try:
            results.append(await engine.ask(Question(f"shoes {place}", country="DE")))
        except EngineError as error:
            results.append(error.code)
    await engine.close()
    return results


def test_faults_come_when_the_script_says_and_are_counted(provider):
    script = "nth_429=1&nth_500=2&nth_silence=3&nth_cut=4&nth_quota=5&nth_401=6-7&text=Buy {question}"
    *failed, last = asyncio.run(codes(provider, script, 8))
    assert failed == ["rate_limited", "server_error", "timeout", "bad_body", "quota", "auth", "auth"]
    assert (last.text, last.country, last.served_model) == ("Buy shoes 7", "DE", "gpt-5.2")
    chats = asyncio.run(codes(provider, "", 2, preset="openai-chat"))
    assert chats[0].text.startswith("For shoes 0 many people choose Acme")
    counts = json.loads(urlopen(f"{provider}/counts").read())
    assert (counts["asked"], counts["answered"], counts["charged"]) == (10, 3, 4)
    assert counts["faults"] == {"429": 1, "500": 1, "silence": 1, "cut": 1, "quota": 1, "401": 2}


def test_chance_is_the_same_each_time(provider):
    first, second = (asyncio.run(codes(provider, f"rate_500=0.5&round={n}", 20)) for n in (1, 2))
    assert 4 < first.count("server_error") < 16 and first != second
