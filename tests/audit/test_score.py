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
        lambda share, critical: Outcome("failed", share=share, critical=critical),
        st.floats(0, 1),
        st.booleans(),
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
    barred = Outcome("failed", share=0.9, critical=True)
    told = scores({**good, "ACC-04": barred, "REN-01": barred}, CATALOGUE)
    assert told.overall == 25
    assert told.caps == (Cap("REN-01", 25), Cap("ACC-04", 40))


def test_a_cap_applies_only_where_the_defect_is_critical():
    told = scores({name: passed() for name in CATALOGUE} | {"ACC-01": Outcome("failed", share=0.9)}, CATALOGUE)
    assert told.caps == () and told.overall == pytest.approx(100 - 100 * 8 * 0.1 / 96)


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
    capped = scores({**found, check: Outcome("failed", share=share, critical=True)}, CATALOGUE).overall
    assert capped == min(free, CATALOGUE[check].cap)


@given(OUTCOMES, st.sampled_from(list(CATALOGUE)))
def test_passing_one_more_check_never_lowers_the_score(found, check):
    before = scores({**found, check: NONE}, CATALOGUE).overall
    after = scores({**found, check: passed()}, CATALOGUE).overall
    assert before is None or after >= before - 1e-9
