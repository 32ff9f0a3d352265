"""What each adapter reads from bodies made for the purpose: places, searches, costs, cut-off and odd answers."""

import json
import re
from decimal import Decimal

import pytest

from tests.engines.bodies import TEXT, chat, gemini, messages, raw, responses
from tests.engines.conftest import ONE_OF_EACH, ask
from tests.engines.recorded import FOLDER
from visibility.engines.protocol import EngineError, Source
from visibility.engines.spec import Prices

each = pytest.mark.parametrize("preset", ONE_OF_EACH)


@pytest.fixture
def answered(engine, serve):
    def answer(preset, *bodies, **changes):
        serve(*(json.dumps(body) for body in bodies))
        return ask(engine(preset, **changes))

    return answer


@each
def test_a_plain_answer(preset, engine, serve):
    serve(raw(preset))
    answer = ask(engine(preset, search=False))
    assert (answer.text, answer.sources, answer.searches, answer.searched) == (TEXT, (), (), False)
    assert (answer.served_model, answer.raw, answer.truncated) == ("model-1", raw(preset), False)
    assert answer.usage == {
        "input_tokens": 10,
        "cached_tokens": 0,
        "cache_write_tokens": 0,
        "output_tokens": 5,
        "reasoning_tokens": 0,
        "searches": 0,
    }
    assert (answer.cost, answer.cost_source) == (None, "unknown")


@each
def test_the_operators_prices_come_first(preset, engine, serve):
    serve(raw(preset))
    prices = Prices(input_million=Decimal(2), output_million=Decimal(8), thousand_searches=Decimal(10))
    answer = ask(engine(preset, search=False, prices=prices))
    assert (answer.cost, answer.cost_source) == (Decimal("0.00006"), "configured")


@each
def test_odd_fields_cost_no_answer(preset, engine, serve):
    body = json.loads(raw(preset))
    body |= {
        "usage": "much",
        "usageMetadata": [],
        "model": 5,
        "modelVersion": {},
        "citations": 3,
        "search_results": {},
    }
    serve(json.dumps(body))
    answer = ask(engine(preset))
    assert (answer.text, answer.served_model, answer.usage["input_tokens"]) == (TEXT, "", 0)


@each
def test_broken_characters_cost_no_answer(preset, engine, serve):
    serve(raw(preset, "Acme \ud800 shoes"))
    assert ask(engine(preset)).text == "Acme \ud800 shoes"


@each
def test_one_engine_answers_many_at_once_and_again_later(preset, engine, httpserver):
    httpserver.expect_request(re.compile(".*")).respond_with_data(raw(preset), content_type="application/json")
    asked = engine(preset)
    assert ask(asked).text == ask(asked).text == TEXT


# Responses


def output_text(text, *annotations):
    return {"type": "output_text", "text": text, "annotations": list(annotations)}


def cited(url, start, end, title="T"):
    return {"type": "url_citation", "url": url, "title": title, "start_index": start, "end_index": end}


def test_places_count_through_parts_and_messages(answered):
    parts = [output_text("Über Acme. "), output_text("Rival (r.example).", cited("https://r.example", 6, 17))]
    first = {"type": "message", "content": parts}
    second = {"type": "message", "content": [output_text("See a.example", cited("https://a.example", 4, 13, "1"))]}
    answer = answered("openai", responses(output=[first, second]))
    assert answer.text == "Über Acme. Rival (r.example).\n\nSee a.example"
    assert [answer.text[each.start : each.end] for each in answer.sources] == ["(r.example)", "a.example"]
    assert [each.title for each in answer.sources] == ["T", ""]


@pytest.mark.parametrize(("start", "end"), [(5, 5), (9, 3), (0, 999), (-1, 4), (None, 4), ("0", "4"), (True, 4)])
def test_a_place_that_makes_no_sense_is_left_out(start, end, answered):
    body = responses(
        output=[{"type": "message", "content": [output_text(TEXT, cited("https://a.example", start, end))]}]
    )
    assert answered("openai", body).sources == (Source("https://a.example", "T"),)


