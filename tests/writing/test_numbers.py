"""A text may say the numbers of its sources, rounded or written as its language does, and no others."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from visibility.writers.numbers import unfounded

SOURCES = ['{"score":11.76,"named":24,"answers":1204,"day":"2025-05-24"}', "Samsung in 2 of 24"]


@pytest.mark.parametrize(
    "text",
    [
        "11.76 %",
        "11,76 %",
        "11.8 %",
        "11,8 %",
        "12 %",
        "24 of 1,204",
        "24 von 1.204",
        "24 sur 1 204",
        "24 sur 1\u202f204",
        "On 24 May 2025",
        "1. Sony leads\n2. Samsung, in 2",
        "no number at all",
    ],
)
def test_numbers_of_the_sources_may_be_said(text):
    assert unfounded(text, SOURCES) == []


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("11.7 %", ["11.7"]),
        ("13 %", ["13"]),
        ("25 of 24", ["25"]),
        ("22 more than Samsung", ["22"]),
        ("1,205 answers", ["1,205"]),
        ("half, 50 %, and 0.5", ["50", "0.5"]),
    ],
)
def test_numbers_of_ones_own_are_named(text, numbers):
    assert unfounded(text, SOURCES) == numbers


@given(st.integers(0, 10**6), st.integers(0, 10**6))
def test_a_whole_number_is_known_exactly(known, said):
    assert (unfounded(f"{said:,}", [str(known)]) == []) is (known == said)


@given(st.text(max_size=300))
def test_any_text_is_read(text):
    assert unfounded(text, [text]) == []
