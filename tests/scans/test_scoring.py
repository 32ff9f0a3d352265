"""Scores of runs and days: what is pooled, which engines count, what is comparable."""

from datetime import UTC, date, datetime, timedelta

import pytest
from django.db import transaction

from apikeys.operators import system_caller
from tests.factories import AnswerFactory, CompetitorFactory, PromptFactory, RunFactory
from tests.generations import tracked_names_of
from visibility.measured.names import vocabulary_of
from visibility.measured.sampling import answers_of_day, days_of
from visibility.models import DailyScore, Generation, Panel, Run, RunScore
from visibility.pipeline.days.panels import causes
from visibility.pipeline.days.scoring import score_days, score_run
from visibility.pipeline.detect.detecting import analyse
from visibility.resources.brands import EngineScore
from visibility.services.prompts.editing import edit_prompt

DAY = date(2026, 3, 10)
NOON = datetime(2026, 3, 10, 12, tzinfo=UTC)
NAMED, ABSENT = "Acme is a good choice.", "Take what you like."


@pytest.fixture
def wordings(brand):
    return [PromptFactory(brand=brand, text=f"which one is good, number {n}?", topic=f"t{n}") for n in range(10)]


def run_of(brand, wordings, texts, *, engine="chat", at=NOON, samples=1, model="m-1", run=None, **more):
    """A finished run of one engine; a text of None is a failed answer."""
    run = run or RunFactory(brand=brand, created_at=at, **more)
    for prompt, text in zip(wordings, texts, strict=True):
        for sample in range(1, samples + 1):
            state = "failed" if text is None else "answered"
            AnswerFactory(
                run=run, prompt=prompt, engine=engine, sample=sample, state=state, text=text or "",
                answered_at=at, served_model=model,
            )  # fmt: skip
    Run.objects.filter(pk=run.pk).update(total=run.answers.count(), done=run.answers.filter(state="answered").count())
    seen(brand, run)
    return run


def seen(brand, run):
    """Have all answers of the run analysed."""
    RunScore.objects.filter(run=run).update(stage="analysing")
    list(analyse(tracked_names_of(brand), run, transaction.atomic))


def scored(brand, day=DAY):
    tracked = tracked_names_of(brand)
    score_days(brand, tracked, [day])
    return DailyScore.objects.filter(brand=brand, competitor=None, date=day).first()


def named(count, of=10):
    return [NAMED] * count + [ABSENT] * (of - count)


def test_the_score_is_the_mean_over_prompts_with_its_intervals(brand, wordings):
    run = run_of(brand, wordings, named(3), samples=2)
    row = scored(brand)
    assert (row.score, row.prompts, row.topics, row.answers, row.failed) == (30.0, 10, 10, 20, 0)
    assert row.low < 30 < row.high
    assert row.panel_low < 30 < row.panel_high
    assert row.runs == [str(run.pk)]
    (engine,) = row.engines
    assert engine | {"engine": "chat", "score": 30.0, "low": row.low, "high": row.high, "answers": 20} == engine
    assert row.change is None
    assert score_run(tracked_names_of(brand), run).value == 30.0


def test_competitors_are_scored_over_the_same_answers(brand, wordings):
    rival = CompetitorFactory(brand=brand, name="Rival")
    run_of(brand, wordings, [*named(3, of=8), "Rival is good.", "Rival and Acme."])
    row = scored(brand)
    other = DailyScore.objects.get(competitor=rival)
    assert (row.score, other.score) == (40.0, 20.0)
    assert (row.share_of_voice, other.share_of_voice) == (66.67, 33.33)


def test_without_competitors_there_is_no_share_of_voice(brand, wordings):
    run_of(brand, wordings, named(3))
    row = scored(brand)
    assert (row.share_of_voice, row.share_of_voice_low, row.share_of_voice_high) == (None, None, None)


def test_prompts_that_name_the_brand_are_left_out(brand, wordings):
    branded = PromptFactory(brand=brand, text="is Acme any good?")
    run_of(brand, [*wordings, branded], [*named(3), NAMED])
    row = scored(brand)
    assert (row.score, row.prompts) == (30.0, 10)
    assert row.engines[0]["answers"] == row.answers == 10


