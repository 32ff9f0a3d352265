"""What opens where nothing is the matter: months of days on brands and engines that are alike, a small number."""

import numpy as np
import pytest

from tests.simulate.gaps import Panel, draw, engines_that_open, falls, histories, topics_that_open

MOST = 0.06


@pytest.mark.parametrize(
    "panel", [Panel(topics=6, days=15), Panel(topics=4, engines=3, likeness=0.3, days=15)], ids=str
)
def test_alike_brands_and_engines_rarely_open_in_a_month(panel):
    topics, engines = histories(1, panel, 40)
    assert topics <= MOST and engines <= MOST


def test_a_brand_that_is_left_out_and_an_engine_that_leaves_it_out_do():
    named = draw(np.random.default_rng(1), Panel(topics=4, days=2, rate=0.8))
    named[:, 0, ..., 0] = False
    assert topics_that_open(named) >= 1
    named = draw(np.random.default_rng(1), Panel(topics=4, days=2, rate=0.8))
    named[:, :, :, 0, :, 0] = False
    assert engines_that_open(named) == 1


def test_falls_are_rarely_called_in_a_month_without_change():
    assert falls(1, 100) <= MOST
