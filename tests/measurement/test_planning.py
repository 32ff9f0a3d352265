"""Plans keep what they promise: the interval and the test of change of a panel that is drawn as planned."""

import re
from dataclasses import replace
from functools import partial

import numpy as np
import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.amounts import PROOFS
from tests.measurement.simulation import Population, draw_outcomes, draw_propensities
from visibility.metrics.cells import gather
from visibility.metrics.contrasts import rate_contrast
from visibility.metrics.correlation import correlation, pooled, sums_of_squares
from visibility.metrics.intervals import design_size, student_quantile, student_size, wilson_of_effective_size
from visibility.metrics.measure import measure
from visibility.metrics.pairs import Counts, Pair
from visibility.metrics.planning import (
    ASSUMED_SPREAD,
    HARDLY_DEARER,
    MIN_TOPICS,
    Design,
    Limits,
    Source,
    Spread,
    Wander,
    _mean_of_larger,
    assumed_wander,
    finest,
    half_width,
    least_change,
    plan_for,
)
from visibility.metrics.table import tabulate
from visibility.metrics.types import AnswerOutcome

DAYS = 40
FEW_DAYS = DAYS if PROOFS else 12
"""For large panels, which take longest: the half widths of single days spread by less than a tenth there, so that the
mean of twelve is known to 3 % of itself; 15 % are five times as much."""
RIVALS = {"x": 0.3, "y": 0.15}
SPREADS = {
    "usual": (Spread(0.3, 0.66, 0.6), 1),
    "three engines": (Spread(0.3, 0.66, 0.6), 3),
    "rare": (Spread(0.1, 0.66, 0.5), 1),
    "often, hardly alike": (Spread(0.8, 0.4, 0.2), 2),
    "topics wholly alike": (Spread(0.38, 0.66, 0.66), 1),
}


class TestInterval:
    @pytest.mark.parametrize("wordings", [1, 2])
    @pytest.mark.parametrize("target", [5.0, 8.0, 14.0])
    @pytest.mark.parametrize(("spread", "engines"), SPREADS.values(), ids=SPREADS.keys())
    def test_a_planned_panel_reaches_its_margin(self, spread, engines, target, wordings):
        """The mean half width of simulated days of the service's own measure, within 15 % of what was promised."""
        spread = replace(spread, subjects=1 + len(RIVALS))
        plan = plan_for(partial(half_width, spread=spread), target, limits=Limits(), engines=engines)
        design = plan.by_wordings[wordings - 1]
        names = {f"engine {number}": (design.samples,) for number in range(engines)}
        population = Population(
            {"": spread.rate, **RIVALS}, design.topics, (wordings,), names,
            spread.prompt_correlation, spread.topic_correlation,
        )  # fmt: skip
        rng, widths = np.random.default_rng(20261122), []
        for _ in range(FEW_DAYS if target < 8 else DAYS):
            chances = {name: draw_propensities(rng, population, rate) for name, rate in population.rates.items()}
            score = measure(draw_outcomes(rng, population, chances), list(population.rates))[""].overall.score
            widths.append((score.high - score.low) / 2)
        promise = half_width(design, spread)
        assert promise <= target
        assert np.mean(widths) == pytest.approx(promise, rel=0.15)

    @given(
        topics=st.integers(4, 30), wordings=st.integers(1, 4), samples=st.integers(1, 4), engines=st.integers(1, 3),
        alike=st.tuples(st.floats(0, 1), st.floats(0, 1)).map(lambda pair: (max(pair), min(pair))),
    )  # fmt: skip
    @settings(max_examples=40)
    def test_its_design_effect_is_that_of_the_interval(self, topics, wordings, samples, engines, alike):
        population = Population(
            {"": 0.4}, topics, (wordings,), {str(number): (samples,) for number in range(engines)}, 0.5, 0.3
        )
        rng = np.random.default_rng(1)
        table = tabulate(draw_outcomes(rng, population, {"": np.full(topics * wordings, 0.4)}), [""])
        cells = gather(table, table.mentioned, ~table.named)
        size = design_size(cells, *alike)[0] / _mean_of_larger(topics - 1)
        low, high = wilson_of_effective_size(0.4, student_size(size, topics - 1))
        own = half_width(Design(topics, wordings, samples, engines), Spread(0.4, *alike))
        assert own == pytest.approx(50 * (high - low))

    def test_by_hand(self):
        """16 topics asked once, wholly alike within: 16 observations, Student's quantile of 15 is 2.131."""
        size = 16 / _mean_of_larger(15) * (1.959964 / 2.131450) ** 2
        z2 = 1.959964**2
        half = (z2 * (0.25 / size + z2 / (4 * size**2))) ** 0.5 / (1 + z2 / size)
        assert half_width(Design(16, 1, 1), Spread(0.5, 1.0, 1.0)) == pytest.approx(100 * half, rel=1e-5)

    @pytest.mark.parametrize("freedom", [3, 9, 40])
    def test_the_larger_of_two_variances_is_larger_by_the_factor(self, freedom):
        drawn = np.random.default_rng(3).chisquare(freedom, 400_000) / freedom
        assert _mean_of_larger(freedom) == pytest.approx(np.maximum(1, drawn).mean(), rel=0.005)

    def test_a_brand_that_is_named_nowhere_is_planned_for_as_a_rare_one(self):
        design = Design(20, 1, 3)
        assert half_width(design, Spread(0.0, 0.66, 0.6)) == half_width(design, Spread(0.05, 0.66, 0.6))


