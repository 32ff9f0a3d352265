"""Every recorded answer of a real provider, served over real HTTP, read through the vendors' own clients."""

from decimal import Decimal

import pytest

from tests.engines.conftest import ask
from tests.engines.recorded import (
    expected_citations,
    expected_quotes,
    expected_searches,
    expected_text,
    extracted,
    recordings,
    reported_cost,
)

ANSWERS = recordings(lambda row: row.status == 200)
# A paused turn is half of an answer: test_paused_turns lets it go on.
WHOLE = [each for each in ANSWERS if "pause_turn_web_search_vcr.0" not in str(each.id)]
PRICED = ("openai/", "anthropic/", "gemini/")


@pytest.fixture(scope="module")
def asked_before():
    return {}


@pytest.fixture
def answered(engine, serve, asked_before):
    """The answer that the adapter reads from a recorded body; each body travels once."""

    def answer(recording):
        if recording.file not in asked_before:
            serve(recording.raw)
            asked_before[recording.file] = ask(engine(recording.preset, search=recording.searches))
        return asked_before[recording.file]

    return answer


@pytest.mark.parametrize("recording", WHOLE)
def test_the_text_is_that_of_the_body(recording, answered):
    text = answered(recording).text
    if recording.provider == "anthropic":
        blocks = [block["text"] for block in recording.body["content"] if block["type"] == "text"]
        assert text.replace("\n\n", "") == "".join(blocks).replace("\n\n", "")
    else:
        assert text == expected_text(recording)


@pytest.mark.parametrize("recording", WHOLE)
def test_the_citations_are_those_of_the_body(recording, answered):
    answer = answered(recording)
    assert sorted(source.url for source in answer.sources) == expected_citations(recording)
    assert all((source.start is None) == (source.end is None) for source in answer.sources)
    assert all(0 <= source.start < source.end <= len(answer.text) for source in answer.sources if source.end)


@pytest.mark.parametrize("recording", WHOLE)
def test_each_place_of_a_citation_is_that_of_its_words(recording, answered):
    answer = answered(recording)
    placed = [(source, answer.text[source.start : source.end]) for source in answer.sources if source.end]
    quotes = expected_quotes(recording)
    if quotes is not None:
        assert {words for _, words in placed} == quotes
    else:
        assert all(source.url in words for source, words in placed)


@pytest.mark.parametrize("recording", WHOLE)
def test_the_searches_are_those_of_the_body(recording, answered):
    answer = answered(recording)
    assert set(answer.searches) == expected_searches(recording)
    assert len(answer.searches) == len(set(answer.searches))
    if answer.searches:
        assert answer.searched is True


@pytest.mark.parametrize("recording", WHOLE)
def test_the_tokens_are_those_of_the_body(recording, answered):
    usage = answered(recording).usage
    found = extracted(recording)
    if found is None:
        reported = recording.body["usage"]
        tokens = (
            reported.get("prompt_tokens", reported.get("input_tokens")),
            reported.get("completion_tokens", reported.get("output_tokens")),
        )
        assert (usage["input_tokens"], usage["output_tokens"]) == tokens
    else:
        beside = usage["reasoning_tokens"] if "xai-text" in recording.file else 0
        assert usage["input_tokens"] == found.usage.input_tokens
        assert usage["output_tokens"] + beside == found.usage.output_tokens
        assert usage["cached_tokens"] == found.usage.reported_value("cache_read_tokens")


@pytest.mark.parametrize("recording", WHOLE)
def test_the_served_model_and_the_bytes_are_those_of_the_body(recording, answered):
    answer = answered(recording)
    assert answer.served_model == recording.body.get("model", recording.body.get("modelVersion"))
    assert answer.raw == recording.raw
    assert answer.truncated is False


@pytest.mark.parametrize("recording", WHOLE)
def test_a_cost_that_the_provider_reports_is_taken(recording, answered):
    reported = reported_cost(recording.body)
    answer = answered(recording)
    assert (answer.cost_source == "reported") == (reported is not None)
    if reported is not None:
        assert answer.cost == reported


@pytest.mark.parametrize("recording", [each for each in WHOLE if str(each.id).startswith((*PRICED, "none"))])
def test_else_tokens_and_searches_are_priced(recording, answered):
    answer = answered(recording)
    found = extracted(recording)
    if answer.cost_source == "unknown":
        # A search is billed and the list does not say how much: half a price would be a wrong one.
        assert recording.searches and answer.cost is None
        assert "search-preview" in answer.served_model
        return
    tokens = found.calc_price().total_price
    if recording.provider == "anthropic":
        fees = 0  # its own reader counts searches
    elif recording.provider == "gemini":
        grounded = len(expected_searches(recording))
        fees = (
            grounded * Decimal("0.014") if "gemini-3" in answer.served_model else min(grounded, 1) * Decimal("0.035")
        )
    elif recording.preset == "openai-chat":
        fees = Decimal("0.01") if recording.searches else 0
    else:
        calls = [item for item in recording.body["output"] if item["type"] == "web_search_call"]
        fees = Decimal("0.01") * sum(call["action"]["type"] == "search" for call in calls)
    assert answer.cost == tokens + fees
