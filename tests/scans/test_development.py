"""What measured days say of changes together: kept counts, weeks and months, confirmed moves, other panels."""

import numpy as np
import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from apikeys.caller import Caller
from tests.factories import CompetitorFactory, PromptFactory
from tests.generations import tracked_names_of
from tests.scans.history import rescored
from tests.scans.test_change import at, change_of, measure, named, wordings
from tests.scans.test_scoring import NAMED, run_of
from visibility.measured.counts import unpacked
from visibility.models import DailyScore, DayCount, EngineConfig, Generation, Run
from visibility.pipeline.days import changes, developing
from visibility.pipeline.days.scoring import score_days
from visibility.pipeline.generations.planning import plan_generation
from visibility.services.reading.changes import change_report

__all__ = ["wordings"]


def counts_of(brand, day):
    row = DayCount.objects.get(brand=brand, date=at(day).date())
    return unpacked(row.date, row.content)


def noisy(share, day, of=12):
    """The places that are named: `share` of them, and one more that differs from day to day."""
    return [*range(share), share + day % (of - share)] if share < of else range(of)


def history(brand, wordings, shares):
    for day, share in shares.items():
        measure(brand, wordings, day, named(*noisy(share, day)))


class TestCounts:
    def test_the_counts_of_a_day_are_kept_by_prompt_engine_and_subject(self, brand, wordings):
        rival = CompetitorFactory(brand=brand, name="Rival")
        run = run_of(brand, wordings, named(0, 1), at=at(0), samples=2)
        run_of(brand, wordings, named(2, text="Rival is a good choice."), at=at(0), engine="other", run=run)
        score_days(brand, tracked_names_of(brand), [at(0).date()])
        counts = counts_of(brand, 0)
        assert (counts.engines, counts.averaged) == (("chat", "other"), {"chat", "other"})
        assert counts.subjects == ("", str(rival.pk))
        assert set(counts.prompts) == {str(wording.versions.get().pk) for wording in wordings}
        assert sorted(counts.topics) == sorted(f"t{number}" for number in range(12))
        assert (counts.answers[0] == 2).all() and (counts.answers[1] == 1).all()
        places = [counts.topics.index(f"t{number}") for number in range(3)]
        assert counts.mentioned[0, places, 0].tolist() == [2, 2, 0]
        assert counts.mentioned[1, places, 1].tolist() == [0, 0, 1]
        assert not counts.named.any() and not counts.cited.any()
        assert counts.mentioned.dtype == np.float64 and counts.named.dtype == bool

    def test_they_go_with_the_day(self, brand, wordings):
        measure(brand, wordings, 0, named(0))
        measure(brand, wordings, 0, named(0))
        assert DayCount.objects.count() == 1
        Run.objects.all().delete()
        score_days(brand, tracked_names_of(brand), [at(0).date()])
        assert not DayCount.objects.exists()

    def test_they_are_of_a_generation_and_gone_with_it(self, brand, wordings):
        for day in range(2):
            measure(brand, wordings, day, named(0))
        CompetitorFactory(brand=brand, name="Rival")
        plan_generation(brand)
        rescored(brand)
        assert Generation.objects.count() == 1
        assert {len(unpacked(row.date, row.content).subjects) for row in DayCount.of_all_generations.all()} == {2}
        assert DayCount.of_all_generations.count() == 2
        brand.delete()
        assert not DayCount.of_all_generations.exists()

    def test_days_are_compared_without_their_answers(self, brand, wordings):
        measure(brand, wordings, 0, named(0))
        Run.objects.all().delete()
        measure(brand, wordings, 1, named(0, 1))
        assert change_of(brand, 1).change["delta"] == pytest.approx(8.33)

    def test_a_day_without_counts_is_told_not_failed(self, brand, wordings):
        measure(brand, wordings, 0, named(0))
        DayCount.objects.all().delete()
        measure(brand, wordings, 1, named(0, 1))
        change = change_of(brand, 1).change
        assert [cause["code"] for cause in change["causes"]] == ["counts"]
        assert "not counted for comparisons yet" in change["causes"][0]["message"]
        assert change["by_engine"][0]["verdict"] == "not_comparable"
        score_days(brand, tracked_names_of(brand), [at(0).date()])
        assert change_of(brand, 1).change["causes"] == []

    def test_a_later_day_without_counts_is_not_judged_by_an_earlier_one(self, brand, wordings):
        for day in range(2):
            measure(brand, wordings, day, named(day))
        DayCount.objects.filter(date=at(1).date()).delete()
        score_days(brand, tracked_names_of(brand), [at(0).date()])
        assert [cause["code"] for cause in change_of(brand, 1).change["causes"]] == ["counts"]


