"""The chart draws what was measured: nothing invented, nothing joined that cannot be compared."""

import re
from datetime import date, timedelta
from itertools import pairwise

import pytest
from django.template.loader import render_to_string

from tests.pages.charted import DAY, item, measured, rival, series
from visibility.pages.present.charts.axes import fitted_axis
from visibility.pages.present.charts.engines import engine_panels
from visibility.pages.present.charts.figure import trend_figure
from visibility.pages.present.charts.frames import COLUMN, HALF, NARROW, WIDE
from visibility.pages.present.charts.intervals import Standing, interval_figure
from visibility.pages.present.charts.notes import breaks_of, gaps_of
from visibility.pages.present.charts.series import Series, brand_series, engine_series
from visibility.pages.present.charts.shares import preference_bar, why_undecided
from visibility.pages.present.charts.sparkline import sparkline
from visibility.pages.present.charts.texts import fitted, text_width
from visibility.pages.present.charts.trend import MAX_RIVALS, SPACE, trend_chart
from visibility.resources.comparisons import Preferences

MOVED = {"from": DAY, "delta": 12.0, "low": 3.0, "high": 21.0, "verdict": "moved", "minimumDetectable": 5.0}
NOT_COMPARABLE = {
    **{"from": DAY, "delta": None, "low": None, "high": None, "minimumDetectable": None},
    "verdict": "not_comparable",
    "causes": [{"code": "prompts", "message": "3 prompts are new"}],
}


def chart(*items, frame=WIDE):
    return trend_chart(series(*items), frame=frame)


def test_days_without_a_score_are_left_out():
    points = chart(item(0, 40.0), item(1, None), item(2, 50.0)).points
    assert [point.item.value for point in points] == [40.0, 50.0]


def test_a_score_of_zero_is_drawn_on_the_zero_line_and_100_at_the_top():
    drawn = chart(item(0, 0.0), item(1, 100.0))
    assert drawn.points[0].y == WIDE.plot_bottom
    assert drawn.points[1].y == WIDE.top
    assert not drawn.axis.is_cut


@pytest.mark.parametrize("score", [0.0, 100.0])
def test_days_that_are_all_the_same_at_an_end_of_the_axis_are_drawn(score):
    axis = chart(item(0, score, low=score, high=score), item(1, score)).axis
    assert axis.first <= score <= axis.last and axis.last - axis.first >= 10


def test_the_horizontal_place_follows_the_date():
    points = chart(item(0, 1.0), item(1, 1.0), item(10, 1.0)).points
    first, second, last = (point.x for point in points)
    assert abs((last - first) - 10 * (second - first)) < 1


def test_a_line_joins_comparable_days_only():
    drawn = chart(item(0, 10.0, comparable=False), item(1, 20.0), item(2, 30.0, comparable=False), item(3, 40.0))
    assert [line.count(",") for line in drawn.lines] == [2, 2]


def test_the_interval_is_a_band_along_a_line_and_a_whisker_at_a_day_alone():
    ends = {"low": 30.0, "high": 55.0}
    together = chart(item(0, 40.0, **ends), item(1, 40.0, **ends), item(2, 40.0))
    assert [band.count(",") for band in together.bands] == [4] and together.alone == ()
    apart = chart(item(0, 40.0, **ends), item(1, 40.0, comparable=False))
    assert apart.bands == () and [point.item.day for point in apart.alone] == [DAY]
    assert apart.alone[0].high_y < apart.alone[0].y < apart.alone[0].low_y


def test_one_day_and_no_day_are_drawn():
    alone = chart(item(0, 40.0))
    assert len(alone.points) == 1 and [tick.label for tick in alone.x_ticks] == ["1 Mar 2026"]
    assert chart().points == () and chart(item(0, None)).points == ()


def test_the_axis_is_fitted_and_says_so_where_it_does_not_begin_at_zero():
    far = chart(item(0, 82.0, low=78.0, high=86.0), item(1, 84.0, low=80.0, high=88.0)).axis
    assert far.is_cut and far.first <= 78 and far.last >= 88 and far.last - far.first <= 20
    near = chart(item(0, 10.0, low=4.0, high=30.0), item(1, 12.0)).axis
    assert near.first == 0 and not near.is_cut


