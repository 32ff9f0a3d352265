"""Values that other code computed: the first implementation's, statsmodels'; and intervals as they were."""

import json
from datetime import date, timedelta

import numpy as np
import pytest

from tests.metrics.panels import BRAND, ruled
from tests.reference import reference_file
from visibility.metrics import Metric, Verdict, compare, develop, measure
from visibility.metrics.contrasts import family_contrast
from visibility.metrics.exact import chance_of_difference, chance_of_lead, chance_of_signs
from visibility.metrics.intervals import modified_wilson, student_size, wilson
from visibility.metrics.multiplicity import benjamini_hochberg, holm
from visibility.metrics.series import arrange
from visibility.metrics.verdicts import noncentrality

PANELS = {
    (6, 2, 2, 3): (
        (37.5, (23.6110, 53.8045), (26.4958, 49.9677)),
        (49.0741, (35.4339, 62.8535), (35.4339, 62.8535)),
        (23.0706, (14.0098, 35.5677), (14.0098, 35.5677)),
        (34.7222, (21.7732, 50.4097), (25.6866, 45.0112)),
    ),
    (12, 1, 1, 3): (
        (36.1111, (20.2228, 55.7577), (21.6126, 53.6758)),
        (48.1481, (27.7549, 69.1776), (27.7549, 69.1776)),
        (24.2075, (11.3122, 44.4373), (11.3122, 44.4373)),
        (25, (12.1637, 44.517), (13.2248, 42.1652)),
    ),
    (3, 4, 2, 2): (
        (37.5, None, (24.6529, 52.3872)),
        (49.8452, None, (34.7804, 64.9381)),
        (21.5649, None, (11.2345, 37.3929)),
        (31.25, None, (22.0221, 42.2496)),
    ),
    (8, 2, 3, 1): (
        (41.6667, (26.5879, 58.4844), None),
        (51.8182, (41.6583, 61.8299), None),
        (26.8204, (18.9153, 36.5403), None),
        (25, (13.3805, 41.8362), None),
    ),
}
"""By topics, wordings, engines and samples: each figure's value, topic interval and panel interval."""


def ends(interval):
    return interval and pytest.approx((interval.low, interval.high), abs=1e-4)


@pytest.mark.parametrize("shape", PANELS)
def test_the_figures_of_four_panels(shape):
    overall = measure(ruled(*shape))[BRAND].overall
    figures = (overall.score, overall.share_of_voice, overall.prominence, overall.citation_rate)
    for figure, (value, topic, panel) in zip(figures, PANELS[shape], strict=True):
        assert figure.value == pytest.approx(value, abs=1e-4)
        assert (topic, panel) == (ends(figure.topic), ends(figure.panel))


def test_the_mentions_with_a_rank():
    overall = measure(ruled(6, 2, 2, 3))[BRAND].overall
    assert (overall.ranked, overall.mentioned) == (15, 27)


@pytest.mark.parametrize(
    "p, size, low, high",
    [(0.375, 20, 0.199771, 0.59051), (0.05, 20, 0.002565, 0.236131), (0.0, 10, 0.0, 0.277533)],
)
def test_the_modified_wilson_interval(p, size, low, high):
    assert modified_wilson(p, size) == pytest.approx((low, high), abs=1e-6)


def test_the_small_formulas():
    assert student_size(20, 5) == pytest.approx(11.626883, abs=1e-6)
    assert noncentrality(14.7769, 0.05) == pytest.approx(3.002304, abs=1e-6)
    assert benjamini_hochberg(np.array([0.001, 0.02, 0.03, 0.2, 0.9])) == pytest.approx(
        [0.005, 0.05, 0.05, 0.25, 0.9]
    )
    assert holm(np.array([0.01, np.nan, 0.03, 0.02])) == pytest.approx([0.03, np.nan, 0.04, 0.04], nan_ok=True)


def test_the_exact_tests():
    assert chance_of_lead(np.array(9), np.array(2)) == pytest.approx(0.032715, abs=1e-6)
    assert chance_of_signs(np.array([[3.0, 2, 1, 4, 0.5, 6], [1, 1, 1, -1, -1, -1]])) == pytest.approx([2 / 64, 1])
    assert chance_of_difference([(1, 4)], [(3, 4)], 1) == pytest.approx(2 * (16 + 1) / 70)  # Fisher's tea
    assert chance_of_difference([(0, 1)] * 3, [(1, 1)] * 3, 1) == pytest.approx(2 / 8)


def test_wilson_is_that_of_statsmodels():
    for case in json.loads(reference_file("stats_reference.json").read_text())["one_proportion"]:
        assert wilson(case["x"] / case["n"], case["n"]) == pytest.approx(case["wilson"], abs=1e-9)


def test_a_change_of_two_days():
    days = ruled(12, 2, 2, 3), ruled(12, 2, 2, 3, salt=1, shift=4)
    changes = {change.metric: change for change in compare(*days) if (change.subject, change.engine) == (BRAND, None)}
    score, voice, citations = (changes[metric] for metric in Metric)
    assert (score.delta, score.low, score.high) == pytest.approx((22.2222, 10.6956, 32.6278), abs=1e-4)
    assert (score.p, score.minimum_detectable) == pytest.approx((2 / 2**12, 14.871), abs=1e-4)
    assert (voice.delta, voice.low, voice.high) == pytest.approx((11.8615, -6.9094, 29.6980), abs=1e-4)
    assert voice.adjusted_p == pytest.approx(0.2047, abs=1e-4)
    assert (citations.delta, citations.adjusted_p) == pytest.approx((-17.3611, 0.2047), abs=1e-4)
    assert [change.verdict for change in (score, citations)] == [Verdict.MOVED, Verdict.CANNOT_DETECT]
    series = arrange(days)
    contrast = family_contrast(series.pair(*series.days))
    assert float(contrast.variance[0, 0, 0]) == pytest.approx(0.00178144, abs=1e-8)
    assert float(contrast.freedom[0, 0, 0]) == pytest.approx(14.7769, abs=1e-4)


def test_a_step_is_confirmed_then_old_news_and_the_monitor_sees_it_on():
    def score(days: int, step: int):
        first = date(2026, 1, 1)
        history = {
            first + timedelta(day): ruled(20, 2, 2, 3, salt=day, shift=8 if day >= step else 0) for day in range(days)
        }
        return next(each for each in develop(history) if each.change.metric is Metric.SCORE)

    step = score(12, 8)
    assert step.confirmed.since == step.raised.since == date(2026, 1, 9)
    confirmed = step.confirmed
    assert (confirmed.delta, confirmed.low, confirmed.high) == pytest.approx((47.7679, 44.3128, 50.8900), abs=1e-4)
    later, calm = score(20, 8), score(20, 99)
    assert later.confirmed is None and later.raised and later.reported is later.raised
    assert calm.confirmed is None and calm.raised is None