class TestSpans:
    def test_a_week_and_a_month_before_the_latest_comparable_days_count(self, brand, wordings):
        history(brand, wordings, {0: 3, 3: 3, 20: 3, 24: 3, 31: 6})
        row = change_of(brand, 31)
        assert row.change["since"] == at(24).date().isoformat()
        assert (row.change_week["since"], row.change_month["since"]) == (
            at(24).date().isoformat(),
            at(3).date().isoformat(),
        )
        assert row.change_month["delta"] == pytest.approx(25.0)
        figures = {"since", "delta", "low", "high", "interval", "verdict", "minimum_detectable"}
        assert set(row.change_week) == figures and row.change_week["interval"] == "topics"

    @pytest.mark.parametrize(
        ("days", "week", "month"),
        [((0, 6), False, False), ((0, 7), True, False), ((0, 14), True, False), ((0, 15), False, False),
         ((0, 27), False, False), ((0, 28), False, True), ((0, 56), False, True), ((0, 57), False, False)],
    )  # fmt: skip
    def test_only_days_so_far_back_count(self, brand, wordings, days, week, month):
        history(brand, wordings, dict.fromkeys(days, 3))
        row = change_of(brand, days[-1])
        assert (row.change_week is not None, row.change_month is not None) == (week, month)
        assert row.change["since"] == at(0).date().isoformat()

    def test_a_day_that_was_measured_otherwise_does_not_count(self, brand, wordings):
        measure(brand, wordings, 0, named(0))
        measure(brand, wordings, 1, named(0, 1), model="m-2")
        measure(brand, wordings, 10, named(0, 1, 2), model="m-1")
        row = change_of(brand, 10)
        assert row.change["verdict"] == "not_comparable"
        assert row.change_week["since"] == at(0).date().isoformat()

    def test_the_first_day_has_none(self, brand, wordings):
        measure(brand, wordings, 0, named(0))
        row = change_of(brand, 0)
        assert (row.change_week, row.change_month, row.confirmation, row.monitor) == (None, None, None, None)

    def test_figures_of_engines_have_them_too(self, brand, wordings):
        history(brand, wordings, {0: 3, 8: 3})
        told = {(change["engine"], change["metric"]): change for change in change_of(brand, 8).changes}
        for engine in (None, "chat"):
            assert told[engine, "score"]["week"]["since"] == at(0).date().isoformat()
            assert told[engine, "score"]["month"] is None
            assert told[engine, "score"]["confirmation"]["state"] == "none"
            assert told[engine, "score"]["monitor"]["raised"] is False


@pytest.fixture
def many(brand):
    return [PromptFactory(brand=brand, text=f"which one is good, number {n}?", topic=f"t{n}") for n in range(40)]


class TestConfirmed:
    STEP = 6

    @pytest.fixture
    def stepped(self, brand, many):
        """Six days alike, then a lasting step of a half."""
        for day in range(self.STEP + 2):
            share = 4 if day < self.STEP else 26
            measure(brand, many, day, named(*noisy(share, day, 40), of=40))
        return brand

    def test_a_step_waits_for_the_next_day_and_is_confirmed_by_it(self, stepped):
        assert change_of(stepped, self.STEP).confirmation["state"] == "open"
        confirmation = change_of(stepped, self.STEP + 1).confirmation
        assert (confirmation["state"], confirmation["moved_on"]) == ("confirmed", at(self.STEP).date().isoformat())
        assert confirmation["delta"] == pytest.approx(55, abs=3)
        assert confirmation["low"] < confirmation["delta"] < confirmation["high"]
        assert change_of(stepped, self.STEP + 1).change["verdict"] != "moved"

    def test_the_report_calls_only_that_a_change(self, stepped):
        caller = Caller.from_user(stepped.owner)
        [subject] = change_report(caller, brand_id=stepped.pk).subjects
        assert subject.development.startswith("The score rose by 5")
        assert " on 16 Mar 2026: from 12.5 % (mean of 10 Mar to 15 Mar) to 67.5 % on 17 Mar; " in subject.development
        assert subject.development.endswith("; confirmed on 17 Mar, still holds")
        own = {(change.engine, change.metric): change for change in subject.changes}
        assert own[None, "score"].confirmed and own[None, "score"].called
        assert not own[None, "citationRate"].confirmed
        Run.objects.filter(created_at__date=at(self.STEP + 1).date()).delete()
        score_days(stepped, tracked_names_of(stepped), [at(self.STEP + 1).date()])
        [subject] = change_report(caller, brand_id=stepped.pk).subjects
        assert subject.change.verdict == "moved"
        assert subject.development == "no clear change: the move of 16 Mar 2026 waits for the next measured day"
        assert not any(change.called for change in subject.changes)

    def test_a_day_that_is_taken_back_takes_its_change_with_it(self, stepped):
        Run.objects.filter(created_at__date=at(self.STEP).date()).delete()
        score_days(stepped, tracked_names_of(stepped), [at(self.STEP).date()])
        assert change_of(stepped, self.STEP + 1).confirmation["state"] == "open"


