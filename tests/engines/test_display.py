"""What people call an engine, wherever it is shown."""

import pytest

from visibility.engines.display import display_name, display_names, with_display_names


@pytest.mark.parametrize(
    ("stored", "shown"),
    [
        ("google_ai_mode", "Google AI Mode"),
        ("Google-AI-Mode", "Google AI Mode"),
        ("chatgpt", "ChatGPT"),
        ("chatgpt (app, imported)", "ChatGPT (app, imported)"),
        ("perplexity (imported)", "Perplexity (imported)"),
        ("local-search", "Local search"),
        ("local-search-recent", "Local search (recent)"),
        ("gpt-6-search", "gpt-6-search"),
        ("<b>x</b>", "<b>x</b>"),
        ("", ""),
    ],
)
def test_known_engines_have_the_name_that_people_know_and_others_keep_theirs(stored, shown):
    assert display_name(stored) == shown


def test_several_keep_their_order():
    assert display_names(["perplexity", "gpt"]) == ["Perplexity", "gpt"]


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("google_ai_mode counted only on the day before", "Google AI Mode counted only on the day before"),
        ("chatgpt, local-search-recent and gpt", "ChatGPT, Local search (recent) and gpt"),
        (
            "it cites perplexity.ai and my_chatgpt and chatgpt-user",
            "it cites perplexity.ai and my_chatgpt and chatgpt-user",
        ),
        ("asked of chatgpt.", "asked of ChatGPT."),
    ],
)
def test_a_sentence_that_was_kept_names_them_too_and_no_domain_is_taken_for_one(written, shown):
    assert with_display_names(written) == shown
