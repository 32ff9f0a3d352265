"""What many measured days say of a figure, on days drawn once with fixed seeds and on counts worked out by hand."""

from dataclasses import replace
from datetime import date, timedelta

import numpy as np
import pytest

from tests.measurement.test_change import day as said
from tests.measurement.test_metrics import answers
from visibility.detection.types import BRAND
from visibility.metrics.change import Metric, compare
from visibility.metrics.changes.developing import develop
from visibility.metrics.changes.series import arrange
from visibility.metrics.development import Confirmation, Development
from visibility.metrics.pairs import DayCounts, count_day, pair_counts, pair_days
from visibility.metrics.verdicts import Verdict, adjust, benjamini_hochberg

FIRST = date(2026, 1, 1)
SUBJECTS = (BRAND, "r", "x")


def drawn(rates, topics=50, engines=("e", "f"), every=1, seed=1):
    """One day for each rate of the brand; its rivals stay as they are."""
    rng = np.random.default_rng(seed)
    chances = rng.random((topics, len(SUBJECTS)))
    shape = (len(engines), topics, len(SUBJECTS))
    days = []
    for number, rate in enumerate(rates):
        of_day = chances.copy()
        of_day[:, 0] = 2 * rate * chances[:, 0] if rate <= 0.5 else 1 - 2 * (1 - rate) * chances[:, 0]
        names = tuple(f"p{place:03}" for place in range(topics))
        days.append(
            DayCounts(
                day=FIRST + timedelta(every * number),
                subjects=SUBJECTS,
                engines=engines,
                averaged=frozenset(engines),
                prompts=names,
                topics=names,
                named=np.zeros((topics, len(SUBJECTS)), dtype=bool),
                answers=np.full(shape[:2], 3.0),
                mentioned=rng.binomial(3, np.broadcast_to(of_day, shape)).astype(float),
                cited=rng.binomial(3, np.broadcast_to(of_day / 2, shape)).astype(float),
            )
        )
    return days


def on(days, place=-1) -> Development:
    """What is said of the brand's score on a day."""
    place %= len(days)
    return develop(days[place], days[:place])[0]


def step(before=10, after=3, rate=0.5, to=0.2):
    return drawn([rate] * before + [to] * after)


class TestOneWayToAPair:
    def test_counted_days_give_the_pair_of_their_answers(self):
        before = said("e", "b", "r -", "-", topics=[0, 0, 1]) + said("f", "b", "b")
        now = said("e", "-", "b r", "b", "b", topics=[0, 0, 1, 1]) + said("g", "b")
        pair = pair_days(before, now, ("b", "r"), ("e", "g"))
        counted = [count_day(FIRST, outcomes, ("b", "r"), ("e", "g")) for outcomes in (before, now)]
        again = pair_counts(*counted)
        assert (pair.engines, pair.subjects, pair.topic.tolist()) == (("e",), ("b", "r"), [0, 0, 1])
        for first, second in ((pair.before, again.before), (pair.now, again.now)):
            np.testing.assert_array_equal(first.answers, second.answers)
            np.testing.assert_array_equal(first.mentioned, second.mentioned)

    def test_subjects_that_only_one_day_counts_are_left_out(self):
        before, now = (
            count_day(FIRST, said("e", "b", "r"), subjects, "e") for subjects in (("b", "r"), ("x", "r", "b"))
        )
        pair = pair_counts(before, now)
        assert pair.subjects == ("r", "b")
        np.testing.assert_array_equal(pair.before.mentioned[0], [[0, 1], [1, 0]])

    def test_the_latest_change_is_that_of_the_two_days(self):
        days = step()
        told = {(item.change.subject, item.change.engine, item.change.metric): item.change for item in
                develop(days[1], days[:1])}  # fmt: skip
        assert list(told.values()) == compare(pair_counts(days[0], days[1]))


