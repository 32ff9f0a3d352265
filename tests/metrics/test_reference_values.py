"""Values that other code computed: the first implementation's, statsmodels'."""

import json
from datetime import date, timedelta

import numpy as np
import pytest

from tests.metrics.panels import BRAND, ruled
from tests.reference import reference_file
from visibility.metrics import Interval, Metric, Verdict, compare, develop, measure
from visibility.metrics.contrasts import family_contrast
from visibility.metrics.exact import chance_of_lead
from visibility.metrics.intervals import modified_wilson, student_size, wilson
from visibility.metrics.series import arrange
from visibility.metrics.verdicts import benjamini_hochberg, noncentrality

PANELS = {
    (6, 2, 2, 3): (
        (37.5, 24.4262, 52.6924),
        (49.0741, 34.764, 63.5375),
        (23.0706, 13.0346, 37.5017),
        (34.7222, 21.2545, 51.1775),
    ),
    (12, 1, 1, 3): (
        (36.1111, 21.7413, 53.4872),
        (48.1481, 29.8794, 66.9258),
        (24.2075, 12.9408, 40.6979),
        (25, 12.18, 44.4794),
    ),
    (3, 4, 2, 2): (
        (37.5, 25.2153, 51.6372),
        (49.8452, 35.2423, 64.4746),
        (21.5649, 11.3978, 37.0128),
        (31.25, 22.1778, 42.029),
    ),
    (8, 2, 3, 1): (
        (41.6667, 27.2969, 57.6071),
        (51.8182, 35.073, 68.1646),
        (26.8204, 15.3353, 42.581),
        (25, 13.5454, 41.4923),
    ),
}


@pytest.mark.parametrize("shape", PANELS)
def test_the_figures_of_four_panels(shape):
    overall = measure(ruled(*shape))[BRAND].overall
    figures = (overall.score, overall.share_of_voice, overall.prominence, overall.citation_rate)
    for figure, (value, low, high) in zip(figures, PANELS[shape], strict=True):
        assert (figure.value, figure.interval.low, figure.interval.high) == pytest.approx(
            (value, low, high), abs=1e-4
        )


def test_the_panel_interval_and_the_mentions_with_a_rank():
    overall = measure(ruled(6, 2, 2, 3))[BRAND].overall
    assert overall.score.panel == Interval(pytest.approx(27.2192, abs=1e-4), pytest.approx(49.0471, abs=1e-4))
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
    assert chance_of_lead(np.array(9), np.array(2)) == pytest.approx(0.032715, abs=1e-6)


def test_wilson_is_that_of_statsmodels():
    for case in json.loads(reference_file("stats_reference.json").read_text())["one_proportion"]:
        assert wilson(case["x"] / case["n"], case["n"]) == pytest.approx(case["wilson"], abs=1e-9)


def test_a_change_of_two_days():
    days = ruled(12, 2, 2, 3), ruled(12, 2, 2, 3, salt=1, shift=4)
    changes = {change.metric: change for change in compare(*days) if (change.subject, change.engine) == (BRAND, None)}
    score, voice, citations = (changes[metric] for metric in Metric)
    assert (score.delta, score.low, score.high) == pytest.approx((22.2222, 13.2141, 31.2303), abs=1e-4)
    assert (score.p, score.minimum_detectable) == pytest.approx((0.0001, 14.871), abs=1e-4)
    assert (voice.delta, voice.low, voice.high) == pytest.approx((11.8615, 3.5495, 20.1735), abs=1e-4)
    assert voice.adjusted_p == pytest.approx(0.0407, abs=1e-4)
    assert (citations.delta, citations.adjusted_p) == pytest.approx((-17.3611, 0.125), abs=1e-4)
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
    assert (confirmed.delta, confirmed.low, confirmed.high) == pytest.approx((47.7679, 44.8488, 50.6869), abs=1e-4)
    later, calm = score(20, 8), score(20, 99)
    assert later.confirmed is None and later.raised and later.reported is later.raised
    assert calm.confirmed is None and calm.raised is None
