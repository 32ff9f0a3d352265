"""Intervals cover the truth and alarms are true, on days drawn from known populations."""

from dataclasses import replace

import numpy as np
import pytest

from tests.measurement.panels_beta import BRAND, World, draw_panel, draw_series, draw_window
from tests.measurement.simulate import FULL, REDUCED, run
from tests.measurement.worlds import WORLDS, cover
from visibility.metrics import measure_scores


def test_a_sample_of_the_grid_keeps_every_promise():
    sample = replace(
        REDUCED,
        worlds={},
        days=500,
        months=250,
        populations=REDUCED.populations[3::29],
        designs=REDUCED.designs[::11],
        proofs=REDUCED.proofs[::5],
        months_null=REDUCED.months_null[::7],
        months_step=REDUCED.months_step[:1],
    )
    assert run(sample) == []


@pytest.mark.proof
def test_the_full_grid_keeps_every_promise():
    assert run(FULL) == []


@pytest.mark.parametrize("name", ["8 topics", "a rate of 4 %", "all-or-nothing topics"])
def test_the_intervals_of_a_score_cover_both_truths(name):
    world, days = WORLDS[name]
    found = cover([6], world, 150, days)
    assert found.here >= 0.92 and found.general >= 0.92


def scores(days):
    return np.array([measure_scores(day)[BRAND].score.value for day in days])


def test_days_of_the_tree_scatter_around_the_truth_here():
    rng = np.random.default_rng(1)
    panel = draw_panel(rng, World())
    assert scores(draw_series(rng, panel, 100)).mean() == pytest.approx(panel.here, abs=0.6)


def test_panels_of_the_tree_scatter_around_the_truth_in_general():
    rng = np.random.default_rng(2)
    panels = [draw_panel(rng, World()) for _ in range(1000)]
    assert np.mean([panel.here - panel.general for panel in panels]) == pytest.approx(0, abs=0.8)


def test_the_luck_of_a_day_moves_all_topics_of_an_engine():
    rng = np.random.default_rng(3)
    panel = draw_panel(
        rng, World(engines=1, samples=(200,), rate=0.5, by_engine=0, by_topic=0, by_wording=0, by_cell=0)
    )
    assert scores(draw_series(rng, panel, 150)).std() == pytest.approx(3.5, abs=0.6)


def test_a_fall_begins_on_its_day():
    rng = np.random.default_rng(4)
    panel = draw_panel(rng, World(rate=0.5))
    days = scores(draw_series(rng, panel, 120, fall=20, since=60))
    assert (days[:60].mean(), days[60:].mean()) == pytest.approx((panel.here, panel.here - 20), abs=1)


def test_a_window_adds_up_its_days():
    rng = np.random.default_rng(5)
    panel = draw_panel(rng, World(samples=(2, 3)))
    window = draw_window(rng, panel, 7)
    assert set(window.answers.flatten()) == {14, 21}
