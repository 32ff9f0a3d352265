"""Starting a scan: who may, what it costs, and what stands in its way."""

from datetime import timedelta
from itertools import pairwise
from uuid import uuid4

import pytest
from django.utils import timezone

from apikeys.caller import Caller
from apikeys.errors import ErrorCode
from apikeys.models import Usage
from tests.factories import BrandFactory, PromptFactory, RunFactory, UserFactory, plan
from visibility.engines.registry import load_engine
from visibility.models import Answer, Page, Run
from visibility.services.scans.starting import StartReason, start_scan

HOUR = timedelta(hours=1)


def start(caller, brand, **more):
    return start_scan(caller, brand_id=brand.pk, trigger=Run.Trigger.AGENT, **more)


def credits_used(user):
    return sum(Usage.objects.filter(user=user, kind="credits").values_list("used", flat=True))


def test_a_start_plans_every_answer_and_reserves_its_credits(cast, owner, prompts, engines):
    engines("Steady", "Second")
    before = timezone.now()
    scan = start(owner, cast.brand)
    assert (scan.started, scan.reason, scan.credits_spent) == (True, StartReason.STARTED, 6 * 2 * 3)
    run = Run.objects.get()
    assert (run.status, run.total, run.done, run.failed) == ("queued", 36, 0, 0)
    assert run.engines == ["steady", "second"]
    assert run.actor == f"user:{cast.owner.pk}"
    assert scan.next_allowed_at == run.created_at + HOUR
    assert before <= run.created_at <= timezone.now()
    assert credits_used(cast.owner) == run.credits_reserved == 36
    assert run.credits_account == cast.owner
    assert Answer.objects.filter(run=run, state="pending", brand=cast.brand).count() == 36


def test_no_prompts_samples_go_back_to_back(cast, owner, prompts, engines):
    start(owner, cast.brand)
    order = list(Answer.objects.order_by("position").values_list("prompt_id", "sample"))
    assert all(first[0] != second[0] for first, second in pairwise(order))
    assert [sample for _, sample in order] == [1] * 6 + [2] * 6 + [3] * 6


def test_only_active_prompts_are_asked_in_their_current_wording(cast, owner, prompts, engines):
    prompts[0].archived_at = timezone.now()
    prompts[0].save()
    prompts[1].version, prompts[1].text = 2, "which new product?"
    prompts[1].save()
    prompts[1].versions.create(number=2, text="which new product?")
    PromptFactory(text="a prompt of another brand")
    start(owner, cast.brand, samples=1)
    asked = set(Answer.objects.values_list("version__text", flat=True))
    assert asked == {"which new product?", *(prompt.text for prompt in prompts[2:])}


def test_statements_do_not_grow_with_the_prompts(cast, owner, engines, django_assert_max_num_queries):
    for number in range(60):
        PromptFactory(brand=cast.brand, text=f"{number}?")
    with django_assert_max_num_queries(24):
        start(owner, cast.brand)


@pytest.mark.parametrize(
    ("who", "code"),
    [
        ("owner", None),
        ("editor", None),
        ("viewer", ErrorCode.READ_ONLY_COLLABORATOR),
        ("stranger", ErrorCode.NOT_FOUND),
    ],
)
def test_who_may_start(cast, prompts, engines, who, code, refused):
    caller = Caller.from_user(getattr(cast, who))
    if code:
        refused(code, start, caller, cast.brand)
        assert not Run.objects.exists()
    else:
        assert start(caller, cast.brand).started
        assert credits_used(cast.owner) == 18, "the brand's owner pays, whoever starts"


def test_an_unknown_brand_is_not_found(owner, engines, refused):
    refused(ErrorCode.NOT_FOUND, start_scan, owner, brand_id=uuid4(), trigger=Run.Trigger.WEB)


def test_without_an_engine_nothing_starts(cast, owner, prompts, settings, refused):
    settings.EXTRA_ENGINES = []
    refused(ErrorCode.NO_ENGINE_CONFIGURED, start, owner, cast.brand)
    Page.objects.create(brand=BrandFactory(), url="https://x.example/", title="x", text="x")
    refused(ErrorCode.NO_ENGINE_CONFIGURED, start, owner, cast.brand)
    Page.objects.create(brand=cast.brand, url="https://x.example/", title="x", text="x")
    assert start(owner, cast.brand).run.engines == ["local-search"]


@pytest.mark.parametrize("path", ["nowhere", "no.such.module", "tests.scans.engines.Missing", ""])
def test_an_engine_that_is_not_there_is_named(path):
    with pytest.raises(LookupError, match="dotted path"):
        load_engine(path)


def test_without_a_prompt_nothing_starts(cast, owner, engines, refused):
    refused(ErrorCode.NO_PROMPTS, start, owner, cast.brand)
    assert credits_used(cast.owner) == 0


def test_engines_and_samples_can_be_chosen(cast, owner, prompts, engines, refused):
    engines("Steady", "Second")
    error = refused(ErrorCode.INVALID_ARGUMENTS, start, owner, cast.brand, engines=["third"])
    assert "steady, second" in error.message
    refused(ErrorCode.INVALID_ARGUMENTS, start, owner, cast.brand, engines=[])
    for samples in (0, 11):
        refused(ErrorCode.INVALID_ARGUMENTS, start, owner, cast.brand, samples=samples)
    run = start(owner, cast.brand, engines=["second"], samples=10).run
    assert (run.engines, run.total) == (["second"], 60)


