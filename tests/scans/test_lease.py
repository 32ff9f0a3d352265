"""The lease of a job of any kind: one worker claims it, renews it, writes under it, and lets go of it."""

from datetime import timedelta
from functools import partial

import pytest
from django.utils import timezone

from tests.factories import BrandFactory, RunFactory
from visibility.detection.detector import DETECTOR_VERSION
from visibility.evidence import EVIDENCE_VERSION
from visibility.jobs.heartbeat import Heartbeat
from visibility.jobs.kinds import AUDIT, EVIDENCE, GENERATION, KINDS, RUN
from visibility.jobs.lease import (
    LeaseLost,
    LeaseState,
    claim,
    fenced,
    hand_over,
    lease_state,
    put_back,
    release,
    renew,
)
from visibility.jobs.queue import announce_due, enqueue, postpone
from visibility.jobs.stopping import Stopping
from visibility.jobs.turns import Turn, take_turn
from visibility.models import BrandEvidence, Generation

MINUTE = timedelta(minutes=1)


def run(**more):
    return RunFactory(**{"status": "queued", "finished_at": None, **more})


def generation(**more):
    made = {"stamp": "s", "classes": "c", "names": [], "names_version": 1, "detector": int(DETECTOR_VERSION)}
    return Generation.objects.create(brand=BrandFactory(), **made, **more)


def evidence():
    return BrandEvidence.objects.create(brand=BrandFactory(), version=EVIDENCE_VERSION)


CASES = {
    "run": (RUN, run),
    "audit": (AUDIT, partial(run, kind="audit")),
    "generation to build": (GENERATION, partial(generation, state="building")),
    "generation to clear": (GENERATION, partial(generation, state="retired")),
    "evidence": (EVIDENCE, evidence),
}


@pytest.fixture(params=CASES)
def case(request):
    return CASES[request.param]


@pytest.fixture
def kind(case):
    return case[0]


@pytest.fixture
def job(db, case):
    """A job that waits for a worker."""
    return case[1]()


@pytest.fixture
def sent(monkeypatch):
    messages = []
    monkeypatch.setattr(
        "visibility.jobs.queue.current_app.send_task", lambda name, args, retry: messages.append((name, args[0]))
    )
    return messages


def change(job, **fields):
    type(job).objects.filter(pk=job.pk).update(**fields)


def row(job):
    job.refresh_from_db()
    return job


def seconds_to_wait(job):
    return (row(job).not_before - timezone.now()).total_seconds()


def test_each_kind_has_a_case():
    assert {kind.task for kind, _ in CASES.values()} == {kind.task for kind in KINDS}


class TestClaim:
    def test_it_is_claimed_once(self, kind, job, settings):
        claimed = claim(kind, job.pk, "a")
        assert (claimed.worker, claimed.attempt) == ("a", 1)
        assert timedelta() < claimed.lease_until - timezone.now() <= timedelta(seconds=settings.SCAN_LEASE_SECONDS)
        assert claim(kind, job.pk, "b") is None
        assert row(job).worker == "a"

    def test_before_its_time_it_is_not_claimed(self, kind, job):
        change(job, not_before=timezone.now() + MINUTE)
        assert claim(kind, job.pk, "a") is None

    def test_a_lease_that_is_over_is_taken_over(self, kind, job):
        claim(kind, job.pk, "dead")
        change(job, lease_until=timezone.now() - timedelta(seconds=1))
        claimed = claim(kind, job.pk, "b")
        assert (claimed.worker, claimed.attempt) == ("b", 2)

    def test_attempts_are_counted_up_to_the_bound_of_the_kind(self, kind, job):
        change(job, attempt=100)
        assert claim(kind, job.pk, "a").attempt == {RUN: 101, AUDIT: 101, GENERATION: 100, EVIDENCE: 100}[kind]

    def test_a_job_that_is_gone_is_nobodys(self, kind, job):
        key = job.pk
        job.delete()
        assert claim(kind, key, "a") is None
        assert lease_state(kind, key, "a") is LeaseState.LOST


class TestFence:
    def test_only_the_holder_renews(self, kind, job):
        claim(kind, job.pk, "a")
        change(job, lease_until=timezone.now() + timedelta(seconds=1))
        assert not renew(kind, job.pk, "b")
        assert row(job).lease_until < timezone.now() + timedelta(seconds=5)
        assert renew(kind, job.pk, "a")
        assert row(job).lease_until > timezone.now() + timedelta(seconds=5)

    def test_who_lost_it_neither_renews_nor_writes(self, kind, job):
        claim(kind, job.pk, "a")
        change(job, lease_until=timezone.now() - timedelta(seconds=1))
        claim(kind, job.pk, "b")
        assert not renew(kind, job.pk, "a")
        assert lease_state(kind, job.pk, "a") is LeaseState.LOST
        assert lease_state(kind, job.pk, "b") is LeaseState.WORKING
        with pytest.raises(LeaseLost), fenced(kind, job.pk, "a"):
            change(job, error_message="written")
        assert row(job).error_message == ""

    def test_what_a_fenced_block_wrote_is_undone_with_it(self, kind, job):
        claim(kind, job.pk, "a")
        with pytest.raises(ZeroDivisionError), fenced(kind, job.pk, "a"):
            change(job, error_message="written")
            raise ZeroDivisionError
        assert row(job).error_message == ""
        with fenced(kind, job.pk, "a"):
            change(job, error_message="written")
        assert row(job).error_message == "written"