def test_what_is_said_between_searches_is_no_answer(answered):
    says = {"type": "message", "phase": "commentary", "content": [output_text("Let me look at Acme.")]}
    search = {"type": "web_search_call", "action": {"type": "search", "queries": ["a", "b", "a", "ws_call_id=1"]}}
    page = {"type": "web_search_call", "action": {"type": "open_page", "url": "https://a.example"}}
    final = {"type": "message", "phase": "final_answer", "content": [output_text("Rival.")]}
    answer = answered("openai", responses(output=[says, search, page, final]))
    assert (answer.text, answer.searches, answer.usage["searches"]) == ("Rival.", ("a", "b"), 1)


def test_a_refusal_is_an_answer(answered):
    body = responses(output=[{"type": "message", "content": [{"type": "refusal", "refusal": "I cannot say."}]}])
    assert answered("openai", body).text == "I cannot say."


# Chat Completions


def choice(content, finish="stop", **message):
    return [{"finish_reason": finish, "message": {"content": content, **message}}]


def test_reasoning_before_an_answer_is_taken_off_and_places_follow(answered):
    thought = "<think>Is it Acme?</think>\n\n"
    annotation = {
        "type": "url_citation",
        "url_citation": {"url": "https://r.example", "start_index": 0, "end_index": 0},
    }
    annotation["url_citation"] |= {"start_index": len(thought), "end_index": len(thought) + 5}
    answer = answered(
        "vllm", chat(choices=choice(thought + "Rival is best.", annotations=[annotation])), search=False
    )
    assert (answer.text, answer.sources) == ("Rival is best.", (Source("https://r.example", "", 0, 5),))


def test_reasoning_that_never_ends_is_no_answer(answered):
    with pytest.raises(EngineError, match="Raise the engine's limit") as raised:
        answered("vllm", chat(choices=choice("<think>Is it Acme? Or", finish="length")), search=False)
    assert (raised.value.code, raised.value.retryable) == ("output_limit", False)


def test_content_in_parts(answered):
    parts = [
        {"type": "thinking", "thinking": []},
        {"type": "text", "text": "Acme "},
        {"type": "text", "text": "it is."},
    ]
    assert answered("mistral", chat(choices=choice(parts)), search=False).text == "Acme it is."


def test_perplexitys_sources_keep_the_order_of_their_markers(answered):
    results = [{"url": "https://a.example", "title": "A"}, {"url": "https://b.example", "title": "B"}]
    both = answered("perplexity", chat(search_results=results, citations=["https://c.example"]))
    bare = answered("perplexity", chat(citations=["https://c.example", 5]))
    assert [source.url for source in both.sources] == ["https://a.example", "https://b.example"]
    assert [source.url for source in bare.sources] == ["https://c.example"]
    assert both.searched is True


def test_an_error_in_a_choice_is_an_error(answered):
    with pytest.raises(EngineError) as raised:
        answered("openrouter", chat(choices=[{"error": {"code": 502, "message": "upstream"}, "message": {}}]))
    assert (raised.value.code, raised.value.retryable) == ("server_error", True)


# Messages


def text_block(text, *urls):
    citations = [{"type": "web_search_result_location", "url": url, "title": "T"} for url in urls]
    return {"type": "text", "text": text, "citations": citations} if urls else {"type": "text", "text": text}


def search_block(query):
    return {"type": "server_tool_use", "id": "s", "name": "web_search", "input": {"query": query}}


def test_split_blocks_are_joined_and_each_citation_spans_its_block(answered):
    content = [
        text_block("Look. "),
        search_block("q"),
        text_block("The "),
        text_block("best", "https://a.example"),
        text_block(" is Acme."),
    ]
    answer = answered("anthropic", messages(content=content))
    assert answer.text == "Look. \n\nThe best is Acme."
    assert [answer.text[each.start : each.end] for each in answer.sources] == ["best"]
    assert answer.searches == ("q",)


def test_a_paused_turn_goes_on_with_what_is_left_of_its_searches(answered, httpserver):
    paused = messages(
        content=[text_block("First."), search_block("one")],
        stop_reason="pause_turn",
        usage={"input_tokens": 100, "output_tokens": 10, "server_tool_use": {"web_search_requests": 3}},
    )
    ended = messages(
        content=[text_block("Then.", "https://a.example")], usage={"input_tokens": 200, "output_tokens": 20}
    )
    answer = answered("anthropic", paused, ended, max_searches=4)
    assert answer.text == "First.\n\nThen."
    assert answer.text[answer.sources[0].start : answer.sources[0].end] == "Then."
    assert (answer.usage["input_tokens"], answer.usage["output_tokens"], answer.usage["searches"]) == (300, 30, 3)
    assert [json.loads(line) for line in answer.raw.splitlines()] == [paused, ended]
    first, second = (request.json for request, _ in httpserver.log)
    assert (first["tools"][0]["max_uses"], second["tools"][0]["max_uses"]) == (4, 1)
    assert second["messages"] == [*first["messages"], {"role": "assistant", "content": paused["content"]}]