def test_the_brands_samples_stay_within_the_plan(cast, owner, prompts, engines):
    cast.brand.samples = 50
    cast.brand.save()
    assert start(owner, cast.brand).run.total == 6 * 10


def test_too_few_credits_start_nothing(db, engines, refused):
    brand = BrandFactory(owner=UserFactory(plan=plan("free")))
    PromptFactory.create_batch(10, brand=brand)
    Usage.objects.create(user=brand.owner, kind="credits", period=timezone.now().date().replace(day=1), used=171)
    error = refused(ErrorCode.QUOTA_EXCEEDED, start, Caller.from_user(brand.owner), brand)
    assert (error.details["limit"], error.details["used"]) == (200, 171)
    assert not Run.objects.exists()
    assert not Answer.objects.exists()
    Usage.objects.update(used=170)
    assert start(Caller.from_user(brand.owner), brand).started
    assert credits_used(brand.owner) == 200


def test_an_active_run_is_returned_and_costs_nothing(cast, owner, prompts, engines):
    first = start(owner, cast.brand)
    again = start(Caller.from_user(cast.editor), cast.brand)
    assert (again.run, again.started, again.reason, again.credits_spent) == (first.run, False, "already_active", 0)
    assert credits_used(cast.owner) == 18


def test_an_active_run_is_returned_however_old_it_is(cast, owner, prompts, engines):
    old = RunFactory(brand=cast.brand, status="running", created_at=timezone.now() - 5 * HOUR, finished_at=None)
    again = start(owner, cast.brand)
    assert (again.run, again.reason) == (old, "already_active")


@pytest.mark.parametrize(
    ("age", "started"), [(timedelta(seconds=3599.5), False), (HOUR, True), (timedelta(seconds=3600.5), True)]
)
def test_the_cooldown_ends_after_exactly_an_hour(cast, owner, prompts, engines, monkeypatch, age, started):
    now = timezone.now()
    monkeypatch.setattr("visibility.services.scans.starting.timezone.now", lambda: now)
    last = RunFactory(brand=cast.brand, created_at=now - age)
    scan = start(owner, cast.brand)
    assert scan.started is started
    if not started:
        assert (scan.run, scan.reason, scan.next_allowed_at) == (last, "cooldown", last.created_at + HOUR)


@pytest.mark.parametrize(
    ("last", "counts"),
    [
        ({"status": "succeeded"}, True),
        ({"status": "partial"}, True),
        ({"status": "cancelled"}, True),
        ({"status": "failed", "done": 1, "total": 1}, True),
        ({"status": "failed", "done": 0}, False),
        ({"status": "cancelled", "error_code": "quota_exceeded"}, False),
        ({"status": "succeeded", "trigger": "import"}, False),
        ({"status": "queued", "trigger": "import"}, False),
        ({"status": "succeeded", "kind": "comparison"}, False),
        ({"status": "running", "kind": "audit"}, False),
    ],
)
def test_what_counts_for_the_cooldown(cast, owner, prompts, engines, last, counts):
    RunFactory(brand=cast.brand, created_at=timezone.now() - timedelta(minutes=1), **last)
    assert start(owner, cast.brand).started is not counts


def test_a_failure_does_not_hide_the_scan_before_it(cast, owner, prompts, engines):
    standing = RunFactory(brand=cast.brand, created_at=timezone.now() - timedelta(minutes=30))
    RunFactory(brand=cast.brand, created_at=timezone.now() - timedelta(minutes=5), status="failed")
    assert start(owner, cast.brand).run == standing


def test_another_brand_has_its_own_clock(cast, owner, prompts, engines):
    RunFactory(brand=BrandFactory(owner=cast.owner))
    assert start(owner, cast.brand).started


@pytest.mark.django_db(transaction=True, serialized_rollback=True)
class TestAtOnce:
    """Many callers at the same moment, each with a real connection and real commits."""

    def test_fifty_starts_give_one_run_and_one_charge(self, cast, owner, prompts, engines, at_once):
        scans = at_once(50, lambda _: start(owner, cast.brand))
        assert [scan for scan in scans if isinstance(scan, Exception)] == []
        assert sum(scan.started for scan in scans) == 1
        assert len({scan.run.pk for scan in scans}) == 1
        assert sum(scan.credits_spent for scan in scans) == 18
        assert Run.objects.count() == 1
        assert Answer.objects.count() == 18
        assert credits_used(cast.owner) == 18

    def test_no_number_of_brands_passes_the_credits(self, engines, at_once):
        user = UserFactory(plan=plan("free"))
        brands = BrandFactory.create_batch(20, owner=user)
        for brand in brands:
            PromptFactory.create_batch(10, brand=brand)
        results = at_once(20, lambda index: start(Caller.from_user(user), brands[index]))
        refusals = [result for result in results if isinstance(result, Exception)]
        assert {error.code for error in refusals} == {ErrorCode.QUOTA_EXCEEDED}
        assert Run.objects.count() == 6
        assert len(refusals) == 14
        assert credits_used(user) == 180

    def test_an_unreachable_queue_does_not_undo_the_start(self, cast, owner, prompts, engines, monkeypatch):
        def unreachable(*args, **more):
            raise ConnectionError("no broker")

        monkeypatch.setattr("visibility.jobs.queue.current_app.send_task", unreachable)
        assert start(owner, cast.brand).started
        assert Run.objects.get().dispatched_at is None
