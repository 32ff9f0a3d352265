"""How alike repeated answers are."""

import json
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from visibility.metrics.overlap import Stability, jaccard, rank_biased_overlap, stability

BRANDS = st.lists(st.sampled_from("abcdef"), max_size=6)
PROMPTS = st.lists(st.lists(BRANDS, max_size=4), max_size=4)


def test_the_reference_is_met(reference_data):
    items = json.loads((reference_data / "rbo_reference.json").read_text())["items"]
    assert len(items) >= 150
    for item in items:
        first, second = item["a"], item["b"]
        for p in (0.9, 0.8):
            assert rank_biased_overlap(first, second, p) == pytest.approx(item[f"rbo_ext_p{p}"], abs=1e-9)
        assert rank_biased_overlap(first, second) == rank_biased_overlap(first, second, 0.9)
        assert jaccard(first, second) == pytest.approx(item["jaccard"], abs=1e-9)


def test_by_hand():
    """a, b against b, a: nothing agrees at depth 1, all at depth 2 and beyond: (1-p)/p · 1·p² + 1·p² = p."""
    assert rank_biased_overlap("ab", "ba", 0.9) == pytest.approx(0.9)
    assert rank_biased_overlap("a", "b") == 0
    assert rank_biased_overlap("a", "ab") == pytest.approx(1)
    assert jaccard("ab", "bc") == pytest.approx(1 / 3)


@pytest.mark.parametrize(("first", "second", "value"), [("", "", 1), ("", "a", 0), ("a", "", 0)])
def test_empty_lists(first, second, value):
    assert jaccard(first, second) == rank_biased_overlap(first, second) == value


@given(BRANDS, BRANDS, st.floats(0.01, 0.99))
def test_overlaps_are_symmetric_and_between_0_and_1(first, second, p):
    value = rank_biased_overlap(first, second, p)
    assert 0 <= value <= 1
    assert value == rank_biased_overlap(second, first, p)
    assert rank_biased_overlap(first, first, p) == pytest.approx(1)
    assert 0 <= jaccard(first, second) == jaccard(second, first) <= 1


def test_stability_by_hand():
    """A prompt with one pair of equal lists and two pairs that share nothing, one without names, one asked once."""
    found = stability([[["a"], ["a"], ["b"]], [[], []], [["a", "b"]]], ["a"])["a"]
    assert found.jaccard == found.rbo == pytest.approx(1 / 3)
    assert found.again == pytest.approx(0.5)
    assert found.repeated == 2


def test_mentioned_again_counts_mentions():
    """3 of 3 name it: all again. 1 of 3: never. So 3 mentions of 4 are repeated each time."""
    assert stability([[["a"]] * 3, [["a"], [], []]], ["a"])["a"].again == pytest.approx(3 / 4)


def test_nothing_to_tell():
    nothing = Stability(None, None, None, 0)
    assert stability([], ["a"]) == stability([[["a"]]], ["a"]) == {"a": nothing}
    assert stability([[[], []]], ["a"]) == {"a": Stability(None, None, None, 1)}
    assert stability([[["b"], ["b"]]], ["a"])["a"].again is None


@given(st.lists(BRANDS, min_size=2, max_size=6))
def test_equal_lists_count_as_often_as_they_came(answers):
    """The definition, pair by pair."""
    pairs = [pair for pair in combinations(answers, 2) if any(pair)]
    found = stability([answers], ["a"])["a"]
    for value, measure in ((found.jaccard, jaccard), (found.rbo, rank_biased_overlap)):
        assert value == (pytest.approx(sum(measure(*pair) for pair in pairs) / len(pairs)) if pairs else None)


@given(PROMPTS, st.randoms(use_true_random=False))
def test_order_of_prompts_and_answers_does_not_matter(prompts, random):
    shuffled = [random.sample(answers, len(answers)) for answers in random.sample(prompts, len(prompts))]
    one, other = stability(prompts, ["a"])["a"], stability(shuffled, ["a"])["a"]
    for first, second in ((one.jaccard, other.jaccard), (one.rbo, other.rbo), (one.again, other.again)):
        assert first == pytest.approx(second)
        assert first is None or 0 <= first <= 1
