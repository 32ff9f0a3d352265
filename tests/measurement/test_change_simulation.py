"""A short run of the simulations of change; `python -m tests.simulate` runs the whole grid."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from django.conf import settings

from tests.amounts import PROOFS
from tests.simulate.change_tables import FalseAlarms, Sizes
from tests.simulate.changes import Design, simulate, size
from tests.simulate.month_tables import USUAL_LUCK, Months
from tests.simulate.months import Month, drift, quiet, stepped

REPETITIONS = 500 if PROOFS else 200
"""200 tell an alarm in ten cases from one in twenty with a power of 0.82 in each of the designs, of which there are
sixteen, and one in seven with 0.99; 500 do with 0.99."""
NOISE = 2 * (0.05 * 0.95 / REPETITIONS) ** 0.5
SIZE_NOISE = 2 * (0.8 * 0.2 / REPETITIONS) ** 0.5
PAGE = Path(settings.BASE_DIR) / "docs" / "measurement-simulation.md"


@pytest.mark.parametrize("restless", [False, True], ids=["still", "restless"])
@pytest.mark.parametrize("rate", [0.05, 0.5])
@pytest.mark.parametrize(
    ("topics", "wordings", "samples"), [(10, (1,), 1), (50, (1,), 3), (6, (1, 2, 3, 4, 5), 3), (17, (4,), 5)]
)
def test_false_alarms_are_rarer_than_one_in_twenty(topics, wordings, samples, rate, restless):
    outcome = simulate(7, Design(topics, wordings, samples, rate, engines=2, restless=restless), REPETITIONS)
    assert outcome.rest <= 0.05 + NOISE
    assert outcome.score <= 0.05 + NOISE


def test_z_tests_of_pooled_answers_cry_wolf():
    """The reason for all this."""
    still = simulate(7, Design(50, samples=3, engines=3), REPETITIONS)
    restless = simulate(7, Design(50, samples=3, engines=3, restless=True), REPETITIONS)
    assert still.naive_family > 0.15 and restless.naive_family > 0.8


def test_real_changes_are_seen():
    seen = simulate(7, Design(50, samples=3, rate=0.3, engines=3, shift=0.1), REPETITIONS)
    assert seen.score > 0.75 > seen.naive_controlled


@pytest.mark.parametrize(
    "design",
    [
        Design(10, samples=3, rate=0.1, engines=1),
        Design(10, samples=3, rate=0.5, engines=3),
        Design(20, samples=1, rate=0.3, engines=1),
        Design(17, (4,), samples=3, rate=0.3, engines=1),
        Design(100, samples=3, rate=0.9, engines=1),
    ],
    ids=lambda design: f"{design.topics}x{len(design.wordings)}-{design.rate}",
)
def test_a_change_of_the_size_that_is_told_is_seen_in_four_cases_of_five(design):
    smallest = size(7, design, REPETITIONS).minimum
    shift = smallest if design.rate <= 1 / 2 else -smallest
    seen = size(8, replace(design, shift=shift), REPETITIONS).moved
    assert 0.75 - SIZE_NOISE <= seen <= 0.85 + SIZE_NOISE


WANDERS = {"still": {}, "quick": {"wander": 0.3}, "slow": {"wander": 0.6, "memory": 0.8}}


@pytest.mark.parametrize("wander", WANDERS)
@pytest.mark.parametrize("topics", [20, 100])
def test_thirty_looks_at_nothing_say_nothing_in_nineteen_months_of_twenty(topics, wander):
    calm = quiet(7, Month(topics, **WANDERS[wander]), REPETITIONS)
    assert calm.monitor <= 0.05 + NOISE and calm.confirmed <= 0.05 + NOISE


@pytest.mark.parametrize("topics", [20, 100])
def test_nor_do_thirty_looks_at_days_that_have_luck(topics):
    month = Month(topics, luck=USUAL_LUCK)
    calm, naive = (quiet(7, replace(month, is_reckoned=each), REPETITIONS) for each in (True, False))
    assert calm.monitor <= 0.05 + NOISE and calm.confirmed <= 0.05 + NOISE
    assert calm.moved > 0.4, "the reason for both"
    assert naive.monitor > 0.1, "the reason to reckon with it"


def test_nor_do_thirty_looks_after_two_months():
    calm = quiet(7, Month(50, days=86, wander=0.3), REPETITIONS // 2, first=57)
    assert calm.monitor <= 0.05 + 1.5 * NOISE and calm.confirmed <= 0.05 + 1.5 * NOISE


@pytest.mark.parametrize("wander", WANDERS)
def test_a_slow_fall_is_raised_and_a_step_confirmed(wander):
    month = Month(50, **WANDERS[wander])
    fall = drift(7, replace(month, days=30, path=tuple(np.linspace(0, -30, 30))), REPETITIONS)
    assert fall.raised >= 0.9 and fall.day < 25
    assert fall.moved < 0.15, "day by day it is hardly ever seen"
    step = (0.0,) * 10 + (-30.0,) * 2
    assert stepped(7, replace(month, days=len(step), path=step), REPETITIONS) >= 0.95


TABLES = (FalseAlarms(), Sizes(), Months())


def test_the_page_shows_what_the_simulation_gives():
    page = PAGE.read_text()
    assert Sizes().line(("20 topics", 3, 1, 0.3)).text in page
    assert Months().line((20, "0.3, 0.5", 3, 0.5, 1)).text in page


def test_the_page_shows_every_row():
    page = PAGE.read_text()
    for table in TABLES:
        assert table.header in page
        for row in table.rows():
            start = "| " + " | ".join(f"{part:.0%}" if isinstance(part, float) else str(part) for part in row) + " |"
            assert start in page
