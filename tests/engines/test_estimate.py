"""What a scan would take, told before it starts."""

from decimal import Decimal
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from apikeys.caller import Caller
from apikeys.errors import ErrorCode, ServiceError
from apikeys.models import Usage
from apikeys.operators import system_caller
from tests.factories import AnswerFactory, PromptFactory, RunFactory
from tests.ledger import answered_call
from visibility.models import EngineConfig, Page, Run
from visibility.pipeline.ask.prices import Basis
from visibility.services.engines.configuring import add_engine
from visibility.services.scans.estimates import estimate_scan

OPERATOR = system_caller("test")


@pytest.fixture
def priced(cast, monkeypatch):
    """Two prompts, asked three times: of an engine with prices of its own, a listed one, and an unknown one."""
    monkeypatch.setenv("SOME_API_KEY", "key-of-nobody")
    for number in range(2):
        PromptFactory(brand=cast.brand, text=f"which shoe number {number}?")
    common = {"model": "gpt-5.2", "key_variable": "SOME_API_KEY", "enabled": True}
    add_engine(OPERATOR, name="own", provider="vllm", output_price=Decimal(10), **common)
    add_engine(OPERATOR, name="listed", provider="openai", search=True, max_samples=1, **common)
    return cast.brand


def by_engine(estimate):
    return {each.engine: each for each in estimate.engines}


def test_calls_credits_and_money(priced):
    estimate = estimate_scan(OPERATOR, brand_id=priced.pk)
    own, listed = by_engine(estimate)["own"], by_engine(estimate)["listed"]
    assert (own.calls, own.cost, own.basis) == (6, Decimal("0.06"), Basis.ASSUMED)
    # 15,000 tokens at $1.75 and 1,200 at $14 a million, and two searches at a cent
    assert (listed.calls, listed.cost, listed.basis) == (2, Decimal("0.1261"), Basis.ASSUMED)
    assert (estimate.credits, estimate.cost) == (8, Decimal("0.1861"))
    assert estimate.affordable and estimate.credits_left == priced.owner.plan.credits_per_month


def test_nothing_is_started_or_spent(priced):
    estimate_scan(OPERATOR, brand_id=priced.pk)
    assert not Run.objects.exists() and not Usage.objects.exists()


def test_what_answers_really_cost_counts_more_than_any_list(priced):
    run = RunFactory(brand=priced, engines=["listed"])
    for sample, cost in enumerate(["0.02", "0.04", None], start=1):
        answer = AnswerFactory(run=run, prompt=priced.prompts.first(), engine="listed", sample=sample)
        answered_call(run, engine="listed", answer=answer.pk, cost=cost)
    listed = by_engine(estimate_scan(OPERATOR, brand_id=priced.pk))["listed"]
    assert (round(listed.cost, 6), listed.basis) == (Decimal("0.06"), Basis.ANSWERS)


def test_time_is_that_of_the_slowest_engine_within_its_limits(priced):
    estimate = estimate_scan(OPERATOR, brand_id=priced.pk)
    # six calls at once, six seconds; two calls at once, which search for twenty
    assert ({name: each.seconds for name, each in by_engine(estimate).items()}, estimate.seconds) == (
        {"own": 6.0, "listed": 20.0},
        20.0,
    )
    EngineConfig.objects.filter(name="own").update(concurrency=4, requests_per_minute=5)
    own = by_engine(estimate_scan(OPERATOR, brand_id=priced.pk))["own"]
    assert own.seconds == 6 * 60 / 5
    run = RunFactory(brand=priced, engines=["listed"])
    AnswerFactory(run=run, prompt=priced.prompts.first(), engine="listed", latency_ms=100_000)
    assert estimate_scan(OPERATOR, brand_id=priced.pk).seconds == 100.0


def test_one_unknown_price_makes_the_sum_unknown_and_local_search_is_free(priced):
    Page.objects.create(brand=priced, url="https://acme.example/", title="Acme", text="Acme makes shoes.")
    add_engine(OPERATOR, name="lama", provider="ollama", model="llama", enabled=True)
    estimate = estimate_scan(OPERATOR, brand_id=priced.pk)
    engines = by_engine(estimate)
    assert (engines["lama"].cost, engines["lama"].basis, estimate.cost) == (None, Basis.UNKNOWN, None)
    assert (engines["local-search"].cost, engines["local-search"].basis) == (0, Basis.FREE)


def test_choices_are_those_of_a_scan(priced):
    estimate = estimate_scan(OPERATOR, brand_id=priced.pk, samples=2, engines=["own"])
    assert [(each.engine, each.calls) for each in estimate.engines] == [("own", 4)]
    with pytest.raises(ServiceError) as refused:
        estimate_scan(OPERATOR, brand_id=priced.pk, engines=["other"])
    assert refused.value.code == ErrorCode.INVALID_ARGUMENTS


def test_a_viewer_may_know_and_a_stranger_may_not(priced, cast):
    assert estimate_scan(Caller.from_user(cast.viewer), brand_id=priced.pk).credits == 8
    with pytest.raises(ServiceError) as refused:
        estimate_scan(Caller.from_user(cast.stranger), brand_id=priced.pk)
    assert refused.value.code == ErrorCode.NOT_FOUND


def test_the_number_of_queries_does_not_grow(priced, django_assert_max_num_queries):
    for number in range(20):
        PromptFactory(brand=priced, text=f"which further shoe number {number}?")
    with django_assert_max_num_queries(14):
        estimate_scan(OPERATOR, brand_id=priced.pk)


def test_the_command_prints_it_and_starts_nothing(priced):
    out = StringIO()
    call_command("scan", priced.domain, "--estimate", stdout=out)
    assert "own: 6 calls, about $0.06 (tokens assumed)" in out.getvalue()
    assert "In all: 8 calls, about $0.19, about 20 seconds" in out.getvalue()
    assert "Credits: 8 of the" in out.getvalue()
    assert "±5 points needs about " in out.getvalue() and "Seeing a change of 10 points needs about" in out.getvalue()
    assert "you have 2 topics, too few to tell" in out.getvalue()
    assert not Run.objects.exists()


def test_the_command_says_when_credits_do_not_suffice(priced):
    priced.owner.plan.credits_per_month = 5
    priced.owner.plan.save()
    out = StringIO()
    call_command("scan", priced.domain, "--estimate", stdout=out)
    assert "Credits: 8 of the 5 that are left this month, which is too few" in out.getvalue()


def test_the_command_says_why_there_is_no_estimate(cast):
    with pytest.raises(CommandError, match="No engine can answer"):
        call_command("scan", cast.brand.domain, "--estimate")
