"""What was charged before there was a ledger is in it, in the month of its run."""

from datetime import UTC, datetime
from decimal import Decimal

import pytest
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from tests.factories import BrandFactory
from tests.scans.test_generations_migration import migrate_to
from visibility.measured.charges import charges_since
from visibility.models import ProviderCall

__all__ = ["migrate_to"]

BEFORE = [("visibility", "0038_answer_charged")]
AT = datetime(2026, 2, 10, 12, tzinfo=UTC)


@pytest.mark.django_db(transaction=True, serialized_rollback=True)
def test_spend_stays_what_it_was(migrate_to):
    brand = BrandFactory(name="Acme")
    apps = migrate_to(BEFORE)
    model = {
        name: apps.get_model("visibility", name).objects
        for name in ("Prompt", "PromptVersion", "Run", "Answer", "FailedCall", "NameJudgement", "EngineConfig")
    }
    model["EngineConfig"].create(name="chat", provider="openai", model="gpt")
    prompt = model["Prompt"].create(brand_id=brand.pk, text="which?", digest="d")
    version = model["PromptVersion"].create(prompt=prompt, number=1, text="which?")
    scan, imported = (
        model["Run"].create(brand_id=brand.pk, trigger=trigger, status="succeeded", created_at=AT, kind=kind)
        for trigger, kind in (("agent", "comparison"), ("import", "visibility"))
    )
    costs = [
        (scan, "answered", "0.25"),
        (scan, "answered", None),
        (scan, "failed", None),
        (imported, "answered", "9"),
    ]
    answers = [
        model["Answer"].create(
            run=run, brand_id=brand.pk, prompt=prompt, version=version, engine="chat", sample=number, position=number,
            state=state, cost=cost, cost_source="reported", usage={"output_tokens": 5},
        )
        for number, (run, state, cost) in enumerate(costs, 1)
    ]  # fmt: skip
    model["FailedCall"].create(answer=answers[2], called_at=AT, error_code="empty_answer", cost="0.5")
    for name, answered, charged in (("a", True, True), ("b", False, True), ("c", False, False)):
        model["NameJudgement"].create(
            answer=answers[0], name=name, domain="x.example", engine="quill", asked_at=AT, answered=answered,
            charged=charged, cost="0.01" if charged else None,
        )  # fmt: skip
    migrate_to(MigrationExecutor(connection).loader.graph.leaf_nodes())

    spend = charges_since(AT)
    assert (spend.calls, spend.known, spend.cost) == (5, 4, Decimal("0.77"))
    assert charges_since(datetime(2026, 2, 11, tzinfo=UTC)).calls == 0
    call = ProviderCall.objects.get(cost="0.25")
    assert (call.purpose, call.outcome, call.provider, call.model) == ("comparison", "answered", "openai", "gpt")
    assert (call.account, call.brand, call.brand_name, call.run_id) == (brand.owner, brand, "Acme", scan.pk)
    assert (call.answer, call.usage, call.credits) == (answers[0].pk, {"output_tokens": 5}, 1)
    told = ProviderCall.objects.filter(purpose="judge").order_by("-credits").values_list("outcome", "credits")
    assert list(told) == [("answered", 1), ("charged", 0)]
