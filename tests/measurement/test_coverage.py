"""Simulations: how often the intervals hold the truth that the answers were drawn from. Nominal is 95 %.

`make simulate` does the same over the whole grid.
"""

import numpy as np
import pytest

from tests.measurement.simulation import Population, draw_outcomes, draw_propensities
from tests.simulate.coverage import FIGURES, Drawn, simulate
from visibility.metrics.measure import measure

DAYS = 1_000
NOISE = 2 * np.sqrt(0.05 * 0.95 / DAYS)
GRID = {
    "one wording": Drawn(12, (1,), (3,), 0.3, 0.66),
    "four wordings, alike": Drawn(10, (4,), (3,), 0.3, 0.66),
    "few topics, four wordings": Drawn(4, (4,), (3,), 0.1, 0.9),
    "rare": Drawn(50, (1,), (3,), 0.02, 0.66),
    "rare and alone": Drawn(50, (4,), (3,), 0.02, 0.66, alone=True),
    "rare, early once in a while": Drawn(5, (1,), (3,), 0.9, 0.66),
    "frequent, independent": Drawn(12, (1,), (10,), 0.9, 0.0),
    "asked once": Drawn(50, (4,), (1,), 0.02, 0.9),
    "a failing engine": Drawn(10, (1, 4), (10,), 0.02, 0.0, engines="failing"),
    "thin prompts": Drawn(10, (1, 2, 3, 4, 5), (1, 7, 3, 2), 0.5, 0.66),
}


@pytest.mark.parametrize("drawn", GRID.values(), ids=GRID.keys())
def test_intervals_hold_the_truth_as_often_as_they_say(drawn):
    held = simulate([20261122], drawn, DAYS)
    for figure in FIGURES:
        if drawn.alone and figure == "share of voice":
            assert figure not in held
        elif drawn.samples == (1,) and figure == "panel":
            assert held[figure] is None
        else:
            assert held[figure] > 0.93 - NOISE, (figure, held[figure])


def test_three_topics_have_a_panel_interval_only():
    held = simulate([1], Drawn(3, (4,), (1, 3), 0.5, 0.66), 100)
    assert {figure for figure in FIGURES if held[figure] is not None} == {"panel"}


def test_pooling_all_answers_would_not_hold_it():
    """The reason for all this: Wilson over the pooled answers, as trackers do it, misses the truth often."""
    assert simulate([1], Drawn(10, (4,), (3,), 0.3, 0.66), DAYS)["pooled"] < 0.8


def test_what_is_published_is_what_is_simulated():
    """The score, its panel interval and the share of voice of days that are drawn answer by answer."""
    rng = np.random.default_rng(20250524)
    rates = {"": 0.3, "x": 0.3, "y": 0.15}
    population = Population(rates, 10, (1, 4), {"e": (2, 5), "f": (2,)}, 0.5, 0.3)
    share = 100 * 0.3 / sum(rates.values())
    held = []
    for _ in range(100):
        chances = {name: draw_propensities(rng, population, rate) for name, rate in rates.items()}
        figures = measure(draw_outcomes(rng, population, chances), list(rates))[""].overall
        truths = (
            (figures.score, 30), (figures.panel, 100 * chances[""].mean()), (figures.share_of_voice, share)
        )  # fmt: skip
        held.append([estimate.low <= truth <= estimate.high for estimate, truth in truths])
    assert (np.mean(held, axis=0) > 0.93 - 2 * np.sqrt(0.05 * 0.95 / 100)).all()
