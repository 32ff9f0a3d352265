"""What the provider charges for calls that give no answer: recorded, counted for the cap, repeated at most once."""

from decimal import Decimal

import pytest
from django.core.cache import cache

from tests.factories import PromptFactory
from tests.providers.engines import add_loopback_engines
from tests.providers.faults import PROTOCOLS
from tests.scans.asked import ask, codes, questions
from visibility.engines.pricing import Usage
from visibility.engines.protocol import Bill, Engine, EngineAnswer, EngineError
from visibility.jobs.kinds import RUN
from visibility.jobs.lease import claim
from visibility.measured.charges import charges_of, total
from visibility.models import Answer, EngineConfig, FailedCall, Run
from visibility.pipeline.ask import agenda, prices
from visibility.pipeline.ask.budget import Budget
from visibility.pipeline.ask.items import pending_by_engine
from visibility.pipeline.ask.session import Terms
from visibility.pipeline.ask.storing import store_answers
from visibility.pipeline.ask.terms import terms_of
from visibility.pipeline.runner import execute
from visibility.services.scans.starting import start_scan
from visibility.services.scans.status import scan_status

CAP = Decimal("0.05")
QUESTIONS = 8
CHARGED = ("cut-before-text", "no-words", "invisible", "tools-only")
"""Ways to charge a call that gives no answer, and to tell its tokens."""
TOKENS = Decimal(10 * 1000 + 5 * 2000) / 1_000_000
"""What 10 tokens in and 5 out cost at the prices below: 0.02 a call."""


@pytest.fixture
def run(cast, owner, provider, monkeypatch, settings):
    """A run of eight questions to one adapter's engine, whose provider fails each in this way."""
    cache.clear()
    monkeypatch.setattr(agenda, "MAX_DELAY", 0.1)
    # By this guess the cap lets all eight questions be asked at once.
    monkeypatch.setattr(prices, "TYPICAL_SEARCHING", Usage(input_tokens=1, output_tokens=1))
    settings.SCAN_LEASE_SECONDS = 600
    settings.SCAN_MAX_COST_USD = float(CAP)

    def start(protocol, fault):
        environ = {}
        add_loopback_engines(provider, environ, [protocol], concurrency=8)
        EngineConfig.objects.update(input_price=1000, output_price=2000, search_price=0)
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
    assert set(FailedCall.objects.values_list("usage__input_tokens", "usage__output_tokens")) == {(10, 5)}
    assert (run.status, run.done, run.credits_spent) == ("failed", 0, 0)
    assert "Calls without an answer that the providers charged: $0.0400 for 2 calls." in run.error_message
    assert "othing was billed" not in run.error_message
    assert Answer.objects.filter(error_code="spend_cap").exists()
    status = scan_status(owner, brand_id=cast.brand.pk, run_id=run.pk)
    assert (status.cost_usd, status.unanswered_cost_usd, status.uncosted_calls) == (0.04, 0.04, 0)


def test_a_charge_that_is_not_known_is_told_as_such(run, provider):
    run = run("responses", "not-json")
    execute(run.pk, "worker-1")
    run.refresh_from_db()
    assert FailedCall.objects.filter(cost=None, error_code="bad_body").count() == provider.book().asked().total()
    assert "cost unknown" in run.error_message
    assert max(provider.book().asked().values()) <= 2


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
    engine = Charging()
    stored = ask(questions("charging", "a", "b"), engine)
    assert engine.calls == 4
    assert sorted(each.again for each in stored) == [False, False, True, True]
    assert {each.outcome.bill.cost for each in stored} == {Decimal("0.02")}


def test_nor_after_a_worker_died_in_between():
    engine = Charging()
    ((name, [pending]),) = questions("charging", "a").items()
    again = [type(pending)(pending.answer_id, pending.question, charged=1)]
    ask({name: again}, engine)
    assert engine.calls == 1


def test_a_question_that_the_cap_ends_says_that_it_was_asked_and_charged():
    engine = Charging()
    terms = Terms(budget=Budget(max_cost=Decimal("0.03"), guessed=frozenset({"charging"})))
    stored = ask(questions("charging", "a", "b", "c"), engine, terms=terms)
    final = [each for each in stored if not each.again]
    assert engine.calls == 1
    assert codes(final) == ["empty_answer", "spend_cap", "spend_cap"]
    assert "Not asked again" in final[0].outcome.message or "Not asked again" in final[-1].outcome.message
    assert [each.outcome.bill for each in final] == [None] * 3, "its charge was handed over with the call"


def test_where_the_price_is_a_guess_the_first_call_goes_alone():
    budget = Budget(max_cost=Decimal(1), prices={"a": Decimal("0.01")}, guessed=frozenset({"a"}))
    assert budget.allows("a")
    budget.begin("a")
    assert not budget.allows("a")
    budget.charge("a", Decimal("0.40"))
    budget.end("a")
    budget.begin("a")
    assert not budget.allows("a"), "0.40 were charged, 0.40 are under way, and 0.40 more are expected"
    assert budget.expected("a") == Decimal("0.40")


@pytest.fixture
def claimed(cast, owner, engines):
    """A run that a worker holds."""
    PromptFactory(brand=cast.brand, text="which shoes?")
    engines("Steady")
    run = start_scan(owner, brand_id=cast.brand.pk, trigger=Run.Trigger.AGENT, samples=1).run
    return claim(RUN, run.pk, "worker-1")


def test_charges_outlive_the_worker_and_are_stored_once(claimed, settings):
    settings.SCAN_MAX_COST_USD = 0.05
    ((name, [pending]),) = pending_by_engine(claimed).items()
    engine = Charging(answers_from=2)
    engine.name = name
    batch = ask({name: [pending]}, engine)
    failed, answered = batch
    store_answers(claimed.pk, "worker-1", [failed])
    store_answers(claimed.pk, "worker-1", [failed])

    ((_, [left]),) = pending_by_engine(claimed).items()
    assert (left.answer_id, left.charged) == (pending.answer_id, 1), "still to be asked, once"
    budget = terms_of(claimed, "worker-2").budget
    assert (budget.spent, budget.expected(name)) == (Decimal("0.02"), Decimal("0.02"))

    store_answers(claimed.pk, "worker-1", [answered])
    assert total(charges_of(claimed.pk).values()).cost == Decimal("0.04")
    assert Answer.objects.get(run=claimed).cost == Decimal("0.02"), "an answer's own cost"
    call = FailedCall.objects.get()
    assert (call.error_code, call.served_model, call.cost_source) == ("empty_answer", "model-1", "reported")


def test_a_failure_and_the_answer_after_it_are_stored_together(claimed):
    ((name, [pending]),) = pending_by_engine(claimed).items()
    engine = Charging(answers_from=2)
    engine.name = name
    store_answers(claimed.pk, "worker-1", ask({name: [pending]}, engine))
    claimed.refresh_from_db()
    assert (claimed.done, claimed.failed, FailedCall.objects.count()) == (1, 0, 1)
