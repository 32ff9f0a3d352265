"""Workers that ask over real HTTP a provider that keeps the books: killed in the middle, and side by side."""

import subprocess
import sys

import pytest

from apikeys.models import Usage
from apikeys.operators import system_caller
from tests.factories import BrandFactory, PromptFactory
from tests.live import environment
from tests.providers.engines import MODELS, add_loopback_engines, key
from tests.providers.faults import PROTOCOLS
from tests.providers.process import provider_process
from tests.scans.workers import kill, worker
from visibility.jobs.kinds import RUN
from visibility.jobs.queue import enqueue
from visibility.models import Answer, EngineConfig, Mention, RawBody, Run
from visibility.services.scans.starting import start_scan

pytestmark = [pytest.mark.crash, pytest.mark.django_db(transaction=True, serialized_rollback=True)]
PROMPTS = 20
WORKER = [sys.executable, "-m", "tests.bench.scan_worker"]
"""Carries out one run; with the providers' libraries loaded before, as a worker has them after its first run."""


@pytest.fixture
def slow_provider(monkeypatch):
    """A provider that takes its time, known to the workers with a key for each protocol."""
    with provider_process(latency=0.3) as running:
        environ = {}
        add_loopback_engines(running, environ, concurrency=2)
        for name, value in environ.items():
            monkeypatch.setenv(name, value)
        yield running


@pytest.fixture
def celery(slow_provider, celery):
    """Workers are started with the keys in their environment."""
    return celery


@pytest.fixture
def start(db):
    """Start a scan of a new brand with so many prompts."""

    def begin(prompts):
        brand = BrandFactory(name="Acme")
        for number in range(prompts):
            PromptFactory(brand=brand, text=f"which {brand.pk.hex[:6]} shoes are best, number {number}?")
        return start_scan(system_caller("test"), brand_id=brand.pk, trigger=Run.Trigger.OPERATOR, samples=1).run

    return begin


def answered(run):
    """The questions whose answers are stored, by protocol."""
    rows = Answer.objects.filter(run=run, state="answered").values_list("engine", "version__text")
    return {(engine.removeprefix("loopback-"), text) for engine, text in rows}


def check_end(run, calls):
    """All is answered, once, and paid for."""
    run.refresh_from_db()
    assert (run.status, run.total, run.done, run.failed) == ("succeeded", calls, calls, 0)
    assert len(answered(run)) == RawBody.objects.filter(answer__run=run).count() == calls
    assert Mention.objects.filter(answer__run=run).exists()
    assert run.credits_spent == Usage.objects.get(user=run.brand.owner).used == calls


def test_a_worker_killed_with_calls_under_way_asks_nothing_again_that_is_stored(
    slow_provider, start, celery, wait_until
):
    run, calls, at_once = start(PROMPTS), PROMPTS * len(PROTOCOLS), 2 * len(PROTOCOLS)
    stored = {}
    for count in (15, 45):
        process = worker(celery)
        wait_until(lambda count=count: len(answered(run)) >= count, f"{count} answers")
        kill(process)
        asked, kept = slow_provider.book().asked(), answered(run)
        stored |= {question: asked[question] for question in kept if question not in stored}
        assert len(kept) < calls
    worker(celery)
    wait_until(lambda: not Run.objects.get().is_active, "the end of the run")

    asked = slow_provider.book().asked()
    assert {question: asked[question] for question in stored} == stored, "nothing that is stored is asked again"
    assert len(asked) == calls
    # What was under way, and what had come and was just being stored.
    assert asked.total() <= calls + 2 * 2 * at_once
    check_end(run, calls)


def test_two_workers_that_hear_of_the_same_runs_ask_nothing_twice(slow_provider, start, celery, wait_until):
    runs = [start(PROMPTS), start(PROMPTS)]
    worker(celery)
    worker(celery)
    for _ in range(5):
        for run in runs:
            enqueue(RUN, run.pk)
    wait_until(lambda: not Run.objects.filter(status__in=Run.ACTIVE).exists(), "the end of the runs")
    for run in runs:
        check_end(run, PROMPTS * len(PROTOCOLS))
    assert set(slow_provider.book().asked().values()) == {1}


@pytest.fixture
def two_runs(slow_provider, start):
    """The book of two runs at one provider with one key, each in a worker process of its own, at the same time."""

    def carry_out(prompts, **bounds):
        EngineConfig.objects.exclude(provider=MODELS["responses"][0]).delete()
        EngineConfig.objects.update(**bounds)
        runs = [start(prompts), start(prompts)]
        workers = [
            subprocess.Popen(
                [*WORKER, str(run.pk), "--together"],
                env=environment(), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
            )
            for run in runs
        ]  # fmt: skip
        assert [process.stdout.readline() for process in workers] == 2 * ["ready\n"]
        for process in workers:
            process.stdin.write("go\n")
            process.stdin.flush()
        assert [process.communicate(timeout=240) and process.returncode for process in workers] == [0, 0]
        for run in runs:
            check_end(run, prompts)
        book = slow_provider.book()
        marks = [run.brand.pk.hex[:6] for run in runs]
        moments = [[each.began for each in book.requests if mark in each.question] for mark in marks]
        assert min(map(max, moments)) > max(map(min, moments)), "both asked at the same time"
        return book

    return carry_out


def test_runs_in_two_workers_keep_a_providers_concurrency_together(two_runs):
    assert two_runs(40, concurrency=4).most[key("responses")] == 4


def test_runs_in_two_workers_keep_a_providers_pace_together(two_runs):
    """480 a minute are 8 a second. Each run may have saved up two seconds, and so may what neither has taken."""
    moments = [each.began for each in two_runs(80, concurrency=100, requests_per_minute=480).requests]
    assert max(moments) - min(moments) >= 160 / 8 - 3 * 2.0 - 1