@pytest.mark.parametrize("low", range(0, 101, 3))
@pytest.mark.parametrize("span", [0.0, 0.4, 7.0, 33.3, 100.0])
def test_every_value_lies_on_a_fitted_axis(low, span):
    high = min(100.0, low + span)
    axis = fitted_axis([float(low), high])
    assert 0 <= axis.first <= low and high <= axis.last <= 100
    assert axis.last - axis.first >= 10 and 2 <= len(axis.values) <= 7


@pytest.mark.parametrize("frame", [WIDE, NARROW], ids=["wide", "narrow"])
@pytest.mark.parametrize("days", [1, 2, 60, 1_800])
def test_every_date_is_whole_also_the_last(frame, days):
    drawn = chart(*(item(day, 40.0) for day in range(days)), frame=frame)
    ends = []
    for tick in drawn.x_ticks:
        length = text_width(tick.label, 12.0)
        left = tick.at - {"start": 0, "middle": length / 2, "end": length}[tick.anchor]
        ends.append((left, left + length))
    assert all(left >= 0 and right <= frame.width for left, right in ends)
    assert all(before[1] < after[0] for before, after in pairwise(ends)), "no two of them touch"
    assert drawn.x_ticks[-1].label == f"{DAY + timedelta(days=days - 1):%-d %b %Y}"


def test_a_day_that_cannot_be_compared_is_marked_with_the_reason():
    drawn = chart(
        item(0, 10.0, comparable=None), item(1, 20.0), item(2, 30.0, comparable=False, change=NOT_COMPARABLE)
    )
    [mark] = drawn.breaks
    assert drawn.points[1].x < mark.at < drawn.points[2].x
    assert mark.label == "3 Mar 2026 cannot be compared with the measured day before: 3 prompts are new"


def test_days_without_a_measurement_are_passed_over_by_a_dashed_line():
    drawn = chart(item(0, 1.0, comparable=False), item(1, 1.0), item(2, 1.0), item(6, 1.0), item(7, 1.0))
    assert [line.count(",") for line in drawn.lines] == [3, 2]
    [gap] = drawn.gaps
    assert gap == f"M{drawn.points[2].x},{drawn.points[2].y} L{drawn.points[3].x},{drawn.points[3].y}"


def test_a_weekly_trend_has_no_gaps_and_one_over_a_break_is_not_joined():
    assert chart(item(0, 1.0, comparable=False), item(7, 1.0), item(14, 1.0)).gaps == ()
    broken = chart(item(0, 1.0), item(1, 1.0), item(2, 1.0), item(9, 1.0, comparable=False))
    assert broken.gaps == () and len(broken.breaks) == 1


def test_a_gap_says_whether_nothing_was_scanned_or_too_little_answered():
    measured_days = [item(0, 1.0), item(1, 1.0), item(2, 1.0)]
    [unscanned] = gaps_of(series(*measured_days, item(6, 1.0)))
    assert unscanned == "3 Mar 2026 to 7 Mar 2026: 3 days between them without a score, as nothing was scanned"
    [failed] = gaps_of(series(*measured_days, item(4, None, failed=7), item(6, 1.0)))
    assert failed.endswith("as 1 scanned day brought too few answers: 7 calls failed")


def test_a_dot_tells_date_value_interval_answers_and_verdict():
    [_, moved] = series(item(0, 40.0), item(1, 52.0, low=44.0, high=60.1, answers=120, change=MOVED)).days
    assert moved.sentence == (
        "2 Mar 2026: 52.0 % (95 %: 44.0 to 60.1), 120 answers; moved up 12.0 points (3.0 to 21.0)"
    )
    assert moved.mark == "moved"


def test_a_confirmed_move_is_marked_on_the_day_of_the_move_alone():
    confirmation = {
        **{"state": "confirmed", "movedOn": DAY + timedelta(days=1), "pooledDays": 4},
        **{"delta": 12.0, "low": 5.0, "high": 19.0},
    }
    days = series(item(0, 40.0), item(1, 52.0), item(2, 53.0, confirmation=confirmation)).days
    assert [day.mark for day in days] == ["", "confirmed", ""]
    assert days[1].verdict == "rose by 12.0 points (5.0 to 19.0) since 2 Mar 2026, confirmed on two days"


