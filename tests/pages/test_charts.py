"""The chart draws what was measured: nothing invented, nothing joined that cannot be compared."""

from datetime import date, timedelta
from itertools import pairwise

from visibility.pages.present.charts import trend_chart
from visibility.resources.brands import TREND_FIELDS, TrendItem

DAY = date(2026, 3, 1)


def item(day, score, *, comparable=True, low=None, high=None):
    empty = dict.fromkeys(TREND_FIELDS)
    counts = {"prompts": 1, "topics": 1, "answers": 1, "failed": 0}
    lists = {"engines": [], "runs": []}
    own = {"date": DAY + timedelta(days=day), "score": score, "comparable": comparable, "low": low, "high": high}
    return TrendItem.model_validate({**empty, **counts, **lists, **own})


def chart(*items):
    return trend_chart(items, width=900, height=280, ticks=6)


def test_days_without_a_score_are_left_out():
    points = chart(item(0, 40.0), item(1, None), item(2, 50.0)).points
    assert [point.item.score for point in points] == [40.0, 50.0]


def test_a_score_of_zero_is_drawn_on_the_zero_line():
    drawn = chart(item(0, 0.0), item(1, 100.0))
    assert drawn.points[0].y == drawn.bottom
    assert drawn.points[1].y < drawn.points[0].y


def test_the_horizontal_place_follows_the_date():
    points = chart(item(0, 1.0), item(1, 1.0), item(10, 1.0)).points
    first, second, last = (point.x for point in points)
    assert abs((last - first) - 10 * (second - first)) < 1


def test_a_line_joins_comparable_days_only():
    drawn = chart(item(0, 10.0, comparable=False), item(1, 20.0), item(2, 30.0, comparable=False), item(3, 40.0))
    assert [line.count(",") for line in drawn.lines] == [2, 2]


def test_the_interval_is_drawn_where_there_is_one():
    with_interval, without = chart(item(0, 40.0, low=30.0, high=55.0), item(1, 40.0)).points
    assert with_interval.high_y < with_interval.y < with_interval.low_y
    assert without.low_y is None


def test_one_day_and_no_day_are_drawn():
    assert len(chart(item(0, 40.0)).points) == 1
    assert chart().points == ()


def test_every_date_is_whole_also_the_last():
    for width, ticks in ((900, 6), (380, 2)):
        drawn = trend_chart([item(day, 40.0) for day in range(60)], width=width, height=280, ticks=ticks)
        ends = []
        for tick in drawn.x_ticks:
            length = 6.5 * len(tick.label)
            right = tick.at if tick.anchor == "end" else tick.at + length / 2
            ends.append((right - length, right))
        assert all(left >= 0 and right <= width for left, right in ends)
        assert all(before[1] < after[0] for before, after in pairwise(ends)), "no two of them touch"
        assert drawn.x_ticks[-1].label == "29 Apr 2026"


def test_a_day_that_cannot_be_compared_is_marked_between_it_and_the_one_before():
    drawn = chart(item(0, 10.0, comparable=False), item(1, 20.0), item(2, 30.0, comparable=False), item(3, 40.0))
    [mark] = drawn.breaks
    assert drawn.points[1].x < mark.at < drawn.points[2].x
    assert mark.label == "3 Mar 2026"


def test_days_without_a_measurement_are_passed_over_by_a_dashed_line():
    drawn = chart(item(0, 1.0, comparable=False), item(1, 1.0), item(2, 1.0), item(6, 1.0), item(7, 1.0))
    assert [line.count(",") for line in drawn.lines] == [3, 2]
    [gap] = drawn.gaps
    assert gap == f"M{drawn.points[2].x},{drawn.points[2].y} L{drawn.points[3].x},{drawn.points[3].y}"


def test_a_weekly_trend_has_no_gaps_and_one_over_a_break_is_not_joined():
    assert chart(item(0, 1.0, comparable=False), item(7, 1.0), item(14, 1.0)).gaps == ()
    broken = chart(item(0, 1.0), item(1, 1.0), item(2, 1.0), item(9, 1.0, comparable=False))
    assert broken.gaps == () and len(broken.breaks) == 1
