"""What bodies say that few recorded ones do: places in odd texts, reasoning, prices."""

import json
from decimal import Decimal

import pytest

from tests.engines.bodies import BODIES
from tests.engines.serving import NOON, Said, ask_once
from visibility.engines import Prices
from visibility.engines.protocols.gemini import place_of


def reply_to(body, preset="openai", **changes):
    return ask_once(preset, Said(json.dumps(body).encode()).handle, **changes)


def test_markers_are_the_numbers_of_results_not_their_places_in_the_list():
    results = [{"id": 7, "url": "https://seven.example/"}, {"id": 2, "url": "https://two.example/"}]
    body = BODIES["perplexity"]("Acme.[2][7] Globex.[7] Nobody.[1]")
    body["output"][0]["results"] = results
    sources = [(source.url, source.start, source.end) for source in reply_to(body, "perplexity").sources]
    assert sources == [
        ("https://seven.example/", 8, 11),
        ("https://seven.example/", 19, 22),
        ("https://two.example/", 5, 8),
    ]


def test_offsets_of_gemini_are_bytes():
    answer = "Zoë 🎉 Acme. Globex."
    start = len("Zoë 🎉 ".encode())
    assert place_of(answer, start, start + 5, "Acme.") == (6, 11)
    assert place_of(answer, 0, 3, "Globex.") == (12, 19)  # wrong offsets: the words count
    assert place_of(answer, 0, 3, "Nobody") is None
    assert place_of(answer, 5, 900, "") is None


def test_a_reference_of_mistral_is_about_the_text_before_it():
    parts = [
        {"type": "text", "text": "Acme is good."},
        {"type": "tool_reference", "url": "https://a.example/", "title": "A"},
        {"type": "tool_reference", "url": None, "title": "nowhere"},
        {"type": "text", "text": " Globex "},
        {"type": "text", "text": "is not."},
        {"type": "tool_reference", "url": "https://b.example/", "title": "B"},
    ]
    body = BODIES["mistral"]()
    body["outputs"][1]["content"] = parts
    reply = reply_to(body, "mistral", search=True)
    assert reply.text == "Acme is good. Globex is not."
    assert [reply.text[source.start : source.end] for source in reply.sources] == ["Acme is good.", " Globex is not."]
    assert (reply.searches, reply.served_model, reply.bill.usage["input_tokens"]) == (("shoes",), "model-1", 13)


def test_reasoning_of_local_models_is_no_answer():
    citation = {"url": "https://a.example/", "start_index": 21, "end_index": 25}
    body = BODIES["openai-chat"]("<think>Globex?</think>Acme it is.")
    body["choices"][0]["message"]["annotations"] = [{"type": "url_citation", "url_citation": citation}]
    reply = reply_to(body, "ollama", api_key="")
    assert reply.text == "Acme it is."
    assert reply_to(BODIES["openai-chat"]("<think>All was thought"), "ollama").code == "empty_answer"


def test_text_parts_of_a_chat_are_one_text():
    parts = [
        {"type": "text", "text": "Acme "},
        {"type": "thinking", "thinking": []},
        {"type": "text", "text": "is it."},
    ]
    body = BODIES["openai-chat"]()
    body["choices"][0]["message"] = {"content": parts}
    assert reply_to(body, "openai-chat").text == "Acme is it."


def test_what_a_model_says_between_its_searches_is_no_answer():
    body = BODIES["openai"]()
    said = {"type": "message", "phase": "commentary", "content": [{"type": "output_text", "text": "Let me look."}]}
    body["output"].insert(0, said)
    assert reply_to(body).text == "Acme makes good shoes."


@pytest.mark.parametrize(
    ("preset", "model", "changes", "cost"),
    [
        ("openai", "gpt-5", {}, "0.01006"),  # 9 + 1 cached tokens in, 5 out, one search
        ("openai", "no-such-model", {}, None),
        ("ollama", "gpt-5", {}, None),
        ("deepseek", "deepseek-v4-flash", {}, "0.00075"),
        ("xai", "grok-4.3", {}, None),  # the list has no price of its searches
    ],
)
def test_costs_are_computed_only_where_tokens_and_searches_have_a_price(preset, model, changes, cost):
    body = BODIES["openai-chat" if preset == "ollama" else "openai"](model=model)
    bill = reply_to(body, preset).bill
    assert bill.cost_source == ("unknown" if cost is None else "computed")
    assert cost is None or round(bill.cost, 5) == Decimal(cost), bill


@pytest.mark.parametrize(
    ("hour", "cost"), [(0, "0.000754353"), (2, "0.000758706"), (5, "0.000754353"), (8, "0.000758706")]
)
def test_a_call_costs_what_its_hour_costs(hour, cost):
    bill = reply_to(BODIES["openai"](model="deepseek-v4-flash"), "deepseek", at=NOON.replace(hour=hour)).bill
    assert (bill.cost, bill.cost_source) == (Decimal(cost), "computed")


def test_prices_of_the_operator_win_and_need_a_count():
    prices = Prices(Decimal(1), Decimal(2), Decimal(10))
    bill = reply_to(BODIES["perplexity"](), "perplexity", prices=prices).bill
    assert (bill.cost, bill.cost_source) == (Decimal("0.01002"), "configured")
    assert reply_to(BODIES["perplexity"](), "perplexity").bill.cost_source == "reported"
    uncounted = reply_to(BODIES["perplexity"](usage={}), "perplexity", prices=prices).bill
    assert (uncounted.cost, uncounted.cost_source) == (None, "unknown")
