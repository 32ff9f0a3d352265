"""What each preset sends: the question as it is, bounds, search on or off, the asker's country where it is taken."""

import re

import pytest

from tests.engines.bodies import BODY, raw
from tests.engines.conftest import KEY, ask
from visibility.engines.presets import CHAT, GEMINI, MESSAGES, PRESETS, RESPONSES
from visibility.engines.spec import LocaleHandling

SHAPE = {RESPONSES: "openai", CHAT: "perplexity", MESSAGES: "anthropic", GEMINI: "gemini"}
SEARCHING = [name for name, preset in PRESETS.items() if preset.search_tool]
LIMITS = {
    "openai": "max_output_tokens",
    "xai": "max_output_tokens",
    "deepseek": "max_output_tokens",
    "openai-chat": "max_completion_tokens",
}


@pytest.fixture
def sent(engine, httpserver):
    """The request (headers, path and JSON) that a question becomes."""

    def send(preset, locale="", **changes):
        body = raw(SHAPE[PRESETS[preset].adapter])
        httpserver.expect_oneshot_request(re.compile(".*")).respond_with_data(body, content_type="application/json")
        ask(engine(preset, **changes), "which shoes?", locale)
        return httpserver.log[-1][0]

    return send


@pytest.mark.parametrize("preset", PRESETS)
def test_the_question_goes_as_it_is_and_the_output_is_bounded(preset, sent):
    request = sent(preset, search=False, max_output_tokens=777)
    body = request.json
    if preset == "gemini":
        assert request.path == "/v1beta/models/model-1:generateContent"
        assert body["contents"] == [{"role": "user", "parts": [{"text": "which shoes?"}]}]
        assert body["generationConfig"] == {"maxOutputTokens": 777}
        assert "tools" not in body
        return
    assert body["model"] == "model-1"
    assert body[LIMITS.get(preset, "max_tokens")] == 777
    if PRESETS[preset].adapter == RESPONSES:
        assert (request.path, body["input"], body["store"]) == ("/v1/responses", "which shoes?", False)
    else:
        assert body["messages"] == [{"role": "user", "content": "which shoes?"}]
    assert not {"tools", "web_search_options", "include"} & set(body)
    assert body.get("disable_search", False) == (preset == "perplexity")


@pytest.mark.parametrize("preset", PRESETS)
def test_the_key_travels_in_a_header_only(preset, sent):
    request = sent(preset, search=False)
    assert KEY in "".join(request.headers.values())
    assert KEY not in request.url and KEY not in request.get_data(as_text=True)


@pytest.mark.parametrize("preset", SEARCHING)
def test_search_is_asked_for_with_its_bound_and_the_country(preset, sent):
    body = sent(preset, "de-AT", search=True, max_searches=3).json
    place = {"type": "approximate", "country": "AT"}
    expected = {
        "openai": {
            "tools": [{"type": "web_search", "user_location": place}],
            "max_tool_calls": 3,
            "include": ["web_search_call.action.sources"],
        },
        "xai": {"tools": [{"type": "web_search"}]},
        "deepseek": {"tools": [{"type": "deepseek_web_search"}]},
        "openai-chat": {
            "web_search_options": {"user_location": {"type": "approximate", "approximate": {"country": "AT"}}}
        },
        "perplexity": {"web_search_options": {"user_location": {"country": "AT"}}},
        "openrouter": {
            "tools": [{"type": "openrouter:web_search", "parameters": {"max_uses": 3, "user_location": place}}]
        },
        "anthropic": {
            "tools": [{"type": "web_search_20250305", "name": "web_search", "max_uses": 3, "user_location": place}]
        },
        "gemini": {"tools": [{"googleSearch": {}}]},
    }[preset]
    assert {name: body.get(name) for name in expected} == expected
    assert "disable_search" not in body


@pytest.mark.parametrize("preset", SEARCHING)
@pytest.mark.parametrize("locale", ["", "de", "es-419", "zh-Hant"])
def test_a_locale_without_a_country_names_none(preset, locale, sent):
    assert "location" not in sent(preset, locale, search=True).get_data(as_text=True)


@pytest.mark.parametrize("preset", PRESETS)
def test_a_locale_can_be_told_in_words_or_not_at_all(preset, sent):
    told = sent(preset, "de-AT", search=False, locale_handling=LocaleHandling.INSTRUCTION).get_data(as_text=True)
    untold = sent(preset, "de-AT", search=bool(PRESETS[preset].search_tool), locale_handling=LocaleHandling.IGNORE)
    assert "locale de-AT" in told
    assert "AT" not in untold.get_data(as_text=True).replace("web_search", "")


def test_a_body_that_is_read_exists_for_each_shape():
    assert set(SHAPE.values()) == set(BODY)