class TestOtherPanels:
    def test_what_is_on_common_prompts_is_told_with_the_rest(self, brand, wordings):
        measure(brand, wordings, 0, named(0, 1, 2))
        others = [PromptFactory(brand=brand, topic=f"o{number}") for number in range(4)]
        run_of(brand, [*wordings[:8], *others], [*named(0, 1, 2, 3, 4, of=8), *[NAMED] * 4], at=at(1))
        score_days(brand, tracked_names_of(brand), [at(1).date()])
        change = change_of(brand, 1).change
        assert [cause["code"] for cause in change["causes"]] == ["prompts"]
        common = change["common"]
        assert (common["engines"], common["prompts"], common["delta"]) == (["chat"], 8, 25.0)
        assert common["low"] < 25 < common["high"]
        assert common["rest"] == pytest.approx(75 - 25 - 25)

    def test_added_prompts_leave_the_days_comparable_and_their_part_is_told_apart(self, brand, wordings):
        measure(brand, wordings, 0, named(0, 1, 2))
        others = [PromptFactory(brand=brand, topic=f"o{number}") for number in range(12)]
        run_of(brand, [*wordings, *others], [*named(0, 1, 2), *[NAMED] * 12], at=at(1))
        score_days(brand, tracked_names_of(brand), [at(1).date()])
        row = change_of(brand, 1)
        assert (row.comparable, row.change["delta"], row.change["causes"]) == (True, 0.0, [])
        common = row.change["common"]
        assert (common["prompts"], common["delta"], common["rest"]) == (12, 0.0, pytest.approx(62.5 - 25))

    def test_prompts_without_anything_in_common_have_no_such_part(self, brand, wordings):
        measure(brand, wordings, 0, named(0))
        others = [PromptFactory(brand=brand, topic=f"o{number}") for number in range(12)]
        measure(brand, others, 1, named(0))
        assert change_of(brand, 1).change["common"] is None

    def test_another_model_has_nothing_in_common(self, brand, wordings):
        measure(brand, wordings, 0, named(0))
        measure(brand, wordings, 1, named(0), model="m-2")
        assert change_of(brand, 1).change["common"] is None

    def test_an_engine_keeps_its_own_past_where_another_comes(self, brand, wordings):
        for day in range(6):
            measure(brand, wordings, day, named(*noisy(3, day)))
        run = run_of(brand, wordings, named(*noisy(3, 8)), at=at(8))
        run_of(brand, wordings, named(0), engine="sonar", run=run, at=at(8))
        score_days(brand, tracked_names_of(brand), [at(8).date()])
        row = change_of(brand, 8)
        assert (row.change_week, row.confirmation, row.monitor) == (None, None, None)
        own = {(change["engine"], change["metric"]): change for change in row.changes}
        assert own["chat", "score"]["week"]["since"] == at(1).date().isoformat()
        assert own["chat", "score"]["monitor"]["looks"] == 7
        assert (None, "score") not in own
        told = {engine["engine"]: engine for engine in row.change["by_engine"]}
        assert told["chat"]["monitor"]["looks"] == 7 and told["sonar"]["monitor"] is None
        assert told["chat"]["week"]["since"] == at(1).date().isoformat() and told["sonar"]["week"] is None

    def test_engines_that_now_show_on_different_days_are_told_each_by_itself(self, brand, wordings):
        for name in ("chat", "sonar"):
            EngineConfig.objects.create(name=name, provider="openai", model="m", enabled=True)
        for day in range(9):
            run = run_of(brand, wordings, named(*noisy(3, day)), at=at(day))
            run_of(brand, wordings, named(*noisy(5, day)), engine="sonar", run=run, at=at(day))
            score_days(brand, tracked_names_of(brand), [at(day).date()])
        measure(brand, wordings, 9, named(*noisy(3, 9)))
        [subject] = change_report(Caller.from_user(brand.owner), brand_id=brand.pk).subjects
        assert (subject.change_week, subject.confirmation, subject.monitor) == (None, None, None)
        assert subject.development == "no clear change: the engines were last measured on different days"
        told = {engine.engine: engine for engine in subject.change.by_engine}
        assert (told["chat"].week.since, told["sonar"].week.since) == (at(2).date(), at(1).date())
        assert (told["chat"].monitor.looks, told["sonar"].monitor.looks) == (10, 9)

    def test_now_keeps_what_its_day_says_where_its_figures_are_counted_again(self, brand, wordings):
        EngineConfig.objects.create(name="chat", provider="openai", model="m", enabled=True)
        history(brand, wordings, {0: 3, 1: 3, 8: 3})
        wordings[11].archived_at = at(9)
        wordings[11].save()
        [subject] = change_report(Caller.from_user(brand.owner), brand_id=brand.pk).subjects
        assert subject.change_week.since == at(1).date()
        assert (subject.confirmation.state, subject.monitor.looks) == ("none", 3)
        least = subject.change.minimum_detectable
        assert least > 40 and subject.development == f"no clear change (an even ±{least:.0f} would be visible)"


