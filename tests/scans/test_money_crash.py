"""Workers that are killed while they ask: the provider's book, the ledger, Spend and credits tell the same."""

from datetime import UTC, datetime
from decimal import Decimal

import pytest
from django.db.models import Sum

from apikeys.models import Usage
from apikeys.operators import system_caller
from brands.models import Brand
from tests.factories import AnswerFactory, PromptFactory, RunFactory
from tests.providers.process import provider_process
from tests.scans.workers import kill, worker
from visibility.measured.charges import charges_since
from visibility.models import EngineConfig, NameJudgement, ProviderCall, Run
from visibility.services.engines.configuring import add_engine
from visibility.services.scans.starting import start_scan

pytestmark = [pytest.mark.crash, pytest.mark.django_db(transaction=True, serialized_rollback=True)]

PRICE = Decimal("0.018")
"""Of each call: 900 tokens come, and no more may."""
AT_ONCE = 5
EPOCH = datetime(2020, 1, 1, tzinfo=UTC)


@pytest.fixture
def provider(cast):
    """A provider of slow answers, each of which costs the same, and the one engine that is asked there."""
    with provider_process(latency=1.0, paragraphs=1) as process:
        add_engine(
            system_caller("test"), name="paid", provider="vllm", model="model-1", base_url=process.base_url("chat"),
            concurrency=AT_ONCE, input_price=0, output_price=20, max_output_tokens=900,
        )  # fmt: skip
        yield process


def killed_at(counts, celery, wait_until):
    """Have a worker killed each time so many calls were answered, with others under way; the last one goes on to the
    end."""
    answered, pending = (ProviderCall.objects.filter(outcome=outcome) for outcome in ("answered", "pending"))
    for count in counts:
        process = worker(celery)
        wait_until(lambda count=count: answered.all().count() >= count and pending.all().exists(), f"{count} answers")
        kill(process)
    worker(celery)
    wait_until(lambda: not Run.objects.get().is_active, "the end of the run")


def check_books(provider, cast, kills):
    """What the provider was asked is what the ledger has, and what Spend tells, also without the brand; of calls
    that were under way at a kill nobody knows the outcome, so that they count with what they may cost."""
    calls, asked = ProviderCall.objects.count(), provider.book().asked().total()
    lost = ProviderCall.objects.filter(outcome="unknown", cost=None, reserved=PRICE).count()
    answered = ProviderCall.objects.filter(outcome="answered", cost=PRICE).count()
    assert 0 < lost <= kills * AT_ONCE and answered + lost == calls
    # The row comes before the call: a kill between the two leaves the one without the other.
    assert asked <= calls <= asked + kills * AT_ONCE
    spend = charges_since(EPOCH)
    assert (spend.calls, spend.cost, spend.at_most) == (calls, answered * PRICE, lost * PRICE)
    used = Usage.objects.get(user=cast.owner, kind=Usage.Kind.CREDITS).used
    print(
        f"provider asked {asked}, charged ${asked * PRICE}; ledger {calls} calls, ${spend.cost + spend.at_most}; ",
        end="",
    )
    print(f"Spend {spend.cost} known and {spend.at_most} at most; {lost} lost, {answered} answered, {used} credits")
    assert used == ProviderCall.objects.aggregate(credits=Sum("credits"))["credits"] == answered
    Brand.objects.get().delete()
    assert charges_since(EPOCH) == spend


def test_killed_while_asking(cast, owner, provider, engines, celery, wait_until):
    engines()
    EngineConfig.objects.update(enabled=True)
    for number in range(60):
        PromptFactory(brand=cast.brand, text=f"which product number {number}?")
    start_scan(owner, brand_id=cast.brand.pk, trigger=Run.Trigger.AGENT, samples=1)
    killed_at([8, 20, 35], celery, wait_until)
    run = Run.objects.get()
    assert (run.status, run.done, run.credits_spent) == ("succeeded", 60, 60)
    check_books(provider, cast, kills=3)


def test_killed_while_names_are_judged(cast, provider, celery, wait_until):
    EngineConfig.objects.update(writes=True)
    Brand.objects.update(name="Mercury", domain="mercury.example", judges_names=True)
    run = RunFactory(brand=cast.brand, status="queued", total=50, done=50, finished_at=None, engines=["chat"])
    for number in range(50):
        prompt = PromptFactory(brand=cast.brand, text=f"what is new {number}")
        AnswerFactory(run=run, prompt=prompt, engine="chat", text="They met Mercury in March.", position=number)
    Run.objects.update(not_before=run.created_at)
    killed_at([5, 15, 25], celery, wait_until)
    assert NameJudgement.objects.count() == ProviderCall.objects.filter(purpose="judge").count() == 50
    check_books(provider, cast, kills=3)
