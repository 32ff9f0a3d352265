"""What calls reserve: the price of the hour in which they are made."""

from datetime import UTC, datetime
from decimal import Decimal

import pytest

from visibility.models import Engine, ProviderCall
from visibility.runs.engines import reach
from visibility.runs.spending import recent_costs

pytestmark = pytest.mark.django_db

CHEAP, DEAR = datetime(2026, 11, 20, 0, 30, tzinfo=UTC), datetime(2026, 11, 20, 1, 30, tzinfo=UTC)


@pytest.fixture
def reached(monkeypatch):
    """An engine whose provider asks for more at some hours."""
    monkeypatch.setenv("DEEPSEEK_API_KEY", "sk-right-key-of-the-tests")
    engine = Engine.objects.create(name="deep", preset="deepseek", model="deepseek-v4-flash")
    return reach(engine)


def call_of(source: str, begun: datetime) -> ProviderCall:
    usage = {"input_tokens": 1_000, "output_tokens": 200}
    return ProviderCall.objects.create(
        engine="deep", outcome="answered", cost=Decimal("0.002"), cost_source=source, usage=usage, created_at=begun
    )


@pytest.mark.parametrize(
    ("source", "begun", "now", "cost"),
    [
        ("computed", CHEAP, CHEAP, "0.002"),
        ("computed", CHEAP, DEAR, "0.004"),
        ("computed", DEAR, CHEAP, "0.001"),
        ("configured", CHEAP, DEAR, "0.002"),
        ("reported", CHEAP, DEAR, "0.002"),
    ],
)
def test_a_call_reserves_what_the_recent_ones_would_cost_at_its_hour(reached, source, begun, now, cost):
    call_of(source, begun)
    assert recent_costs(reached, now) == [Decimal(cost)]


def test_an_engine_that_was_never_asked_has_no_costs(reached):
    assert recent_costs(reached, DEAR) == []
