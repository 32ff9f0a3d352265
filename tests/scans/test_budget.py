"""What a run may spend, with what is under way."""

from decimal import Decimal

import pytest

from visibility.pipeline.ask.budget import Budget


def calls(budget, engine, cost, most=100):
    """How many calls it allows one after the other, each of this cost."""
    for number in range(most):
        if not budget.allows(engine):
            return number
        budget.begin(engine)
        budget.pay(engine, cost)
        budget.end(engine)
    return most


def test_without_caps_everything_is_allowed():
    assert calls(Budget(), "a", Decimal(1000)) == 100


def test_money_that_is_known():
    assert calls(Budget(max_cost=Decimal("1.00"), prices={"a": Decimal("0.10")}), "a", Decimal("0.10")) == 10
    assert calls(Budget(max_cost=Decimal("1.00"), spent=Decimal("0.95")), "a", Decimal("0.10")) == 1


def test_an_estimate_gives_way_to_what_the_answers_cost():
    budget = Budget(max_cost=Decimal("1.00"), prices={"a": Decimal("0.50")})
    assert calls(budget, "a", Decimal("0.01")) == 100
    assert budget.expected("a") == Decimal("0.01")


def test_an_unknown_cost_counts_as_expected():
    assert calls(Budget(max_cost=Decimal(1), prices={"a": Decimal("0.25")}), "a", None) == 4


def test_what_is_under_way_counts_with_what_is_expected():
    budget = Budget(max_cost=Decimal(1), prices={"a": Decimal("0.40")})
    for _ in range(2):
        assert budget.allows("a")
        budget.begin("a")
    assert not budget.allows("a")
    assert budget.allows("b"), "an engine that costs nothing as far as is known"
    assert not budget.idle


def test_credits():
    budget = Budget(max_answers=5, answered=3)
    budget.begin("a")
    assert budget.allows("a")
    budget.begin("b")
    assert not budget.allows("b")
    budget.end("b")
    assert budget.allows("b"), "it gave no answer, which costs no credit"


@pytest.mark.parametrize(
    ("budget", "words"),
    [
        (Budget(max_cost=Decimal("2.5")), "may take $2.5."),
        (Budget(max_answers=7), "may take 7 credits."),
        (Budget(max_cost=Decimal(2), max_answers=7), "may take $2 or 7 credits."),
    ],
)
def test_the_refusal_names_the_cap(budget, words):
    error = budget.refusal()
    assert (error.code, error.retryable) == ("spend_cap", False)
    assert words in error.message