def test_a_turn_that_is_paused_for_ever_is_cut_off(answered, httpserver):
    paused = messages(content=[text_block("Still looking.")], stop_reason="pause_turn")
    answer = answered("anthropic", *[paused] * 9)
    assert (len(httpserver.log), answer.truncated) == (5, True)


def test_the_recorded_paused_turn_is_whole_with_its_second_half(engine, serve):
    halves = [FOLDER / "anthropic" / f"pydantic-ai__pause_turn_web_search_vcr.{number}.json" for number in (0, 1)]
    if not halves[0].is_file():
        pytest.skip(f"no reference data at {FOLDER}")
    serve(*(half.read_bytes() for half in halves))
    answer = ask(engine("anthropic"))
    bodies = [json.loads(half.read_bytes()) for half in halves]
    blocks = [block["text"] for body in bodies for block in body["content"] if block["type"] == "text"]
    assert answer.text.replace("\n\n", "") == "".join(blocks).replace("\n\n", "")
    assert answer.usage["searches"] == 15
    assert answer.usage["input_tokens"] == sum(body["usage"]["input_tokens"] for body in bodies)
    assert answer.truncated is False


# Gemini


def grounded(text, *segments, parts=None, **changes):
    supports = [{"segment": segment, "groundingChunkIndices": [0]} for segment in segments]
    chunks = [{"web": {"uri": "https://vertexaisearch.cloud.google.com/r/1", "title": "acme.example"}}]
    candidate = {
        "content": {"parts": parts or [{"text": text}]},
        "finishReason": "STOP",
        "groundingMetadata": {"groundingChunks": chunks, "groundingSupports": supports, **changes},
    }
    return gemini(candidates=[candidate])


def quoted(answer):
    return [answer.text[source.start : source.end] for source in answer.sources]


def test_places_are_bytes_and_a_missing_start_is_the_beginning(answered):
    text = "Größe zählt. Acme führt."
    first, second = text[:12], text[13:]
    start = len(text[:13].encode())
    answer = answered(
        "gemini",
        grounded(
            text,
            {"endIndex": len(first.encode()), "text": first},
            {"startIndex": start, "endIndex": start + len(second.encode()), "text": second},
        ),
    )
    assert quoted(answer) == [first, second]
    assert {source.title for source in answer.sources} == {"acme.example"}


def test_a_place_that_is_off_is_found_by_its_words(answered):
    answer = answered("gemini", grounded("Acme. Rival. Acme.", {"startIndex": 12, "endIndex": 16, "text": "Acme."}))
    assert [(source.start, source.end) for source in answer.sources] == [(13, 18)]


def test_places_count_from_their_part_and_thoughts_are_no_part_of_the_answer(answered):
    parts = [{"text": "Hm, Acme?", "thought": True}, {"text": "Rival – "}, {"text": "and Acme."}]
    answer = answered("gemini", grounded("", {"partIndex": 2, "startIndex": 4, "endIndex": 8}, parts=parts))
    assert answer.text == "Rival – and Acme."
    assert quoted(answer) == ["Acme"]


def test_sources_that_support_nothing_in_particular_are_kept(answered):
    answer = answered("gemini", grounded(TEXT, webSearchQueries=["", "shoes", "shoes"]))
    assert [(source.title, source.start) for source in answer.sources] == [("acme.example", None)]
    assert answer.searches == ("shoes",)


@pytest.mark.parametrize(("model", "fee"), [("gemini-2.5-flash", "0.035"), ("gemini-3-flash-preview", "0.028")])
def test_older_models_bill_the_answer_and_newer_ones_each_search(model, fee, answered):
    def cost(*queries):
        body = grounded(TEXT, webSearchQueries=list(queries)) | {"modelVersion": model}
        return answered("gemini", body).cost

    assert cost("one", "two") - cost() == Decimal(fee)


