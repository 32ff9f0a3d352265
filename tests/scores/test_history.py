"""Days, now and changes: what each edit does to them, and that readers see all of it or nothing."""

from datetime import date
from uuid import uuid4

import pytest
from django.db import transaction
from django.db.models import F, Sum
from django.utils import timezone
from procrastinate.contrib.django.models import ProcrastinateJob

from brands.brands import update_brand
from brands.competitors import add_competitor
from brands.models import Brand
from tests.scores.conftest import SYSTEM, answers, imported
from visibility.answers.detect import Reader
from visibility.counts.reader import select_now
from visibility.models import Answer, Cell, DailyScore, Mention, Prompt, Run, RunEngine, Topic
from visibility.prompts.services import archive_prompt, restore_prompt, reword_prompt
from visibility.scores.history import METHOD, defer_new_method, write_history
from visibility.scores.measure import measure_runs
from visibility.scores.reads import read_trend
from visibility.scores.recount import recount, rescore


def scores(brand, competitor=None):
    rows = (
        DailyScore.objects.filter(brand=brand, competitor__name=competitor)
        if competitor
        else DailyScore.objects.of_brand(brand)
    )
    return {str(row.date): row.score for row in rows}


def everything(brand):
    """All figures as they stand, to be compared."""
    rows = DailyScore.objects.filter(brand=brand).order_by("date", "competitor")
    return list(rows.values_list("date", "competitor", "score", "low", "high", "figures", "comparable", "change"))


def test_the_first_day_has_nothing_before_it_and_each_later_one_a_verdict(brand):
    first, *later = DailyScore.objects.of_brand(brand).exclude(date=None).order_by("date")
    assert (first.comparable, first.change) == (None, None)
    for before, day in zip([first, *later], later, strict=False):
        assert day.comparable is True
        assert day.change["from"] == str(before.date)
        assert day.change["verdict"] in ("moved", "within_noise", "cannot_detect")
        assert day.change["delta"] == pytest.approx(day.score - before.score, abs=0.011)


@pytest.mark.django_db
def test_other_prompts_make_days_incomparable():
    brand = imported([*answers([1]), *answers([2], topics=("tandem", "cargo"))])
    second = DailyScore.objects.of_brand(brand).get(date="2026-01-02")
    assert second.comparable is False
    assert (second.change["verdict"], second.change["causes"]) == ("not_comparable", ["prompts"])


def test_another_model_country_or_engine_makes_days_incomparable_and_says_so(brand):
    engines = RunEngine.objects.filter(run__day="2026-01-03", engine__name="gemini")
    for fields, cause in (({"served_models": ["new"]}, "model"), ({"countries": ["DE"]}, "country")):
        engines.update(**fields)
        write_history(brand)
        changes = DailyScore.objects.of_brand(brand).exclude(change=None).order_by("date")
        assert [row.change["causes"] for row in changes] == [[], [cause], [cause], []]
        assert [row.comparable for row in changes] == [True, False, False, True]
        engines.update(served_models=[], countries=[])
    Cell.objects.filter(day="2026-01-05", engine__name="gemini").delete()
    write_history(brand)
    assert DailyScore.objects.of_brand(brand).get(date="2026-01-05").change["causes"] == ["engines"]


def test_what_answers_say_of_their_model_and_country_is_that_of_the_run(brand):
    run = Run.objects.get(day="2026-01-02")
    run.answers.filter(engine__name="gemini").update(served_model="flash", country="DE")
    run.answers.filter(engine__name="gemini", sample=1, position__lt=3).update(served_model="pro")
    run.answers.filter(engine__name="chatgpt").update(state="failed", served_model="none")
    Run.objects.filter(pk=run.pk).update(status=Run.Status.RUNNING)
    measure_runs(Reader(brand), [run.pk])
    rows = run.engines.order_by("engine__name").values_list("served_models", "countries")
    assert list(rows) == [([], []), (["flash", "pro"], ["DE"])]


