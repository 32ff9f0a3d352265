"""A site with more of everything than a model can read: for limits that have to hold whatever there is."""

from datetime import date

from django.db.models import Count
from pytest import MonkeyPatch

from brands.models import Brand
from tests.factories import BrandFactory, CompetitorFactory, PromptFactory, RecommendationFactory
from tests.scans.history import ended_run
from tests.worlds import world
from visibility.insights.recommendations.evidence import MAX_EVIDENCE
from visibility.insights.recommendations.fix_prompts import MAX_PROMPT_TOKENS
from visibility.insights.recommendations.kind import Effect, Effort, Factors
from visibility.insights.recommendations.types import EngineTally, Payload
from visibility.insights.recommendations.wording import MAX_QUOTE, MAX_TITLE
from visibility.measured.stored import as_stored
from visibility.models import Recommendation

TOPICS, WORDINGS, RIVALS = 8, 4, 20
OF_EACH_KIND = 8
ENGINES = ("chat", "gemini", "search")
LONG = "It weighs 4.5 kg & costs < $ 300, “which is fair”. " * 60
SOURCES = [
    {"url": f"https://reviews{n}.example/best?list={n}&from=chat&utm_source=x", "title": f"The best anvils of {n}"}
    for n in range(12)
]


def crowded_site():
    """A brand that is measured on three engines and two days, with long answers in which all rivals are named."""
    world("a crowded site", _made)
    return Brand.objects.get(domain="acme.example")


def _made():
    brand = BrandFactory(name="Acme", domain="acme.example")
    with MonkeyPatch.context() as changed:
        changed.setattr("tests.scans.history.SOURCES", SOURCES)
        _measure(brand)


def _measure(brand):
    names = [f"Rival Number {n} of the Long Name" for n in range(RIVALS)]
    for number, name in enumerate(names):
        CompetitorFactory(brand=brand, name=name, domain=f"rival-{number}.example")
    prompts = [
        PromptFactory(
            brand=brand,
            topic=f"anvils for <hobby> & trade, kind {topic}",
            text=f"which anvil of kind {topic} would you buy for a small workshop in the city, wish {wording}?",
        )
        for topic in range(TOPICS)
        for wording in range(WORDINGS)
    ]
    listed = "\n".join(f"{place}. **{name}**: {LONG[:200]}" for place, name in enumerate(names, 1))
    texts = [f"{LONG}\n\n{listed}\n\n{LONG}" if n % 4 else f"Acme leads.\n\n{LONG}" for n in range(len(prompts))]
    for day in (0, 1):
        for engine in ENGINES:
            ended_run(brand, prompts, texts=texts, engine=engine, day=day)
    _recommend_all(brand, prompts)


def _recommend_all(brand, prompts):
    """As many recommendations of every kind as a queue holds, each of its texts as long as it may be."""
    engines = [EngineTally(engine, 30, 32, date(2026, 3, 11)) for engine in ENGINES]
    rivals = list(brand.competitors.values_list("pk", flat=True))
    payload = Payload(
        fix_prompt=LONG * (MAX_PROMPT_TOKENS * 4 // len(LONG)),
        topic_name=prompts[0].topic,
        measured_on=date(2026, 3, 11),
        rivals=rivals,
        engines=engines,
        prompts=[prompt.pk for prompt in prompts],
    )
    piece = {
        "kind": "citation", "text": LONG[:MAX_QUOTE], "url": SOURCES[0]["url"], "engine": "chat",
        "prompt_id": str(prompts[0].pk), "answer_id": str(brand.answers.first().pk),
    }  # fmt: skip
    factors = Factors(
        answers=90, of_answers=96, engines=3, of_engines=3, reach=0.9, effect=Effect.LIKELY, effort=Effort.HIGH
    )
    for kind in Recommendation.Kind:
        for number in range(OF_EACH_KIND):
            factors = Factors(
                answers=90,
                of_answers=96,
                engines=3,
                of_engines=3,
                reach=0.9,
                effect=Effect.LIKELY,
                effort=Effort.HIGH,
            )
            RecommendationFactory(
                brand=brand,
                kind=kind,
                subject=f"crowd {number}",
                topic=prompts[0].topic,
                title=LONG[:MAX_TITLE],
                summary=LONG[:1000],
                priority=60 + number,
                evidence=[piece] * MAX_EVIDENCE,
                factors=as_stored(factors),
                payload=as_stored(payload),
            )
    kinds = Recommendation.objects.filter(brand=brand, status="open").values_list("kind").annotate(Count("pk"))
    assert all(count >= OF_EACH_KIND for _, count in kinds) and len(kinds) == len(Recommendation.Kind)
