"""Variance budgets: parts worked out by hand, and advice that keeps what it promises."""

from dataclasses import replace

import numpy as np
import pytest

from tests.measurement.test_change import day
from tests.measurement.test_metrics import answers
from visibility.metrics.budget import Advice, Budget, change_budget, score_budget
from visibility.metrics.change import Metric, compare
from visibility.metrics.components import Components, components
from visibility.metrics.pairs import pair_days


def test_components_of_a_balanced_design_by_hand():
    """One engine; two topics of two prompts with two answers, means 1, 1/2 and 1/2, 0: SS of answers 1 (4 df),

    of prompts 1/2 (2 df), of topics 1/2 (1 df): variances 1/4, (1/4 - 1/4)/2 = 0 and (1/2 - 1/4)/4 = 1/16.
    In the variance of the mean over 8 answers, 4 prompts, 2 topics: 1/4/8, 0 and 1/16/2.
    """
    found = components(np.full((1, 4), 2.0), np.array([[2.0, 1.0, 1.0, 0.0]]), np.array([0, 0, 1, 1]))
    assert found == Components(pytest.approx(1 / 32), pytest.approx(0), None, pytest.approx(1 / 32))


def test_components_of_two_engines_by_hand():
    """Two prompts (each a topic), two answers of each of two engines: means 1, 0 and 0, 1: only the engines differ.

    Neither answers nor prompts vary; the SS of engines is 2 with 2 df, its expectation 4 times their variance: 1/2.
    That of topics would be below 0. Of four cells of weight 1/4 the engines' part is 1/2 · 4/16.
    """
    found = components(np.full((2, 2), 2.0), np.array([[2.0, 0.0], [0.0, 2.0]]), np.array([0, 1]))
    assert found == Components(0.0, None, pytest.approx(1 / 8), 0.0)


def test_an_engine_that_is_higher_throughout_is_no_uncertainty():
    found = components(np.full((2, 12), 2.0), np.array([[2.0] * 12, [0.0] * 12]), np.arange(12))
    assert found == Components(0.0, None, 0.0, 0.0)


def test_one_answer_to_each_prompt_hides_the_part_of_samples():
    found = components(np.ones((1, 4)), np.array([[1.0, 0.0, 1.0, 0.0]]), np.arange(4))
    assert found == Components(pytest.approx(1 / 3 / 4), None, None, None)
    assert components(np.zeros((1, 4)), np.zeros((1, 4)), np.arange(4)) is None


def test_components_are_those_that_were_drawn():
    """Unequal numbers of answers, three engines at different levels: the mean of many estimates is the truth."""
    rng = np.random.default_rng(5)
    topic, found = np.repeat(np.arange(12), 3), []
    level = np.array([-0.1, 0.0, 0.1])[:, None]
    for _ in range(1500):
        signs = (rng.choice([-1, 1], 12)[topic], rng.choice([-1, 1], 36), rng.choice([-1, 1], (3, 36)))
        chance = 0.5 + level + 0.15 * signs[0] + 0.1 * signs[1] + 0.1 * signs[2]
        size = rng.integers(2, 6, (3, 36))
        parts = components(size.astype(float), rng.binomial(size, chance).astype(float), topic)
        found.append([parts.topic, parts.prompt, parts.engine])
    # An estimate below nothing is shown as nothing, so that means may be a little above.
    assert np.mean(found, axis=0) == pytest.approx([0.0225 / 12, 0.01 / 36, 0.01 / 108], rel=0.15)


def budget(share, reach=20.0, **more):
    known = {
        "parts": {"run": 1 - share, "sample": share},
        "target": 10.0,
        "prompts": 20,
        "topics": 10,
        "samples": 3.0,
    }
    return Budget(**{**known, "reach": reach, **more})


