"""Simulations: how often the intervals hold the truth that the answers were drawn from. Nominal is 95 %.

`make simulate` does the same over the whole grid.
"""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from django.conf import settings

from tests.measurement.simulation import Population, draw_outcomes, draw_propensities
from tests.simulate.coverage import FIGURES, RANKED, Drawn, simulate
from tests.simulate.coverage_table import IntervalTable
from visibility.metrics.measure import measure

PAGE = Path(settings.BASE_DIR) / "docs" / "measurement-simulation.md"
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
    "exactly these questions": Drawn(3, (4,), (3,), 0.5, 0.66),
    "exactly these questions, steady": Drawn(2, (8,), (2,), 0.9, 0.9),
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


@pytest.mark.parametrize("placeless", [(0.3, 0.3), (0.6, 0.6), (0.3, 0.9), (1, 1)])
def test_figures_of_ranks_hold_the_truth_whatever_part_of_the_mentions_has_a_place(placeless):
    """The interval where it is by chance who has a place; the bounds whatever it depends on."""
    for drawn in (
        Drawn(12, (1,), (3,), 0.5, 0.66),
        Drawn(10, (4,), (1,), 0.1, 0.66),
        Drawn(2, (8,), (3,), 0.3, 0.66),
    ):
        held = simulate([20261123], replace(drawn, placeless=placeless), DAYS // 2)
        for figure in RANKED:
            assert held[f"{figure}, bounds"] > 0.93 - NOISE, (figure, drawn)
            if placeless[0] == placeless[1] < 1:
                assert held[figure] > 0.93 - NOISE * 2**0.5, (figure, held[figure], drawn)


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


def test_the_page_shows_what_the_simulation_gives():
    assert IntervalTable().line((4, "1", "2")).text in PAGE.read_text()


def test_the_page_shows_every_row():
    page, table = PAGE.read_text(), IntervalTable()
    assert table.header in page
    for row in table.rows():
        assert "| " + " | ".join(map(str, row)) + " |" in page
