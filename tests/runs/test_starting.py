"""Starting a scan: what it asks, what is in its way, and who pays."""

from datetime import timedelta
from itertools import pairwise

import pytest
from django.utils import timezone
from procrastinate.contrib.django.models import ProcrastinateJob

from apikeys.accounts.caller import Caller
from apikeys.accounts.usage import quotas
from apikeys.errors import ErrorCode, ServiceError
from apikeys.models import Usage
from tests.factories import CollaboratorFactory, RunFactory, UserFactory
from tests.runs.conftest import SYSTEM, add_page, make_brand, make_engine
from tests.threads import at_once
from visibility.models import Answer, BrandEngine, Engine, Run
from visibility.prompts.services import PromptDraft, add_prompts, archive_prompt
from visibility.runs import schedule
from visibility.runs.estimate import estimate_scan
from visibility.runs.schedule import next_slot, start_due_scans
from visibility.runs.services import StartReason, start_scan

pytestmark = pytest.mark.django_db


def start(brand, caller=SYSTEM):
    return start_scan(caller, brand_id=brand.pk, trigger=Run.Trigger.WEB)


def refusal(brand, caller=SYSTEM) -> str:
    with pytest.raises(ServiceError) as refused:
        start(brand, caller)
    return refused.value.code


def used_credits(brand) -> int:
    return quotas(brand.owner)[Usage.Kind.CREDITS].used


def test_a_scan_asks_each_active_prompt_of_each_engine_as_often_as_the_brand_wants():
    brand = make_brand(prompts=3, samples=3)
    make_engine("gpt"), make_engine("grok", max_samples=1), make_engine("off").delete()
    make_engine("switched-off", concurrency=1).__class__.objects.filter(name="switched-off").update(is_enabled=False)
    archived = brand.prompts.first()
    archive_prompt(SYSTEM, brand_id=brand.pk, prompt_id=archived.pk)
    started = start(brand)
    asked = list(started.run.answers.order_by("position").values_list("engine__name", "sample", "prompt"))
    assert started.started and len(asked) == started.run.total == 2 * 3 + 2 * 1
    assert archived.pk not in {prompt for _, _, prompt in asked}
    assert all(before[::2] != after[::2] for before, after in pairwise(asked))  # no prompt twice in a row
    assert used_credits(brand) == started.credits_spent == 8
    assert ProcrastinateJob.objects.get(task_name="visibility.jobs.ask").args == {"run_id": str(started.run.pk)}


def searched(brand, **fields):
    """A scan of two hours ago that asked a stored page everything."""
    add_page(brand, stored_at=timezone.now() - timedelta(hours=3))
    run = start(brand).run
    run.answers.update(state="answered", text="Acme.")
    Run.objects.filter(pk=run.pk).update(
        status=Run.Status.SUCCEEDED, done=run.total, created_at=timezone.now() - timedelta(hours=2), **fields
    )
    return run


def test_a_scan_that_could_only_repeat_todays_answers_says_so_and_costs_nothing():
    brand = make_brand()
    run = searched(brand, day=timezone.now().date())
    again = start(brand)
    assert (again.run, again.started, again.reason) == (run, False, StartReason.NOTHING_NEW)
    assert (again.credits_spent, used_credits(brand)) == (0, 6)
    assert again.next_allowed_at > timezone.now()


@pytest.mark.parametrize(
    ("reason", "words"),
    [
        (StartReason.ACTIVE, "A scan is under way."),
        (StartReason.COOLDOWN, "A scan was started within the last hour."),
        (
            StartReason.NOTHING_NEW,
            "Only stored pages would be asked, and none is new: every answer would repeat one of today.",
        ),
    ],
)
def test_each_reason_not_to_start_has_its_own_sentence(reason, words):
    assert reason.words() == words


