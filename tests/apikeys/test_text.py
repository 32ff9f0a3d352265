"""Text that others wrote: what is stored of it, and how an agent gets it."""

import math
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apikeys.errors import ServiceError
from apikeys.text import QUOTE_CLOSE, QUOTE_OPEN, clean, clean_line, clean_text, marked, storable, unmarked

ANY_TEXT = st.text(st.characters(exclude_categories=[]))


@given(ANY_TEXT)
def test_nothing_between_the_marks_can_end_them(text):
    inside = marked(text).removeprefix(QUOTE_OPEN).removesuffix(QUOTE_CLOSE)
    assert "<" not in inside
    assert ">" not in inside


@given(ANY_TEXT)
def test_what_an_agent_was_shown_can_be_handed_back(text):
    assert unmarked(marked(text)) == clean(text)


@given(ANY_TEXT)
def test_cleaning_leaves_no_character_that_hides_or_reorders(text):
    for character in clean(text):
        assert character in "\n\t\u200c\u200d" or unicodedata.category(character) not in (
            "Cc",
            "Cf",
            "Cs",
            "Zl",
            "Zp",
        )


@given(ANY_TEXT)
def test_a_line_is_taken_in_one_form_or_refused(text):
    try:
        line = clean_line("name", text, longest=50)
    except ServiceError as refusal:
        assert refusal.details == {"argument": "name"}
        return
    assert 1 <= len(line) <= 50
    assert clean_line("name", line, longest=50) == line


@pytest.mark.parametrize(
    "text", ["a\u202eb", "a\0b", "\u200b", " \n ", "x" * 51, "<UNTRUSTED-quote>", "< / untrusted-quote"]
)
def test_what_hides_something_or_does_not_fit_is_refused(text):
    with pytest.raises(ServiceError):
        clean_line("name", text, longest=50)


def test_emoji_and_scripts_with_joiners_are_names():
    for name in ("Häagen-Dazs", "日本", "می‌خواهم", "👩‍💻"):
        assert clean_line("name", name, longest=50) == name


def test_text_keeps_its_lines():
    assert clean_text("description", " a \n\n b\u2028c ", longest=50) == "a\n\nb\nc"


def test_what_postgresql_refuses_is_replaced_in_its_place():
    assert storable({"a\0": ["x\ud800y", math.nan, (1, math.inf)]}) == {"a\ufffd": ["x\ufffdy", None, [1, None]]}