def test_a_model_with_its_prefix_has_the_same_price_and_fee(answered):
    grounding = {"webSearchQueries": ["one", "two"]}
    plain = gemini(modelVersion="gemini-2.5-flash")
    plain["candidates"][0]["groundingMetadata"] = grounding
    expected, prefixed = (
        answered("gemini", plain),
        answered("gemini", {**plain, "modelVersion": "models/gemini-2.5-flash"}),
    )
    assert prefixed.cost is not None
    assert (prefixed.cost, prefixed.served_model) == (expected.cost, "gemini-2.5-flash")
    nameless = {name: value for name, value in plain.items() if name != "modelVersion"}
    assert answered("gemini", nameless, model="models/gemini-2.5-flash").cost == expected.cost


@pytest.mark.parametrize(
    ("call", "queries"),
    [
        ({"arguments": '{"query": "best shoes"}'}, ("best shoes",)),
        ({"arguments": '{"queries": ["best shoes", "good shoes"]}'}, ("best shoes", "good shoes")),
        ({"arguments": {"query": "best shoes"}}, ("best shoes",)),
        ({"arguments": "{broken", "action": {"type": "search", "query": "best shoes"}}, ("best shoes",)),
        ({"arguments": "{broken"}, ()),
        ({"arguments": "[" * 100_000}, ()),
    ],
    ids=str,
)
def test_searches_are_read_from_arguments_too(call, queries, answered):
    body = responses()
    body["output"].insert(0, {"type": "web_search_call", "status": "completed", **call})
    answer = answered("openai", body)
    assert (answer.searches, answer.searched, answer.usage["searches"]) == (queries, True, 1)


REFUSAL = {"type": "message", "content": [{"type": "refusal", "refusal": "I cannot say."}]}


@pytest.mark.parametrize(
    ("preset", "body", "words"),
    [
        ("openai", responses("", status="incomplete", incomplete_details={"reason": "content_filter"}), ""),
        ("openai", responses(output=[REFUSAL]), "I cannot say."),
        ("perplexity", chat(choices=choice("", finish="content_filter")), ""),
        ("perplexity", chat(choices=choice("Acme", finish="content_filter")), "Acme"),
        ("perplexity", chat(choices=[{"message": {"content": None, "refusal": "I cannot say."}}]), "I cannot say."),
        ("anthropic", messages(content=[], stop_reason="refusal"), ""),
        ("anthropic", messages("Acme", stop_reason="refusal"), "Acme"),
        ("gemini", gemini(candidates=[], promptFeedback={"blockReason": "SAFETY"}), ""),
        ("gemini", gemini(candidates=[{"finishReason": "SAFETY"}]), ""),
        ("gemini", gemini(candidates=[{"finishReason": "PROHIBITED_CONTENT"}]), ""),
    ],
)
def test_a_refusal_is_an_answer_and_says_so(preset, body, words, answered):
    answer = answered(preset, body)
    assert (answer.text, answer.refused) == (words, True)
    assert answer.usage["input_tokens"] == 10


# Cut off


@pytest.mark.parametrize(
    ("preset", "body"),
    [
        ("openai", responses(status="incomplete", incomplete_details={"reason": "max_output_tokens"})),
        ("perplexity", chat(choices=choice(TEXT, finish="length"))),
        ("anthropic", messages(stop_reason="max_tokens")),
        ("gemini", gemini(candidates=[{"content": {"parts": [{"text": TEXT}]}, "finishReason": "MAX_TOKENS"}])),
    ],
)
def test_an_answer_that_was_cut_off_is_kept_and_flagged(preset, body, answered):
    answer = answered(preset, body)
    assert (answer.text, answer.truncated) == (TEXT, True)


@pytest.mark.parametrize(
    ("preset", "body"),
    [
        ("openai", responses(output=[], status="incomplete", incomplete_details={"reason": "max_output_tokens"})),
        ("perplexity", chat(choices=choice("", finish="length"))),
        ("anthropic", messages("", stop_reason="max_tokens")),
        ("gemini", gemini(candidates=[{"finishReason": "MAX_TOKENS"}])),
    ],
)
def test_output_used_up_before_the_answer_is_not_asked_again(preset, body, answered):
    with pytest.raises(EngineError) as raised:
        answered(preset, body)
    assert (raised.value.code, raised.value.retryable) == ("output_limit", False)
