"""A verdict and the interval shown with it never contradict each other, on whatever panels."""

import numpy as np
import pytest

from tests.metrics.panels import BRAND, Answer, tally
from visibility.metrics import Kind, Verdict, compare, find_relations
from visibility.metrics.change import own_test
from visibility.metrics.contrasts import family_contrast
from visibility.metrics.moves import RAISING, guarded
from visibility.metrics.series import arrange
from visibility.metrics.verdicts import interval, judge

SUBJECTS = [BRAND, "rival", "other"]


def days(seed):
    """Two days of a random panel: one to eighteen prompts on as many topics or fewer, of which a part moves."""
    rng = np.random.default_rng(seed)
    prompts, engines, samples = rng.integers(1, 19), rng.integers(1, 3), rng.integers(1, 5)
    topics = rng.integers(1, prompts + 1)
    before = rng.beta(0.4, 0.4, (len(SUBJECTS), prompts))
    after = np.where(rng.random(before.shape) < rng.random(), rng.choice([0.0, 0.5, 1.0]), before)
    return [
        tally(
            [
                Answer(
                    f"e{engine}",
                    f"p{prompt}",
                    f"t{prompt % topics}",
                    {name: 1 for place, name in enumerate(SUBJECTS) if rng.random() < chance[place, prompt]},
                )
                for prompt in range(prompts)
                for engine in range(engines)
                for _ in range(samples)
            ],
            SUBJECTS,
        )
        for chance in (before, after)
    ]


def agrees(is_clear, is_noise, delta, low, high):
    """Whether the interval says what the verdict does."""
    return (
        low <= delta <= high
        and is_clear == (not low <= 0 <= high)
        and (not is_clear or delta * low > 0 < delta * high)
        and (not is_noise or -10 <= low <= high <= 10)
        and (is_noise or is_clear or low < -10 or high > 10)
    )


@pytest.mark.parametrize("seed", range(60))
def test_a_change_is_moved_where_its_interval_leaves_out_0(seed):
    for change in compare(*days(seed)):
        if change.delta is not None:
            is_clear, is_noise = change.verdict is Verdict.MOVED, change.verdict is Verdict.WITHIN_NOISE
            assert agrees(is_clear, is_noise, change.delta, change.low, change.high), change


@pytest.mark.parametrize("seed", range(60))
def test_the_brand_is_ahead_or_behind_where_the_interval_leaves_out_0(seed):
    for relation in find_relations(days(seed)[1]).values():
        is_clear = relation.kind in (Kind.AHEAD, Kind.BEHIND)
        assert agrees(is_clear, relation.kind is Kind.LEVEL, relation.delta, relation.low, relation.high), relation
        assert not is_clear or (relation.kind is Kind.AHEAD) == (relation.delta > 0)
        assert is_clear == (relation.chance <= 0.05)


@pytest.mark.parametrize("seed", range(60))
def test_a_change_is_moved_where_its_p_is_small_enough_for_its_family(seed):
    series = arrange(days(seed))
    pair = series.pair(*series.days)
    judgement = judge(family_contrast(pair), own_test(pair))
    np.testing.assert_array_equal(judgement.verdict == "moved", judgement.adjusted <= 0.05)


@pytest.mark.parametrize("seed", range(60))
def test_the_monitors_interval_leaves_out_0_where_it_is_raised(seed):
    series = arrange(days(seed))
    contrast = guarded(family_contrast(series.pair(*series.days)))
    low, high = interval(contrast, RAISING)
    known = ~np.isnan(contrast.delta)
    np.testing.assert_array_equal((contrast.p <= RAISING)[known], ((low > 0) | (high < 0))[known])
