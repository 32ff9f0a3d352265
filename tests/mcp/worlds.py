"""Sites for agents to look at: real answers about Garmin and Sony, a site without anything, one that is crowded."""

import io
import json
from datetime import date, timedelta

from apikeys.accounts.operators import system_caller
from brands.models import Brand
from tests.factories import BrandFactory, DailyScoreFactory, RecommendationFactory
from tests.reference import reference_file
from visibility.evidence.making import make_evidence
from visibility.imports.services import NewBrand, import_answers
from visibility.models import ChangeRecord, EvidenceItem, PromptVersion, Reading, Review, Statement
from visibility.prompts.services import PromptDraft, add_prompts
from visibility.scores.now import write_now

SYSTEM = system_caller("command:test")
REAL = {
    "Garmin": (["Apple", "Coros", "Polar"], ["running-watch-400"]),
    "Sony": (
        ["Samsung", "LG", "Bose"],
        ["earbuds-workout-150", "headphones-wireless-200", "tv-55-inch-1000", "smartphone-budget-600"],
    ),
}
OTHERS = ("air-fryer-family-size", "mesh-wifi-home")
"""Topics of the same file that no such site sells."""
LONG = "It weighs 4.5 kg & costs < $ 300, “which is fair”. " * 60


def real_site(owner, name: str) -> Brand:
    """A site that is measured by real answers."""
    brand = answered_site(owner, name, *REAL[name], OTHERS)
    make_evidence(brand)
    return brand


def answered_site(owner, name: str, rivals, topics, others=(), file="answers") -> Brand:
    """A site that sells these topics of a file of real answers, and none of the others."""
    lines = reference_file(f"real-answers/{file}.jsonl").read_text().splitlines()
    read = [line for line in lines if json.loads(line)["topic"] in (*topics, *others)]
    competitors = [(rival, f"{rival.lower()}.com") for rival in rivals]
    new = NewBrand(owner, name, f"{name.lower()}.com", competitors=competitors)
    return import_answers(SYSTEM, brand=new, file=io.StringIO("\n".join(read)), own_topics=topics).brand


def empty_site(owner) -> Brand:
    """A site for which nothing was done yet."""
    return BrandFactory(owner=owner, name="Empty", domain="empty.example")


PROMPT = {"text": LONG[:900], "k": 0, "of": 6}


def crowded_site(owner, days=2, topics=6, wordings=4, rivals=25) -> Brand:
    """A site with more of everything than a model can read, its answers and sources hostile and long."""
    names = [f"Rival Number {number} of the Long Name" for number in range(rivals)]
    listed = "\n".join(f"{place}. **{name}**: {LONG[:150]}" for place, name in enumerate(names, 1))

    def line(day, topic, wording, engine):
        text = f"{LONG}\n\n{listed}\n\n{LONG}" if (wording + day) % 3 else f"Kryton leads.\n\n{LONG}"
        return json.dumps(
            {
                "prompt": f"which bike of kind {topic} would you buy for a <b>small</b> city, wish {wording}?",
                "topic": f"bikes for <hobby> & trade, kind {topic}",
                "engine": engine,
                "time": f"2026-01-{day:02}T10:00:00Z",
                "text": text,
                "citations": [f"https://reviews{number}.example/best?list={number}&x=y" for number in range(12)],
            }
        )

    file = "\n".join(
        line(day, topic, wording, engine)
        for day in range(1, days + 1)
        for topic in range(topics)
        for wording in range(wordings)
        for engine in ("chatgpt", "gemini")
    )
    competitors = [(name, f"rival{number}.example") for number, name in enumerate(names)]
    new = NewBrand(owner, "Kryton", "kryton.example", competitors=competitors)
    brand = import_answers(SYSTEM, brand=new, file=io.StringIO(file)).brand
    piece = {"kind": "citation", "text": LONG[:400], "url": "https://reviews0.example/<x>"}
    for number in range(30):
        row = RecommendationFactory(brand=brand, priority=60 + number % 30, evidence=[piece] * 10)
        row.facts = {**row.facts, "topic": LONG[:200], "rival": LONG[:200], "by_prompt": [PROMPT] * 4}
        row.save()
    add_prompts(SYSTEM, brand_id=brand.pk, drafts=[PromptDraft(f"{LONG[:900]} {number}") for number in range(100)])
    report_changes(brand)
    write_evidence(brand, LONG[:300])
    for number in range(28):
        DailyScoreFactory(brand=brand, date=date(2025, 12, 4) + timedelta(days=number))
    return brand