def test_the_api_shows_each_verdict_and_no_field_that_it_does_not_describe(brand):
    trend = read_trend(SYSTEM, brand.pk, date.min, date.max)
    for item in trend.model_dump(mode="json")["trend"][1:]:
        assert set(item["change"]) == {"from", "delta", "low", "high", "verdict", "minimumDetectable"}


def test_an_alias_counts_in_all_history_and_no_more_when_it_is_removed(brand):
    before = everything(brand)
    update_brand(SYSTEM, brand_id=brand.pk, aliases=["Krytonite"])
    assert everything(brand) == before, "nothing changes before it is counted"
    assert recount(brand.pk)
    with_alias = scores(brand)
    assert all(with_alias[day] > score for day, score in ((str(row[0]), row[2]) for row in before if row[1] is None))
    update_brand(SYSTEM, brand_id=brand.pk, aliases=[])
    assert recount(brand.pk)
    assert everything(brand) == before
    assert not recount(brand.pk), "there is nothing left to do"


def test_a_new_competitor_has_its_history_from_stored_answers(brand):
    add_competitor(SYSTEM, brand_id=brand.pk, name="Krytonite", domain="krytonite.example")
    recount(brand.pk)
    history = scores(brand, "Krytonite")
    assert set(history) == set(scores(brand))
    assert all(score > 0 for score in history.values())


def test_a_decision_on_a_topic_and_its_undoing_need_no_detection(brand):
    before, mentions = everything(brand), set(Mention.objects.values_list("pk", flat=True))
    Topic.objects.filter(name="city").update(own=False)
    rescore(brand.pk)
    assert everything(brand) != before
    now = DailyScore.objects.of_brand(brand).get(date=None)
    assert (now.figures["topics"], now.figures["prompts"]) == (3, 9)
    Topic.objects.filter(name="city").update(own=None)
    rescore(brand.pk)
    assert everything(brand) == before
    assert set(Mention.objects.values_list("pk", flat=True)) == mentions


def test_a_run_has_the_score_of_its_day_also_after_a_decision(brand):
    before = dict(Run.objects.values_list("day", "score"))
    topic = Topic.objects.get(brand=brand, name="city")
    Topic.objects.filter(pk=topic.pk).update(own=False)
    rescore(brand.pk)
    after = dict(Run.objects.values_list("day", "score"))
    days = DailyScore.objects.of_brand(brand).exclude(date=None)
    assert after != before and after == dict(days.values_list("date", "score"))


def test_now_is_on_the_prompts_that_are_still_wanted_and_no_edit_makes_it_null(brand):
    prompts = list(Prompt.objects.order_by("text"))
    write_history(brand, [])
    whole = DailyScore.objects.of_brand(brand).get(date=None)
    archive_prompt(SYSTEM, brand_id=brand.pk, prompt_id=prompts[0].pk)
    reword_prompt(SYSTEM, brand_id=brand.pk, prompt_id=prompts[1].pk, text="Another wording?")
    write_history(brand, [])
    now = DailyScore.objects.of_brand(brand).get(date=None)
    assert now.figures["prompts"] == 11, "an archived prompt leaves, one in another wording stays until it is asked"
    restore_prompt(SYSTEM, brand_id=brand.pk, prompt_id=prompts[0].pk)
    reword_prompt(SYSTEM, brand_id=brand.pk, prompt_id=prompts[1].pk, text=prompts[1].text)
    write_history(brand, [])
    assert DailyScore.objects.of_brand(brand).get(date=None).figures["prompts"] == 12
    Prompt.objects.update(archived_at="2026-02-01T00:00:00Z")
    write_history(brand, [])
    assert DailyScore.objects.of_brand(brand).get(date=None).score == whole.score, "where all are archived, all stay"


