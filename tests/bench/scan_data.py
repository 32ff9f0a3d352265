"""The scans that are measured: a brand with rivals, prompts in topics, one engine on loopback."""

from apikeys.caller import Caller
from tests.factories import BrandFactory, CompetitorFactory, PromptFactory
from visibility.models import Answer, EngineConfig, Run
from visibility.services.scans import start_scan

RIVALS = ("Rival", "Northwind", "Contoso", "Globex", "Initech")
WORDINGS_OF_A_TOPIC = 4
CREDITS = 10**7
KEY_VARIABLE = "BENCH_API_KEY"
PRESETS = {
    "responses": ("openai", "gpt-5.2"),
    "chat": ("perplexity", "sonar"),
    "messages": ("anthropic", "claude-sonnet-4-5"),
    "gemini": ("gemini", "gemini-2.5-flash"),
}
"""Provider and model of each protocol."""


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
    for protocol in protocols:
        add_engine(provider, protocol, concurrency)
    run = start_scan(Caller.system("bench"), brand_id=brand.pk, trigger=Run.Trigger.OPERATOR, samples=samples).run
    assert run.total == calls
    return run


def add_engine(provider, protocol, concurrency):
    """An engine that searches, whose provider is the one on loopback."""
    preset, model = PRESETS[protocol]
    EngineConfig.objects.create(
        name=f"loopback-{protocol}",
        provider=preset,
        model=model,
        search=True,
        base_url=provider.base_url(protocol),
        key_variable=KEY_VARIABLE,
        concurrency=concurrency,
        enabled=True,
    )


def check(run, book):
    """Every answer is there and was asked for once: what is fast and wrong is not fast."""
    run.refresh_from_db()
    answers = Answer.objects.filter(run=run, state=Answer.State.ANSWERED).count()
    asked = len(book.requests)
    assert (run.status, run.done, answers, asked) == ("succeeded", run.total, run.total, run.total), (run, asked)
    assert run.score is not None
