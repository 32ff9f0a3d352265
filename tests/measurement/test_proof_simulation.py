"""A short run of the simulation of proofs; `python -m tests.simulate` runs the whole grid."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from django.conf import settings

from tests.simulate.proof_tables import PANELS, ProofAlarms, ProofPauses, ProofSizes
from tests.simulate.proofs import BEFORE, History, Tide, Wander, alarms, draw, found, kinds, risen

NUMBER = 400
ALLOWED = 0.06 + 3 * (0.06 * 0.94 / NUMBER) ** 0.5
TIDES = (Tide(), Tide("points", 20), Tide("room", 20), Tide("part", 15), Tide("odds", 20), Tide("odds", -20))
RESTLESS = Wander(0.3)
WIDE = History(20, (1, 2, 3, 4), 2, 2)
PAGE = Path(settings.BASE_DIR) / "docs" / "proof-simulation.md"


@pytest.mark.parametrize("wander", [Wander(), RESTLESS], ids=["still", "restless"])
@pytest.mark.parametrize("tide", TIDES, ids=lambda tide: f"{tide.form}{tide.size:+}")
def test_where_nobody_did_anything_nothing_has_moved(tide, wander):
    panels = [replace(panel, tide=tide, wander=wander) for panel in (History(5, (4,)), WIDE)]
    grid = [kind for panel in panels for kind in kinds(panel, rate=(0.1, 0.5), opens=("lead", "fall"))]
    outcomes = [alarms([7, cell], kind, NUMBER) for cell, kind in enumerate(grid)]
    assert max(outcome.moved for outcome in outcomes) <= ALLOWED
    assert np.mean([outcome.moved for outcome in outcomes]) <= 0.06


def test_the_day_of_the_gap_as_baseline_makes_something_of_nothing():
    """The reason why it is none."""
    outcome = alarms(7, replace(WIDE, wander=RESTLESS, opens="fall"), 1000)
    assert outcome.naive_points > 15 and abs(outcome.points) < 2
    assert outcome.naive > 2 * outcome.moved


def even(level):
    """Four times the same form of a tide: as many points for every topic."""
    return np.ones((*level.shape[:-1], 4, level.shape[-1]))


def test_a_tide_that_is_taken_for_even_is_called_an_effect(monkeypatch):
    """The reason for four forms."""
    history = replace(WIDE, rate=0.5, tide=Tide("part", 15))
    outcome = alarms(7, history, 1000)
    assert outcome.moved <= 0.06 and outcome.alone > 0.15
    monkeypatch.setattr("visibility.metrics.proof.difference.tides", even)
    assert alarms(7, history, 1000).moved > 0.15


@pytest.mark.parametrize(
    "history",
    [
        History(12, (3,), 2, 3, rate=0.3, alike=0.3, baseline=7),
        History(12, (3,), 2, 3, rate=0.5, alike=0.3, baseline=7, wander=RESTLESS),
        History(8, (4,), 1, 3, rate=0.3, alike=0.9, baseline=7),
        replace(WIDE, rate=0.5, baseline=3),
    ],
    ids=["still", "restless", "small", "wide"],
)
def test_a_rise_of_the_size_that_is_told_is_found(history):
    outcome = found(7, replace(history, scans=14), 60, 15.0)
    assert outcome.told > 0.5 and outcome.other == 0
    assert outcome.found >= 0.78 - 1 / outcome.number**0.5 / 2


def test_the_gap_opens_on_a_day_that_is_low():
    history = History(10, (2,), rate=0.5, wander=RESTLESS, opens="fall")
    drawn = draw(np.random.default_rng(7), history, 500, 1)
    member = np.eye(10)[history.topic] / 2
    figures = drawn.hits.mean(axis=-2) / history.samples @ member
    own = np.take_along_axis(figures, drawn.gap[None, :, None], axis=-1)[..., 0].mean(axis=-1)
    assert own[BEFORE] < own[:BEFORE].mean() - 0.2 and own[BEFORE + 1] > own[BEFORE] + 0.15


def test_a_planted_rise_is_as_large_as_it_is_said_to_be():
    chances = np.array([[0.1, 0.5], [0.2, 0.0]])
    assert risen(chances, 0.3).mean() == pytest.approx(chances.mean() + 0.3)
    assert risen(chances, 1.0).max() == 1.0


def test_the_page_shows_what_the_simulation_gives():
    assert ProofSizes().line(("5 topics × 4 wordings, 3 samples", "still", 7)).text in PAGE.read_text()


def test_the_page_shows_every_row():
    page = PAGE.read_text()
    for table in (ProofAlarms(), ProofPauses(), ProofSizes()):
        assert table.header in page
        for row in table.rows():
            assert "| " + " | ".join(map(str, row)) + " |" in page
    assert len(PANELS) == 7