class TestChange:
    @pytest.mark.parametrize(
        ("topics", "wordings", "samples", "engines", "run"),
        [(20, 1, 3, 1, 0.02), (50, 2, 2, 2, 0.005), (100, 1, 2, 1, 0.0)],
    )
    def test_the_least_change_is_seen_in_about_four_cases_of_five(self, topics, wordings, samples, engines, run):
        """Topics wander and all of them rise by what is said to show; the service's own contrast, tested at 5 %."""
        design, pairs = Design(topics, wordings, samples, engines), 2_000
        rng = np.random.default_rng(11)
        topic = np.repeat(np.arange(topics), wordings)
        chance = rng.uniform(0.3, 0.5, len(topic))
        wander = Wander(run, float((chance * (1 - chance)).mean()))
        shift = least_change(design, wander) / 100
        moved = run**0.5 * rng.choice([-1, 1], (pairs, topics))[:, topic]
        later = np.clip(chance + shift + moved, 0, 1)
        answers = np.full((engines, len(topic)), float(samples))
        hits = [
            rng.binomial(samples, np.broadcast_to(day, (pairs, len(topic)))[:, None, :], (pairs, engines, len(topic)))
            for day in (chance, later)
        ]
        counts = [Counts(answers, hit[..., None].astype(float), np.zeros((*hit.shape, 1))) for hit in hits]
        names = tuple(str(number) for number in range(engines))
        pair = Pair(("",), names, np.ones(engines, dtype=bool), topic, np.zeros((len(topic), 1), dtype=bool), *counts)
        contrast = rate_contrast(pair, counts[0].mentioned, counts[1].mentioned)
        t = contrast.delta[:, 0, 0] / np.sqrt(contrast.variance[:, 0, 0])
        assert 0.75 <= np.mean(t > student_quantile(topics - 1)) <= 0.85

    def test_before_two_days_it_is_assumed(self):
        assert assumed_wander(Spread(0.5, 0.6, 0.5)) == Wander(0.01, pytest.approx(0.1), Source.ASSUMED)


BRANDS = """
Sony Samsung Apple Breville Garmin Bose Dyson Philips LG Anker Bosch Nike Adidas Brooks Hoka Asics Notion HubSpot
Salesforce Asana Trello Canon Nikon Fujifilm Dell HP Lenovo Asus Roborock iRobot Shark Ninja KitchenAid Cuisinart
Casper Purple Saatva Fitbit Sennheiser JBL Logitech Xiaomi Fender Yamaha Osprey
"""


def test_what_is_assumed_is_what_published_answers_show(reference_data):
    """Names as words in the raw text, which is near enough for how alike answers are."""
    brands = BRANDS.split()
    file = reference_data / "real-answers" / "answers.jsonl"
    outcomes = [
        AnswerOutcome(
            row["prompt"], row["topic"], row["engine"],
            {name: 1 for name in brands if re.search(rf"\b{name}\b", row["text"])},
        )
        for row in map(orjson.loads, file.read_bytes().splitlines())
    ]  # fmt: skip
    table = tabulate(outcomes, brands)
    assert (len(outcomes), len(table.engines), len(table.topic)) == (408, 2, 68)
    shared = correlation(pooled(sums_of_squares(gather(table, table.mentioned, ~table.named))))
    assert shared.prompt == pytest.approx(ASSUMED_SPREAD.prompt_correlation, abs=0.02)
    assert shared.topic == pytest.approx(ASSUMED_SPREAD.topic_correlation, abs=0.02)


