"""Whole runs through all four adapters, over real HTTP, at a provider that fails in every way there is."""

import pytest
from django.core.cache import cache

from apikeys.models import Usage
from tests.amounts import some
from tests.factories import PromptFactory
from tests.providers.engines import add_loopback_engines
from tests.providers.faults import FAULTS, PROTOCOLS
from visibility.models import Answer, DailyScore, ProviderCall, RawBody, Run
from visibility.pipeline.ask import account, agenda, breaker, calling
from visibility.pipeline.provider_calls import MAY_BE_CHARGED
from visibility.pipeline.runner import execute
from visibility.services.scans.starting import start_scan

GOOD = 8
"""With fewer the others are too many: an engine counts where 80 % of its questions were answered."""
ONE_OF_EACH_KIND = {fault.code: fault for fault in FAULTS.values() if fault.code}
"""For every way in which engines tell a failure, one fault that leads to it."""


@pytest.fixture(autouse=True)
def _in_a_hurry(monkeypatch, settings):
    """All waits are as they are, but short."""
    monkeypatch.setattr(agenda, "MAX_DELAY", 0.1)
    monkeypatch.setattr(agenda, "REFUSALS", 3)
    monkeypatch.setattr(account, "MAX_PAUSE", 0.2)
    monkeypatch.setattr(breaker, "FIRST_SECONDS", 0.1)
    monkeypatch.setattr(breaker, "MAX_SECONDS", 0.1)
    settings.SCAN_PROVIDER_PATIENCE_SECONDS = 5
    settings.SCAN_LEASE_SECONDS = 600


@pytest.fixture
def patience(monkeypatch):
    """Give up soon on a provider that is silent; with other faults a slow machine must not be taken for one."""

    def shorten(fault):
        if fault.code == "timeout":
            monkeypatch.setattr(calling, "ANSWER_SECONDS", 5.0)
            monkeypatch.setattr(agenda, "STRIKES", 2)

    return shorten


@pytest.fixture
def ended(cast, owner, provider, monkeypatch):
    """The run over these questions, asked of an engine of each adapter, as a worker ends it."""
    cache.clear()
    environ = {}
    add_loopback_engines(provider, environ, concurrency=12)
    for name, value in environ.items():
        monkeypatch.setenv(name, value)

    def end(*questions):
        for question in questions:
            PromptFactory(brand=cast.brand, text=question)
        run = start_scan(owner, brand_id=cast.brand.pk, trigger=Run.Trigger.AGENT, samples=1).run
        execute(run.pk, f"worker {run.pk}")
        run.refresh_from_db()
        return run

    return end


def answers(run, **of):
    return Answer.objects.filter(run=run, **of)


def check_books(run, provider):
    """What was stored is what the provider sent, each answer once; credits are what was answered."""
    sent = provider.book().answered()
    whole = answers(run, state="answered", truncated=False, refused=False)
    protocols = {name: name.removeprefix("loopback-") for name in run.engines}
    stored = [(protocols[engine], text) for engine, text in whole.values_list("engine", "version__text")]
    assert dict(sent) == dict.fromkeys(stored, 1), "every answer that went out is kept, and none was asked for again"
    answered = answers(run, state="answered").count()
    assert (run.done, run.done + run.failed) == (answered, run.total)
    assert RawBody.objects.filter(answer__run=run).count() == answered
    assert run.credits_spent == answered
    assert sum(Usage.objects.values_list("used", flat=True)) == answered
    assert not answers(run, state="pending").exists()


@pytest.mark.parametrize("fault", some(FAULTS.values(), 3), ids=some(FAULTS, 3))
def test_a_fault_costs_its_own_answers_only(fault, ended, provider, patience):
    patience(fault)
    good = [f"which shoes are best, number {number}?" for number in range(GOOD)]
    always, once = f"which shoes are best [{fault.name}]?", f"which shoes are best [{fault.name} once]?"
    run = ended(*good, always, once)

    check_books(run, provider)
    assert answers(run, state="answered", version__text__in=good).count() == 4 * GOOD
    assert answers(run, state="answered", version__text=always).count() == (4 if fault.answered else 0)
    again = fault.answered or fault.retryable
    assert answers(run, state="answered", version__text=once).count() == (4 if again else 0)
    failed = answers(run, state="failed")
    assert set(failed.values_list("error_code", flat=True)) == ({fault.code} if fault.code else set())
    asked = provider.book().asked()
    assert {asked[protocol, once] for protocol in PROTOCOLS} == {2 if fault.retryable else 1}
    assert DailyScore.objects.filter(competitor=None).get().answers
    if fault.answered:
        assert (run.status, run.error_code) == ("succeeded", "")
        assert answers(run, text=fault.text, refused=fault.refused).count() == 8
    else:
        # A call that was charged is made once more at most, and each is written down with its charge.
        calls = ProviderCall.objects.filter(run=run, outcome="charged")
        assert calls.count() == (4 * (3 if fault.retryable else 2) if fault.charged else 0)
        assert (run.status, run.error_code) == ("partial", "incomplete")
        assert f"{fault.code} {failed.count()}" in run.error_message


@pytest.mark.parametrize("fault", ONE_OF_EACH_KIND.values(), ids=ONE_OF_EACH_KIND)
def test_a_provider_that_does_nothing_else_fails_the_run_with_its_reason(fault, ended, provider, patience, settings):
    patience(fault)
    settings.SCAN_PROVIDER_PATIENCE_SECONDS = 1
    run = ended(*(f"which shoes are best, number {number} [{fault.name}]?" for number in range(5)))

    check_books(run, provider)
    assert (run.status, run.error_code, run.done, run.score) == ("failed", fault.code, 0, None)
    assert f"{fault.code} 20" in run.error_message
    assert not DailyScore.objects.exists()
    asked = provider.book().asked().total()
    assert asked >= 4 if fault.retryable else asked <= 20
    assert asked <= 40 or not fault.charged
    may_be = fault.charged or fault.code in MAY_BE_CHARGED
    assert ("charged" in run.error_message) is may_be
