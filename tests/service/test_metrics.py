"""What Prometheus reads: of the web server, of the worker, and nothing that names whose it is."""

import re
import sys
import urllib.request
from datetime import UTC, datetime, timedelta

import pytest
from django.utils import timezone
from prometheus_client import REGISTRY, CollectorRegistry, generate_latest

from apikeys.edge.monitoring import note_answer
from apikeys.models import Counter, Mail
from apikeys.notes import BACKUP, last_backup
from config.gauges import READINGS, StateOfService
from config.supervise import _environment
from tests.factories import BrandFactory, EngineFactory, RunFactory, make_key
from tests.live import DIRECT, ROOT, WEB, free_port, live_process, own_database, status_of, wait_for
from visibility.models import ProviderCall, Run

TEXT = (ROOT / "docs" / "operators.md").read_text()


def value(metric: str, **labels: str) -> float:
    return REGISTRY.get_sample_value(metric, labels) or 0


@pytest.fixture
def state(db):
    """The values of the worker's gauges, as Prometheus reads them."""

    def read() -> str:
        registry = CollectorRegistry()
        registry.register(StateOfService())
        return generate_latest(registry).decode()

    return read


@pytest.mark.django_db
def test_a_call_counts_under_its_route_and_not_its_path(client):
    brand = BrandFactory()
    _, raw = make_key(owner=brand.owner)
    name = "GET /api/v1/brands/{id}"
    before = value("visibility_requests_total", door="rest", name=name, status="200")
    assert client.get(f"/api/v1/brands/{brand.pk}", headers={"Authorization": f"Bearer {raw}"}).status_code == 200
    assert value("visibility_requests_total", door="rest", name=name, status="200") == before + 1


@pytest.mark.django_db
def test_a_refusal_counts_by_its_code_and_is_one_line(client, caplog):
    caplog.set_level("INFO", logger="apikeys.edge.monitoring")
    before = value("visibility_refused_total", reason="missing_bearer_token")
    client.get("/api/v1/brands")
    assert value("visibility_refused_total", reason="missing_bearer_token") == before + 1
    assert caplog.messages == ["Refused at rest: GET /api/v1/brands: missing_bearer_token"]


def test_what_clients_invent_is_no_label(client):
    client.generic("SECRET", "/api/v1/whose-key-is-this")
    assert "whose-key-is-this" not in generate_latest().decode()
    assert 'name="SECRET' not in generate_latest().decode()


def test_a_failure_of_the_service_is_no_refusal():
    before = value("visibility_refused_total", reason="internal_error")
    note_answer(door="rest", name="a", status=500, seconds=0.1, error_code="internal_error")
    assert value("visibility_refused_total", reason="internal_error") == before


def test_the_worker_tells_runs_spend_backup_and_release(state):
    EngineFactory(name="asked", preset="openai", is_enabled=True)
    RunFactory(status=Run.Status.RUNNING, created_at=timezone.now() - timedelta(hours=2), finished_at=None)
    ProviderCall.objects.create(engine="asked", outcome="answered", cost="1.5")
    Counter.objects.create(key=BACKUP, value=1_000_000, expires_at=timezone.now() + timedelta(days=1))
    text = state()
    assert 'visibility_runs{kind="visibility",status="running"} 1.0' in text
    assert 'visibility_spent_dollars{provider="openai"} 1.5' in text
    assert "visibility_last_backup_timestamp 1e+06" in text
    assert 7190 < float(re.search(r"^visibility_run_oldest_seconds (\S+)", text, re.MULTILINE)[1]) < 7300
    assert re.search(r'visibility_info\{schema="apikeys\.\d+ brands\.\d+ visibility\.\d+",version="0', text)


def test_the_worker_tells_mails_by_their_state(state):
    now = timezone.now()
    for once, hours, fields in (
        ("a", 2, {}),
        ("b", 3, {"sent_at": now, "next_try_at": None}),
        ("c", 3, {"given_up_at": now, "next_try_at": None}),
        ("d", 30, {"sent_at": now, "next_try_at": None}),
    ):
        Mail.objects.create(once=once, created_at=now - timedelta(hours=hours), **fields)
    text = state()
    for each in ("waiting", "sent", "given up"):
        assert f'visibility_mails{{status="{each}"}} 1.0' in text
    assert 7190 < float(re.search(r"^visibility_mail_oldest_seconds (\S+)", text, re.MULTILINE)[1]) < 7300


def test_a_limit_that_is_not_set_has_no_value(state, settings):
    settings.DAY_SPEND_LIMIT = None
    assert not re.search(r"^visibility_spend_limit_dollars \d", state(), re.MULTILINE)


@pytest.mark.django_db
def test_a_backup_is_remembered():
    at = datetime(2026, 11, 29, 3, tzinfo=UTC)
    assert last_backup() is None
    Counter.objects.create(key=BACKUP, value=at.timestamp(), expires_at=at + timedelta(days=400))
    assert last_backup() == at


@pytest.mark.parametrize("name", [each.name for each in READINGS])
def test_every_metric_of_the_worker_is_explained(name):
    assert f"`{name}" in TEXT


@pytest.mark.parametrize("reading", READINGS, ids=[each.name for each in READINGS])
def test_labels_name_nobody(reading):
    assert set(reading.labels) <= {"task", "status", "kind", "engine", "provider", "version", "schema"}


def test_serve_gives_web_server_and_worker_ports_of_their_own(monkeypatch):
    monkeypatch.setenv("METRICS_PORT", "9100")
    assert [_environment(number)["METRICS_PORT"] for number in (0, 1)] == ["9100", "9101"]


def read(port: str) -> str:
    return DIRECT.open(urllib.request.Request(f"http://127.0.0.1:{port}/metrics"), timeout=5).read().decode()


def test_a_web_server_of_two_processes_counts_as_one(django_db_blocker):
    port = str(free_port())
    with (
        django_db_blocker.unblock(),
        own_database() as database,
        live_process(*WEB, database=database, METRICS_PORT=port, WEB_WORKERS="2") as live,
    ):
        for _ in range(20):
            assert status_of(f"{live.url}/api/v1/brands") == 401
        text = read(port)
    assert 'visibility_requests_total{door="rest",name="GET /api/v1/brands",status="401"} 20.0' in text
    assert 'visibility_db_pool{state="open"}' in text


@pytest.mark.proof
def test_a_worker_serves_its_metrics(django_db_blocker):
    port = str(free_port())
    command = (sys.executable, "manage.py", "worker")
    with (
        django_db_blocker.unblock(),
        own_database() as database,
        live_process(*command, database=database, ready="", METRICS_PORT=port) as live,
    ):
        wait_for(lambda: live.process.poll() is None and answers(port))
        assert "visibility_workers 1.0" in wait_for(lambda: (text := read(port)) and "workers 1.0" in text and text)


def answers(port: str) -> bool:
    try:
        return bool(read(port))
    except OSError:
        return False
