"""Bodies that no provider should send: an answer, or an EngineError, and nothing that a database cannot store."""

import asyncio
import copy
import json
from collections.abc import Iterator
from typing import Any

import pytest

from tests.engines.bodies import BODIES, raw
from tests.engines.serving import NOON, settings
from visibility.engines import EngineError, Question, Reply, open_engine
from visibility.engines.transport import Transport

ODD = [None, True, -1, 10**30, 1.5, float("nan"), "", "x\0\ud800", [1], [[{}]], {}, {"x": {"y": []}}, {"type": []}]


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The path to everything in a body."""
    for key, inner in (
        value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    ):
        yield (*path, key)
        yield from places(inner, (*path, key))


def changed(body: dict[str, Any], path: tuple[Any, ...], value: Any) -> bytes:
    """The body with another value at one place."""
    body = copy.deepcopy(body)
    inner: Any = body
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = value
    return json.dumps(body).encode()


def check(result: Reply | EngineError) -> None:
    """What holds for each answer and error, whatever the provider sent."""
    bill = result.bill
    if bill is not None:
        assert bill.cost is None or (bill.cost.is_finite() and bill.cost >= 0)
        assert (bill.cost is None) == (bill.cost_source == "unknown")
        assert all(isinstance(count, int) and 0 <= count < 2**63 for count in bill.usage.values())
    if isinstance(result, EngineError):
        texts = [result.message]
    else:
        texts = [result.text, result.served_model, result.country, *result.searches, *result.unknown_parts]
        texts += [text for source in result.sources for text in (source.url, source.title)]
        for source in result.sources:
            assert (source.start is None) == (source.end is None)
            assert source.start is None or 0 <= source.start < source.end <= len(result.text)
        assert result.text.strip() or result.refused
    for text in texts:
        assert "\0" not in text and text.encode() is not None


@pytest.fixture
def answers(monkeypatch):
    """Ask engines of a preset once for each body; the network is left out, as there are thousands."""

    def ask(preset: str, bodies: list[bytes]) -> list[Reply | EngineError]:
        async def asked() -> list[Reply | EngineError]:
            results: list[Reply | EngineError] = []
            engine = open_engine(settings(preset, search=True), lambda: NOON)
            for body in bodies:
                monkeypatch.setattr(Transport, "post", lambda *_, body=body: asyncio.sleep(0, body))
                try:
                    results.append(await engine.ask(Question("Which?")))
                except EngineError as error:
                    results.append(error)
            return results

        return asyncio.run(asked())

    return ask


@pytest.mark.parametrize("preset", BODIES)
def test_a_wrong_type_at_any_place_never_crashes(preset, answers):
    body = BODIES[preset]()
    error = {
        "error": {"code": "x", "message": "y", "details": [{"violations": [{"quotaId": "z"}], "retryDelay": "1s"}]}
    }
    failed = {**body, **error}
    bodies = [changed(body, path, value) for path in places(body) for value in ODD]
    bodies += [changed(failed, path, value) for path in places(error) for value in ODD]
    results = answers(preset, bodies)
    for result in results:
        check(result)
    assert sum(isinstance(result, Reply) for result in results) > len(results) / 3


@pytest.mark.parametrize("preset", BODIES)
def test_texts_of_any_kind_never_crash(preset, answers):
    deep = '{"a":' * 5_000 + "1" + "}" * 5_000
    whole = raw(preset).decode()
    bodies = [
        whole[:-1] + f', "deep": {deep}}}',
        deep,
        whole.replace("10", "1" * 5_000),
        whole.replace("10", "1e999999"),
        whole.replace("10", "NaN").replace("5", "-Infinity"),
        whole.replace("Acme", "\\ud83d\\u0000\\udc00" * 1_000),
        whole.replace("Acme", "Zoë 🎉 مرحبا"),
        whole.replace("Acme", "[7]" * 100_000),
        "\ufeff" + whole,
    ]
    encoded = [body.encode("utf-8", "surrogatepass") for body in bodies]
    encoded += [whole.encode("utf-16"), whole.encode() + b"\xff", b"\xff\xfe\0\0", b"\0" * 1_000]
    for result in answers(preset, encoded):
        check(result)


def test_what_is_unknown_is_named_and_nothing_else_is_lost(answers):
    additions = {
        "openai": (("output", {"type": "hologram"}), "output:hologram"),
        "perplexity": (("output", {"type": "hologram"}), "output:hologram"),
        "anthropic": (("content", {"type": "hologram"}), "content:hologram"),
        "mistral": (("outputs", {"type": "hologram"}), "outputs:hologram"),
    }
    for preset, ((field, item), name) in additions.items():
        body = BODIES[preset]()
        body[field].append(item)
        plain, reply = answers(preset, [raw(preset), json.dumps(body).encode()])
        assert plain.unknown_parts == () and reply.unknown_parts == (name,)
        assert (reply.text, reply.sources, reply.searches) == (plain.text, plain.sources, plain.searches)
    spoken = BODIES["openai-chat"]()
    spoken["choices"][0]["message"]["audio"] = {"id": "a"}
    drawn = BODIES["gemini"]()
    drawn["candidates"][0]["content"]["parts"].append({"inlineData": {"mimeType": "image/png"}})
    assert answers("openai-chat", [json.dumps(spoken).encode()])[0].unknown_parts == ("message:audio",)
    assert answers("gemini", [json.dumps(drawn).encode()])[0].unknown_parts == ("part:inlineData",)
