"""What bodies say that few recorded ones do: places in odd texts, reasoning, prices."""

import json
from decimal import Decimal

import pytest

from tests.engines.bodies import BODIES
from tests.engines.serving import NOON, Said, ask_once
from visibility.engines import Prices, Reply
from visibility.engines.protocols.chat import Chat
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


THOUGHTS = [
    "<think>Globex?</think>Acme it is.",
    "Globex is dear.\n</think>\n\nAcme it is.",
    "<THINKING>Globex?</Thinking>\nAcme it is.",
    "<think>Globex?</think>Globex!<think>No.</think> Acme it is.",
    '<reasoning effort="high">Globex?</reasoning>Acme it is.',
    "<seed:think>Globex `x</seed:think>Acme it is.",
    "[THINK]Globex?[/THINK]Acme it is.",
    "◁think▷Globex?◁/think▷Acme it is.",
    "<|START_THINKING|>Globex?<|END_THINKING|>Acme it is.",
    "<|channel>thought\nGlobex?<channel|>Acme it is.",
    "analysisThe user wants Globex.assistantfinalAcme it is.",
    "<|channel|>analysis<|message|>Globex?<|end|><|start|>assistant<|channel|>final<|message|>Acme it is.<|return|>",
    "Globex?<|channel|>final <|constrain|>text<|message|>Acme it is.",
]


@pytest.mark.parametrize("text", THOUGHTS)
@pytest.mark.parametrize("preset", BODIES)
def test_reasoning_in_the_text_is_no_answer(preset, text):
    reply = reply_to(BODIES[preset](text), preset)
    assert reply.text == "Acme it is."
    for source in reply.sources:
        assert source.start is None or 0 <= source.start < source.end <= len(reply.text)


def test_an_answer_that_the_body_says_was_not_shown_is_not_an_empty_one(monkeypatch):
    monkeypatch.setattr(Chat, "read", lambda self, turns: Reply("", absent=True))
    reply = reply_to(BODIES["openai-chat"]("anything"), "ollama")
    assert (reply.absent, reply.text, reply.bill.usage["output_tokens"]) == (True, "", 5)


def test_citations_count_on_behind_reasoning():
    places = [(21, 25), (7, 13)]
    citations = [{"url": "https://a.example/", "start_index": start, "end_index": end} for start, end in places]
    body = BODIES["openai-chat"]("<think>Globex</think>Acme it is.")
    body["choices"][0]["message"]["annotations"] = [
        {"type": "url_citation", "url_citation": each} for each in citations
    ]
    assert [(each.start, each.end) for each in reply_to(body, "ollama").sources] == [(0, 4), (None, None)]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("<think>All was thought", "empty_answer"),
        ("analysisThe user wants Globex.", "empty_answer"),
        ("It was all thought.</think>", "empty_answer"),
        ("Acme it is. <think>Or Globex", "unreadable_answer"),
        ("<think>a</think>Acme.<think>Or Globex", "unreadable_answer"),
        ('<tool_call>\n{"name": "web_search", "arguments": {"query": "Acme"}}\n</tool_call>', "unreadable_answer"),
        ('Let me look. <function_calls><invoke name="search">Acme', "unreadable_answer"),
        ("<function=web_search>Acme</function>", "unreadable_answer"),
        ('[TOOL_CALLS][{"name": "web_search", "arguments": {"query": "Acme"}}]', "unreadable_answer"),
        ("<\uff5ctool▁calls▁begin\uff5c>Acme", "unreadable_answer"),
        ('{"type": "function", "name": "web_search", "parameters": {"query": "Acme"}}', "unreadable_answer"),
        ('```json\n{"name": "web_search", "arguments": {"query": "Acme"}}\n```', "unreadable_answer"),
    ],
)
@pytest.mark.parametrize("preset", BODIES)
def test_a_text_that_is_only_reasoning_or_the_call_of_a_tool_is_no_answer(preset, text, code):
    error = reply_to(BODIES[preset](text), preset)
    assert (error.code, error.bill.usage["output_tokens"]) == (code, 5)
    assert error.can_retry == (code == "empty_answer")


@pytest.mark.parametrize(
    "text",
    [
        "Acme puts its thoughts into `<think>` and `</think>`.",
        "Write:\n```html\n<think>\n```\nwith Acme.",
        "analysis of Acme: good.",
        "Acme is good in [thinking](https://a.example/) & <b>tools</b>.",
        'Set `<tool_call>` or {"name": "Acme"}.',
        '{"name": "Acme", "rank": 1}',
    ],
)
def test_an_answer_may_talk_about_marks_and_tools(text):
    assert reply_to(BODIES["openai-chat"](text), "ollama").text == text


ENDS = {
    "openai-chat": lambda body, end: body["choices"][0].update(finish_reason=end),
    "anthropic": lambda body, end: body.update(stop_reason=end),
    "gemini": lambda body, end: body["candidates"][0].update(finishReason=end),
    "openai": lambda body, end: body.update(status="incomplete", incomplete_details={"reason": end}),
}


