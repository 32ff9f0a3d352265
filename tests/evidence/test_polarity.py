"""How good or bad the words of a sentence sound, and whether a share has risen or fallen beyond chance."""

import pytest

from tests.evidence.answer_texts import DAY
from visibility.evidence.polarity import trend
from visibility.evidence.valence import valence


@pytest.mark.parametrize(
    ("worse", "better"),
    [
        ("It is bad.", "It is good."),
        ("It is not good.", "It is good."),
        ("It is bad.", "It is not bad."),
        ("It is good.", "It is very good."),
        ("It is very bad.", "It is bad."),
        ("It is great but noisy.", "It is noisy but great."),
        ("It doesn't work, it is defective.", "It works."),
        ("It doesn\u2019t sound good.", "It does sound good."),
    ],
)
def test_what_sounds_better(worse, better):
    assert valence(worse) < valence(better)


def test_between_minus_one_and_one():
    assert -1 < valence("terrible " * 500) < -0.9
    assert 0.9 < valence("excellent " * 500) < 1


@pytest.mark.parametrize("text", ["", "The table is of wood.", "12 %", "\u96fb\u6c60"])
def test_words_without_a_rating_tell_nothing(text):
    assert valence(text) is None


def test_a_trend_needs_days_before_and_after():
    assert trend([DAY], [DAY] * 40) is None
    assert trend([], [None] * 40) is None