class TestLettingGo:
    @pytest.mark.parametrize(("attempt", "seconds"), [(0, 5), (1, 10), (3, 40), (30, 300)])
    def test_after_a_failure_it_waits_longer_each_time(self, kind, job, attempt, seconds):
        change(job, attempt=attempt)
        claimed = claim(kind, job.pk, "a")
        release(kind, claimed, "a", reason="why")
        assert (row(job).worker, job.lease_until, job.attempt, job.error_message) == ("", None, attempt + 1, "why")
        assert abs(seconds_to_wait(job) - seconds) < 2
        assert claim(kind, job.pk, "b") is None

    def test_handed_over_it_is_due_at_once_and_no_attempt_is_counted(self, kind, job):
        change(job, attempt=3)
        hand_over(kind, claim(kind, job.pk, "a"), "a")
        assert (row(job).worker, job.attempt, job.error_message) == ("", 3, "")
        assert claim(kind, job.pk, "b").attempt == 4

    def test_put_back_it_is_due_at_once_and_its_failures_are_forgotten(self, kind, job):
        change(job, attempt=3, error_message="why")
        put_back(kind, claim(kind, job.pk, "a"), "a")
        assert (row(job).worker, job.attempt, job.error_message) == ("", 0, "")
        assert claim(kind, job.pk, "b").attempt == 1

    @pytest.mark.parametrize("let_go", [partial(release, reason="why"), hand_over, put_back])
    def test_only_the_holder_lets_go(self, kind, job, let_go):
        claimed = claim(kind, job.pk, "a")
        let_go(kind, claimed, "b")
        assert (row(job).worker, job.attempt, job.error_message) == ("a", 1, "")
        assert claim(kind, job.pk, "b") is None

    @pytest.mark.django_db
    def test_a_run_that_waits_again_is_queued_with_its_code(self):
        job = run()
        release(RUN, claim(RUN, job.pk, "a"), "a", reason="why")
        assert (row(job).status, job.error_code) == ("queued", "broken_off")


class TestQueue:
    def test_it_is_announced_once_until_it_is_postponed(self, kind, job, sent):
        enqueue(kind, job.pk)
        assert sent == [(kind.task, str(job.pk))]
        assert announce_due() == 0
        postpone(kind, job.pk)
        assert announce_due() == 1
        assert sent == [(kind.task, str(job.pk))] * 2

    def test_a_held_job_is_neither_announced_nor_postponed(self, kind, job, sent):
        enqueue(kind, job.pk)
        claim(kind, job.pk, "a")
        postpone(kind, job.pk)
        assert row(job).dispatched_at is not None
        assert announce_due() == 0

    def test_what_is_let_go_is_announced_again(self, kind, job, sent):
        enqueue(kind, job.pk)
        hand_over(kind, claim(kind, job.pk, "a"), "a")
        assert announce_due() == 1

    @pytest.mark.django_db
    def test_scans_and_audits_are_announced_apart_and_neither_takes_the_other(self, sent, monkeypatch):
        monkeypatch.setattr("visibility.jobs.queue.WINDOW", 2)
        scans, audits = [run() for _ in range(3)], [run(kind="audit") for _ in range(3)]
        assert announce_due() == 4
        assert {key for task, key in sent if task == RUN.task} < {str(each.pk) for each in scans}
        assert {key for task, key in sent if task == AUDIT.task} < {str(each.pk) for each in audits}
        assert claim(RUN, audits[0].pk, "a") is None
        assert claim(AUDIT, scans[0].pk, "a") is None

    @pytest.mark.django_db
    def test_what_somebody_waits_for_comes_first(self, sent):
        later, sooner = generation(state="building"), run()
        assert announce_due() == 2
        assert sent == [(RUN.task, str(sooner.pk)), (GENERATION.task, str(later.pk))]


class TestTurn:
    def turn(self, kind, job, work):
        return take_turn(kind, job.pk, "a", work)

    def test_the_work_is_done_under_the_lease(self, kind, job):
        def work(claimed, worker, heartbeat):
            assert isinstance(heartbeat, Heartbeat)
            assert (claimed.pk, row(job).worker) == (job.pk, worker)
            return True

        assert self.turn(kind, job, work) is Turn.DONE

    def test_what_another_holds_is_left_alone(self, kind, job):
        claim(kind, job.pk, "b")
        assert self.turn(kind, job, lambda *args: pytest.fail("worked")) is Turn.NOT_DUE

    def test_what_is_left_is_announced_anew(self, kind, job, sent):
        change(job, error_message="why", attempt=2)
        assert self.turn(kind, job, lambda *args: False) is Turn.LEFT
        assert (row(job).worker, job.attempt, job.error_message) == ("", 0, "")
        assert sent == [(kind.task, str(job.pk))]

    def test_a_failure_is_told_and_put_off(self, kind, job):
        assert self.turn(kind, job, lambda *args: 1 / 0) is Turn.BROKEN_OFF
        assert row(job).error_message == "The last attempt failed with ZeroDivisionError."
        assert abs(seconds_to_wait(job) - 5) < 2

    def test_a_worker_that_is_asked_to_end_hands_over(self, kind, job):
        def work(*args):
            raise Stopping

        assert self.turn(kind, job, work) is Turn.LEFT
        assert (row(job).worker, job.attempt) == ("", 0)
        assert claim(kind, job.pk, "b")

    def test_a_lost_job_is_left_as_it_is(self, kind, job):
        def work(claimed, worker, heartbeat):
            change(job, worker="b")
            with fenced(kind, job.pk, worker):
                pytest.fail("entered")

        assert self.turn(kind, job, work) is Turn.LOST
        assert (row(job).worker, job.attempt, job.error_message) == ("b", 1, "")


@pytest.mark.django_db(transaction=True, serialized_rollback=True)
def test_one_of_many_claims(kind, job, at_once):
    claimed = at_once(20, lambda index: claim(kind, job.pk, f"worker-{index}"))
    assert [each.pk for each in claimed if each is not None] == [job.pk]
    assert row(job).attempt == 1
