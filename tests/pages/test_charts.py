"""Drawings: all days of a quarter, words of the page's size, and strips that are not wider for having few days."""

import itertools
import re
from datetime import date, timedelta

import pytest

from visibility.pages import charts
from visibility.pages.charts import TrendDay

FIRST = date(2026, 1, 1)


def days(number, **more):
    return [TrendDay(FIRST + timedelta(days=place), 50.0, **more) for place in range(number)]


@pytest.mark.parametrize(
    ("number", "drawn"), [(0, 0), (2, 2), (61, 61), (120, 120), (121, 61), (180, 90), (400, 100)]
)
def test_every_day_is_drawn_while_there_is_room(number, drawn):
    shown = charts.thinned(days(number))
    assert len(shown) == drawn <= charts.MOST_POINTS
    assert shown[-1:] == days(number)[-1:]


def test_a_fall_of_one_day_is_one_step_of_the_line():
    fallen = [*days(30), *(TrendDay(FIRST + timedelta(days=30 + place), 10.0) for place in range(31))]
    svg = charts.trend(charts.thinned(fallen), label="x", events=[])
    heights = re.findall(r"[ML][\d.]+ ([\d.]+)", re.search(r'class="line" d="([^"]*)"', svg)[1])
    assert len(heights) == 61
    assert [one != other for one, other in itertools.pairwise(heights)].count(True) == 1


def test_a_day_without_a_figure_breaks_the_line():
    svg = charts.trend([*days(2), TrendDay(FIRST + timedelta(days=2), None), *days(2)], label="x", events=[])
    assert re.search(r'class="line" d="([^"]*)"', svg)[1].count("M") == 2


def test_only_lines_are_stretched_and_no_words():
    svg = charts.trend(days(5), label="x", events=[charts.Event(FIRST + timedelta(days=3), "3 points lost")])
    assert "viewBox" not in re.search(r"<svg[^>]*>", svg)[0]
    stretched = re.search(r'<svg viewBox="[^"]*" preserveAspectRatio="none".*?</svg>', svg)[0]
    assert "<text" not in stretched and "<circle" not in stretched and stretched.count("<path") == 2


@pytest.mark.parametrize("second", [50.0, 52.0, 46.0, 100.0, 0.0])
def test_the_two_labels_of_the_last_day_lie_apart(second):
    svg = charts.trend([TrendDay(each.day, 50.0, second=second) for each in days(3)], label="x", events=[])
    one, other = (int(y) for y in re.findall(r'class="lab[^"]*" y="(-?\d+)"', svg))
    assert abs(one - other) >= charts.LABEL
    assert (one < other) == (second <= 50.0)


@pytest.mark.parametrize("number", [1, 2, 42])
def test_a_day_of_a_strip_is_as_wide_whatever_their_number(number):
    svg = charts.strip([True] * number)
    assert f'width="{charts.STEP * number}" height="14"' in svg
    assert svg.count(f'width="{charts.STEP - 2}"') == number
