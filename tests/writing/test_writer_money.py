"""What calls outside of runs cost: each is in the ledger, whoever made it, and no number of callers passes a cap."""

from datetime import timedelta
from decimal import Decimal

import pytest
from django.utils import timezone

from apikeys.errors import ServiceError
from apikeys.models import Plan, Usage
from apikeys.operators import system_caller
from visibility.measured.charges import charges_since
from visibility.models import EngineConfig, ProviderCall
from visibility.pipeline.provider_calls import LOST_AFTER, settle_abandoned_calls
from visibility.services.engines.configuring import try_engine
from visibility.services.writing import by_engine
from visibility.writers.tasks import RefineTask, Subject

PRICE = Decimal("0.02")
"""Of each call: 5 tokens come, and no more may."""
WORDING = {"text": "Which bike lasts longest?"}


@pytest.fixture
def priced(provider):
    """The engine that writes, at two cents a call."""
    EngineConfig.objects.update(input_price=0, output_price=4_000, search_price=0, max_output_tokens=5)
    return provider


def refined(cast):
    """Have the engine write once for the brand."""
    task = RefineTask(
        subject=Subject(name="Acme", domain="acme.example", description="", names=("Acme",), rivals=()),
        text="Which bike lasts?", instruction="longest", locale="",
    )  # fmt: skip
    return by_engine(
        cast.owner, lambda writer: writer.refine(task), purpose=ProviderCall.Purpose.WRITER, brand=cast.brand
    )


def today():
    return charges_since(timezone.now() - timedelta(days=1))


def capped(dollars, calls=1_000):
    Plan.objects.update(provider_cost_per_day=dollars, writer_calls_per_day=calls)


@pytest.mark.django_db
def test_each_call_of_a_task_is_a_row_for_whom_it_was_made(cast, priced):
    priced.replies("no", WORDING)
    refined(cast)
    rows = ProviderCall.objects.values_list("purpose", "outcome", "cost", "account", "brand", "brand_name", "model")
    assert list(rows) == [("writer", "answered", PRICE, cast.owner.pk, cast.brand.pk, "Acme", "model-1")] * 2
    assert (today().calls, today().cost) == (2, 2 * PRICE)
    cast.brand.delete()
    assert (today().calls, today().cost) == (2, 2 * PRICE), "what was spent stays spent"


@pytest.mark.django_db
def test_a_failure_is_free_and_what_is_under_way_counts(cast, priced):
    priced.replies(500, 500)
    with pytest.raises(ServiceError):
        refined(cast)
    assert ProviderCall.objects.get().outcome == "failed"
    assert today().calls == 0

    capped(PRICE)
    ProviderCall.objects.create(purpose="writer", engine="quill", account=cast.owner, reserved=PRICE)
    with pytest.raises(ServiceError, match=r"allows \$0.02 a day at providers. \$0.0200 may be spent") as refused:
        refined(cast)
    assert (refused.value.code, refused.value.details["limit"]) == ("quota_exceeded", 0.02)
    assert refused.value.details["resetsAt"].endswith("T00:00:00.000Z")
    assert len(priced.asked) == 1
    assert Usage.objects.get(kind=Usage.Kind.WRITER_CALLS).used == 0, "nothing is taken for what is not asked"


@pytest.mark.django_db
def test_a_call_whose_process_died_is_given_up_and_counts_with_what_it_may_cost(cast, priced):
    capped(PRICE)
    lost = ProviderCall.objects.create(
        purpose="writer", engine="quill", account=cast.owner, reserved=PRICE, created_at=timezone.now()
    )
    settle_abandoned_calls()
    assert ProviderCall.objects.get().outcome == "pending", "it may be under way"
    ProviderCall.objects.update(created_at=timezone.now() - LOST_AFTER - timedelta(seconds=1))
    settle_abandoned_calls()
    lost.refresh_from_db()
    assert (lost.outcome, lost.cost, today().at_most) == ("unknown", None, PRICE)


@pytest.mark.django_db
def test_a_tried_connection_is_the_operators_and_under_no_cap(cast, priced):
    capped(0)
    priced.replies("It works.")
    try_engine(system_caller("test"), engine=EngineConfig.objects.get())
    call = ProviderCall.objects.get()
    assert (call.purpose, call.outcome, call.cost, call.account) == ("test", "answered", PRICE, None)


@pytest.mark.django_db(transaction=True, serialized_rollback=True)
def test_a_hundred_callers_at_once_pass_no_cap_in_money(cast, priced, at_once):
    capped(5 * PRICE)
    priced.replies(*[WORDING] * 100)
    outcomes = at_once(100, lambda _: refined(cast))
    errors = [each for each in outcomes if isinstance(each, Exception)]
    assert {getattr(each, "code", each) for each in errors} == {"quota_exceeded"}
    assert len(priced.asked) == 100 - len(errors) == 5
    assert (today().calls, today().cost) == (5, 5 * PRICE)
    assert Usage.objects.get(kind=Usage.Kind.WRITER_CALLS).used == 5
