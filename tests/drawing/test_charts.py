"""Drawings: all days of a quarter, words of the page's size, and strips that are not wider for having few days."""

import itertools
import re
from datetime import date, timedelta

import pytest

from visibility.drawing import charts
from visibility.drawing.charts import TrendDay

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
    svg = charts.trend(charts.thinned(fallen), label="x")
    heights = re.findall(r"[ML][\d.]+ ([\d.]+)", re.search(r'class="line" d="([^"]*)"', svg)[1])
    assert len(heights) == 61
    assert [one != other for one, other in itertools.pairwise(heights)].count(True) == 1


def test_a_day_without_a_figure_breaks_the_line():
    svg = charts.trend([*days(2), TrendDay(FIRST + timedelta(days=2), None), *days(5)[3:]], label="x")
    assert re.search(r'class="line" d="([^"]*)"', svg)[1].count("M") == 2


def test_only_lines_are_stretched_and_no_words():
    svg = charts.trend(days(5), label="x", events=[charts.Event(FIRST + timedelta(days=3), "3 points lost")])
    assert "viewBox" not in re.search(r"<svg[^>]*>", svg)[0]
    stretched = re.search(r'<svg viewBox="[^"]*" preserveAspectRatio="none".*?</svg>', svg)[0]
    assert "<text" not in stretched and "<circle" not in stretched and stretched.count("<path") == 1


def heights(svg):
    """Where the labels of lines lie."""
    return [int(y) for y in re.findall(r'class="lab[^"]*" y="(-?\d+)"', svg)]


@pytest.mark.parametrize("other", [50.0, 52.0, 46.0, 100.0, 0.0])
def test_the_labels_of_two_lines_lie_apart(other):
    line = charts.Line("Velmora", "b1", [(each.day, other) for each in days(3)])
    one, second = heights(charts.trend(days(3), label="x", lines=[line]))
    assert abs(one - second) >= charts.LABEL
    assert (one < second) == (other <= 50.0)


@pytest.mark.parametrize("value", [0.0, 50.0, 100.0])
def test_the_labels_of_five_equal_lines_lie_apart_and_inside(value):
    same = [TrendDay(each.day, value) for each in days(3)]
    lines = [charts.Line(f"rival {n}", f"b{n}", [(each.day, value) for each in same]) for n in range(1, 5)]
    placed = sorted(heights(charts.trend(same, label="x", lines=lines)))
    assert min(below - above for above, below in itertools.pairwise(placed)) >= charts.LABEL
    assert placed[0] >= charts.TOP - 1 and placed[-1] <= charts.BOTTOM + 1


def test_a_day_is_as_wide_as_any_other_however_rarely_is_measured():
    sparse = [TrendDay(FIRST + timedelta(days=day), 50.0) for day in (0, 1, 10)]
    places = re.findall(r"[ML]([\d.]+) ", re.search(r'class="line" d="([^"]*)"', charts.trend(sparse, label="x"))[1])
    assert [float(each) for each in places] == [0.0, charts.WIDE / 10, charts.WIDE]


def test_a_line_that_begins_earlier_begins_the_axis():
    before = charts.Line("before", "past", [(FIRST - timedelta(days=2), 10.0), (FIRST, 20.0)])
    svg = charts.trend(days(3), label="x", lines=[before])
    assert re.search(r'class="other past" d="M0.0 [\d.]+L260.0', svg)


def test_a_day_reads_the_figure_of_each_line():
    line = charts.Line("Velmora", "b1", [(each.day, 25.0) for each in days(2)])
    svg = charts.trend(days(2), label="x", lines=[line])
    assert re.findall(r'text-anchor="end">([^<]*)</text></g></g>', svg) == ["Velmora 25 %"]


@pytest.mark.parametrize("day", [-1, 3])
def test_an_event_outside_of_the_axis_is_not_drawn(day):
    svg = charts.trend(days(3), label="x", events=[charts.Event(FIRST + timedelta(days=day), "launch")])
    assert "launch" not in svg


@pytest.mark.parametrize("number", [1, 2, 42])
def test_a_day_of_a_strip_is_as_wide_whatever_their_number(number):
    svg = charts.strip([True] * number)
    assert f'width="{charts.STEP * number}" height="14"' in svg
    assert svg.count(f'width="{charts.STEP - 2}"') == number


@pytest.mark.parametrize(("first", "labels"), [(FIRST, 4), (date(2025, 8, 25), 2)])
def test_days_with_their_year_stand_at_the_ends_alone(monkeypatch, first, labels):
    monkeypatch.setattr(charts, "day_words", lambda day: f"{day:%b} {day.day}" + ("" if first is FIRST else ", 2025"))
    svg = charts.trend([TrendDay(first + timedelta(days=place), 50.0) for place in range(9)], label="x")
    assert len(re.findall(r'<text x="[^"]*" y="235"', svg)) == labels
