"""Simulations: how often the intervals hold the truth that the answers were drawn from. Nominal is 95 %."""

import numpy as np
import pytest

from tests.measurement.simulation import Population, draw_outcomes, draw_propensities
from visibility.metrics.intervals import wilson
from visibility.metrics.measure import measure

RUNS = 250
RIVALS = {"x": 0.3, "y": 0.15}
GRID = {
    "one wording": (Population({"": 0.3, **RIVALS}, 12, (1,), {"e": (3,)}, 0.66, 0.66), (93, 92, 89)),
    "four wordings, alike": (Population({"": 0.3, **RIVALS}, 10, (4,), {"e": (3,)}, 0.66, 0.5), (93, 92, 89)),
    "rare": (Population({"": 0.05, **RIVALS}, 15, (1, 3), {"e": (3,)}, 0.66, 0.3), (93, 92, 89)),
    "frequent, independent": (Population({"": 0.8, **RIVALS}, 12, (1,), {"e": (4,)}, 0.0, 0.0), (93, 92, 89)),
    "asked once": (Population({"": 0.4, **RIVALS}, 12, (1, 2, 5), {"e": (1,)}, 0.66, 0.4), (93, None, 89)),
    "two engines, unequal": (
        Population({"": 0.3, **RIVALS}, 10, (1, 4), {"e": (2, 5), "f": (2,)}, 0.5, 0.3),
        (93, 92, 89),
    ),
}


@pytest.mark.parametrize(("population", "least"), GRID.values(), ids=GRID.keys())
def test_intervals_hold_the_truth_as_often_as_they_say(population, least):
    rng = np.random.default_rng(20250524)
    rates = np.array(list(population.rates.values()))
    truth, share = 100 * rates[0], 100 * rates[0] / rates.sum()
    held = {"topic": [], "panel": [], "share": []}
    for _ in range(RUNS):
        chances = {name: draw_propensities(rng, population, rate) for name, rate in population.rates.items()}
        figures = measure(draw_outcomes(rng, population, chances), list(population.rates))[""].overall
        held["topic"].append(figures.score.low <= truth <= figures.score.high)
        if figures.panel.low is not None:
            held["panel"].append(figures.panel.low <= 100 * chances[""].mean() <= figures.panel.high)
        held["share"].append(figures.share_of_voice.low <= share <= figures.share_of_voice.high)
    for name, floor in zip(held, least, strict=True):
        if floor is None:
            assert held[name] == []
        else:
            noise = 100 * 2 * np.sqrt(0.05 * 0.95 / RUNS)
            assert floor - noise <= 100 * np.mean(held[name]), (name, np.mean(held[name]))


def test_pooling_all_answers_would_not_hold_it():
    """The reason for all this: Wilson over the pooled answers, as trackers do it, misses the truth often."""
    rng = np.random.default_rng(1)
    population = Population({"": 0.3}, 10, (4,), {"e": (3,)}, 0.66, 0.5)
    held = []
    for _ in range(RUNS):
        outcomes = draw_outcomes(rng, population, {"": draw_propensities(rng, population, 0.3)})
        low, high = wilson(sum("" in each.ranks for each in outcomes), len(outcomes))
        held.append(low <= 0.3 <= high)
    assert np.mean(held) < 0.8
