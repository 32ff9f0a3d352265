"""False alarms and power on days drawn from the tree: a small, seeded part of the tables of `power`."""

import pytest

from tests.measurement.panels_beta import World
from tests.measurement.power import BEFORE, FALSE, HISTORY, LOOKS, QUIET, SINCE, false_moves, reports


@pytest.mark.parametrize("world", QUIET[5::48], ids=str)
def test_a_quiet_month_and_a_quiet_pair_of_days_raise_no_alarm(world):
    assert reports([1], world, 60, HISTORY, LOOKS).either <= FALSE
    assert max(false_moves([1], world, 200)) <= FALSE


@pytest.mark.parametrize(
    "prompts, seen", [(12, 0.9), *(pytest.param(*each, marks=pytest.mark.proof) for each in ((9, 0.5), (24, 0.99)))]
)
def test_a_fall_of_30_points_is_seen_within_fifteen_days(prompts, seen):
    assert reports([2], World(prompts, 2, (1,), (3,), 0.55), 50, BEFORE, SINCE, 30).either >= seen
