"""Scans of answers as large as a provider likes: they end, with a reason, and can be cancelled meanwhile."""

import pytest
from django.core.cache import cache

from tests.factories import PromptFactory
from tests.providers.engines import add_loopback_engines
from tests.providers.faults import FLOOD
from visibility.jobs.holding import lease_state_now
from visibility.models import Answer, Run
from visibility.pipeline import runner
from visibility.pipeline.ask import agenda
from visibility.pipeline.runner import execute
from visibility.services.scans.starting import start_scan


@pytest.fixture
def run(cast, owner, provider, monkeypatch, settings):
    """A run of four questions to each of the four adapters, each answered with ten megabytes."""
    cache.clear()
    settings.SCAN_LEASE_SECONDS = 600
    add_loopback_engines(provider, environ := {}, concurrency=4)
    for name, value in environ.items():
        monkeypatch.setenv(name, value)
    for number in range(4):
        PromptFactory(brand=cast.brand, text=f"which shoes are best, number {number} [flood]?")
    return start_scan(owner, brand_id=cast.brand.pk, trigger=Run.Trigger.AGENT, samples=1).run


def test_a_scan_of_floods_ends_with_its_reason(run, provider):
    execute(run.pk, "worker-1")
    run.refresh_from_db()
    assert (run.status, run.error_code, run.failed) == ("failed", "too_large", 16)
    assert "too_large 16" in run.error_message
    assert set(provider.book().asked().values()) == {1}
    assert "MAX_PROVIDER_BODY_BYTES" in Answer.objects.filter(run=run).first().error_message


def test_floods_within_the_bound_are_kept_as_far_as_answers_are(run, settings):
    settings.MAX_PROVIDER_BODY_BYTES = 2 * FLOOD
    Answer.objects.filter(run=run, position__gte=4).delete()
    Run.objects.filter(pk=run.pk).update(total=4)
    execute(run.pk, "worker-1")
    run.refresh_from_db()
    assert (run.status, run.done) == ("succeeded", 4)
    assert {len(text) for text in Answer.objects.filter(run=run).values_list("text", flat=True)} == {500_000}


def test_a_scan_of_floods_can_be_cancelled(run, settings, monkeypatch, provider):
    settings.SCAN_CANCEL_GRACE_SECONDS = 0
    looked = []

    def cancelled_meanwhile(*of):
        looked.append(of)
        if len(looked) == 2:
            Run.objects.filter(pk=run.pk).update(status=Run.Status.CANCELLED)
        return lease_state_now(*of)

    monkeypatch.setattr(runner, "lease_state_now", cancelled_meanwhile)
    # Each flood is as many more as it takes: only the cancelling ends it.
    monkeypatch.setattr(agenda.Agenda, "__len__", lambda agenda: 1)
    monkeypatch.setattr(agenda.Agenda, "pop", lambda agenda, now: agenda._fresh[0])
    execute(run.pk, "worker-1")
    run.refresh_from_db()
    assert (run.status, run.done) == ("cancelled", 0)
    assert provider.book().asked().total() > 0
