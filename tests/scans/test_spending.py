"""What the provider charges for calls that give no answer: recorded, counted for the cap, repeated at most once."""

from decimal import Decimal

import pytest
from django.core.cache import cache

from tests.factories import PromptFactory
from tests.providers.engines import add_loopback_engines
from tests.providers.faults import PROTOCOLS
from tests.scans.asked import ask, questions
from visibility.engines.protocol import Bill, Engine, EngineAnswer, EngineError
from visibility.jobs.kinds import RUN
from visibility.jobs.lease import LeaseLost, claim
from visibility.measured.charges import charges_of, total
from visibility.models import Answer, EngineConfig, ProviderCall, Run
from visibility.pipeline import runner
from visibility.pipeline.ask import agenda
from visibility.pipeline.ask.bookings import Booking
from visibility.pipeline.ask.items import pending_by_engine
from visibility.pipeline.ask.storing import store_answers
from visibility.pipeline.ask.terms import terms_of
from visibility.pipeline.runner import execute
from visibility.services.scans.starting import start_scan
from visibility.services.scans.status import scan_status

CAP = Decimal("0.05")
QUESTIONS = 8
CHARGED = ("cut-before-text", "no-words", "invisible", "tools-only")
"""Ways to charge a call that gives no answer, and to tell its tokens."""
TOKENS = Decimal(5 * 4000) / 1_000_000
"""What 5 tokens out cost at the price below, which are all that may come: 0.02 a call."""


@pytest.fixture
def run(cast, owner, provider, monkeypatch, settings):
    """A run of eight questions to one adapter's engine, whose provider fails each in this way."""
    cache.clear()
    monkeypatch.setattr(agenda, "MAX_DELAY", 0.1)
    settings.SCAN_LEASE_SECONDS = 600
    settings.SCAN_MAX_COST_USD = float(CAP)

    def start(protocol, fault):
        environ = {}
        add_loopback_engines(provider, environ, [protocol], concurrency=8)
        EngineConfig.objects.update(input_price=0, output_price=4000, search_price=0, max_output_tokens=5)
        for name, value in environ.items():
            monkeypatch.setenv(name, value)
        for number in range(QUESTIONS):
            PromptFactory(brand=cast.brand, text=f"which shoes are best, number {number} [{fault}]?")
        return start_scan(owner, brand_id=cast.brand.pk, trigger=Run.Trigger.AGENT, samples=1).run

    return start


@pytest.mark.parametrize("fault", CHARGED)
@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_charged_calls_without_an_answer_stop_at_the_cap_and_are_recorded(
    protocol, fault, run, provider, cast, owner
):
    run = run(protocol, fault)
    execute(run.pk, "worker-1")
    run.refresh_from_db()

    asked = provider.book().asked()
    assert asked.total() == 2, "a third call would pass the cap"
    charges = total(charges_of(run.pk).values())
    assert (charges.calls, charges.known, charges.cost) == (2, 2, 2 * TOKENS)
    calls = ProviderCall.objects.exclude(outcome="failed")
    assert set(calls.values_list("outcome", "usage__input_tokens", "usage__output_tokens")) == {("charged", 10, 5)}
    assert (run.status, run.done, run.credits_spent) == ("failed", 0, 0)
    assert "Calls without an answer that the providers charged: $0.0400 for 2 calls." in run.error_message
    assert "othing was billed" not in run.error_message
    assert Answer.objects.filter(error_code="spend_cap").exists()
    status = scan_status(owner, brand_id=cast.brand.pk, run_id=run.pk)
    assert (status.cost_usd, status.unanswered_cost_usd, status.uncosted_calls) == (0.04, 0.04, 0)


def test_a_charge_that_is_not_known_counts_with_what_it_may_be(run, provider):
    run = run("responses", "not-json")
    execute(run.pk, "worker-1")
    run.refresh_from_db()
    unknown = ProviderCall.objects.filter(outcome="charged", cost=None, reserved=TOKENS, error_code="bad_body")
    assert unknown.count() == provider.book().asked().total() == 2, "a third call could pass the cap"
    assert "2 calls, cost unknown, $0.0400 at most" in run.error_message


class Charging(Engine):
    """Charges two cents for each call, and answers from the given call on."""

    name = "charging"
    concurrency = 8

    def __init__(self, answers_from=99, cost="0.02"):
        self.calls = 0
        self._answers_from, self._cost = answers_from, Decimal(cost)

    async def ask(self, question):
        self.calls += 1
        bill = Bill({"output_tokens": 5}, self._cost, "reported", "model-1")
        if self.calls < self._answers_from:
            raise EngineError("empty_answer", "No words.", retryable=True, retry_after=0, bill=bill)
        return EngineAnswer(text="Acme.", cost=self._cost, cost_source="reported")