@pytest.mark.parametrize(
    ("preset", "end", "truncated"),
    [
        ("openai-chat", "stop", False),
        ("openai-chat", "tool_calls", False),
        ("openai-chat", "end_turn", False),  # a proxy that passes on another provider's word
        ("openai-chat", None, False),
        ("openai-chat", "length", True),
        ("openai-chat", "error", True),
        ("openai-chat", "abort", True),
        ("anthropic", "stop_sequence", False),
        ("anthropic", "max_tokens", True),
        ("anthropic", "no_such_reason", True),
        ("gemini", "STOP", False),
        ("gemini", "OTHER", True),
        ("gemini", "MALFORMED_RESPONSE", True),
        ("openai", "max_output_tokens", True),
        ("openai", "server_gone", True),
    ],
)
def test_an_answer_is_whole_only_where_its_end_is_known_as_one(preset, end, truncated):
    body = BODIES[preset]()
    ENDS[preset](body, end)
    reply = reply_to(body, preset)
    assert (reply.text, reply.truncated) == ("Acme makes good shoes.", truncated)


def test_places_counted_in_utf16_units_are_found_behind_an_emoji():
    link = "([a.example](https://a.example/))"
    text = f"👟👟👟 Acme leads {link} and wins."
    for start in (text.index(link), text.index(link) + 3):
        body = BODIES["openai"](text)
        span = {"start_index": start, "end_index": start + len(link)}
        body["output"][1]["content"][0]["annotations"] = [
            {"type": "url_citation", "url": "https://www.a.example/", **span}
        ]
        [source] = reply_to(body).sources
        assert text[source.start : source.end] == link


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


def test_a_source_of_gemini_says_which_site_is_behind_its_redirect():
    body = BODIES["gemini"]()
    web = body["candidates"][0]["groundingMetadata"]["groundingChunks"][0]["web"]
    web.update(title="The best shoes", domain="a.example")
    [source] = reply_to(body, "gemini").sources
    assert (source.url, source.title, source.domain) == ("https://a.example/", "The best shoes", "a.example")


@pytest.mark.parametrize(
    ("grounding", "unknown", "searched"),
    [
        ({"groundingSupports": [{"segment": {"endIndex": 4}, "groundingChunkIndices": [0]}]}, True, True),
        ({"groundingSupports": [{"segment": {"endIndex": 4}}]}, True, True),
        ({"groundingChunks": [{"web": {}}], "groundingSupports": [{"groundingChunkIndices": [0]}]}, True, True),
        (
            {
                "groundingChunks": [{"web": {"uri": "https://a.example/"}}],
                "groundingSupports": [{"groundingChunkIndices": [0, 1]}],
            },
            True,
            True,
        ),
        ({"searchEntryPoint": {"renderedContent": "<a>shoes</a>"}}, False, True),
        ({"webSearchQueries": ["shoes"]}, False, True),
        ({}, False, False),
    ],
)
def test_a_search_of_gemini_whose_pages_are_not_there_is_named(grounding, unknown, searched):
    body = BODIES["gemini"]()
    body["candidates"][0]["groundingMetadata"] = grounding
    reply = reply_to(body, "gemini", search=True)
    assert ("grounding:no chunks" in reply.unknown_parts, reply.searched) == (unknown, searched)


@pytest.mark.parametrize(
    ("text", "unknown"),
    [
        ("Acme leads.[1][2]", ("marks:no sources",)),
        ("Acme leads [citation:3].", ("marks:no sources",)),
        ("Acme\ue200cite\ue202turn0search3\ue201 leads.", ("marks:no sources",)),
        ("Acme leads【12†source】.", ("marks:no sources",)),
        ("Acme leads:contentReference[oaicite:3]{index=3}.", ("marks:no sources",)),
        ("Acme leads [1](https://a.example/).", ()),
        ("Acme leads with `shoes[1]` of [2025 models].", ()),
        ("Acme leads.", ()),
    ],
)
def test_marks_of_citations_without_any_source_are_named(text, unknown):
    body = BODIES["openai-chat"](text, search_results=[])
    body["choices"][0]["message"]["annotations"] = []
    assert reply_to(body, "openrouter").unknown_parts == unknown
    assert "marks:no sources" not in reply_to(BODIES["openai-chat"](text), "openrouter").unknown_parts


NOWHERE = {
    "openai": lambda body: body["output"][1]["content"][0]["annotations"][0].update(url=None),
    "openai-chat": lambda body: body["choices"][0]["message"]["annotations"][0]["url_citation"].pop("url"),
    "anthropic": lambda body: body["content"][1]["citations"][0].update(url=""),
    "mistral": lambda body: body["outputs"][1]["content"][1].update(url=None),
}


@pytest.mark.parametrize("preset", NOWHERE)
def test_a_citation_without_an_address_is_named(preset):
    body = BODIES[preset]()
    NOWHERE[preset](body)
    assert "citation:no address" in reply_to(body, preset).unknown_parts


def test_an_annotation_of_a_chat_need_not_be_nested():
    body = BODIES["openai-chat"]()
    citation = {"type": "url_citation", "url": "https://b.example/", "start_index": 0, "end_index": 4}
    body["choices"][0]["message"]["annotations"] = [citation]
    assert [(each.url, each.start) for each in reply_to(body, "openrouter").sources] == [("https://b.example/", 0)]


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