def test_only_branded_prompts_leave_the_score_unmeasured(brand):
    branded = PromptFactory(brand=brand, text="is Acme any good?")
    run = run_of(brand, [branded], [NAMED])
    row = scored(brand)
    assert (row.score, row.low, row.high, row.prompts) == (None, None, None, 0)
    assert score_run(tracked_names_of(brand), run).value is None


def test_failed_answers_are_left_out_and_counted_apart(brand, wordings):
    run_of(brand, wordings, [*named(4, of=9), None])
    row = scored(brand)
    assert (row.score, row.answers, row.failed) == (44.44, 9, 1)


@pytest.mark.parametrize(("answered", "counts"), [(8, True), (7, False)])
def test_an_engine_counts_when_four_fifths_of_its_prompts_were_answered(brand, wordings, answered, counts):
    run_of(brand, wordings, [NAMED] * answered + [None] * (10 - answered))
    row = scored(brand)
    assert row.score == (100.0 if counts else None)
    assert row.engines[0]["score"] == row.score
    assert (row.engines[0]["answers"], row.failed) == (answered, 10 - answered)


def test_one_sample_is_enough_for_a_prompt_to_be_answered(brand, wordings):
    run = run_of(brand, wordings, [NAMED] * 10)
    for prompt in wordings:
        AnswerFactory(run=run, prompt=prompt, engine="chat", sample=2, state="failed", text="")
    assert scored(brand).score == 100.0


def test_engines_weigh_the_same_whatever_they_answered(brand, wordings):
    run = run_of(brand, wordings, named(10), samples=3)
    run_of(brand, wordings, named(0), engine="other", run=run)
    row = scored(brand)
    assert row.score == 50.0
    assert [(item["engine"], item["score"]) for item in row.engines] == [("chat", 100.0), ("other", 0.0)]


def test_an_engine_that_does_not_count_is_not_in_the_mean(brand, wordings):
    run = run_of(brand, wordings, named(5))
    run_of(brand, wordings, [NAMED] * 5 + [None] * 5, engine="other", run=run)
    row = scored(brand)
    assert row.score == 50.0
    unmeasured = EngineScore(
        engine="other", models=["m-1"], score=None, low=None, high=None, answers=5, surface="api"
    )
    assert row.engines[1] == {**unmeasured.model_dump(mode="json", by_alias=False), "surface": "api"}


def test_local_search_is_never_mixed_with_a_real_engine(brand, wordings):
    run = run_of(brand, wordings, named(2))
    run_of(brand, wordings, named(10), engine="local-search", run=run)
    row = scored(brand)
    assert row.score == 20.0
    assert [(item["engine"], item["score"]) for item in row.engines] == [("chat", 20.0), ("local-search", 100.0)]
    assert list(row.panel.content["engines"]) == ["chat"]


def test_local_search_alone_is_the_score(brand, wordings):
    run = run_of(brand, wordings, named(10), engine="local-search")
    run_of(brand, wordings, [None] * 10, run=run)
    assert scored(brand).score == 100.0