def test_a_charged_question_is_asked_once_more_at_most():
    engine, stored = Charging(), []
    ask(questions("charging", "a", "b"), engine, store=stored.extend)
    assert engine.calls == 4
    assert sorted(each.again for each in stored) == [False, False, True, True]
    assert {each.outcome.bill.cost for each in stored} == {Decimal("0.02")}


def test_nor_after_a_worker_died_in_between():
    engine = Charging()
    ((name, [pending]),) = questions("charging", "a").items()
    again = [type(pending)(pending.answer_id, pending.question, charged=1)]
    ask({name: again}, engine)
    assert engine.calls == 1


@pytest.fixture
def claimed(cast, owner, engines):
    """A run that a worker holds."""
    for number in range(3):
        PromptFactory(brand=cast.brand, text=f"which shoes, number {number}?")
    engines("Steady")
    run = start_scan(owner, brand_id=cast.brand.pk, trigger=Run.Trigger.AGENT, samples=1).run
    return claim(RUN, run.pk, "worker-1")


def carried_out(run, engine, settings, monkeypatch, cap):
    """The run, asked by this engine in the place of its own."""
    settings.SCAN_MAX_COST_USD = cap
    engine.name = run.engines[0]
    monkeypatch.setattr(runner, "engines_of", lambda brand: [engine])
    Run.objects.update(lease_until=None, worker="", status="queued")
    execute(run.pk, "worker-2")
    run.refresh_from_db()
    return run


def test_where_no_price_is_known_the_first_call_goes_alone_and_tells_it(claimed, settings, monkeypatch):
    engine = Charging(answers_from=1)
    run = carried_out(claimed, engine, settings, monkeypatch, cap=0.05)
    assert engine.calls == run.done == 2, "a third could cost as much again"
    reserved = ProviderCall.objects.order_by("created_at").values_list("reserved", flat=True)
    assert sorted(reserved, key=str) == [Decimal("0.02"), None]


def test_a_question_that_the_cap_ends_says_that_it_was_asked_and_charged(claimed, settings, monkeypatch):
    carried_out(claimed, Charging(), settings, monkeypatch, cap=0.03)
    errors = Answer.objects.order_by("position").values_list("error_code", "error_message")
    assert sorted(code for code, _ in errors) == ["empty_answer", "spend_cap", "spend_cap"]
    [message] = [message for code, message in errors if code == "empty_answer"]
    assert "Not asked again: Not asked: one scan may take $0.03" in message


def test_charges_outlive_the_worker_and_are_settled_once(claimed, settings):
    settings.SCAN_MAX_COST_USD = 0.05
    name, [pending, *_] = next(iter(pending_by_engine(claimed).items()))
    engine, charged = Charging(answers_from=2), []
    engine.name = name

    def store(batch):
        """Twice, as where nobody knows whether it was stored."""
        store_answers(claimed.pk, "worker-1", batch)
        store_answers(claimed.pk, "worker-1", batch)
        charged.extend(each.charged for each in pending_by_engine(claimed)[name])

    ask({name: [pending]}, engine, store=store, terms=terms_of(claimed, "worker-1", 100))
    assert charged == [1, 0, 0, 0, 0], "still to be asked, once; then two others"
    assert total(charges_of(claimed.pk).values()).cost == Decimal("0.04")
    call = ProviderCall.objects.get(outcome="charged")
    assert (call.error_code, call.served_model, call.cost_source) == ("empty_answer", "model-1", "reported")
    assert ProviderCall.objects.get(outcome="answered").credits == 1


def test_who_lost_the_run_settles_what_it_asked_and_books_no_more(claimed):
    name, [pending, *_] = next(iter(pending_by_engine(claimed).items()))
    engine, batch = Charging(answers_from=1), []
    engine.name = name
    terms = terms_of(claimed, "worker-1", 100)
    ask({name: [pending]}, engine, store=batch.extend, terms=terms)
    Run.objects.update(worker="worker-2")
    with pytest.raises(LeaseLost):
        store_answers(claimed.pk, "worker-1", batch)
    with pytest.raises(LeaseLost):
        terms.book([Booking(name, pending.answer_id)])
    call = ProviderCall.objects.get()
    assert (call.outcome, call.cost, call.credits) == ("answered", Decimal("0.02"), 0)
    assert Answer.objects.get(pk=pending.answer_id).state == "pending"