class TestAdvice:
    def test_where_samples_are_all_the_uncertainty_they_are_as_good_as_prompts(self):
        own = budget(1.0)
        assert (own.prompts_needed, own.samples_needed, own.advice) == (80, 12, Advice.SAMPLES)
        assert own.reason == (
            "100 % of the uncertainty is chance from one answer to the next: about 12 samples of each prompt "
            "would reach 10 points."
        )

    def test_where_they_are_little_of_it_only_prompts_help(self):
        own = budget(0.5)
        assert (own.samples_needed, own.advice) == (None, Advice.PROMPTS)
        assert "No number of samples would reach 10 points; about 80 prompts instead of 20" in own.reason

    def test_where_samples_cost_more_answers_prompts_are_advised(self):
        own = budget(0.8)
        assert (own.samples_needed, own.advice) == (48, Advice.PROMPTS)
        assert own.reason.endswith("with the fewest answers.")

    @pytest.mark.parametrize("share", [0.8, 0.9, 1.0])
    def test_what_is_needed_does_reach_the_target(self, share):
        own = budget(share)
        variance = (1 - share) + share * own.samples / own.samples_needed
        assert own.reach * variance**0.5 <= own.target
        fewer = (1 - share) + share * own.samples / (own.samples_needed - 1)
        assert own.reach * fewer**0.5 > own.target

    def test_enough_is_enough(self):
        assert budget(0.5, reach=9.9).advice == Advice.ENOUGH
        assert budget(0.5, reach=9.9).prompts_needed == 20

    @pytest.mark.parametrize(
        ("more", "advice", "words"),
        [
            ({"topics": 1}, Advice.PROMPTS, "one topic"),
            ({"prompts": 9}, Advice.PROMPTS, "too few"),
            ({"parts": {}, "reach": None}, Advice.PROMPTS, "No answers differ"),
            ({"parts": {"run": 1.0}}, Advice.SAMPLES, "asked once"),
            ({"reach": None}, Advice.PROMPTS, "no change at all"),
        ],
    )
    def test_what_stands_in_the_way_comes_first(self, more, advice, words):
        own = replace(budget(0.9), **more)
        assert own.advice == advice and words in own.reason

    def test_shares_are_percent(self):
        assert budget(0.25).shares == {"run": 75.0, "sample": 25.0}
        assert budget(0.25, parts={"run": 0.0}).shares == {}


class TestScore:
    def test_its_reach_is_about_the_interval_of_the_score(self):
        own = score_budget(day("e", *["b b", "- b", "- -", "b b"] * 5), "b")
        assert (own.prompts, own.topics, own.samples) == (20, 20, 2)
        assert set(own.shares) == {"topic", "sample"} and sum(own.shares.values()) == pytest.approx(100)
        # The means' variance over topics is 20/19 · (10 · (3/8)² + 5 · (1/8)² + 5 · (5/8)²)/400, t of 19 is 2.093.
        assert own.reach == pytest.approx(100 * 2.093 * (20 / 19 * 3.4375 / 400) ** 0.5, abs=0.01)

    def test_prompts_that_name_the_brand_are_left_out(self):
        assert score_budget(answers("e", "p", "t", "b", named="b"), "b") is None
        assert score_budget([], "b") is None


class TestChange:
    def both(self, before, now, **more):
        pair = pair_days(day("e", *before, **more), day("e", *now, **more), ["b"], ["e"])
        return pair, {change.metric: change for change in compare(pair) if change.engine is None}

    def test_samples_and_the_rest(self):
        """Each prompt moves from 1 of 2 to 2 of 2 or 0 of 2 in turn: the samples' σ² is 12 · (1/2)/24 = 1/4.

        Their part is 1/4 · 12/144 · (1/2 + 1/2); d is ±1/2, so the variance is 12/11 · 12 · 1/4 / 144.
        """
        pair, changes = self.both(["b -"] * 12, ["b b", "- -"] * 6)
        own = change_budget(pair, changes[Metric.SCORE])
        assert own.parts["sample"] == pytest.approx(1 / 48)
        assert sum(own.parts.values()) == pytest.approx(1 / 44)
        assert own.reach == changes[Metric.SCORE].minimum_detectable

    def test_samples_never_make_more_than_all(self):
        pair, changes = self.both(["b -"] * 11 + ["b b"], ["b -"] * 12)
        own = change_budget(pair, changes[Metric.SCORE])
        assert own.shares == {"run": 0.0, "sample": 100.0}

    def test_asked_once_on_both_days(self):
        pair, changes = self.both(["b", "-", "-"] * 4, ["b", "b", "-"] * 4)
        assert change_budget(pair, changes[Metric.SCORE]).advice == Advice.SAMPLES

    def test_only_the_score_over_all_engines_has_one(self):
        pair, changes = self.both(["b"] * 12, ["-"] * 11 + ["b"])
        assert change_budget(pair, changes[Metric.CITATION_RATE]) is None
        assert change_budget(pair, replace(changes[Metric.SCORE], engine="e")) is None
        assert change_budget(pair, changes[Metric.SHARE_OF_VOICE]) is None