def write_evidence(brand, text, number=40):
    """Evidence of every kind in words of others."""
    topic = brand.topics.first()
    quote = {"text": text, "start": 0, "end": len(text), "url": f"https://a.example/{text[:20]}"}
    criterion = {
        "label": text[:60],
        "topic": topic.name,
        "topic_id": str(topic.pk),
        "basis": "labelled",
        "answers": 9,
        "of": 40,
        "by_engine": {"chatgpt": 9},
        "weight": 22.5,
        "winners": [{"subject": brand.name, "competitor_id": None, "answers": 3, "quote": quote}] * 3,
        "winner": brand.name,
        "own_sentence": quote,
        "quotes": [quote] * 5,
    }
    claim = {**quote, "kind": "quantity", "is_claim": True}
    for kind, item in (("criterion", criterion), ("claim", claim)):
        for position in range(number):
            EvidenceItem.objects.create(brand=brand, kind=kind, position=position, topic=topic, item=item)
    write_themes(brand, text, number)
    voice = {
        "site_id": str(brand.pk),
        "has_profile": True,
        "how_to_get_one": None,
        "traits": [{"name": "address", "value": "we to you", "measured": "“you” 1.2 times in 100 words"}] * 8,
        "examples": [quote] * 3,
        "calls_to_action": [text[:40]] * 8,
        "words": 5000,
        "made_at": None,
    }
    EvidenceItem.objects.create(brand=brand, kind="voice", position=0, item=voice)


def write_themes(brand, text, number):
    """What a reader found in reviews, in words of others."""
    review = Review.objects.create(brand=brand, digest=text.encode()[:16], text=text, stars=3)
    reading = Reading.objects.create(brand=brand, version=1, read=[review.pk])
    rows = [{"facet": "reason", "value": text[:20], "heading": f"{number} {text[:60]}"} for number in range(number)]
    Statement.objects.bulk_create(
        Statement(reading=reading, review=each, start=0, end=len(text), **row)
        for row in rows
        for each in [review, *_more_reviews(brand, text)]
    )


def _more_reviews(brand, text):
    """Two more reviews with a text."""
    given = [{"brand": brand, "digest": f"{place} {text}".encode()[:16]} for place in range(2)]
    return [Review.objects.get_or_create(**each, defaults={"text": text, "stars": 3})[0] for each in given]


def report_changes(brand):
    """Many changes that may be spoken of, each with many parts."""
    topics, wordings = ([str(row.pk) for row in rows.all()[:6]] for rows in (brand.topics, PromptVersion.objects))
    keys = {"topics": topics, "engines": ["chatgpt imported", "gemini imported"], "wordings": wordings}
    parts = {name: [{"key": key, "points": -3.25} for key in each] for name, each in keys.items()}
    fields = {"before": 50, "before_days": 7, "after": 30.25, "delta": -19.75, "low": -30.5, "high": -9.25}
    for number in range(8):
        day = date(2026, 1, 2) - timedelta(days=number)
        days = {"began": day, "known_on": day, "state_since": day, "after_day": date(2026, 1, 2)}
        engine = "" if number < 4 else "chatgpt imported"
        until = date(2026, 12, 1)
        ChangeRecord.objects.create(
            brand=brand, engine=engine, known_by="confirmed", reported_until=until, parts=parts, **days, **fields
        )
    write_now(brand)