@pytest.mark.parametrize("frame", [WIDE, NARROW], ids=["wide", "narrow"])
def test_dots_never_lie_upon_each_other_and_the_last_day_and_moves_keep_theirs(frame):
    items = [item(day, 40.0 + day % 7, change=MOVED if day == 1_001 else None) for day in range(1_800)]
    drawn = chart(*items, frame=frame)
    places = [dot.point.x for dot in drawn.dots]
    assert len(places) > 20 and (places[-1] - places[0]) / (len(places) - 1) >= SPACE * 0.9
    assert drawn.latest.point.item.day == items[-1].date
    assert DAY + timedelta(days=1_001) in {dot.point.item.day for dot in drawn.dots}
    assert len(drawn.points) == 1_800 and sum(line.count(",") for line in drawn.lines) <= 400


def test_a_line_of_many_days_keeps_its_peaks():
    drawn = chart(*(item(day, 100.0 if day == 777 else 40.0) for day in range(1_800)))
    assert f",{WIDE.top}" in drawn.lines[0]


@pytest.mark.parametrize("frame", [WIDE, NARROW], ids=["wide", "narrow"])
def test_what_a_dot_tells_stays_inside_the_picture(frame):
    causes = [{"code": "model", "message": "engine-" + "W" * 300}]
    drawn = chart(
        item(0, 1.0), item(1, 2.0, comparable=False, change={**NOT_COMPARABLE, "causes": causes}), frame=frame
    )
    for dot in drawn.dots:
        assert 4 + text_width(dot.first, 13) <= frame.width and 4 + text_width(dot.second, 12) <= frame.width


@pytest.mark.parametrize("text", ["W" * 100_000, "ש" * 500, "漢" * 500, "a b " * 500, "e\u0301" * 200])
def test_a_text_is_cut_where_its_room_ends(text):
    assert text_width(fitted(text, 200.0, 13.0), 13.0) <= 200.0
    assert fitted(text, 200.0, 13.0).endswith("…")


def test_rivals_are_lines_of_their_own_on_the_same_axis():
    rivals = [rival(f"Rival {number}", 90.0, 91.0) for number in range(30)]
    drawn = trend_chart(series(item(0, 10.0), item(1, 12.0)), rivals)
    assert [line.number for line in drawn.rivals] == list(range(1, MAX_RIVALS + 1))
    assert drawn.axis.last >= 91 and all(WIDE.top <= dot.y <= WIDE.plot_bottom for dot in drawn.rivals[0].dots)


def test_the_table_lists_the_newest_days_first_beside_the_rivals():
    figure = trend_figure(series(*(item(day, 10.0) for day in range(130))), [rival("Rival", 90.0)])
    assert figure.rows[0].day.day == DAY + timedelta(days=129) and len(figure.rows) == 100
    older = trend_figure(series(*(item(day, 10.0) for day in range(130))), page="2")
    assert [row.day.day for row in older.rows] == [DAY + timedelta(days=day) for day in reversed(range(30))]
    assert figure.rivals == ("Rival",) and figure.rows[0].rivals == ("–",)


def test_a_figure_says_why_days_cannot_be_compared_the_latest_first():
    items = [item(day, 10.0, comparable=False, change=NOT_COMPARABLE) for day in range(8)]
    figure = trend_figure(series(*items))
    assert figure.notes[0].startswith("8 Mar 2026 cannot be compared") and figure.more_notes == 3
    assert len(breaks_of(series(*items))) == 7


def engines(*scores):
    filled = {"answers": 5, "low": None, "high": None}
    return [{"engine": name, "score": score, **filled} for name, score in scores]


def test_engines_stand_on_one_axis_over_the_same_days():
    trend = [
        item(0, 50.0, engines=engines(("a", 20.0), ("b", 80.0))),
        item(1, 50.0, engines=engines(("a", 22.0))),
        item(2, 50.0, engines=engines(("a", 24.0), ("c", None))),
    ]
    first, second, none = engine_panels(engine_series(trend))
    assert [first.name, second.name, none.name] == ["a", "b", "c"] and none.latest is None
    assert first.chart.axis == second.chart.axis and first.chart.axis.first <= 20 and first.chart.axis.last >= 80
    assert [tick.label for tick in first.chart.x_ticks] == [tick.label for tick in second.chart.x_ticks]
    assert first.chart.points[0].x == second.chart.points[0].x


