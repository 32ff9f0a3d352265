"""The score follows its formula, and caps hold it down."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from visibility.audit.catalogue import CATALOGUE
from visibility.audit.outcome import Outcome, not_applicable, passed
from visibility.audit.score import CATEGORIES, Cap, scores

NONE = Outcome("failed", share=0.0)
FOUND = st.one_of(
    st.just(passed()),
    st.sampled_from(["not_applicable", "inconclusive"]).map(Outcome),
    st.builds(
        lambda share, lost: Outcome("failed", share=share, lost=lost),
        st.floats(0, 1),
        st.sampled_from([0.0, 0.05, 0.25, 1.0]),
    ),
)
OUTCOMES = st.dictionaries(st.sampled_from(list(CATALOGUE)), FOUND)


def test_the_score_is_the_weighted_mean_of_the_shares():
    found = {
        "ACC-01": passed(),
        "DIS-04": Outcome("failed", share=0.25),
        "ACC-08": passed(),
        "REN-01": not_applicable(""),
    }
    told = scores(found, CATALOGUE)
    assert told.overall == pytest.approx(100 * (8 * 1 + 2 * 0.25) / 10)
    access, discovery = told.categories[0], told.categories[2]
    assert (access.score, access.passed, access.failed, access.weight) == (100, 2, 0, 80)
    assert (discovery.score, discovery.passed, discovery.failed, discovery.weight) == (25, 0, 1, 20)
    rendering = told.categories[1]
    assert (rendering.score, rendering.passed, rendering.failed, rendering.weight) == (None, 0, 0, 0)


def test_without_anything_that_applies_there_is_no_score():
    for found in ({}, {"ACC-01": not_applicable("nothing there")}, {"ACC-08": passed()}):
        told = scores(found, CATALOGUE)
        assert told.overall is None
        assert [each.id for each in told.categories] == list(CATEGORIES)
        assert {each.score for each in told.categories} == {None}


def test_a_critical_defect_caps_the_score_and_is_named_with_its_cap():
    good = {name: passed() for name in CATALOGUE}
    barred = Outcome("failed", share=0.9, lost=1.0)
    told = scores({**good, "ACC-04": barred, "REN-01": barred}, CATALOGUE)
    assert told.overall == 25
    assert told.caps == (Cap("REN-01", 25), Cap("ACC-04", 40))


def test_the_score_falls_with_the_pages_that_are_lost():
    good = {name: passed() for name in CATALOGUE}
    for check, lost, cap in (("DIS-04", 0.25, 75), ("ACC-01", 0.6, 40), ("ACC-01", 0.95, 25), ("ACC-04", 0.9, 40)):
        told = scores({**good, check: Outcome("failed", share=0.99, lost=lost)}, CATALOGUE)
        assert told.overall == pytest.approx(cap) and told.caps == (Cap(check, pytest.approx(cap)),)


def test_a_page_or_two_are_no_critical_defect():
    told = scores(
        {name: passed() for name in CATALOGUE} | {"ACC-06": Outcome("failed", share=0.99, lost=0.01)}, CATALOGUE
    )
    assert told.caps == () and told.overall == pytest.approx(99)


def test_a_check_that_loses_nothing_only_weighs():
    every = sum(entry.weight for entry in CATALOGUE.values())
    told = scores({name: passed() for name in CATALOGUE} | {"ACC-01": Outcome("failed", share=0.9)}, CATALOGUE)
    assert told.caps == () and told.overall == pytest.approx(100 - 100 * 8 * 0.1 / every)


@given(OUTCOMES)
def test_every_score_is_between_0_and_100(found):
    told = scores(found, CATALOGUE)
    for value in (told.overall, *(each.score for each in told.categories)):
        assert value is None or 0 <= value <= 100.000001
    assert sum(each.weight for each in told.categories) in (0, pytest.approx(100))


@given(OUTCOMES, st.sampled_from(list(CATALOGUE)), st.sampled_from(["not_applicable", "inconclusive"]))
def test_what_does_not_apply_changes_nothing(found, check, verdict):
    found.pop(check, None)
    assert scores({**found, check: Outcome(verdict)}, CATALOGUE) == scores(found, CATALOGUE)


@given(OUTCOMES, st.sampled_from([name for name, entry in CATALOGUE.items() if entry.cap]))
def test_a_cap_only_lowers(found, check):
    share = 0.5
    free = scores({**found, check: Outcome("failed", share=share)}, CATALOGUE).overall
    capped = scores({**found, check: Outcome("failed", share=share, lost=1.0)}, CATALOGUE).overall
    assert capped == min(free, CATALOGUE[check].cap)


@given(OUTCOMES, st.sampled_from(list(CATALOGUE)))
def test_passing_one_more_check_never_lowers_the_score(found, check):
    before = scores({**found, check: NONE}, CATALOGUE).overall
    after = scores({**found, check: passed()}, CATALOGUE).overall
    assert before is None or after >= before - 1e-9