class TestPooledDays:
    def test_a_pooled_cell_is_the_mean_of_the_days_parts(self):
        """1 of 1, 0 of 2 and 2 of 4: a half on average, and nothing on the day without an answer."""
        days = [
            count_day(FIRST + timedelta(number), outcomes, ("b",), "e")
            for number, outcomes in enumerate(
                [
                    answers("e", "p", "t", "b"),
                    answers("e", "q", "u", "b"),
                    answers("e", "p", "t", "", ""),
                    answers("e", "p", "t", "b", "b", "", ""),
                    answers("e", "p", "t", "b") + answers("e", "q", "u", ""),
                ]
            )
        ]
        pooled = arrange(days[-1], days[:-1]).pooled(0, 4)
        assert pooled.mentioned[0, :, 0] / pooled.answers[0] == pytest.approx([1 / 2, 1])

    def test_days_without_an_engine_or_a_prompt_are_not_days_without_mentions(self):
        days = drawn([0.5] * 4)
        gone = replace(days[1].narrowed(["e"], SUBJECTS))
        series = arrange(days[3], [days[0], gone, days[2]])
        both = series.pooled(0, 3)
        assert series.days[1].answers[1].sum() == 0
        expected = (days[0].mentioned[1] + days[2].mentioned[1]) / 6
        np.testing.assert_allclose(both.mentioned[1] / both.answers[1][:, None], expected)


class TestOwnTest:
    def test_the_score_of_the_brand_is_a_test_of_its_own(self):
        days = drawn([0.5, 0.35])
        own, *rest = compare(pair_counts(*days))
        assert (own.subject, own.engine, own.metric) == (BRAND, None, Metric.SCORE)
        assert own.adjusted_p == own.p
        expected = benjamini_hochberg(np.array([change.p for change in rest]))
        assert [change.adjusted_p for change in rest] == pytest.approx(expected)

    def test_without_a_figure_over_engines_there_is_none(self):
        before, now = (replace(day, averaged=frozenset()) for day in drawn([0.5, 0.35]))
        assert all(change.engine for change in compare(pair_counts(before, now)))


class TestThreeComparisons:
    def test_a_line_shares_its_level_by_holm(self):
        """Alone: 0.02, 0.03 and 0.01 become 0.04, 0.04 and 0.03."""
        p = np.array([0.02, 0.03, 0.01])[:, None, None, None]
        assert adjust(p, np.ones((1, 1, 1), dtype=bool)).ravel() == pytest.approx([0.04, 0.04, 0.03])

    def test_a_line_without_far_days_keeps_its_level(self):
        p = np.array([0.02, np.nan, np.nan])[:, None, None, None]
        assert adjust(p, np.ones((1, 1, 1), dtype=bool))[0].item() == pytest.approx(0.02)

    def test_a_selected_line_has_the_part_of_the_level_that_was_selected(self):
        """Four lines with smallest p by Holm 0.01, 0.02, 0.6 and 1: two are selected. The 0.024
        of the first line becomes 0.024 · 4/2; the 0.5 of the second would need the third line, 0.6 · 4/3."""
        p = np.array([[0.005, 0.01, 0.3, 1.0], [0.024, 0.5, 0.9, 1.0]]).reshape(2, 1, 1, 4)
        adjusted = adjust(p, np.zeros((1, 1, 4), dtype=bool)).reshape(2, 4)
        assert adjusted[0] == pytest.approx([0.04, 0.04, 0.8, 1.0])
        assert adjusted[1] == pytest.approx([0.048, 0.8, 1.0, 1.0])

    @pytest.mark.parametrize(
        ("back", "week", "month"),
        [
            ((1, 6), None, None),
            ((1, 7), 7, None),
            ((1, 8, 12, 14), 8, None),
            ((1, 15, 27), None, None),
            ((1, 14, 28, 40, 56), 14, 28),
            ((3, 56), None, 56),
        ],
    )
    def test_the_latest_day_that_is_far_enough_back_counts(self, back, week, month):
        today, *days = drawn([0.5] * (1 + len(back)))
        days = [replace(day, day=today.day - timedelta(days)) for day, days in zip(days, back, strict=True)]
        own = develop(today, days[::-1])[0]
        for since, distance in ((own.week_since, week), (own.month_since, month)):
            assert since == (None if distance is None else today.day - timedelta(distance))
        assert (own.week is None, own.month is None) == (week is None, month is None)

    def test_a_day_that_is_a_week_back_is_one_test(self):
        own = on(drawn([0.5, 0.4], every=7))
        assert own.week == own.change and own.change.adjusted_p == own.change.p

    def test_a_slow_fall_is_seen_over_the_month(self):
        days = drawn(np.linspace(0.5, 0.3, 30))
        own = on(days)
        assert own.change.verdict != Verdict.MOVED
        assert own.month.verdict == Verdict.MOVED and own.month.delta < -10


