"""A site with more of everything than a model can read: for limits that have to hold whatever there is."""

from tests.factories import CompetitorFactory, PromptFactory
from tests.scans.history import ended_run
from visibility.models import Recommendation

TOPICS, WORDINGS, RIVALS = 8, 4, 20
LONG = "It weighs 4.5 kg & costs < $ 300, “which is fair”. " * 60
SOURCES = [
    {"url": f"https://reviews{n}.example/best?list={n}&from=chat&utm_source=x", "title": f"The best anvils of {n}"}
    for n in range(12)
]


def crowded_site(brand, monkeypatch):
    """Measure the brand on three engines and two days, with long answers in which all rivals are named."""
    monkeypatch.setattr("tests.scans.history.SOURCES", SOURCES)
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
        for engine in ("chat", "gemini", "search"):
            ended_run(brand, prompts, texts=texts, engine=engine, day=day)
    assert Recommendation.objects.filter(brand=brand).count() > TOPICS
    return prompts
