"""The scans that are measured: a brand with rivals, prompts in topics, one engine on loopback."""

from apikeys.caller import Caller
from tests.factories import BrandFactory, CompetitorFactory, PromptFactory
from visibility.models import Answer, EngineConfig, Run
from visibility.services.scans import start_scan

RIVALS = ("Rival", "Northwind", "Contoso", "Globex", "Initech")
WORDINGS_OF_A_TOPIC = 4
CREDITS = 10**7
KEY_VARIABLE = "BENCH_API_KEY"


def planned_run(provider, calls, samples, concurrency):
    """A run of so many calls that waits to be carried out."""
    brand = BrandFactory(name="Acme")
    brand.owner.plan.credits_per_month = CREDITS
    brand.owner.plan.save()
    for name in RIVALS:
        CompetitorFactory(brand=brand, name=name)
    for number in range(calls // samples):
        topic = f"topic {number // WORDINGS_OF_A_TOPIC}"
        PromptFactory(brand=brand, text=f"which product number {number} is best?", topic=topic)
    EngineConfig.objects.all().delete()
    EngineConfig.objects.create(
        name="loopback",
        provider="openai",
        model="gpt-5.2",
        search=True,
        base_url=provider.base_url("responses"),
        key_variable=KEY_VARIABLE,
        concurrency=concurrency,
        enabled=True,
    )
    caller = Caller.system("bench")
    run = start_scan(caller, brand_id=brand.pk, trigger=Run.Trigger.OPERATOR, samples=samples).run
    assert run.total == calls
    return run


def check(run, book):
    """Every answer is there and was asked for once: what is fast and wrong is not fast."""
    run.refresh_from_db()
    answers = Answer.objects.filter(run=run, state=Answer.State.ANSWERED).count()
    asked = len(book.requests)
    assert (run.status, run.done, answers, asked) == ("succeeded", run.total, run.total, run.total), (run, asked)
    assert run.score is not None
