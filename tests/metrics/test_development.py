"""What days in a row say: confirmed moves, the monitor, recovery, the luck of days."""

from datetime import date, timedelta

import numpy as np
import pytest

from tests.metrics.panels import BRAND, panel, tally
from visibility.metrics import Metric, develop, has_recovered
from visibility.metrics.intervals import PRIOR_LUCK
from visibility.metrics.luck import with_luck
from visibility.metrics.series import arrange

FIRST = date(2026, 1, 1)


def history(rates, *, luck=0.0, seed=1, topics=40, samples=10):
    """A day for each rate (0–1), its topics drawn alike and each a little lucky; all topics share `luck`."""
    rng = np.random.default_rng(seed)
    level = rng.uniform(-0.15, 0.15, topics)
    days = {}
    for number, rate in enumerate(rates):
        chance = np.clip(rate + level + luck * rng.standard_normal(), 0, 1)
        drawn = rng.binomial(samples, chance)
        days[FIRST + timedelta(number)] = panel({f"t{n}": [int(k)] for n, k in enumerate(drawn)}, samples)
    return days


def score(days):
    return score_in(develop(days))


def score_in(developments):
    return next(each for each in developments if each.change.metric is Metric.SCORE and each.change.engine is None)


def test_a_step_is_confirmed_on_the_next_day():
    rates = [0.3] * 6 + [0.6] * 2
    day_one, day_two = (score(history(rates[:days])) for days in (7, 8))
    assert day_one.confirmed is None and day_one.reported is None
    move = day_two.confirmed
    assert (move.since, move.pooled) == (FIRST + timedelta(6), 6)
    assert move.low < 30 < move.high and day_two.reported is move


def test_a_confirmed_move_is_news_for_seven_measured_days():
    rates = [0.3] * 6 + [0.6] * 9
    began = [score(history(rates[:days])).confirmed for days in range(8, 16)]
    assert [move and move.since for move in began] == [FIRST + timedelta(6)] * 7 + [None]


def test_a_single_strange_day_is_never_confirmed():
    rates = [0.3] * 6 + [0.7] + [0.3] * 6
    assert all(score(history(rates[:days])).confirmed is None for days in range(2, len(rates) + 1))


def test_two_days_are_too_few_to_confirm_and_one_says_nothing():
    assert score(history([0.3, 0.3, 0.7, 0.7])).confirmed is None
    assert develop(history([0.3])) == develop({}) == []


def test_a_slow_fall_is_raised_by_the_monitor_though_no_two_days_differ():
    days = history(list(np.linspace(0.7, 0.4, 28)))
    found = score(days)
    assert found.raised.delta < 0 and found.raised.high < 0 and found.reported


def test_nothing_is_raised_before_eight_days():
    rates = [0.2] * 3 + [0.8] * 5
    assert score(history(rates[:7])).raised is None and score(history(rates)).raised


def test_a_change_has_recovered_when_two_days_are_back_where_it_began():
    rates = [0.6] * 8 + [0.3] * 6 + [0.6] * 2
    since = FIRST + timedelta(8)
    assert [has_recovered(history(rates[:days]), since) for days in (14, 15, 16)] == [False, False, True]
    assert not has_recovered(history([*rates[:14], 0.45, 0.45]), since)  # half of the way is not back
    assert not has_recovered(history([*rates[:14], 0.1, 0.1]), since)


def test_a_day_that_did_not_count_the_subject_is_left_out():
    days = history([0.3] * 6 + [0.6] * 3)
    days[FIRST] = tally([], ["somebody else"])
    assert score(days).confirmed.since == FIRST + timedelta(6)


def test_a_missing_day_moves_no_date():
    days = history([0.3] * 8 + [0.6] * 3)
    del days[FIRST + timedelta(2)]
    assert score(days).confirmed.since == FIRST + timedelta(8)


@pytest.mark.parametrize("luck, low, high", [(0.0, 0.0, 0.032), (0.1, 0.06, 0.15)])
def test_the_luck_of_days_is_learnt_from_them(luck, low, high):
    series = with_luck(arrange(list(history([0.5] * 31, luck=luck, topics=100).values())))
    assert low <= float(series.luck.variance[0, 0, 0]) ** 0.5 <= high


def test_a_lasting_fall_does_not_hide_behind_the_luck_that_it_would_be():
    calm, fallen = (
        with_luck(arrange(list(history(rates, topics=100).values()))).luck.variance[0, 0, 0]
        for rates in ([0.6] * 30, [0.6] * 15 + [0.2] * 15)
    )
    assert float(fallen) ** 0.5 < float(calm) ** 0.5 + 0.01


def test_until_eleven_days_are_known_luck_is_the_usual():
    series = with_luck(arrange(list(history([0.5] * 10, luck=0.1).values())))
    assert float(series.luck.variance[0, 0, 0]) ** 0.5 == pytest.approx(PRIOR_LUCK)


@pytest.mark.parametrize(
    "is_odd", [lambda topic, day, fell: topic == day % 9, lambda topic, day, fell: topic == 8 * fell]
)
def test_a_fall_of_nine_prompts_from_89_to_11_is_reported_the_day_after(is_odd):
    days = {
        FIRST + timedelta(day): panel(
            {f"t{n}": [2 * (is_odd(n, day, day >= 15) is (day >= 15))] for n in range(9)}, 2
        )
        for day in range(17)
    }
    move = score(days).confirmed
    assert move.since == FIRST + timedelta(15)
    assert -100 <= move.low <= move.delta == pytest.approx(-77.8, abs=0.1) and move.high < 0


def test_every_figure_of_the_day_has_its_development():
    days = history([0.3] * 9)
    keys = {(each.change.subject, each.change.engine, each.change.metric) for each in develop(days)}
    assert keys == {(BRAND, engine, metric) for engine in (None, "e") for metric in Metric}
