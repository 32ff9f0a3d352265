"""The scans that are measured: a brand with rivals, prompts in topics, one engine on loopback."""

import os

from apikeys.operators import system_caller
from tests.factories import BrandFactory, CompetitorFactory, PromptFactory
from tests.providers.engines import add_loopback_engines
from visibility.models import Answer, EngineConfig, Run
from visibility.services.scans.starting import start_scan

RIVALS = ("Rival", "Northwind", "Contoso", "Globex", "Initech")
WORDINGS_OF_A_TOPIC = 4
CREDITS = 10**7


def planned_run(provider, calls, samples, concurrency, protocols=("responses",)):
    """A run of so many calls, over an engine of each of these protocols, that waits to be carried out."""
    brand = BrandFactory(name="Acme")
    brand.owner.plan.credits_per_month = CREDITS
    brand.owner.plan.save()
    for name in RIVALS:
        CompetitorFactory(brand=brand, name=name)
    for number in range(calls // samples // len(protocols)):
        topic = f"topic {number // WORDINGS_OF_A_TOPIC}"
        PromptFactory(brand=brand, text=f"which product number {number} is best?", topic=topic)
    EngineConfig.objects.all().delete()
    add_loopback_engines(provider, os.environ, protocols, concurrency=concurrency)
    run = start_scan(system_caller("bench"), brand_id=brand.pk, trigger=Run.Trigger.OPERATOR, samples=samples).run
    assert run.total == calls
    return run


def check(run, book):
    """Every answer is there and was asked for once: what is fast and wrong is not fast."""
    run.refresh_from_db()
    answers = Answer.objects.filter(run=run, state=Answer.State.ANSWERED).count()
    asked = len(book.requests)
    assert (run.status, run.done, answers, asked) == ("succeeded", run.total, run.total, run.total), (run, asked)
    assert run.score is not None
