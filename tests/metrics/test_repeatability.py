"""How alike two answers to one prompt are."""

import pytest

from tests.metrics.panels import BRAND, RIVAL, Answer, panel, tally
from visibility.metrics.repeatability import repeatability


@pytest.mark.parametrize(
    "mentions, agreement", [(0, 100), (1, 100 / 3), (2, 100 / 3), (3, 100)], ids=["never", "once", "twice", "always"]
)
def test_three_answers_make_three_pairs(mentions, agreement):
    assert repeatability(panel({"t": [mentions]}, 3))[BRAND] == pytest.approx(agreement)


def test_prompts_count_alike():
    assert repeatability(panel({"a": [2, 2], "b": [1]}, 2))[BRAND] == pytest.approx(100 * 2 / 3)


def test_engines_count_alike_however_many_prompts_they_answer():
    wavering = [Answer("a", f"p{prompt}", "t", ranks) for prompt in range(3) for ranks in ({BRAND: 1}, {})]
    steady = [Answer("b", "p0", "t", {})] * 2
    assert repeatability(tally(wavering + steady))[BRAND] == 50


def test_a_prompt_that_was_asked_once_tells_nothing():
    once = [Answer("a", "p", "t", {BRAND: 1})]
    assert repeatability(tally(once)) == {BRAND: None, RIVAL: None}
    twice = [Answer("a", "q", "t", {})] * 2
    assert repeatability(tally(once + twice))[BRAND] == 100


def test_a_prompt_that_names_a_subject_is_left_out_for_it_alone():
    answers = [Answer("a", "p", "t", ranks, named=frozenset([BRAND])) for ranks in ({BRAND: 1, RIVAL: 2}, {})]
    assert repeatability(tally(answers)) == {BRAND: None, RIVAL: 0}


def test_engines_beside_the_average_are_left_out():
    answers = [Answer("a", "p", "t", {})] * 2 + [Answer("b", "p", "t", ranks) for ranks in ({BRAND: 1}, {})]
    assert repeatability(tally(answers, averaged=["a"]))[BRAND] == 100
