"""Impression shares: the published code's numbers, and ours where they differ on purpose."""

import json
from itertools import pairwise
from math import exp

import pytest
from hypothesis import given
from hypothesis import strategies as st

from visibility.detection.text.sentences import count_words, sentence_spans
from visibility.detection.types import CitedSentence
from visibility.metrics.impressions import geo_attached, geo_compat

EXACT = {"rel": 1e-9, "abs": 1e-9}
MARKED = st.lists(
    st.sampled_from(["Notion is good", "[1]", "[2]", "[0]", "[9]", ". ", ".", " ", "\n\n", "[^3^]", "[[", "]"])
)


@pytest.fixture
def items(reference_data):
    return json.loads((reference_data / "geo_reference.json").read_text())["items"]


def test_the_sentences_and_words_are_those_that_the_reference_saw(items):
    assert len(items) >= 88
    for item in items:
        for paragraph, sentences in zip(item["answer"].split("\n\n"), item["paragraphs"], strict=True):
            found = [paragraph[start:end] for start, end in sentence_spans(paragraph)]
            assert found == [each["text"] for each in sentences], item["id"]
            assert [count_words(each) for each in found] == [each["num_words"] for each in sentences], item["id"]


@pytest.mark.parametrize("normalize", [True, False])
def test_the_impressions_are_those_of_the_published_code(items, normalize):
    form = "norm" if normalize else "raw"
    for item in items:
        found = geo_compat(item["answer"], item["n_sources"], normalize=normalize)
        expected = item["expected"]
        assert found.word_count == pytest.approx(expected[f"word_count_{form}"], **EXACT), item["id"]
        assert found.position == pytest.approx(expected[f"position_{form}"], **EXACT), item["id"]
        assert found.position_adjusted == pytest.approx(expected[f"pos_word_count_{form}"], **EXACT), item["id"]


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("", []),
        (" \n ", []),
        ("It is 3.50 in the U.S. and the U.K. They do.", ["It is 3.50 in the U.S. and the U.K.", "They do."]),
        ("Ask Dr. Smith. J. Bach wrote it.", ["Ask Dr. Smith.", "J. Bach wrote it."]),
        ("Wait... The end.", ["Wait...", "The end."]),
        ("Wait... What? (Really!) Yes.", ["Wait...", "What?", "(Really!)", "Yes."]),
        ("No. 5 is 3. and more. 4. Next", ["No.", "5 is 3. and more.", "4.", "Next"]),
        ("\u201cDone.\u201d Next", ["\u201cDone.\u201d", "Next"]),
        ("Wow!!! Great!", ["Wow!!!", "Great!"]),
    ],
)  # fmt: skip
def test_sentences(text, sentences):
    assert [text[start:end] for start, end in sentence_spans(text)] == sentences


@pytest.mark.parametrize(
    ("sentence", "words"),
    [
        ("", 0), ("It is so.", 0), ("Don't go, they'll see.", 4), ("cannot", 2), ("well-known", 1), ("a--the--b", 1),
        ("'tis gonna work", 3),
        ('"Quoted" (words) [here]', 3), ("The dog's bone...", 4), ("12,000 \u2013 ok: yes", 2),
    ],
)  # fmt: skip
def test_words_longer_than_two_characters(sentence, words):
    assert count_words(sentence) == words


def test_two_sentences_by_hand():
    """Six words shared by two sources at full weight, five for the third at e^-1."""
    found = geo_compat("Notion and Asana are popular tools [1][2]. Linear is fast for software teams [3].", 3)
    total = 6 + 5 * exp(-1)
    assert found.position_adjusted == pytest.approx((3 / total, 3 / total, 5 * exp(-1) / total))
    assert found.word_count == pytest.approx((3 / 11, 3 / 11, 5 / 11))


def test_attached_shares_by_hand():
    """Three sentences: 4 words cite a and b, 2 words nothing, 3 words b and a page that is not asked for."""
    sentences = [
        CitedSentence(0, 9, 4, ("a", "b")),
        CitedSentence(10, 19, 2, ()),
        CitedSentence(20, 29, 3, ("b", "x")),
    ]
    found = geo_attached(sentences, ["a", "b", "c"])
    assert found.word_count == pytest.approx((2 / 5.5, 3.5 / 5.5, 0))
    last = exp(-1)
    total = 4 + 1.5 * last
    assert found.position_adjusted == pytest.approx((2 / total, (2 + 1.5 * last) / total, 0))
    assert found.position == pytest.approx((0.5 / (1 + 0.5 * last), (0.5 + 0.5 * last) / (1 + 0.5 * last), 0))


def test_an_answer_without_citations_gives_nothing_to_anyone():
    assert geo_compat("No sources here at all.", 2).position_adjusted == (0.5, 0.5)
    assert geo_attached([CitedSentence(0, 9, 5, ())], ["a", "b"]).position_adjusted == (0, 0)
    assert geo_attached([], []).word_count == () == geo_compat("", 0).word_count


def test_numbers_that_no_source_has_are_lost():
    assert geo_compat(f"Notion is good [{'9' * 5000}].", 2).word_count == (0.5, 0.5)
    assert geo_compat("Notion is good [0].", 0).position == ()


@given(st.lists(MARKED.map("".join) | st.text()).map("".join), st.integers(0, 5))
def test_shares_of_any_text_are_shares(text, sources):
    for values in (geo_compat(text, sources),):
        for shares in (values.word_count, values.position, values.position_adjusted):
            assert all(0 <= share <= 1 for share in shares)
            assert sum(shares) == pytest.approx(1 if sources else 0)


@given(st.text() | MARKED.map("".join))
def test_sentences_stand_apart_in_order_and_hold_all_that_is_not_space(text):
    spans = sentence_spans(text)
    assert all(start < end for start, end in spans)
    assert all(first[1] <= second[0] for first, second in pairwise(spans))
    kept = {place for start, end in spans for place in range(start, end)}
    assert all(char.isspace() for place, char in enumerate(text) if place not in kept)