class TestTheDay:
    def test_runs_of_one_day_are_pooled(self, brand, wordings):
        first = run_of(brand, wordings, named(2), at=datetime(2026, 3, 10, tzinfo=UTC))
        second = run_of(brand, wordings, named(4), at=datetime(2026, 3, 10, 23, 59, 59, 999999, tzinfo=UTC))
        run_of(brand, wordings, named(10), at=datetime(2026, 3, 9, 23, 59, 59, 999999, tzinfo=UTC))
        run_of(brand, wordings, named(10), at=datetime(2026, 3, 11, tzinfo=UTC))
        row = scored(brand)
        assert (row.score, row.answers) == (30.0, 20)
        assert row.runs == sorted([str(first.pk), str(second.pk)])

    @pytest.mark.parametrize(
        "more",
        [
            {"status": "cancelled"},
            {"status": "running", "finished_at": None},
            {"status": "queued", "finished_at": None},
            {"kind": "comparison"},
            {"kind": "audit"},
        ],
    )
    def test_other_runs_are_not_pooled(self, brand, wordings, more):
        run_of(brand, wordings, named(5))
        run_of(brand, wordings, named(10), **more)
        assert scored(brand).score == 50.0

    def test_a_failed_run_without_answers_changes_nothing(self, brand, wordings):
        run_of(brand, wordings, named(5))
        run_of(brand, wordings, [None] * 10, status="failed")
        row = scored(brand)
        assert (row.score, row.failed) == (50.0, 0)

    def test_a_day_without_answers_has_no_scores(self, brand, wordings):
        run = run_of(brand, wordings, named(5))
        assert scored(brand) is not None
        run.delete()
        assert scored(brand) is None

    def test_imported_answers_have_their_own_days(self, brand, wordings):
        night = datetime(2026, 3, 10, 23, 59, 59, tzinfo=UTC)
        run = RunFactory(brand=brand, trigger="import", created_at=NOON + timedelta(days=90), started_at=NOON,
                         finished_at=night + timedelta(days=1))  # fmt: skip
        run_of(brand, wordings[:5], named(5, of=5), at=night, run=run)
        run_of(brand, wordings[5:], named(0, of=5), at=night + timedelta(seconds=1), run=run)
        assert days_of(run) == [DAY, DAY + timedelta(days=1)]
        assert scored(brand).score == 100.0
        assert scored(brand, DAY + timedelta(days=1)).score == 0.0
        assert days_of(RunFactory(brand=brand, created_at=NOON)) == [DAY]

    def test_another_brands_answers_are_not_pooled(self, brand, wordings):
        run_of(brand, wordings, named(5))
        other = PromptFactory()
        run_of(other.brand, [other], [NAMED])
        assert scored(brand).answers == 10

    def test_scoring_again_changes_nothing(self, brand, wordings):
        run_of(brand, wordings, named(5))
        first = DailyScore.objects.filter(pk=scored(brand).pk).values().get()
        second = DailyScore.objects.filter(pk=scored(brand).pk).values().get()
        assert {**first, "id": 0} == {**second, "id": 0}
        assert Panel.objects.count() == 1

    def test_statements_do_not_grow_with_the_answers(self, brand, wordings, django_assert_max_num_queries):
        CompetitorFactory.create_batch(5, brand=brand)
        run_of(brand, wordings, named(5), samples=4)
        with django_assert_max_num_queries(30):
            scored(brand)


def test_an_engine_of_a_day_names_its_models_share_of_voice_and_citation_rate(brand, wordings):
    CompetitorFactory(brand=brand, name="Rival")
    run_of(brand, wordings, named(3), model="m-2")
    run_of(brand, wordings[:2], named(2, 2), model="m-1")
    row = scored(brand)
    (item,) = row.engines
    assert item["models"] == ["m-1", "m-2"]
    told = EngineScore.model_validate(item)
    for name in ("share_of_voice", "citation_rate"):
        for end in ("", "_low", "_high"):
            assert getattr(told, name + end) == getattr(row, name + end), "one engine is all engines"
    assert told.share_of_voice == 100.0 and told.citation_rate == 0.0
    assert item == told.model_dump(mode="json", by_alias=False)