def test_an_engine_breaks_where_it_itself_cannot_be_compared():
    own = {**NOT_COMPARABLE, "engine": "a", "causes": [{"code": "model", "message": "another model answers"}]}
    kept = {**MOVED, "engine": "b"}
    change = {**NOT_COMPARABLE, "byEngine": [own, kept]}
    trend = [
        item(0, 50.0, engines=engines(("a", 20.0), ("b", 80.0))),
        item(1, 50.0, comparable=False, change=change, engines=engines(("a", 20.0), ("b", 92.0))),
    ]
    broken, joined = engine_panels(engine_series(trend))
    assert len(broken.chart.breaks) == 1 and broken.chart.breaks[0].label.endswith("another model answers")
    assert joined.chart.breaks == () and len(joined.chart.lines) == 1


def test_the_interval_plot_puts_the_highest_first_and_the_unmeasured_last():
    rows = [
        Standing("Acme", 40.0, 30.0, 50.0, 10, is_own=True),
        Standing("None", None),
        Standing("Big", 90.0, 80.0, 95.0),
    ]
    figure = interval_figure(rows)
    assert [row.standing.name for row in figure.wide.rows] == ["Big", "Acme", "None"]
    assert figure.wide.own_x == figure.wide.rows[1].x
    assert figure.wide.rows[2].x is None and figure.wide.rows[2].standing.figure == "not measured"


def test_thirty_rivals_with_hostile_names_stay_inside_the_interval_plot():
    rows = [Standing("W" * 100_000 if number else "\u202eevil<script>", 100.0, 0.0, 100.0, 9) for number in range(31)]
    figure = interval_figure(rows)
    for plot in (figure.wide, figure.narrow):
        for row in plot.rows:
            right = plot.name_x + text_width(row.name, 13.0)
            assert right < plot.figure_x - text_width(row.standing.figure, 13.0)
            assert plot.left <= row.low_x <= row.x <= row.high_x <= plot.right and row.y < plot.bottom
    assert "\u202e" not in "".join(row.name for row in figure.wide.rows)


def test_a_sparkline_tells_where_the_trend_begins_and_ends():
    spark = sparkline([measured(0, 40.0, low=30.0, high=50.0, answers=9), measured(1, 44.0, low=34.0, high=54.0)])
    assert (
        spark.words
        == "From 1 Mar 2026: 40.0 % (95 %: 30.0 to 50.0), 9 answers. To 2 Mar 2026: 44.0 % (95 %: 34.0 to 54.0)"
    )
    assert len(spark.chart.bands) == 1 and spark.last.item.value == 44.0
    assert sparkline([]).words == "Not measured yet" and sparkline([measured(0, None)]).last is None


def test_a_series_leads_to_its_days():
    link = lambda day: f"/runs/{day}"  # noqa: E731
    assert brand_series("Acme", [item(0, 1.0)], link).days[0].href == "/runs/2026-03-01"
    assert isinstance(engine_series([item(0, 1.0, engines=engines(("a", 1.0)))], link)[0], Series)
    assert date(2026, 3, 1) == DAY


def preferences(own, undecided, rival, contradictory=0):
    return Preferences(
        answers=own + undecided + rival,
        site_preferred=own,
        competitor_preferred=rival,
        undecided=undecided,
        contradictory=contradictory,
    )


def test_a_bar_of_preferences_has_a_part_for_each_side_and_names_that_fit():
    bar = preference_bar(preferences(3, 0, 1), own="Acme", rival="W" * 100_000)
    assert [share.kind for share in bar.shares] == ["mine", "theirs"]
    assert bar.shares[0].width == 3 * bar.shares[1].width == 0.75 * bar.width
    for share in bar.shares:
        assert text_width(share.label, 13.0) <= share.width - 16 and share.label.endswith(("3", "1"))
    assert preference_bar(preferences(0, 0, 0), own="a", rival="b").shares == ()