@pytest.mark.parametrize("new", ["page", "prompt", "day", "engine"])
def test_a_scan_that_may_bring_something_new_is_started(new):
    brand = make_brand()
    run = searched(brand, day=timezone.now().date())
    if new == "page":
        add_page(brand, 2)
    elif new == "prompt":
        add_prompts(SYSTEM, brand_id=brand.pk, drafts=[PromptDraft("Which boots?")])
    elif new == "day":
        Run.objects.filter(pk=run.pk).update(day=timezone.now().date() - timedelta(days=1))
    else:
        make_engine()
    assert start(brand).started


def test_a_second_start_returns_the_run_that_is_in_its_way_and_costs_nothing():
    brand = make_brand()
    make_engine()
    first = start(brand)
    second = start(brand)
    assert (second.run, second.started, second.reason) == (first.run, False, StartReason.ACTIVE)
    Run.objects.filter(pk=first.run.pk).update(status=Run.Status.SUCCEEDED, done=6)
    third = start(brand)
    assert (third.run, third.reason, third.credits_spent) == (first.run, StartReason.COOLDOWN, 0)
    assert third.next_allowed_at == first.run.created_at + timedelta(hours=1)
    assert used_credits(brand) == 6
    Run.objects.filter(pk=first.run.pk).update(created_at=timezone.now() - timedelta(hours=1))
    assert start(brand).started


def test_what_never_asked_anything_is_in_nobodys_way():
    brand = make_brand()
    make_engine()
    now = timezone.now()
    for fields in (
        {"trigger": Run.Trigger.IMPORT},
        {"trigger": Run.Trigger.IMPORT, "status": Run.Status.RUNNING},
        {"status": Run.Status.FAILED, "done": 0},
        {"status": Run.Status.CANCELLED, "error_code": "quota_exceeded", "done": 0},
        {"kind": Run.Kind.COMPARISON},
        {"kind": Run.Kind.AUDIT},
    ):
        RunFactory(brand=brand, created_at=now, **fields)
    assert start(brand).started


def test_a_scan_that_cannot_be_paid_leaves_nothing_behind():
    brand = make_brand(prompts=3, samples=2)
    make_engine()
    brand.owner.own_credits_per_month = 5
    brand.owner.save()
    assert refusal(brand) == ErrorCode.QUOTA_EXCEEDED
    assert (Run.objects.count(), Answer.objects.count(), used_credits(brand)) == (0, 0, 0)


def test_without_an_engine_or_a_prompt_nothing_is_started(monkeypatch):
    assert refusal(make_brand()) == ErrorCode.NO_ENGINE_CONFIGURED
    make_engine()
    assert refusal(make_brand(prompts=0)) == ErrorCode.NO_PROMPTS
    monkeypatch.delenv("OPENAI_API_KEY")
    assert refusal(make_brand()) == ErrorCode.NO_ENGINE_CONFIGURED


def test_only_who_may_change_the_brand_may_scan_it():
    brand = make_brand()
    make_engine()
    viewer = CollaboratorFactory(brand=brand, role="viewer").user
    assert refusal(brand, Caller.from_user(viewer)) == ErrorCode.READ_ONLY_COLLABORATOR
    assert refusal(brand, Caller.from_user(UserFactory())) == ErrorCode.NOT_FOUND
    brand.owner.is_active = False
    brand.owner.save()
    assert refusal(brand) == ErrorCode.CONFLICT


def test_stored_pages_are_searched_only_where_nothing_else_can_be_asked():
    brand = make_brand()
    assert refusal(brand) == ErrorCode.NO_ENGINE_CONFIGURED
    add_page(brand)
    assert set(start(brand).run.engines.values_list("engine__name", "surface")) == {("local-search", "pages")}
    make_engine()
    other = make_brand()
    add_page(other)
    assert set(start(other).run.engines.values_list("engine__name", "surface")) == {("gpt", "api")}


def test_a_brand_asks_the_engines_that_it_chose():
    brand = make_brand()
    make_engine("gpt")
    BrandEngine.objects.create(brand=brand, engine=make_engine("grok"))
    assert list(start(brand).run.engines.values_list("engine__name", flat=True)) == ["grok"]


