"""What is of runs alone in their lease; announcing them to workers; the heartbeat."""

import threading
from datetime import timedelta
from functools import partial

import pytest
from django.db import OperationalError
from django.utils import timezone

from tests.factories import BrandFactory, RunFactory
from tests.live import wait_for
from visibility.jobs.heartbeat import Heartbeat
from visibility.jobs.kinds import RUN
from visibility.jobs.lease import LeaseLost, LeaseState, claim, fenced, lease_state, renew
from visibility.jobs.queue import WINDOW, announce_due
from visibility.models import Run

MINUTE = timedelta(minutes=1)


def queued(**more):
    return RunFactory(**{"status": "queued", "finished_at": None, "brand": BrandFactory(), **more})


def running(**more):
    now = timezone.now()
    return queued(**{"status": "running", "worker": "old", "attempt": 1, "lease_until": now + MINUTE, **more})


@pytest.fixture
def sent(monkeypatch):
    messages = []
    monkeypatch.setattr(
        "visibility.jobs.queue.current_app.send_task", lambda name, args, retry: messages.append(args[0])
    )
    return messages


@pytest.mark.django_db
class TestClaim:
    def test_a_waiting_run_is_claimed_once(self, settings):
        run = queued()
        claimed = claim(RUN, run.pk, "a")
        assert (claimed.status, claimed.worker, claimed.attempt) == ("running", "a", 1)
        assert claimed.started_at is not None
        assert claimed.lease_until - timezone.now() <= timedelta(seconds=settings.SCAN_LEASE_SECONDS)
        assert claim(RUN, run.pk, "b") is None

    @pytest.mark.parametrize("status", ["succeeded", "partial", "failed", "cancelled"])
    def test_an_ended_run_is_not_claimed(self, status):
        assert claim(RUN, RunFactory(status=status).pk, "a") is None

    def test_an_imported_run_keeps_the_time_of_its_answers(self):
        then = timezone.now() - timedelta(days=400)
        assert claim(RUN, queued(trigger="import", started_at=then).pk, "a").started_at == then

    def test_a_cancelled_run_takes_answers_only(self):
        run = running(status="cancelled")
        assert renew(RUN, run.pk, "old")
        with fenced(RUN, run.pk, "old", RUN.drained):
            pass
        with pytest.raises(LeaseLost), fenced(RUN, run.pk, "old"):
            pytest.fail("entered")

    def test_how_a_run_stands_with_its_worker(self):
        run = running()
        assert lease_state(RUN, run.pk, "old") is LeaseState.WORKING
        assert lease_state(RUN, run.pk, "another") is LeaseState.LOST
        Run.objects.update(status="cancelled")
        assert lease_state(RUN, run.pk, "old") is LeaseState.CANCELLED
        Run.objects.update(worker="")
        assert lease_state(RUN, run.pk, "old") is LeaseState.LOST


@pytest.mark.django_db
class TestAnnouncing:
    def test_due_runs_are_announced_once(self, sent):
        waiting, expired = queued(), running(lease_until=timezone.now() - MINUTE)
        queued(not_before=timezone.now() + MINUTE)
        running()
        RunFactory()
        assert announce_due() == 2
        assert set(sent) == {str(waiting.pk), str(expired.pk)}
        assert announce_due() == 0

    def test_an_expired_lease_is_announced_although_its_claim_was(self, sent):
        now = timezone.now()
        running(dispatched_at=now - timedelta(seconds=20), lease_until=now - timedelta(seconds=1))
        assert announce_due() == 1
        assert announce_due() == 0

    def test_a_message_that_nobody_took_is_repeated_after_a_minute(self, sent):
        queued(dispatched_at=timezone.now() - timedelta(seconds=61))
        queued(dispatched_at=timezone.now() - timedelta(seconds=50))
        assert announce_due() == 1

    def test_the_queue_stays_short_whatever_waits(self, sent):
        for _ in range(WINDOW + 5):
            queued()
        assert announce_due() == WINDOW
        assert announce_due() == 0
        claim(RUN, sent[0], "a")
        assert announce_due() == 1


@pytest.mark.django_db(transaction=True, serialized_rollback=True)
class TestConcurrently:
    def test_the_heartbeat_renews_while_the_worker_is_busy(self, settings):
        settings.SCAN_LEASE_SECONDS = 3
        until = timezone.now() + timedelta(seconds=3)
        run = running(lease_until=until)
        later = Run.objects.filter(lease_until__gt=until + timedelta(seconds=2))
        with Heartbeat(partial(renew, RUN, run.pk, "old")) as heartbeat:
            wait_for(later.exists, what="a lease that ends later than it would after one renewal")
            assert not heartbeat.lost.is_set()
        assert not [thread for thread in threading.enumerate() if thread.name.startswith("heartbeat")]

    def test_the_heartbeat_outlives_a_database_that_does_not_answer(self, settings):
        settings.SCAN_LEASE_SECONDS = 0.3
        run, missed = running(), threading.Event()

        def unreachable(*args):
            if missed.is_set():
                return renew(*args)
            missed.set()
            raise OperationalError

        with Heartbeat(partial(unreachable, RUN, run.pk, "old")) as heartbeat:
            assert missed.wait(60)
            Run.objects.update(worker="another")
            assert heartbeat.lost.wait(60)

    def test_the_heartbeat_tells_when_the_run_is_lost(self, settings):
        settings.SCAN_LEASE_SECONDS = 0.3
        run = running()
        with Heartbeat(partial(renew, RUN, run.pk, "old")) as heartbeat:
            Run.objects.update(worker="another")
            assert heartbeat.lost.wait(60)