class TestJudgingAgain:
    def test_a_day_is_looked_back_to_for_eight_weeks(self, brand, wordings):
        history(brand, wordings, {0: 3, 40: 3, 56: 3, 57: 3})
        assert change_of(brand, 56).change_month["since"] == at(0).date().isoformat()
        measure(brand, wordings, 0, named(*range(11)), samples=3)
        assert change_of(brand, 56).change_month["delta"] < -40
        assert change_of(brand, 57).change_month is None

    def test_each_day_is_judged_once_however_many_are_written(self, brand, wordings, monkeypatch):
        for day in range(6):
            run_of(brand, wordings, named(*noisy(3, day)), at=at(day))
        judged = []
        develop_day = developing.develop_day
        monkeypatch.setattr(
            changes,
            "develop_day",
            lambda past, today, before: judged.append(today.day) or develop_day(past, today, before),
        )
        score_days(brand, tracked_names_of(brand), [at(day).date() for day in (3, 1, 0, 2)])
        assert judged == [at(day).date() for day in (1, 2, 3)]
        judged.clear()
        score_days(brand, tracked_names_of(brand), [at(day).date() for day in (4, 5)])
        assert judged == [at(4).date(), at(5).date()]
        judged.clear()
        score_days(brand, tracked_names_of(brand), [at(0).date()])
        assert judged == [at(day).date() for day in range(1, 6)]

    def test_only_what_says_something_else_is_written(self, brand, wordings):
        history(brand, wordings, dict.fromkeys(range(5), 3))
        with CaptureQueriesContext(connection) as captured:
            score_days(brand, tracked_names_of(brand), [at(1).date()])
        updates = [query["sql"] for query in captured if query["sql"].startswith("UPDATE")]
        assert [sql.count("WHEN") for sql in updates] == [len(changes.WRITTEN)], "the row of the day itself"

    def test_the_order_in_which_days_come_does_not_matter(self, brand, wordings):
        shares = {0: 3, 1: 4, 2: 3, 8: 9, 9: 9, 30: 2}
        history(brand, wordings, shares)
        fields = ("date", "comparable", "change", "change_week", "change_month", "confirmation", "monitor", "changes")
        forward = list(DailyScore.objects.order_by("date").values(*fields))
        score_days(brand, tracked_names_of(brand), [])
        for day in reversed(shares):
            score_days(brand, tracked_names_of(brand), [at(day).date()])
        assert list(DailyScore.objects.order_by("date").values(*fields)) == forward

    def test_statements_do_not_grow_with_days(self, brand, wordings):
        def cost(day):
            run_of(brand, wordings, named(0), at=at(day))
            tracked = tracked_names_of(brand)
            with CaptureQueriesContext(connection) as captured:
                score_days(brand, tracked, [at(day).date()])
            return len(captured)

        history(brand, wordings, {0: 3, 1: 3})
        few = cost(2)
        history(brand, wordings, dict.fromkeys(range(3, 20), 3))
        assert cost(20) == few


def test_a_removed_competitor_leaves_the_others_comparable(brand, wordings):
    rival = CompetitorFactory(brand=brand, name="Rival")
    for day in range(2):
        measure(brand, wordings, day, named(day))
    rival.delete()
    measure(brand, wordings, 2, named(0, 1))
    row = change_of(brand, 2)
    assert row.change["delta"] == pytest.approx(8.33)
    assert DailyScore.objects.filter(date=at(2).date()).count() == 1