def test_an_estimate_is_what_the_scan_then_asks():
    brand = make_brand(prompts=4, samples=2)
    make_engine()
    estimate = estimate_scan(brand)
    left = estimate.credits_left
    assert estimate.credits == start(brand).credits_spent == 8
    assert estimate_scan(brand).credits_left == left - 8


@pytest.mark.django_db(transaction=True, serialized_rollback=True)
def test_a_hundred_simultaneous_starts_make_one_run():
    brand = make_brand()
    make_engine()
    started = at_once([lambda: start(brand)] * 100)
    assert sorted(each.started for each in started) == [False] * 99 + [True]
    assert len({each.run.pk for each in started}) == Run.objects.count() == 1
    assert used_credits(brand) == 6
    assert ProcrastinateJob.objects.filter(task_name="visibility.jobs.ask").count() == 1


def test_slots_are_one_period_apart_and_stay_where_they_are():
    begin = timezone.now()
    for cadence, days in (("daily", {1}), ("weekly", {7}), ("monthly", {28, 29, 30, 31})):
        for brand in (make_brand(prompts=0, cadence=cadence) for _ in range(20)):
            first = next_slot(brand, begin)
            second = next_slot(brand, first)
            assert begin < first < second
            assert (second - first).days in days and (second - first).seconds == 0
            assert next_slot(brand, first - timedelta(seconds=1)) == first
    assert next_slot(make_brand(prompts=0), begin) is None


def test_a_slot_that_is_due_starts_one_scan_however_long_nothing_ran():
    brand = make_brand(cadence="daily")
    make_engine()
    start_due_scans(SYSTEM)
    brand.refresh_from_db()
    assert brand.next_run_at > timezone.now() and not Run.objects.exists()
    brand.next_run_at = timezone.now() - timedelta(days=5)
    brand.save()
    start_due_scans(SYSTEM)
    start_due_scans(SYSTEM)
    brand.refresh_from_db()
    assert brand.next_run_at > timezone.now()
    assert Run.objects.get(brand=brand).trigger == Run.Trigger.SCHEDULE


def test_a_slot_without_credits_leaves_one_cancelled_run():
    brand = make_brand(cadence="weekly", next_run_at=timezone.now())
    make_engine()
    brand.owner.own_credits_per_month = 1
    brand.owner.save()
    start_due_scans(SYSTEM)
    run = Run.objects.get(brand=brand)
    assert (run.status, run.error_code) == (Run.Status.CANCELLED, "quota_exceeded")
    assert run.settled_at is not None and used_credits(brand) == 0


def test_a_brand_whose_scan_cannot_be_started_holds_up_no_other(monkeypatch, caplog):
    first, second = (make_brand(cadence="daily", next_run_at=timezone.now() - timedelta(days=n)) for n in (2, 1))
    make_engine()
    monkeypatch.setattr(schedule, "BRANDS_AT_ONCE", 1)
    start = schedule.start_scan

    def start_unless_first(caller, *, brand_id, trigger):
        if brand_id == first.pk:
            raise RuntimeError("this brand cannot be read")
        return start(caller, brand_id=brand_id, trigger=trigger)

    monkeypatch.setattr(schedule, "start_scan", start_unless_first)
    start_due_scans(SYSTEM)
    start_due_scans(SYSTEM)
    assert Run.objects.get(brand=second).status == Run.Status.QUEUED
    left_out = Run.objects.get(brand=first)
    assert (left_out.status, left_out.error_code) == (Run.Status.CANCELLED, "internal_error")
    assert "this brand cannot be read" in caplog.text
    first.refresh_from_db()
    assert first.next_run_at > timezone.now()


def test_the_slot_of_a_deactivated_owner_waits():
    brand = make_brand(cadence="weekly", next_run_at=timezone.now())
    make_engine()
    brand.owner.is_active = False
    brand.owner.save()
    start_due_scans(SYSTEM)
    assert not Run.objects.exists() and Engine.objects.asked().exists()
