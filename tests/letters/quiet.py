"""Brands with counted cells and no texts, at which nothing changes: chances stay, luck of answers and days differs.

A brand has twelve prompts on six topics and one competitor. Prompts of a topic are alike, as in real answers.
"""

from datetime import date, timedelta
from functools import lru_cache

import numpy as np

from brands.models import Brand
from tests.factories import BrandFactory, CompetitorFactory, EngineFactory, UserFactory
from tests.measurement.simulate import CORRELATION, _lucky, chances, topics_of
from visibility.models import Cell, Prompt, PromptVersion, Run, RunEngine, Topic
from visibility.scores.days import counts_of_days
from visibility.scores.history import REMEMBERED
from visibility.scores.records import write_records

FIRST = date(2026, 10, 5)
WEEKS, TOPICS, WORDINGS, SAMPLES = 8, 6, 2, 3
LUCK = 0.035
"""Of a day, which all prompts share: what the service takes it to be."""
EVERY = (1, 3, 7)
"""Days between two scans, of one brand after the other."""


def make_brand(number: int, *, falls: bool = False) -> Brand:
    """The brand of this number with eight weeks of scans, counted and not scored; in the last two of one that `falls`
    no answer mentions it."""
    rng, joint = (np.random.default_rng([2026, number, *more]) for more in ((), (1,)))
    first = Brand.objects.order_by("created_at", "pk").first()
    owner = first.owner if first else UserFactory()
    brand = BrandFactory(owner=owner, name=f"Quiet {number}", domain=f"quiet{number}.example")
    rival = CompetitorFactory(brand=brand)
    topic_of = topics_of(TOPICS, (WORDINGS,))
    versions = _prompts(brand, topic_of)
    rates = (rng.uniform(0.1, 0.8), rng.uniform(0.1, 0.8))
    chance = chances(rng, topic_of, rates, CORRELATION, 1)[0]
    for offset in range(0, 7 * WEEKS, EVERY[number % len(EVERY)]):
        luck = LUCK * rng.standard_normal((len(rates), 1))
        ours, theirs = rng.binomial(SAMPLES, _lucky(chance, luck))
        ours = ours * (not falls or offset < 7 * (WEEKS - 2))
        both = joint.hypergeometric(ours, SAMPLES - ours, theirs)
        _scan(brand, rival, versions, FIRST + timedelta(days=offset), (ours, theirs), both)
    return brand


def record_changes(brand: Brand) -> None:
    """Write what becomes known on each day, as the scoring of that day does."""
    cells = Cell.objects.filter(brand=brand).order_by("day")
    measured = list(cells.values_list("day", flat=True).distinct())
    counts_of = lru_cache(maxsize=REMEMBERED)(lambda *days: counts_of_days(brand, days))
    for day in measured:
        write_records(brand, measured, day, counts_of)


def _prompts(brand, topic_of):
    topics = Topic.objects.bulk_create(
        Topic(brand=brand, name=f"topic {number}", own=True) for number in range(TOPICS)
    )
    prompts = Prompt.objects.bulk_create(
        Prompt(brand=brand, topic=topics[place], text=f"Which {number}?", digest=f"{brand.pk}{number}"[-64:])
        for number, place in enumerate(topic_of)
    )
    return PromptVersion.objects.bulk_create(PromptVersion(prompt=row, number=1, text=row.text) for row in prompts)


def _scan(brand, rival, versions, day, mentioned, both):
    engine, total = EngineFactory(name="chatgpt"), SAMPLES * len(versions)
    at = f"{day}T03:00:00Z"
    run = Run.objects.create(
        brand=brand,
        kind="visibility",
        status="succeeded",
        trigger="schedule",
        day=day,
        created_at=at,
        started_at=at,
        finished_at=at,
        total=total,
        done=total,
    )
    RunEngine.objects.create(run=run, engine=engine, surface="api", total=total, done=total, samples=SAMPLES)
    where = {"brand": brand, "day": day, "run": run, "engine": engine, "surface": "api", "answers": SAMPLES}
    Cell.objects.bulk_create(
        Cell(
            **where,
            version=version,
            competitor=subject,
            mentioned=int(number),
            alone=int(number - shared),
            comentions=int(number + shared),
            without_brand=int(number - shared) if subject else 0,
        )
        for subject, numbers in ((None, mentioned[0]), (rival, mentioned[1]))
        for version, number, shared in zip(versions, numbers, both, strict=True)
        if subject is None or number
    )
