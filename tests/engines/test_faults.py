"""Every fault of a provider × every adapter, over real HTTP: what an engine makes of it."""

from dataclasses import replace

import pytest

from tests.engines.conftest import KEY, ask
from tests.providers.faults import FAULTS, PARTIAL, PROTOCOLS
from visibility.engines.protocol import EngineError
from visibility.engines.registry import build
from visibility.engines.spec import EngineSpec

PRESETS = {"responses": "openai", "chat": "perplexity", "messages": "anthropic", "gemini": "gemini"}
"""A preset of each protocol's adapter."""
each_protocol = pytest.mark.parametrize("protocol", PROTOCOLS)


@pytest.fixture
def engine(provider):
    """An engine whose provider is the one on loopback."""

    def make(protocol, **changes):
        spec = EngineSpec(
            name="tested",
            preset=PRESETS[protocol],
            model="model-1",
            api_key=KEY,
            search=True,
            base_url=provider.base_url(protocol),
            timeout=60,
        )
        return build(replace(spec, **changes))

    return make


@each_protocol
@pytest.mark.parametrize("fault", FAULTS.values(), ids=FAULTS)
def test_every_fault_is_told_apart(protocol, fault, engine, provider):
    tested = engine(protocol, timeout=0.3 if fault.name == "hang" else 60)
    if fault.answered:
        answer = ask(tested, f"which shoes are best [{fault.name}]?")
        assert (answer.text, answer.refused) == (fault.text, fault.refused)
        assert answer.truncated is (fault.text == PARTIAL) or fault.refused
        return
    with pytest.raises(EngineError) as raised:
        ask(tested, f"which shoes are best [{fault.name}]?")
    error = raised.value
    assert (error.code, error.retryable) == (fault.code, fault.retryable)
    assert (error.bill is not None) is fault.charged
    least, most = fault.after or (None, None)
    assert error.retry_after is None if least is None else least <= error.retry_after <= most
    assert KEY not in f"{error!r} {error.message} {error.__cause__!r}"
    assert len(provider.book().requests) == 1, "asked once: asking again is not the adapter's business"


@each_protocol
def test_without_a_fault_there_is_an_answer_with_its_sources(protocol, engine):
    answer = ask(engine(protocol), "which shoes are best?")
    assert not answer.truncated and len(answer.sources) == 10
    assert answer.usage["searches"] == (1 if protocol == "responses" else 2)
    if protocol != "chat":
        assert all(answer.text[source.start : source.end].startswith("([") for source in answer.sources)
        assert len(answer.searches) == 2


def test_the_provider_fails_the_first_time_only_when_it_is_told_so(engine):
    asking = engine("responses")
    with pytest.raises(EngineError):
        ask(asking, "which shoes are best [broken-500 once]?")
    assert ask(asking, "which shoes are best [broken-500 once]?").text
