"""How many topics a score needs to be as exact as one wants."""

from dataclasses import replace
from statistics import mean, median

import numpy as np
import pytest

from tests.measurement.panels_beta import World, draw_day, draw_panel
from tests.metrics.panels import BRAND, Answer, panel, tally
from visibility.metrics import measure_scores
from visibility.metrics.precision import topics_for

WORLDS = {
    "twelve topics": World(rivals=()),
    "four topics": World(topics=4, rivals=()),
    "one engine": World(engines=1, rivals=()),
    "a high rate": World(rate=0.85, rivals=()),
    "all-or-nothing topics": World(by_topic=0.95, by_wording=0.05, by_cell=0.05, shared=0.9, rivals=()),
    "one sample a prompt": World(topics=8, samples=(1,), rivals=()),
}


def days(world, number, seed):
    rng = np.random.default_rng(seed)
    return [draw_day(rng, draw_panel(rng, world)) for _ in range(number)]


@pytest.mark.parametrize("name", WORLDS)
def test_a_panel_of_so_many_topics_is_about_that_exact(name):
    world = WORLDS[name]
    topics = int(median(topics_for(10, day, BRAND) for day in days(world, 60, 1)))
    intervals = [measure_scores(day)[BRAND].score.topic for day in days(replace(world, topics=topics), 40, 2)]
    assert mean(each.high - each.low for each in intervals) / 2 == pytest.approx(10, rel=0.25)


def test_topics_that_differ_more_take_more_topics():
    alike, apart = (
        panel({f"t{number}": [each] for number, each in enumerate(mentions)}, 6)
        for mentions in ([3, 2, 4, 3, 2, 4, 3, 3], [0, 6, 0, 6, 0, 6, 6, 0])
    )
    assert topics_for(10, alike, BRAND) < topics_for(10, apart, BRAND)


def test_a_smaller_margin_takes_more_topics():
    day = panel({f"t{number}": [3 * (number % 2)] for number in range(12)}, 3)
    assert topics_for(20, day, BRAND) < topics_for(10, day, BRAND) < topics_for(5, day, BRAND)


def test_a_single_topic_is_judged_by_the_usual_spread():
    """By correlations of .66 and .4 a topic has the variance (.4 + .26/2 + .34/6)/4, and 1.96² × that/.1² is 56."""
    assert 56 <= topics_for(10, panel({"t": [3, 0]}, 3), BRAND) <= 60


def test_no_number_of_topics_averages_the_luck_of_a_day_out():
    assert topics_for(2, panel({f"t{number}": [50] for number in range(20)}, 100), BRAND) is None


def test_nothing_is_known_without_answers():
    assert topics_for(10, tally([Answer("a", "p", "t", {}, named=frozenset([BRAND]))]), BRAND) is None
