"""The demo's past: measured by the real engines from dated pages, on some of its days; all of them: test_demo."""

import signal
import subprocess
import sys
from datetime import UTC, datetime, timedelta

import pytest
from asgiref.sync import async_to_sync
from django.utils import timezone

from apikeys.caller import Caller
from apikeys.models import Usage
from apikeys.operators import system_caller
from brands.models import Brand
from tests.live import ROOT, wait_for
from visibility.demo.content import bundled_pages, corpus_on
from visibility.demo.days import DAYS, SEEDER, day_of, first_day
from visibility.demo.history import FIRST_OF_SECOND, SECOND_ENGINE, seed_history, simulated
from visibility.demo.seeding import seed_brand, seed_owner
from visibility.engines.protocol import Question
from visibility.metrics.shown import shown
from visibility.models import Answer, ChangeRecord, Citation, DailyScore, Mention, Page, Recommendation, Run
from visibility.pipeline.ask.engines import engines_of
from visibility.pipeline.retention import purge_raw_bodies
from visibility.services.reading.other_tools import other_numbers
from visibility.services.scans.schedule import fire_due
from visibility.services.scans.starting import StartReason, start_scan

pytestmark = pytest.mark.django_db(transaction=True, serialized_rollback=True)
FALL = 40
SYSTEM = system_caller(SEEDER)
EXAMPLE = ROOT / "docs" / "other-tools.md"


@pytest.fixture
def demo():
    owner, _ = seed_owner(SYSTEM)
    return seed_brand(SYSTEM, owner)[0]


def scored(brand, number):
    return DailyScore.objects.get(brand=brand, competitor=None, date=day_of(brand, number))


def named_in_answers(brand, number, name=None):
    """How many of the day's answers name the brand, or the competitor of that name."""
    found = Mention.objects.filter(answer__brand=brand, answer__run__started_at__date=day_of(brand, number))
    return found.filter(competitor__name=name).values("answer").distinct().count()


def test_the_fall_is_moved_and_its_cause_is_in_the_answers_and_the_pages(demo):
    seed_history(SYSTEM, demo, days=(FALL - 1, FALL))
    fall = scored(demo, FALL)
    assert fall.change["verdict"] == "moved" and fall.change["delta"] < -20
    moved = [each for each in fall.changes if each["verdict"] == "moved" and each["delta"] < 0]
    assert {(None, "score"), ("local-search", "score"), (SECOND_ENGINE, "citation_rate")} <= {
        (each["engine"], each["metric"]) for each in moved
    }
    own = Citation.objects.filter(answer__brand=demo, owner=Citation.Owner.OWN)
    before, after = (own.filter(answer__run__started_at__date=day_of(demo, day)) for day in (FALL - 1, FALL))
    removed = {page.url for page in bundled_pages() if page.removed == FALL}
    assert len(removed) > 5 and all("//norrvik.example/" in url for url in removed)
    assert removed & set(before.values_list("url", flat=True))
    assert after.count() < before.count() / 4
    assert named_in_answers(demo, FALL) < named_in_answers(demo, FALL - 1)
    assert named_in_answers(demo, FALL, "Velmora") > named_in_answers(demo, FALL - 1, "Velmora")


def test_the_fall_is_one_record_of_the_score_whose_parts_sum_to_it(demo):
    seed_history(SYSTEM, demo, days=range(FALL - 7, FALL + 3))
    [fall] = ChangeRecord.objects.filter(brand=demo, of="score")
    assert (fall.direction, fall.began, fall.known_on) == ("down", day_of(demo, FALL), day_of(demo, FALL + 1))
    assert fall.before + fall.delta + fall.prompts_changed == pytest.approx(fall.after, abs=1e-9)
    for partition in ("topics", "engines", "wordings"):
        assert sum(part["points"] for part in fall.content[partition]) == pytest.approx(fall.delta, abs=1e-9)
    assert all(part["answers"] for part in fall.content["topics"][:3])


def test_recommendations_follow_from_the_fall(demo):
    """Once the next day confirms it: one day's fall recommends nothing about change."""
    seed_history(SYSTEM, demo, days=(FALL - 4, FALL - 3, FALL - 2, FALL - 1, FALL))
    falls = Recommendation.objects.filter(brand=demo, kind="confirmed_fall")
    assert not falls.exists()
    seed_history(SYSTEM, demo, days=(FALL + 1,))
    row = falls.get(subject="score")
    assert row.status == "open" and row.opened_on == day_of(demo, FALL + 1)
    assert "points lost since" in row.title and row.evidence[0]["kind"] == "measurement"
    assert Recommendation.objects.filter(brand=demo, status="open").count() >= 5


def test_the_day_on_which_an_engine_is_added_cannot_be_compared(demo):
    first = FIRST_OF_SECOND
    seed_history(SYSTEM, demo, days=(first - 2, first - 1, first, first + 1))
    days = [scored(demo, number) for number in (first - 1, first, first + 1)]
    assert [day.change["verdict"] == "not_comparable" for day in days] == [False, True, False]
    assert [day.comparable for day in days] == [True, False, True]
    engines = [{item["engine"] for item in day.engines} for day in days[:2]]
    assert engines == [{"local-search"}, {"local-search", SECOND_ENGINE}]