def test_an_engine_counts_on_a_day_when_four_of_five_prompts_were_answered(brand):
    gemini = Cell.objects.filter(day="2026-01-05", engine__name="gemini")
    failing = gemini.values_list("version", flat=True).distinct()[:2]
    gemini.filter(version__in=list(failing)).update(answers=0, failed=1, mentioned=0)
    write_history(brand, {gemini.first().day})
    engines = DailyScore.objects.of_brand(brand).get(date="2026-01-05").figures["engines"]
    assert {engine["engine"] for engine in engines} == {"chatgpt", "gemini"}
    failing = gemini.values_list("version", flat=True).distinct()[:3]
    gemini.filter(version__in=list(failing)).update(answers=0, failed=1, mentioned=0)
    write_history(brand, {gemini.first().day})
    engines = DailyScore.objects.of_brand(brand).get(date="2026-01-05").figures["engines"]
    assert {engine["engine"] for engine in engines} == {"chatgpt"}


def test_answers_whose_sources_the_provider_lost_are_in_no_rate_of_citation_and_in_every_other(brand):
    chatgpt = Answer.objects.filter(engine__name="chatgpt")
    half = chatgpt.filter(prompt__text__contains="bike 0?")
    chatgpt.exclude(pk__in=half).update(sources=[{"url": "https://kryton.example/a", "title": ""}])
    rescan(brand)
    before = DailyScore.objects.of_brand(brand).get(date="2026-01-05")
    half.update(unknown_parts=["grounding:no chunks"])
    rescan(brand)
    after = DailyScore.objects.of_brand(brand).get(date="2026-01-05")
    assert (before.score, before.figures["prominence"]) == (after.score, after.figures["prominence"])
    cells = Cell.objects.filter(day="2026-01-05", engine__name="chatgpt", competitor=None)
    assert cells.aggregate(a=Sum("answers"), c=Sum("cited"), u=Sum("unsourced")) == {"a": 12, "c": 8, "u": 4}
    assert before.figures["citationRate"] == pytest.approx(100 * 8 / 24, abs=0.01)
    assert after.figures["citationRate"] == pytest.approx(50.0, abs=0.01), "one engine all, the other none"
    assert after.change["causes"] == before.change["causes"] == []


def rescan(brand):
    """Read and count all answers again, as after a change of the detector."""
    Answer.objects.update(names_version=0)
    Brand.objects.filter(pk=brand.pk).update(names_version=F("names_version") + 1, detector_version=0)
    recount(brand.pk)


def test_a_second_scan_of_a_day_with_the_same_texts_makes_nothing_more_certain(brand):
    before, first = everything(brand), Run.objects.order_by("day").last()
    again = Run.objects.get(pk=first.pk)
    again.pk, again.status, again.created_at = uuid4(), Run.Status.RUNNING, timezone.now()
    again.save(force_insert=True)
    copies = list(Answer.objects.filter(run=first))
    for answer in copies:
        answer.pk, answer.run, answer.import_key = None, again, None
    Answer.objects.bulk_create(copies)
    measure_runs(Reader(brand), [again.pk])
    assert everything(brand) == before
    assert Run.objects.get(pk=again.pk).repeated == len(copies)
    now = select_now(brand)
    assert now.answers.count() == sum(sums.answers for sums in now.sums if sums.subject is None)
    Answer.objects.filter(pk=copies[0].pk).update(text="Kryton alone.", names_version=0)
    Run.objects.filter(pk=again.pk).update(status=Run.Status.RUNNING)
    measure_runs(Reader(brand), [again.pk])
    assert sum(cell.answers for cell in Cell.objects.filter(run=again, competitor=None)) == 1
    assert Run.objects.get(pk=again.pk).repeated == len(copies) - 1
    assert Run.objects.get(pk=first.pk).repeated == 0
    assert everything(brand) != before


def test_counting_twice_changes_nothing(brand):
    before = everything(brand)
    with transaction.atomic():
        write_history(brand)
    assert everything(brand) == before


def test_history_of_an_older_method_is_written_again_and_marked(brand):
    write_history(brand)
    Brand.objects.filter(pk=brand.pk).update(method_version=1, recounted_on=None)
    DailyScore.objects.of_brand(brand).exclude(date=None).update(low=1.0)
    ProcrastinateJob.objects.all().delete()
    defer_new_method()
    assert [job.args["brand_id"] for job in ProcrastinateJob.objects.all()] == [str(brand.pk)]
    rescore(brand.pk)
    brand.refresh_from_db()
    assert brand.recounted_on is not None and brand.method_version == METHOD
    assert not DailyScore.objects.of_brand(brand).exclude(date=None).filter(low=1.0).exists()


