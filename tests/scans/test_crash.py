"""Workers that are killed: nothing is lost, nothing is asked twice that is stored, nothing is billed twice."""

import subprocess
import sys
from collections import Counter

import pytest
from django.core.cache import cache

from apikeys.models import Usage
from tests.factories import PromptFactory
from tests.live import environment
from tests.scans.workers import kill, worker
from visibility.models import Answer, DailyScore, Mention, Run
from visibility.services.health import HEARTBEAT_KEY
from visibility.services.scans.starting import start_scan

pytestmark = [pytest.mark.crash, pytest.mark.django_db(transaction=True, serialized_rollback=True)]


def done():
    return Answer.objects.filter(state="answered").count()


def questions(folder):
    """How often each question was asked up to now."""
    return Counter((folder / "asked").read_text().splitlines())


@pytest.fixture
def run(cast, owner, engines):
    engines("Slow")
    for number in range(80):
        PromptFactory(brand=cast.brand, text=f"which product number {number}?")
    return start_scan(owner, brand_id=cast.brand.pk, trigger=Run.Trigger.AGENT, samples=1).run


@pytest.mark.parametrize("kill_at", [[20], [15, 35, 55]], ids=["once", "again and again"])
def test_a_killed_worker_loses_nothing_and_doubles_nothing(cast, run, celery, wait_until, tmp_path, kill_at):
    stored = {}
    for count in kill_at:
        process = worker(celery)
        wait_until(lambda count=count: done() >= count, f"{count} answers")
        kill(process)
        asked = questions(tmp_path)
        answered = Answer.objects.filter(state="answered").values_list("version__text", flat=True)
        stored |= {text: asked[text] for text in answered if text not in stored}
        assert count <= len(stored) < 80
    worker(celery)
    wait_until(lambda: not Run.objects.get().is_active, "the end of the run")

    asked = questions(tmp_path)
    assert len(asked) == 80
    assert {text: asked[text] for text in stored} == stored, "nothing that is stored is asked again"
    assert asked.total() <= 80 + 2 * 4 * len(kill_at), "only what was under way is asked again"
    run.refresh_from_db()
    assert (run.status, run.total, run.done, run.failed) == ("succeeded", 80, 80, 0)
    assert Answer.objects.filter(state="answered").count() == 80
    assert Mention.objects.count() == 80
    assert run.credits_spent == Usage.objects.get(user=cast.owner).used == 80
    assert DailyScore.objects.get().answers == 80
    assert cache.get(HEARTBEAT_KEY)


def test_a_message_that_was_lost_is_announced_again(run, celery, wait_until):
    """The queue forgets everything; the row is due all the same."""
    Run.objects.update(dispatched_at=None)
    subprocess.run(
        [sys.executable, "-m", "celery", "-A", "config", "purge", "-f"],
        env=environment(), check=True, capture_output=True, timeout=60,
    )  # fmt: skip
    worker(celery)
    wait_until(lambda: done() > 0, "the first answer")