class TestComparable:
    def days(self, brand, *days):
        """Score one day for each item and give the flags of all of them."""
        for number, more in enumerate(days):
            at = NOON + timedelta(days=2 * number)
            run_of(brand, more.pop("wordings"), more.pop("texts", named(5)), at=at, **more)
            scored(brand, at.date())
        rows = DailyScore.objects.filter(brand=brand, competitor=None).order_by("date")
        return list(rows.values_list("comparable", flat=True))

    def test_the_first_day_is_not_the_same_panel_is(self, brand, wordings):
        same = {"wordings": wordings}
        assert self.days(brand, dict(same), dict(same), dict(same)) == [None, True, True]

    @pytest.mark.parametrize("change", [{"engine": "other"}, {"model": "m-2"}])
    def test_another_engine_or_model_is_not_comparable(self, brand, wordings, change):
        same = {"wordings": wordings}
        assert self.days(brand, dict(same), same | change, dict(same)) == [None, False, False]

    @pytest.mark.parametrize(
        ("gone", "added", "expected"), [(2, 0, True), (2, 30, True), (0, 30, True), (3, 3, False)]
    )
    def test_four_fifths_of_the_earlier_prompts_are_asked_again(self, brand, wordings, gone, added, expected):
        others = [PromptFactory(brand=brand, text=f"a new one, {n}?") for n in range(added)]
        later = [*wordings[gone:], *others]
        days = [{"wordings": wordings}, {"wordings": later, "texts": named(5, of=len(later))}]
        assert self.days(brand, *days) == [None, expected]

    def test_a_new_wording_is_another_prompt(self, brand, wordings):
        run_of(brand, wordings, named(5))
        scored(brand)
        for prompt in wordings[:3]:
            prompt.version += 1
            prompt.save()
            prompt.versions.create(number=2, text=prompt.text + " really?")
        assert self.days_after(brand, wordings) is False

    def days_after(self, brand, wordings):
        at = NOON + timedelta(days=1)
        run_of(brand, wordings, named(5), at=at)
        return scored(brand, at.date()).comparable

    def test_the_detector_and_the_locale_count(self):
        panel = {"prompts": [1], "locales": ["en"], "engines": {"a": ["m"]}, "detector": "1"}
        assert causes(panel, dict(panel)) == []
        assert [why.code for why in causes(panel, panel | {"detector": "2"})] == ["detector"]
        assert [why.code for why in causes(panel, panel | {"locales": ["de"]})] == ["locale"]
        assert causes(panel, panel | {"locales": ["de", "en"]}) == [], "those that both have are compared"

    def test_another_locale_is_not_comparable_also_when_history_is_measured_again(self, brand, wordings):
        caller = system_caller("test")
        run_of(brand, wordings, named(5))
        scored(brand)
        moved = [edit_prompt(caller, prompt=prompt, locale="de-AT") for prompt in wordings]
        later = DAY + timedelta(days=1)
        run_of(brand, moved, named(5), at=NOON + timedelta(days=1))
        assert scored(brand, later).comparable is False
        assert (scored(brand).panel.content["locales"], scored(brand, later).panel.content["locales"]) == (
            [""],
            ["de-AT"],
        )
        assert scored(brand, later).comparable is False

    def test_a_day_between_changes_the_day_after(self, brand, wordings):
        assert self.days(brand, {"wordings": wordings}, {"wordings": wordings}) == [None, True]
        run_of(brand, wordings, named(5), at=NOON + timedelta(days=1), model="m-2")
        scored(brand, DAY + timedelta(days=1))
        flags = DailyScore.objects.order_by("date").values_list("comparable", flat=True)
        assert list(flags) == [None, False, False]
        Run.objects.filter(created_at__date=DAY + timedelta(days=1)).delete()
        scored(brand, DAY + timedelta(days=1))
        assert list(flags.all()) == [None, True]

    def test_a_new_competitor_has_nothing_to_be_compared_with(self, brand, wordings):
        self.days(brand, {"wordings": wordings})
        CompetitorFactory(brand=brand)
        # As if the day before had been measured for other names, and history not yet again.
        Generation.objects.update(names=vocabulary_of(brand).as_json())
        at = NOON + timedelta(days=1)
        run_of(brand, wordings, named(5), at=at)
        score_days(brand, tracked_names_of(brand), [at.date()])
        rows = DailyScore.objects.filter(date=at.date()).order_by("competitor")
        assert {row.competitor_id is None: row.comparable for row in rows} == {True: True, False: False}


def test_a_run_that_is_not_all_looked_through_is_not_pooled(brand, wordings):
    run_of(brand, wordings, named(5))
    other = run_of(brand, wordings, named(10))
    RunScore.objects.filter(run=other).update(stage="analysing")
    row = scored(brand)
    assert (row.score, row.answers) == (50.0, 10)


def test_answers_of_a_day_are_the_brands_own(brand, wordings):
    run_of(brand, wordings, named(5))
    assert answers_of_day(tracked_names_of(brand), DAY).count() == 10
    assert answers_of_day(tracked_names_of(brand), DAY + timedelta(days=1)).count() == 0
