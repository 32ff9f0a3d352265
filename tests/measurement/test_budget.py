"""Variance budgets: parts worked out by hand, and what plans reckon with."""

from dataclasses import replace

import numpy as np
import pytest

from tests.measurement.test_change import day
from tests.measurement.test_metrics import answers
from visibility.metrics.budget import change_budget, score_budget
from visibility.metrics.change import Metric, compare
from visibility.metrics.components import Components, components
from visibility.metrics.measure import measure
from visibility.metrics.pairs import pair_days
from visibility.metrics.planning import ASSUMED_SPREAD, Source, Spread, Wander


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


class TestScore:
    OUTCOMES = day("e", *["b b", "- b", "- -", "b b"] * 5)

    def test_its_reach_is_half_the_interval_of_the_score(self):
        own = score_budget(self.OUTCOMES, ["b"])
        assert (own.prompts, own.topics, own.samples, own.engines, own.branded) == (20, 20, 2, 1, 0)
        assert set(own.shares) == {"topic", "sample"} and sum(own.shares.values()) == pytest.approx(100)
        score = measure(self.OUTCOMES, ["b"])["b"].overall.score
        assert own.reach == pytest.approx((score.high - score.low) / 2)

    def test_it_knows_what_its_interval_reckons_with(self):
        """One-way analysis of variance of 20 prompts with 2 answers: rate 25/40, means 1, 1/2, 0 (10, 5, 5 times).

        SS between 20 prompts 2 · (10 · (3/8)² + 5 · (1/8)² + 5 · (5/8)²) = 6.875 with 19 df, within 5/2 with 20 df:
        σ² within 1/8, between (6.875/19 - 1/8)/2. Drawn towards 1 by (2/m)², m being 20 · 4 · 25/40 · 15/40.
        """
        between = (6.875 / 19 - 1 / 8) / 2
        own, doubt = between / (between + 1 / 8), (2 / 18.75) ** 2
        alike = pytest.approx(own + (1 - own) * doubt)
        assert score_budget(self.OUTCOMES, ["b"]).spread == Spread(pytest.approx(25 / 40), alike, alike, Source.OWN)

    def test_a_brand_that_no_answer_names_borrows_from_the_others_of_the_panel(self):
        own = score_budget(self.OUTCOMES, ["c", "b"])
        borrowed = score_budget(self.OUTCOMES, ["b"]).spread
        assert own.spread == replace(borrowed, rate=0.0, source=Source.PANEL, subjects=2)

    def test_where_nothing_differs_it_is_assumed(self):
        own = score_budget(self.OUTCOMES, ["c"])
        assert own.spread == replace(ASSUMED_SPREAD, rate=0.0) and own.shares == {}

    def test_prompts_that_name_the_brand_are_left_out(self):
        branded = answers("e", "p", "t", "b", named="b")
        assert score_budget(branded, ["b"]) is None
        assert score_budget([], ["b"]) is None
        own = score_budget([*branded, *self.OUTCOMES], ["b"])
        assert (own.prompts, own.branded) == (20, 1)


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
        assert own.wander == Wander(pytest.approx((1 / 44 - 1 / 48) * 12), pytest.approx(1 / 4))

    def test_samples_never_make_more_than_all(self):
        pair, changes = self.both(["b -"] * 11 + ["b b"], ["b -"] * 12)
        own = change_budget(pair, changes[Metric.SCORE])
        assert own.shares == {"run": 0.0, "sample": 100.0}

    def test_asked_once_on_both_days(self):
        pair, changes = self.both(["b", "-", "-"] * 4, ["b", "b", "-"] * 4)
        own = change_budget(pair, changes[Metric.SCORE])
        assert (set(own.shares), own.wander, own.samples) == ({"run"}, None, 1)

    def test_only_the_score_over_all_engines_has_one(self):
        pair, changes = self.both(["b"] * 12, ["-"] * 11 + ["b"])
        assert change_budget(pair, changes[Metric.CITATION_RATE]) is None
        assert change_budget(pair, replace(changes[Metric.SCORE], engine="e")) is None
        assert change_budget(pair, changes[Metric.SHARE_OF_VOICE]) is None
