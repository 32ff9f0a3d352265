"""The luck that all topics of an engine share on a day: how it is told from days, and where it enters."""

from dataclasses import replace

import numpy as np
import pytest

from tests.measurement.test_change_development import drawn
from tests.measurement.test_change_simulation import NOISE, REPETITIONS, SIZE_NOISE
from tests.simulate.changes import Design, size
from tests.simulate.months import Month, batches, quiet, raised_at_last, until
from visibility.metrics.change import compare, family_contrast
from visibility.metrics.changes.day_effects import PRIOR_PAIRS, with_day_effects
from visibility.metrics.changes.series import arrange
from visibility.metrics.day_effects import PRIOR, UNKNOWN
from visibility.metrics.pairs import pair_counts


def series_of(days):
    return with_day_effects(arrange(days[-1], days[:-1]))


def deviations(month):
    """What the days of many months tell of the brand's luck, in points at a rate of 50 %."""
    [series] = batches(7, month, 200)
    return 100 * until(series, series.size).day_effects.variance[:, 0, 0, 0] ** 0.5


def test_few_days_tell_nothing():
    assert series_of(drawn([0.5] * PRIOR_PAIRS)).day_effects is UNKNOWN
    assert (series_of(drawn([0.5] * (PRIOR_PAIRS + 1))).day_effects.variance != PRIOR**2).all()


@pytest.mark.parametrize("luck", [0.0, 2.0, 5.0])
def test_many_days_tell_it_as_far_as_the_prior_leaves_it(luck):
    blend = (0.75 * luck**2 + 0.25 * (100 * PRIOR) ** 2) ** 0.5
    told = np.median(deviations(Month(100, days=31, luck=luck)))
    assert blend - 0.6 <= told <= blend + 0.6


FALLS = ([0.0] * 10 + [-30.0] * 5, [0.0] * 8 + [-5.0, -10.0, -15.0, -20.0, -25.0, -30.0, -30.0])


@pytest.mark.parametrize("path", FALLS, ids=["at once", "in six days"])
def test_a_fall_does_not_hide_behind_its_own_variance(path):
    """All at once, and within six days of fifteen."""
    month = Month(50, days=len(path), path=tuple(path))
    quiet_days = replace(month, path=())
    assert np.median(deviations(month)) <= 1.35 * np.median(deviations(quiet_days))
    assert raised_at_last(7, month, REPETITIONS) >= 0.95


def test_what_enters_is_each_days_share_and_the_mean_over_engines():
    days = drawn([0.5] * 9)
    series = replace(arrange(days[-1], days[:-1]), day_effects=UNKNOWN)
    single = family_contrast(series.pair(series.days[0], series.days[1]))
    pooled = family_contrast(series.pair(series.pooled(0, 7), series.days[8]))
    middle = (single.room - np.abs(single.delta) / 2)[0]
    for line, engines in ((0, 2), (1, 1)):
        of_engines = single.of_days[0, 1:, 0]
        expected = of_engines.mean() / 2 if engines == 2 else 2 * PRIOR**2 * 4 * (middle * (1 - middle))[1, 0]
        assert single.of_days[0, line, 0] == pytest.approx(expected, rel=0.02)
    assert pooled.of_days[0, 0, 0] == pytest.approx(single.of_days[0, 0, 0] * (1 + 1 / 7) / 2, rel=0.05)
    assert (single.variance[0, 0, 0], single.freedom[0, 0, 0]) > (single.of_days[0, 0, 0], 4)


def test_two_scans_of_one_day_share_its_luck():
    first, second = drawn([0.5, 0.5])
    of_one_day = {change.day_variance for change in compare(pair_counts(first, replace(second, day=first.day)))}
    of_two = {change.day_variance for change in compare(pair_counts(first, second))}
    assert of_one_day == {0.0} and 0.0 not in of_two


def test_topics_that_do_not_differ_are_tested_no_more_than_before():
    day = drawn([0.5])[0]
    alike = replace(day, mentioned=np.zeros_like(day.mentioned))
    later = replace(day, day=drawn([0.5, 0.5])[1].day, mentioned=np.full_like(day.mentioned, 3.0))
    contrast = family_contrast(pair_counts(alike, later))
    assert contrast.delta[0] == pytest.approx(1) and (contrast.variance[0] == 0).all()


@pytest.mark.parametrize(("topics", "luck"), [(20, 5.0), (50, 3.5)])
def test_months_with_luck_are_as_quiet_as_others(topics, luck):
    month = Month(topics, luck=luck)
    calm, naive = (quiet(7, replace(month, is_reckoned=each), REPETITIONS) for each in (True, False))
    assert calm.monitor <= 0.05 + NOISE and calm.confirmed <= 0.05 + NOISE
    assert naive.monitor > 0.15, "the reason for all this"


def test_a_change_of_the_size_that_is_told_is_seen_where_days_have_luck_too():
    design = Design(50, samples=3, rate=0.3, engines=3, luck=3.5)
    smallest = size(7, design, REPETITIONS).minimum
    seen = size(8, replace(design, shift=smallest), REPETITIONS).moved
    assert 0.75 - SIZE_NOISE <= seen <= 0.85 + SIZE_NOISE


def test_the_luck_of_all_brands_on_an_engine_counts_where_it_is_larger():
    """A brand whose own days are quiet by chance, between two whose days are not."""
    rng, days = np.random.default_rng(3), drawn([0.5] * 31, topics=100)
    for day in days:
        for place in (1, 2):
            lucky = rng.normal(0, 0.08, (2, 1))
            day.mentioned[..., place] = rng.binomial(3, np.clip(0.5 + lucky, 0, 1), day.answers.shape)
    told = series_of(days).day_effects.variance[0]
    assert (told[:, 0] > (0.05**2)).all() and (told[:, 1:] >= told[:, :1] * 0.99).all()