@pytest.mark.parametrize(
    ("undecided", "contradictory", "words"),
    [
        (0, 0, ""),
        (1, 1, "Of the undecided 1 decides both ways."),
        (1, 0, "Of the undecided 1 chooses neither, or only under a condition."),
        (5, 2, "Of the undecided 2 decide both ways and 3 choose neither, or only under a condition."),
    ],
)
def test_a_comparison_says_why_it_is_undecided(undecided, contradictory, words):
    assert why_undecided(preferences(1, undecided, 1, contradictory)) == words


def caused(code, message="because"):
    return {**NOT_COMPARABLE, "causes": [{"code": code, "message": message}]}


def test_a_break_names_its_cause_in_a_word_on_the_chart():
    drawn = chart(item(0, 10.0), item(5, 20.0, comparable=False, change=caused("model")), item(9, 20.0))
    [mark] = drawn.marks
    assert mark.is_break and mark.word == "≠ model" and mark.label.endswith("because")


@pytest.mark.parametrize("frame", [WIDE, HALF, COLUMN, NARROW], ids=["wide", "half", "column", "narrow"])
def test_words_of_marks_keep_clear_of_what_is_told_above_them(frame):
    drawn = chart(item(0, 10.0), item(1, 12.0, comparable=False, change=caused("engines")), frame=frame)
    svg = render_to_string("visibility/charts/_trend_svg.html", {"chart": drawn, "name": "Acme", "variant": "wide"})
    told = re.search(r'<g class="told">.*?<text x="4" y="(\d+)">', svg)
    mark = re.search(r'<g class="break">.*?<text x="[\d.]+" y="([\d.]+)" dy="(-\d+)"', svg)
    room = float(mark[1]) + float(mark[2]) - float(told[1])
    assert room >= 11.0 + 3.0, "the height of its letters, and what hangs below a line"


@pytest.mark.parametrize("frame", [WIDE, NARROW], ids=["wide", "narrow"])
@pytest.mark.parametrize("days", [2, 40, 400])
def test_words_of_marks_never_touch_nor_leave_the_picture(frame, days):
    items = [item(day, 10.0, comparable=False, change=caused("detector")) for day in range(days)]
    words = [mark for mark in chart(*items, frame=frame).marks if mark.word]
    ends = [
        (mark.word_at - text_width(mark.word, 11.0) / 2, mark.word_at + text_width(mark.word, 11.0) / 2)
        for mark in words
    ]
    assert words and all(left >= 0 and right <= frame.width for left, right in ends)
    assert all(before[1] < after[0] for before, after in pairwise(ends))
    assert len(chart(*items, frame=frame).marks) == days - 1, "each break keeps its line"


@pytest.mark.parametrize(("since", "place"), [(3, 3), (4, 5), (0, None), (9, 5)])
def test_the_day_on_which_topics_changed_is_marked_the_last_one_where_none_was_measured_since(since, place):
    items = [item(day, 10.0) for day in (0, 1, 2, 3, 5)]
    own = brand_series("Acme", items, topics_since=DAY + timedelta(days=since), counted_since=DAY + timedelta(3))
    [*noted] = [(day.day, day.noted) for day in own.days if "topics" in day.noted]
    word = "names, topics" if place == 3 else "topics"
    assert noted == ([] if place is None else [(DAY + timedelta(days=place), word)])
    if noted:
        assert any("topics changed on" in note and "the topics of today" in note for note in trend_figure(own).notes)


@pytest.mark.parametrize(("since", "place"), [(3, 3), (4, 5), (0, None), (9, None)])
def test_the_day_since_which_names_are_counted_is_marked_on_the_chart_and_in_the_table(since, place):
    items = [item(day, 10.0) for day in (0, 1, 2, 3, 5)]
    own = brand_series("Acme", items, counted_since=DAY + timedelta(days=since))
    figure = trend_figure(own)
    noted = [day.day for day in own.days if day.note]
    assert noted == ([] if place is None else [DAY + timedelta(days=place)])
    marks = [mark for mark in figure.wide.marks if not mark.is_break]
    assert [mark.word for mark in marks] == (["* names"] if noted else [])
    assert figure.has_notes is bool(noted) and not figure.wide.breaks
    if noted:
        assert "names, domains, competitors or the detector changed" in figure.notes[0]
        assert next(row.day.note for row in figure.rows if row.day.day == noted[0])