WIDE = partial(half_width, spread=ASSUMED_SPREAD)


class TestPlan:
    @pytest.mark.parametrize("target", [3.0, 5.0, 10.0])
    def test_one_topic_fewer_would_not_do(self, target):
        design = plan_for(WIDE, target, limits=Limits(), engines=2).by_wordings[0]
        assert WIDE(design) <= target < WIDE(Design(design.topics - 1, 1, design.samples, 2))

    def test_it_takes_nearly_the_fewest_answers(self):
        plan = plan_for(WIDE, 8.0, limits=Limits(), engines=2)
        designs = [Design(topics, wordings, samples, 2) for topics in range(MIN_TOPICS, 300)
                   for wordings in (1, 2) for samples in range(2, 6)]  # fmt: skip
        fewest = min(design.answers for design in designs if WIDE(design) <= 8.0)
        assert WIDE(plan.needed) <= 8.0 and plan.needed.answers <= HARDLY_DEARER * fewest
        assert (plan.present, plan.reach, plan.is_within_limits) == (None, None, True)

    def test_what_the_limits_allow_comes_before_what_is_cheaper_beyond_them(self):
        freely = plan_for(WIDE, 6.0, limits=Limits())
        limits = Limits(prompts=freely.needed.prompts - 5)
        plan = plan_for(WIDE, 6.0, limits=limits)
        assert limits.allow(plan.needed) and plan.is_within_limits and WIDE(plan.needed) <= 6.0
        assert plan.needed.answers > freely.needed.answers

    def test_beyond_the_limits_it_says_what_these_allow(self):
        limits = Limits(prompts=50, samples=4, answers=1_000)
        plan = plan_for(WIDE, 5.0, limits=limits, present=Design(12, 1, 3))
        assert plan.needed.prompts > 50 and not plan.is_within_limits
        assert limits.allow(plan.allowed) and plan.allowed_reach == WIDE(plan.allowed) > 5.0
        assert plan.reach == WIDE(Design(12, 1, 3)) > plan.allowed_reach

    @pytest.mark.parametrize("limits", [Limits(prompts=50), Limits(answers=300), Limits(samples=1, answers=300)])
    def test_each_limit_bounds_what_is_needed(self, limits):
        plan = plan_for(WIDE, 5.0, limits=limits)
        assert not plan.is_within_limits and limits.allow(plan.allowed)
        assert limits.allow(plan_for(WIDE, 20.0, limits=limits).needed)

    @pytest.mark.parametrize(
        ("limits", "prompts"),
        [(Limits(350), 350), (Limits(350, 3, 200), 100), (Limits(9), None), (Limits(350, 3, 8), None)],
    )
    def test_the_finest_within_the_limits(self, limits, prompts):
        design = finest(WIDE, limits=limits, engines=1)
        assert (design and design.prompts) == prompts
        assert design is None or limits.allow(design)

    def test_the_prompts_of_today_asked_oftener_are_preferred(self):
        chance = partial(half_width, spread=Spread(0.5, 0.01, 0.01))
        plan = plan_for(chance, 6.0, limits=Limits(), present=Design(60, 1, 3))
        assert plan.adds_samples_only and plan.needed.samples > 3
        assert chance(plan.needed) <= 6.0
        assert not plan_for(WIDE, 6.0, limits=Limits(), present=Design(60, 1, 3)).adds_samples_only

    def test_what_was_measured_counts_more_than_what_was_expected(self):
        present = Design(60, 1, 3)
        assert plan_for(WIDE, 10.0, limits=Limits(), present=present, measured_reach=9.9).is_enough
        assert not plan_for(WIDE, 10.0, limits=Limits(), present=present, measured_reach=10.1).is_enough

    def test_too_few_topics_show_nothing(self):
        assert plan_for(WIDE, 10.0, limits=Limits(), present=Design(3, 4, 3)).reach is None

    def test_what_nothing_reaches(self):
        plan = plan_for(WIDE, 0.1, limits=Limits(prompts=50))
        assert (plan.needed, plan.is_within_limits, plan.allowed.prompts) == (None, False, 50)
