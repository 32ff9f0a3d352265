"""Reciprocal rank, the first three, mean rank."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from visibility.metrics.ranks import RankFigures, rank_figures
from visibility.metrics.table import tabulate
from visibility.metrics.types import UNMEASURED, AnswerOutcome


def answer(prompt, rank, engine="e", topic=None, named=()):
    """`rank` 0: not mentioned; None: mentioned without a rank that can be told."""
    ranks = {} if rank == 0 else {"b": rank}
    return AnswerOutcome(prompt, topic or prompt, engine, ranks, named=frozenset(named))


def figures_of(outcomes, subjects):
    """Over all engines of the outcomes, by subject."""
    table = tabulate(outcomes, subjects)
    return dict(zip(subjects, rank_figures(table, np.ones(len(table.engines), dtype=bool)), strict=True))


def test_by_hand():
    """Ranks 1, 4, none to one prompt; 2 to another: the mean is over answers, the rate over prompts."""
    found = figures_of([answer("p", 1), answer("p", 4), answer("p", 0), answer("q", 2)], ["b"])["b"]
    assert found.mean_reciprocal_rank.value == pytest.approx(100 * (1 + 1 / 4 + 0 + 1 / 2) / 4)
    assert found.top_three.value == pytest.approx(100 * (1 / 3 + 1) / 2)
    assert (found.mean_rank, found.mentions) == (pytest.approx(7 / 3), 3)
    assert found.top_three.interval == found.mean_reciprocal_rank.interval == "questions"
    four = figures_of([answer(name, rank) for name, rank in zip("pqrs", (1, 4, 0, 2), strict=True)], ["b"])["b"]
    for figure in (four.top_three, four.mean_reciprocal_rank):
        assert 0 < figure.low < figure.value < figure.high < 100


def test_a_mention_without_a_place_is_worth_what_the_others_are():
    """Named in five of six answers, three times with a place: 1, 4 and 2."""
    outcomes = [*(answer("p", rank) for rank in (1, 4, None)), answer("q", 0), answer("r", 2), answer("s", None)]
    found = figures_of(outcomes, ["b"])["b"]
    reciprocal = found.mean_reciprocal_rank
    assert reciprocal.value == pytest.approx(100 * 5 / 6 * (1 + 1 / 4 + 1 / 2) / 3)
    assert (reciprocal.bounds.least, reciprocal.bounds.most) == pytest.approx((100 * 1.75 / 6, 100 * 3.75 / 6))
    assert reciprocal.bounds.low < reciprocal.bounds.least < reciprocal.value < reciprocal.bounds.most
    # As in the score prompts count alike: an answer to p weighs 1/12, to the others 1/4.
    assert found.top_three.value == pytest.approx(100 * (1 + 0 + 1 + 1) / 4 * (1 / 12 + 1 / 4) / (2 / 12 + 1 / 4))
    assert (found.mean_rank, found.mentions, found.ranked) == (pytest.approx(7 / 3), 5, 3)


def test_without_any_place_there_are_bounds_only_and_never_named_is_nothing():
    found = figures_of([answer("p", None), answer("q", 0), answer("q", 0)], ["b"])["b"]
    for figure, most in ((found.mean_reciprocal_rank, 100 / 3), (found.top_three, 50)):
        assert (figure.value, figure.low, figure.high, figure.reason) == (None, None, None, None)
        assert (figure.bounds.least, figure.bounds.most) == (0, pytest.approx(most))
    assert (found.mean_rank, found.mentions, found.ranked) == (None, 1, 0)
    never = figures_of([answer("p", 0)], ["b"])["b"]
    assert (never.mean_reciprocal_rank.value, never.mean_reciprocal_rank.bounds) == (0, None)


def test_an_engine_without_places_is_reckoned_with_the_places_of_the_others():
    """e always names it, half of the time first and half second; f in one of two answers, without a place."""
    outcomes = [answer("p", 1), answer("p", 2), answer("p", None, "f"), answer("p", 0, "f"), answer("p", 0, "g")]
    overall = figures_of(outcomes, ["b"])["b"].mean_reciprocal_rank
    assert overall.value == pytest.approx(100 * (1 + 1 / 2 + 0) / 3 * 3 / 4)
    assert (overall.bounds.least, overall.bounds.most) == pytest.approx((100 * 3 / 4 / 3, 100 * (3 / 4 + 1 / 2) / 3))


def test_engines_count_alike_and_prompts_that_name_the_subject_not_at_all():
    outcomes = [answer("p", 1), answer("p", 1), answer("p", 0, "f"), answer("q", 1, "f", named="b")]
    found = figures_of(outcomes, ["b"])["b"]
    assert found.mean_reciprocal_rank.value == found.top_three.value == 50
    assert found.mentions == 2


def test_the_mean_rank_is_the_mean_of_the_engines_that_name_the_subject():
    outcomes = [answer("p", 1), answer("q", 1), answer("p", 5, "f"), answer("q", 0, "f"), answer("p", 0, "g")]
    found = figures_of(outcomes, ["b"])["b"]
    assert (found.mean_rank, found.mentions) == (3, 3)


def test_one_topic_has_no_interval_and_nothing_is_unmeasured():
    found = figures_of([answer("p", 3)], ["b", "c"])
    assert found["b"].top_three.value == 100
    assert found["b"].top_three.low is found["b"].mean_reciprocal_rank.high is None
    assert found["b"].top_three.reason == "asked_once"
    assert found["c"].mean_rank is None
    assert figures_of([], ["b"])["b"] == RankFigures(UNMEASURED, UNMEASURED, None, 0, 0)


OUTCOMES = st.lists(
    st.builds(
        answer,
        st.sampled_from("pqr"),
        st.integers(0, 6) | st.none(),
        st.sampled_from("ef"),
        st.sampled_from(["t", "u"]),
    )
)


@given(OUTCOMES, st.randoms(use_true_random=False))
def test_figures_are_between_0_and_100_whatever_the_order(outcomes, random):
    found = figures_of(outcomes, ["b", "c"])
    assert found == figures_of(random.sample(outcomes, len(outcomes)), ["c", "b"])
    for figure in (found["b"].mean_reciprocal_rank, found["b"].top_three):
        assert figure.value is None or 0 <= figure.value <= 100
        assert figure.low is None or 0 <= figure.low <= figure.value + 1e-9 <= figure.high + 2e-9 <= 100 + 3e-9
        if (bounds := figure.bounds) is not None:
            assert 0 <= bounds.least <= bounds.most + 1e-9 <= 100 + 2e-9
            assert figure.value is None or bounds.least - 1e-9 <= figure.value <= bounds.most + 1e-9
