"""A worker that dies in the middle of a scan, and one that is asked to end: nothing is lost, nothing paid twice."""

import json
import os
import signal
import sys
import time
from contextlib import contextmanager

import pytest
from django.core.management import call_command
from django.db import connection

from apikeys.accounts.usage import quotas
from apikeys.models import Usage
from config import postgres
from tests.engines.provider import running_provider
from tests.live import DIRECT, live_process, own_database, used_here, wait_for
from tests.postgres import FAST
from tests.runs.conftest import SYSTEM, make_brand, make_engine
from visibility.jobs import STALLED_AFTER
from visibility.models import Answer, Cell, DailyScore, Engine, ProviderCall, Run
from visibility.runs.services import start_scan

WORKER = (sys.executable, "manage.py", "worker")
ENDED = (Run.Status.SUCCEEDED, Run.Status.PARTIAL, Run.Status.FAILED)


@pytest.fixture(autouse=True)
def database(django_db_blocker):
    with django_db_blocker.unblock(), own_database() as url:
        yield url


@contextmanager
def worker(database):
    with live_process(*WORKER, database=database, ready="") as live:
        yield live


def begin(address, *, script="", prompts=60, engines=1, **fields) -> Run:
    brand = make_brand(prompts=prompts, samples=1)
    for number in range(engines):
        make_engine(f"engine-{number}", f"model-{number}?{script}", f"{address}/{number}", **fields)
    return start_scan(SYSTEM, brand_id=brand.pk, trigger=Run.Trigger.WEB).run


def done(run) -> int:
    run.refresh_from_db()
    return run.done


def has_ended(run) -> bool:
    run.refresh_from_db()
    return run.status in ENDED


def counts_at(address) -> dict:
    return json.loads(DIRECT.open(f"{address}/counts").read())


def assert_exact(run, counts) -> None:
    """Every answer once, every call in the ledger, credits and cells as the answers are."""
    assert run.done + run.failed == run.total
    assert run.answers.filter(state=Answer.State.ANSWERED).count() == run.done
    calls = ProviderCall.objects.filter(run=run.pk)
    answered, unknown = calls.filter(outcome="answered").count(), calls.filter(outcome="unknown").count()
    assert not calls.filter(outcome="pending").exists()
    # A row before each call: one that was killed in between is unknown, though the provider never heard of it.
    assert calls.count() - unknown <= counts["asked"] <= calls.count()
    assert answered == run.done <= counts["answered"] <= answered + unknown
    assert quotas(run.payer)[Usage.Kind.CREDITS].used == run.credits_spent == run.done
    assert Cell.objects.filter(run=run, competitor=None).count() == run.total
    assert DailyScore.objects.of_brand(run.brand).filter(date=run.day).exists()


def test_a_killed_worker_loses_nothing_and_pays_nothing_twice(database):
    with running_provider("latency=0.2") as address:
        run = begin(address, prompts=60, concurrency=10)
        with worker(database) as first:
            wait_for(lambda: done(run) >= 20)
            os.killpg(first.process.pid, signal.SIGKILL)
        with worker(database):
            wait_for(lambda: has_ended(run), seconds=60)
        counts = counts_at(address)
    assert run.status == Run.Status.SUCCEEDED
    assert counts["repeated"] <= 10  # what was under way
    assert_exact(run, counts)


@pytest.mark.proof
def test_a_worker_that_is_asked_to_end_stores_what_is_under_way(database):
    with running_provider("latency=0.5") as address:
        run = begin(address, prompts=60, concurrency=10)
        with worker(database) as first:
            wait_for(lambda: done(run) >= 10)
            first.process.send_signal(signal.SIGTERM)
            first.process.wait(15)
        assert not ProviderCall.objects.filter(outcome="pending").exists()
        with worker(database):
            wait_for(lambda: has_ended(run), seconds=30)
        counts = counts_at(address)
    assert run.status == Run.Status.SUCCEEDED and counts["repeated"] == 0
    assert_exact(run, counts)


@pytest.mark.proof
def test_a_worker_waits_for_slow_answers_and_no_other_takes_its_run(database):
    with running_provider(f"latency={STALLED_AFTER + 4}") as address:
        run = begin(address, prompts=6, concurrency=10)
        with worker(database) as leaving, worker(database):
            wait_for(lambda: counts_at(address)["asked"] == 6)
            os.kill(leaving.process.pid, signal.SIGTERM)
            wait_for(lambda: has_ended(run), seconds=60)
        counts = counts_at(address)
    assert run.status == Run.Status.SUCCEEDED and counts["repeated"] == 0
    assert_exact(run, counts)


@pytest.mark.proof
def test_a_database_that_is_away_for_eight_seconds_costs_no_answer(tmp_path, database):
    for folder in (tmp_path, *tmp_path.parents[:2]):
        folder.chmod(0o711)
    data = tmp_path / "postgres"
    url = postgres.start(data, **FAST)
    try:
        with used_here(url), running_provider("latency=0.3") as address:
            call_command("migrate", verbosity=0)
            run = begin(address, prompts=60, concurrency=5)
            with live_process(sys.executable, "manage.py", "serve", database=url):
                wait_for(lambda: done(run) >= 15, seconds=40)
                postgres.stop(data)
                time.sleep(8)
                postgres.start(data, **FAST)
                connection.close()
                connection.close_pool()
                wait_for(lambda: has_ended(run), seconds=90)
            assert run.status == Run.Status.SUCCEEDED
            assert_exact(run, counts_at(address))
    finally:
        postgres.stop(data)


@pytest.mark.proof
def test_twenty_kills_in_a_scan_of_three_faulty_providers(database):
    faults = "latency=0.4&rate_429=0.04&rate_500=0.04&rate_cut=0.03&retry_after=0.3"
    with running_provider(faults) as address:
        run = begin(address, prompts=400, engines=3, concurrency=12)
        Engine.objects.filter(name="engine-2").update(model="model-2?key=another")
        waits = []
        kills = 0
        while kills < 20 and not has_ended(run):
            kills += 1
            before = done(run)
            with worker(database) as live:
                begun = counts_at(address)["asked"]
                since = time.monotonic()
                wait_for(lambda begun=begun: counts_at(address)["asked"] > begun, seconds=60)
                waits.append(time.monotonic() - since)
                target = before + 800 // 22
                wait_for(lambda target=target: done(run) >= target or has_ended(run), seconds=60)
                os.killpg(live.process.pid, signal.SIGKILL)
        with worker(database):
            wait_for(lambda: has_ended(run), seconds=300)
        counts = counts_at(address)
    print(f"{kills} kills, asking again after {min(waits[1:]):.1f} to {max(waits):.1f} s; {counts}")
    assert kills == 20 and run.failed >= 400
    assert_exact(run, counts)
