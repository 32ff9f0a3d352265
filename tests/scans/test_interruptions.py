"""A worker that is asked to end, a scan that is cancelled, a database that restarts: with calls under way."""

import json
import subprocess
import sys
import time
from collections import Counter

import pytest

from apikeys.models import Usage
from tests.factories import PromptFactory
from tests.live import ROOT, environment, wait_for
from tests.scans.workers import PATIENCE_SECONDS, worker
from tests.servers import postgres_server, start_again
from visibility.models import Answer, Run
from visibility.services.scans.starting import cancel_scan, start_scan

pytestmark = [pytest.mark.crash, pytest.mark.django_db(transaction=True, serialized_rollback=True)]


def done():
    return Answer.objects.filter(state="answered").count()


def asked(folder):
    """How often each question was asked up to now."""
    log = folder / "asked"
    return Counter(log.read_text().splitlines()) if log.exists() else Counter()


@pytest.fixture
def run(cast, owner, engines):
    engines("Slow")
    for number in range(80):
        PromptFactory(brand=cast.brand, text=f"which product number {number}?")
    return start_scan(owner, brand_id=cast.brand.pk, trigger=Run.Trigger.AGENT, samples=1).run


def test_a_worker_that_is_asked_to_end_stores_what_it_asked_and_the_next_goes_on(
    cast, run, celery, wait_until, tmp_path
):
    process = worker(celery)
    wait_until(lambda: done() >= 15, "15 answers")
    process.terminate()
    assert process.wait(8) == 0, "sooner than the supervisor would kill it"
    run.refresh_from_db()
    assert (run.status, run.worker, run.attempt, run.error_code) == ("queued", "", 0, "")
    assert 15 <= asked(tmp_path).total() == done() < 80, "each question that was asked has its answer"
    worker(celery)
    wait_until(lambda: not Run.objects.get().is_active, "the end of the run")
    run.refresh_from_db()
    assert (run.status, run.done) == ("succeeded", 80)
    assert asked(tmp_path) == dict.fromkeys(asked(tmp_path), 1), "nothing is asked twice"
    assert run.credits_spent == Usage.objects.get(user=cast.owner).used == 80


def test_a_cancelled_run_asks_no_more_within_a_second_and_keeps_what_was_under_way(
    cast, owner, run, celery, wait_until, tmp_path
):
    worker(celery)
    wait_until(lambda: done() >= 10, "10 answers")
    cancel_scan(owner, run=run)
    time.sleep(1.0)
    stopped_at = asked(tmp_path).total()
    wait_until(lambda: Run.objects.get().settled_at, "the settlement")
    run.refresh_from_db()
    assert (run.status, run.worker) == ("cancelled", "")
    assert 10 <= asked(tmp_path).total() == stopped_at == done() == run.done < 80
    assert run.credits_spent == Usage.objects.get(user=cast.owner).used == run.done


def test_a_database_that_restarts_loses_no_answer_and_has_none_asked_twice(tmp_path):
    """Down for longer than the lease, with answers under way. Only PostgreSQL can be away."""
    log = tmp_path / "asked"
    with postgres_server() as server:
        env = environment(
            DATABASE_URL=server.get_uri(),
            EXTRA_ENGINES="tests.scans.engines.Slow",
            SLOW_ENGINE_LOG=str(log),
            SLOW_ENGINE_SECONDS="0.3",
            SCAN_LEASE_SECONDS="3",
        )
        command = [sys.executable, "-m", "tests.scans.one_run", "120"]
        with subprocess.Popen(command, cwd=ROOT, env=env, stdout=subprocess.PIPE, text=True) as process:
            try:
                wait_for(lambda: asked(tmp_path).total() >= 30, seconds=PATIENCE_SECONDS, what="30 questions")
                server.stop()
                time.sleep(1)
                during = asked(tmp_path).total()
                time.sleep(3)
                assert asked(tmp_path).total() == during < 120, "no call can be booked, so none is made"
                start_again(server)
                told, _ = process.communicate(timeout=PATIENCE_SECONDS)
            finally:
                process.kill()
    assert json.loads(told) == ["succeeded", 120, 120, 120, 120, ""]
    assert asked(tmp_path) == dict.fromkeys(asked(tmp_path), 1)
    assert len(asked(tmp_path)) == 120