class TestConfirmed:
    def test_a_step_that_stays_is_confirmed_on_its_second_day(self):
        days = step()
        waiting, confirmed = on(days, 10).confirmed, on(days, 11).confirmed
        assert (waiting.state, waiting.moved_on, waiting.pooled_days) == (Confirmation.OPEN, days[10].day, 7)
        assert (confirmed.state, confirmed.moved_on) == (Confirmation.CONFIRMED, days[10].day)
        assert confirmed.low < confirmed.delta < confirmed.high < -15
        assert on(days, 11).is_called

    def test_what_is_told_are_the_days_since_against_the_days_before(self):
        days = step()
        series = arrange(days[12], days[:12])
        parts = [day.mentioned[..., 0].mean() / 3 for day in days]
        assert series.size == 13
        expected = 100 * (np.mean(parts[10:13]) - np.mean(parts[3:10]))
        assert on(days, 12).confirmed.delta == pytest.approx(expected)

    def test_one_day_alone_is_not_confirmed(self):
        days = drawn([0.5] * 8 + [0.2, 0.5])
        own = on(days)
        assert own.confirmed.state == Confirmation.NOT_CONFIRMED and own.confirmed.moved_on == days[8].day
        assert own.change.verdict == Verdict.MOVED

    def test_a_step_up_and_one_down_do_not_confirm_each_other(self):
        assert on(drawn([0.4] * 8 + [0.1, 0.8])).confirmed.state != Confirmation.CONFIRMED

    def test_few_days_cannot_confirm(self):
        days = step(before=2)
        assert on(days, 2).confirmed.state == Confirmation.TOO_FEW_DAYS
        assert on(days, 3).confirmed.state != Confirmation.CONFIRMED
        assert on(step(before=3), 4).confirmed.state == Confirmation.CONFIRMED

    def test_it_is_news_for_a_week_and_keeps_its_day(self):
        days = step(after=25)
        states = [on(days, place).confirmed for place in range(11, 35)]
        confirmed = [item for item in states if item.state == Confirmation.CONFIRMED]
        assert states[:7] == confirmed and {item.moved_on for item in confirmed} == {days[10].day}

    def test_days_alike_have_nothing_to_confirm(self):
        days = drawn([0.5] * 12)
        assert on(days).confirmed.state == Confirmation.NONE and not on(days).is_called


class TestMonitor:
    def test_a_slow_fall_is_raised_with_its_size(self):
        days = drawn(np.linspace(0.5, 0.2, 30))
        own = on(days).monitor
        assert own.is_raised and own.looks == 30
        assert own.low <= own.delta <= own.high < 0 and days[5].day < own.since < days[-5].day

    def test_it_says_when_a_step_was_and_keeps_its_day(self):
        days = step(before=20, after=20)
        assert {on(days, place).monitor.since for place in range(28, 40)} == {days[20].day}

    def test_it_needs_eight_days(self):
        days = drawn([0.7] * 4 + [0.1] * 4)
        assert not on(days, 6).monitor.is_raised and on(days, 7).monitor.is_raised

    def test_days_alike_raise_nothing(self):
        days = drawn([0.5] * 30)
        assert not any(item.monitor.is_raised for item in develop(days[-1], days[:-1]))


def test_a_lone_engine_is_told_under_both_its_names():
    days = [day.narrowed(["e"], SUBJECTS) for day in step()]
    days = [replace(day, averaged=frozenset("e")) for day in days]
    told = develop(days[-1], days[:-1])
    lines = {
        item.change.engine: item for item in told if (item.change.subject, item.change.metric) == (BRAND, "score")
    }
    assert lines["e"].confirmed == lines[None].confirmed and lines["e"].week.engine == "e"


def test_without_a_day_before_there_is_nothing_to_say():
    assert develop(drawn([0.5])[0], []) == []
