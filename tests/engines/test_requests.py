"""What is sent: the question untouched, the country where a search takes it, else one sentence; nothing unknown."""

import asyncio

import pytest

from tests.engines.bodies import BODIES, raw
from tests.engines.serving import KEY, Said, ask, ask_once, serving, settings
from visibility.engines import PRESETS, EngineSettings, Question, account_digest, open_engine

QUESTION = Question("Welche Schuhe sind gut?", language="de", country="AT")


def sent(preset, question=QUESTION, **changes):
    """Path, headers and body of the request, and the reply."""
    speaks_alike = {"xai": "openai", "deepseek": "openai"}
    body = raw(preset if preset in BODIES else speaks_alike.get(preset, "openai-chat"))
    said = Said(body)
    reply = ask_once(preset, said.handle, question, **changes)
    return *said.requests[0], reply


@pytest.mark.parametrize("preset", PRESETS)
def test_a_question_without_country_and_language_is_sent_untouched(preset):
    _, _, body, reply = sent(preset, Question("Which shoes?"), search=True)
    told = str(body)
    assert told.count("Which shoes?") == 1
    for word in ("instruction", "system", "country", "location"):
        assert word not in told
    assert reply.text == "Acme makes good shoes."


@pytest.mark.parametrize("preset", PRESETS)
def test_the_country_goes_to_a_search_that_takes_it_and_else_into_one_sentence(preset):
    sentence = "Answer as for a person whose language is de and whose country is AT."
    _, _, searching, _ = sent(preset, search=True)
    _, _, plain, _ = sent(preset, search=False)
    assert (sentence in str(searching)) is not PRESETS[preset].takes_country
    assert ("'country': 'AT'" in str(searching)) is PRESETS[preset].takes_country
    assert sentence in str(plain) and "location" not in str(plain)
    assert "Welche Schuhe sind gut?" in str(plain)


def test_the_effective_country_is_the_one_of_the_body_else_the_one_that_was_given():
    assert sent("openai", Question("Which?"), search=True)[3].country == "US"
    assert sent("anthropic", Question("Which?", country="de"), search=True)[3].country == "DE"
    assert sent("anthropic", Question("Which?"), search=True)[3].country == ""
    assert sent("gemini", search=True)[3].country == ""


def test_each_provider_gets_its_own_form():
    def search_of(preset):
        path, _, body, _ = sent(preset, search=True)
        return path, body.get("tools") or body.get("web_search_options")

    place = {"type": "approximate", "country": "AT"}
    assert search_of("openai") == ("/responses", [{"type": "web_search", "user_location": place}])
    assert search_of("openai-chat") == (
        "/chat/completions",
        {"user_location": {"type": "approximate", "approximate": {"country": "AT"}}},
    )
    assert search_of("anthropic") == (
        "/v1/messages",
        [{"type": "web_search_20250305", "name": "web_search", "max_uses": 5, "user_location": place}],
    )
    assert search_of("gemini") == ("/v1beta/models/model-1:generateContent", [{"google_search": {}}])
    assert search_of("openrouter") == (
        "/chat/completions",
        [{"type": "openrouter:web_search", "parameters": {"max_uses": 5, "user_location": place}}],
    )
    assert search_of("mistral") == ("/v1/conversations", [{"type": "web_search"}])
    assert search_of("xai") == ("/responses", [{"type": "web_search"}])


def test_perplexity_gets_no_field_that_it_does_not_know_and_is_made_to_search():
    path, _, body, _ = sent("perplexity", search=True, model="sonar")
    assert path == "/v1/agent"
    assert body == {
        "model": "perplexity/sonar",
        "input": "Welche Schuhe sind gut?",
        "max_output_tokens": 8192,
        "tools": [{"type": "web_search", "user_location": {"country": "AT"}}],
        "tool_choice": {"type": "web_search"},
    }


def test_the_key_goes_into_the_header_that_the_provider_wants():
    wanted = {
        "anthropic": ("x-api-key", KEY),
        "gemini": ("x-goog-api-key", KEY),
        "openai": ("authorization", f"Bearer {KEY}"),
    }
    for preset, (name, value) in wanted.items():
        assert sent(preset)[1][name] == value
    assert "authorization" not in sent("ollama", api_key="")[1]


def test_a_question_with_signs_that_are_no_characters_is_sent_all_the_same():
    _, _, body, reply = sent("openai", Question("a\0b\ud800c"))
    assert body["input"] == "a\0b?c" and reply.text


def test_an_account_is_an_address_and_a_key_and_shows_neither():
    one = account_digest(settings("openai"))
    assert len(one) == 32 and int(one, 16) and one == account_digest(settings("openai-chat", model="other"))
    assert one != account_digest(settings("openai", api_key="sk-other-key"))
    assert one != account_digest(settings("openai", base_url="https://eu.api.example/v1"))
    assert KEY not in repr(settings("openai"))


def test_there_is_a_protocol_for_each_preset_and_no_engine_for_another():
    for preset in PRESETS:
        assert open_engine(settings(preset)).name == "engine"
    with pytest.raises(KeyError):
        open_engine(EngineSettings(name="x", preset="no-such", model="m"))


def test_a_proxy_of_the_environment_is_used_but_never_for_a_key_without_tls(monkeypatch):
    said = Said(raw("openai-chat"))

    def ask_through_proxy(base_url, key):
        async def asked():
            async with serving(said.handle) as proxy:
                monkeypatch.setenv("http_proxy", proxy)
                return await ask(settings("ollama", base_url, api_key=key, timeout=0.1))

        said.requests.clear()
        return asyncio.run(asyncio.wait_for(asked(), 2))

    assert ask_through_proxy("http://models.internal.example/v1", "").text == "Acme makes good shoes."
    assert said.requests[0][1]["host"] == "models.internal.example"
    ask_through_proxy("http://models.internal.example/v1", KEY)
    assert not said.requests
