"""A short run of the simulations of change; `python -m tests.simulate` runs the whole grid."""

from pathlib import Path

import pytest
from django.conf import settings

from tests.simulate.change_tables import FalseAlarms, Power
from tests.simulate.changes import Design, simulate

REPETITIONS = 500
NOISE = 2 * (0.05 * 0.95 / REPETITIONS) ** 0.5
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


def test_a_change_of_the_size_that_is_told_is_mostly_seen():
    told = simulate(7, Design(100, samples=3, rate=0.3, engines=3), REPETITIONS).minimum
    assert 0.02 < told < 0.1
    assert simulate(7, Design(100, samples=3, rate=0.3, engines=3, shift=told), REPETITIONS).score > 0.65


def test_the_page_shows_what_the_simulation_gives():
    row = ("20 topics", 3, 0.3)
    assert Power().line(row).text in PAGE.read_text()


def test_the_page_shows_every_row():
    page = PAGE.read_text()
    for table in (FalseAlarms(), Power()):
        assert table.header in page
        for row in table.rows():
            start = "| " + " | ".join(f"{part:.0%}" if isinstance(part, float) else str(part) for part in row) + " |"
            assert start in page