def test_a_day_is_answered_from_the_pages_that_there_were_on_it(demo):
    """Each citation's page stood on that day, its words are in the answer, and today's pages are untouched."""
    today = set(Page.objects.values_list("url", "text"))
    seed_history(SYSTEM, demo, days=(1, FALL - 1))
    for number in (1, FALL - 1):
        pages = corpus_on(number, first_day(demo))
        for answer in Answer.objects.filter(run__started_at__date=day_of(demo, number)):
            assert answer.sources
            for source in answer.sources:
                quoted = answer.text[source["start"] : source["end"]]
                assert quoted.split(". ")[0].rstrip(".") in pages[source["url"]].text
    assert set(Page.objects.values_list("url", "text")) == today
    assert {url for url, _ in today} == set(corpus_on(DAYS, first_day(demo)))


def test_the_last_day_is_what_the_engines_answer_now(demo):
    """Nothing was written by hand: asked again, the engines say the same words."""
    seed_history(SYSTEM, demo, days=(DAYS,))
    engines = {engine.name: engine for engine in engines_of(demo)}
    answers = Answer.objects.filter(brand=demo).select_related("version")
    assert answers.count() == 2 * 29
    for answer in answers:
        assert async_to_sync(engines[answer.engine].ask)(Question(answer.version.text)).text == answer.text


def test_the_days_are_dated_end_yesterday_and_cost_nothing(demo):
    seed_history(SYSTEM, demo, days=(1, DAYS))
    days = simulated(demo.pk)
    made = demo.created_at.astimezone(UTC).date()
    assert (days.first, days.last) == (made - timedelta(days=60), made - timedelta(days=1))
    for run in Run.objects.all():
        assert run.status == Run.Status.SUCCEEDED and run.trigger == Run.Trigger.IMPORT
        assert run.created_at.date() == run.started_at.date() == run.finished_at.date()
        assert run.credits_spent == 0
    assert not Usage.objects.filter(kind=Usage.Kind.CREDITS, used__gt=0).exists()


def test_seeding_again_adds_nothing(demo):
    assert seed_history(SYSTEM, demo, days=(1, 2)) == 2
    models = (Brand, Run, Answer, Mention, Citation, DailyScore, Page)
    before = [model.objects.count() for model in models]
    again, is_new = seed_brand(SYSTEM, demo.owner)
    assert (again, is_new) == (demo, False)
    assert seed_history(SYSTEM, demo, days=(1, 2)) == 0
    assert [model.objects.count() for model in models] == before


def test_a_scan_can_start_right_after_and_nothing_is_asked_by_itself(demo):
    seed_history(SYSTEM, demo, days=(DAYS,))
    answers = Answer.objects.count()
    assert fire_due(SYSTEM) == 0 and purge_raw_bodies() == 0
    assert Answer.objects.count() == answers
    owner = Caller.from_user(demo.owner)
    scan = start_scan(owner, brand_id=demo.pk, trigger=Run.Trigger.WEB)
    assert (scan.started, scan.reason) == (True, StartReason.STARTED)
    assert scan.run.engines == ["local-search", SECOND_ENGINE]


@pytest.mark.crash
def test_seeding_goes_on_after_a_kill(prepared):
    command = [sys.executable, "manage.py", "seed_demo"]
    process = subprocess.Popen(command, cwd=ROOT, env=dict(prepared), stdout=subprocess.DEVNULL)
    try:
        wait_for(lambda: Run.objects.count() >= 3, seconds=120, what="three days")
    finally:
        process.send_signal(signal.SIGKILL)
        process.wait()
    brand, there = Brand.objects.get(), Run.objects.count()
    # Its worker is gone with the command: whoever goes on does not wait for the lease in a test.
    Run.objects.filter(status=Run.Status.RUNNING).update(lease_until=timezone.now())
    assert seed_history(SYSTEM, brand, days=range(1, there + 2)) == 1
    runs = Run.objects.order_by("created_at")
    assert [run.started_at.date() for run in runs] == [day_of(brand, number) for number in range(1, there + 2)]
    asked = [29 if number < FIRST_OF_SECOND else 58 for number in range(1, there + 2)]
    assert [(run.status, run.total, run.answers.count()) for run in runs] == [("succeeded", n, n) for n in asked]
    days = DailyScore.objects.filter(brand=brand, competitor=None)
    assert days.count() == there + 1 and all(day.score is not None for day in days)
    assert max(run.created_at for run in runs) < datetime.now(UTC)


def test_the_example_of_other_definitions_is_what_the_last_days_give(demo):
    """The table of docs/other-tools.md."""
    seed_history(SYSTEM, demo, days=(DAYS - 1, DAYS))
    report = other_numbers(SYSTEM, brand_id=demo.pk)
    shown_rows = [("Ours", f"{shown(report.now.score)} %", "")]
    shown_rows += [(number.explanation.title, f"{shown(number.value)} %", number.signed) for number in report.numbers]
    lines = [line.split("|") for line in EXAMPLE.read_text().split("## An example")[1].splitlines()]
    rows = [tuple(cell.strip() for cell in cells[1:4]) for cells in lines if len(cells) == 6 and "%" in cells[2]]
    assert rows == shown_rows
    assert f"95 % interval: {shown(report.now.low)} to {shown(report.now.high)}" in EXAMPLE.read_text()