def test_a_brand_that_is_measured_for_the_first_time_was_never_recounted_on(brand):
    brand.refresh_from_db()
    assert (brand.method_version, brand.recounted_on) == (METHOD, None)


def written_again(brand, days):
    """The days of January that are written when the history of `days` is."""
    DailyScore.objects.update(score=77)
    write_history(brand, days)
    rows = DailyScore.objects.of_brand(brand).exclude(date=None).exclude(score=77)
    return [row.date.day for row in rows.order_by("date")]


@pytest.mark.parametrize(
    ("days", "written"), [([], []), ([2], [2, 3]), ([5], [5]), ([1, 3], [1, 2, 3, 4]), (None, [1, 2, 3, 4, 5])]
)
def test_a_day_is_written_with_the_one_after_it_and_now_is_always(brand, days, written):
    assert written_again(brand, days if days is None else {date(2026, 1, day) for day in days}) == written
    assert DailyScore.objects.of_brand(brand).get(date=None).score != 77


def test_a_day_that_lost_its_cells_has_no_score_and_the_next_looks_further_back(brand):
    Cell.objects.filter(day="2026-01-03").delete()
    write_history(brand, {date(2026, 1, 3)})
    days = DailyScore.objects.of_brand(brand).exclude(date=None).order_by("date")
    assert [day.date.day for day in days] == [1, 2, 4, 5]
    assert days[2].change["from"] == "2026-01-02"


def test_the_advice_on_a_brand_waits_for_each_history_that_is_written(brand):
    ProcrastinateJob.objects.all().delete()
    write_history(brand, [])
    assert ProcrastinateJob.objects.get().task_name == "visibility.jobs.advise"


def test_each_day_has_the_window_that_ended_on_it(brand):
    windows = {day.date.day: day.window["answers"] for day in DailyScore.objects.of_brand(brand).exclude(date=None)}
    assert windows == {day: 24 * day for day in (1, 2, 3, 4, 5)}
    Cell.objects.filter(day="2026-01-02").delete()
    write_history(brand, {date(2026, 1, 2)})
    later = DailyScore.objects.of_brand(brand).get(date="2026-01-05")
    assert later.window["answers"] == 24 * 4, "windows that look back to a day are written with it"


def test_figures_of_a_day_are_stored_with_each_engines_own(brand):
    Cell.objects.filter(day="2026-01-05", engine__name="gemini", competitor=None).update(failed=1)
    write_history(brand, {date(2026, 1, 5)})
    day = DailyScore.objects.of_brand(brand).get(date="2026-01-05")
    assert (day.figures["prompts"], day.figures["topics"], day.figures["answers"]) == (12, 4, 24)
    assert day.figures["failed"] == 12
    own = Cell.objects.filter(day="2026-01-05", competitor=None)
    for each in day.figures["engines"]:
        mentioned = own.filter(engine__name=each["engine"]).aggregate(total=Sum("mentioned"))["total"]
        assert (each["mentioned"], each["answers"]) == (mentioned, 12)
        assert each["score"] == pytest.approx(100 * mentioned / 12, abs=0.01)
    assert day.runs == [Run.objects.get(day="2026-01-05").pk]


@pytest.mark.parametrize(("gone", "causes"), [(2, []), (3, ["prompts"])])
def test_days_are_comparable_when_four_of_five_prompts_were_asked_again(brand, gone, causes):
    later = Cell.objects.filter(day="2026-01-05")
    later.filter(version__in=list(later.values_list("version", flat=True).distinct()[:gone])).delete()
    write_history(brand, {date(2026, 1, 5)})
    day = DailyScore.objects.of_brand(brand).get(date="2026-01-05")
    assert (day.change["causes"], day.comparable) == (causes, not causes)
    if causes:
        assert (day.change["verdict"], day.change["delta"], day.change["low"]) == ("not_comparable", None, None)
