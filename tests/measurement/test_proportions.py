"""Textbook intervals and tests against statsmodels' numbers."""

import json
from itertools import pairwise
from math import inf

import pytest
from hypothesis import given
from hypothesis import strategies as st

from visibility.metrics.intervals import wilson
from visibility.metrics.proportions import (
    agresti_coull,
    clopper_pearson,
    jeffreys,
    mantel_haenszel_test,
    newcombe,
    paired_t_test,
    pooled_z_test,
    wald,
)

EXACT = {"rel": 1e-9, "abs": 1e-9}
INTERVALS = {
    "wilson": wilson,
    "agresti_coull": agresti_coull,
    "beta": clopper_pearson,
    "jeffreys": jeffreys,
    "normal": wald,
}


@pytest.fixture
def reference(reference_data):
    return json.loads((reference_data / "stats_reference.json").read_text())


@pytest.mark.parametrize("name", INTERVALS)
def test_intervals_of_a_proportion(reference, name):
    for item in reference["one_proportion"]:
        assert INTERVALS[name](item["x"], item["n"]) == pytest.approx(item[name], **EXACT)


def test_difference_of_two_proportions(reference):
    for item in reference["two_proportions"]:
        days = tuple(item["day1"]), tuple(item["day2"])
        assert newcombe(*days) == pytest.approx(item["newcombe_diff_day2_minus_day1"], **EXACT)
        found = pooled_z_test(*days)
        assert (found.statistic, found.p) == pytest.approx((item["pooled_z"], item["p"]), **EXACT)


def test_stratified_tables_and_paired_prompts(reference):
    for item in reference["cmh"]:
        found = mantel_haenszel_test(item["tables"])
        assert (found.statistic, found.p) == pytest.approx((item["cmh_stat"], item["cmh_p"]), **EXACT)
        changes = [after[0] / sum(after) - before[0] / sum(before) for before, after in item["tables"]]
        assert sum(changes) / len(changes) == pytest.approx(item["paired_prompt_mean_diff"], **EXACT)
        paired = paired_t_test(changes)
        assert (paired.statistic, paired.p) == pytest.approx((item["paired_t"], item["paired_p"]), **EXACT)


def test_every_number_of_the_reference_has_its_function(reference):
    assert set(reference) == {"about", "one_proportion", "two_proportions", "cmh"}
    assert {key for item in reference["one_proportion"] for key in item} == {"x", "n", *INTERVALS}


def test_by_hand():
    """5 of 10 against 10 of 10: pooled 3/4, variance 3/16 · 2/10, z = .5/√.0375."""
    assert pooled_z_test((5, 10), (10, 10)).statistic == pytest.approx(0.5 / 0.0375**0.5)
    # One table 2,0 / 0,2: first cell 2, expected 1, variance 2·2·2·2/(16·3) = 1/3.
    assert mantel_haenszel_test([[[2, 0], [0, 2]]]).statistic == pytest.approx(3)
    assert paired_t_test([1, 3]).statistic == pytest.approx(2)


def test_what_does_not_vary():
    assert pooled_z_test((0, 5), (0, 5)).p == pooled_z_test((5, 5), (5, 5)).p == 1
    assert mantel_haenszel_test([]).p == mantel_haenszel_test([[[1, 0], [0, 0]], [[3, 0], [3, 0]]]).p == 1
    assert paired_t_test([]).p == paired_t_test([1]).p == paired_t_test([0, 0]).p == 1
    assert (paired_t_test([-1, -1]).statistic, paired_t_test([-1, -1]).p) == (-inf, 0)


COUNTS = st.integers(1, 300).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))


@given(COUNTS, st.sampled_from(sorted(INTERVALS)))
def test_intervals_hold_their_value_and_stay_between_0_and_1(counts, name):
    low, high = INTERVALS[name](*counts)
    assert 0 <= low <= high <= 1
    if name != "jeffreys":
        assert low <= counts[0] / counts[1] + 1e-12 and counts[0] / counts[1] - 1e-12 <= high
    mirrored = INTERVALS[name](counts[1] - counts[0], counts[1])
    assert mirrored == pytest.approx((1 - high, 1 - low), abs=1e-9)


@given(COUNTS, COUNTS)
def test_tests_do_not_depend_on_which_day_is_first(before, after):
    one, other = pooled_z_test(before, after), pooled_z_test(after, before)
    assert one.statistic == pytest.approx(-other.statistic)
    assert one.p == pytest.approx(other.p)
    assert 0 <= one.p <= 1
    low, high = newcombe(before, after)
    difference = after[0] / after[1] - before[0] / before[1]
    assert -1 - 1e-12 <= low <= difference + 1e-12
    assert difference - 1e-12 <= high <= 1 + 1e-12


@given(st.lists(COUNTS, min_size=2, max_size=6), st.randoms(use_true_random=False))
def test_order_of_tables_does_not_matter(counts, random):
    tables = [[[a, n - a], [b, m - b]] for (a, n), (b, m) in pairwise(counts)]
    shuffled = random.sample(tables, len(tables))
    assert mantel_haenszel_test(tables).statistic == pytest.approx(mantel_haenszel_test(shuffled).statistic)
