"""Rows for tests, made without services: the cast of people, keys and brands, and what is measured of them."""

from datetime import UTC, date, datetime, timedelta
from uuid import uuid4

import factory
from factory.django import DjangoModelFactory

from apikeys.accounts import keyformat
from apikeys.models import ApiKey, Plan, User
from apikeys.scopes import ALL_SCOPES
from brands.models import Brand, Collaborator, Competitor, Domain, Name
from brands.names import spelling_key
from visibility.models import ChangeRecord, DailyScore, Diagnosis, Engine, Recommendation, Run, RunEngine


def plan(tier: str = "scale") -> Plan:
    """One of the three plans that every service has."""
    return Plan.objects.get(tier=tier)


class UserFactory(DjangoModelFactory):
    class Meta:
        model = User

    email = factory.Sequence(lambda number: f"person{number}@example.com")
    plan = factory.LazyFunction(plan)
    password = "!unusable"


class KeyFactory(DjangoModelFactory):
    """A working key with every scope; `make_key` also gives its raw form."""

    class Meta:
        model = ApiKey

    class Params:
        raw = factory.LazyFunction(keyformat.mint)  # what the holder of the key sends

    owner = factory.SubFactory(UserFactory)
    name = "Reporting"
    scopes = factory.LazyFunction(lambda: sorted(ALL_SCOPES))
    prefix = keyformat.PREFIX
    digest = factory.LazyAttribute(lambda key: keyformat.digest(key.raw))
    last_four = factory.LazyAttribute(lambda key: key.raw[-4:])


def make_key(raw: str | None = None, **fields) -> tuple[ApiKey, str]:
    """A working key and its raw form."""
    raw = raw or keyformat.mint()
    return KeyFactory(raw=raw, **fields), raw


class BrandFactory(DjangoModelFactory):
    """A brand with the rows of its name and its domain."""

    class Meta:
        model = Brand
        skip_postgeneration_save = True

    owner = factory.SubFactory(UserFactory)
    name = factory.Sequence(lambda number: f"Acme {number}")
    domain = factory.Sequence(lambda number: f"acme{number}.example")

    @factory.post_generation
    def names(brand, create, extracted, **kwargs):
        Name.objects.create(brand=brand, text=brand.name, key=spelling_key(brand.name), is_main=True)
        Domain.objects.create(brand=brand, domain=brand.domain, is_main=True)


class CollaboratorFactory(DjangoModelFactory):
    class Meta:
        model = Collaborator

    brand = factory.SubFactory(BrandFactory)
    user = factory.SubFactory(UserFactory)
    role = Collaborator.Role.EDITOR


class CompetitorFactory(DjangoModelFactory):
    class Meta:
        model = Competitor
        skip_postgeneration_save = True

    brand = factory.SubFactory(BrandFactory)
    name = factory.Sequence(lambda number: f"Rival {number}")
    domain = factory.Sequence(lambda number: f"rival{number}.example")

    @factory.post_generation
    def names(competitor, create, extracted, **kwargs):
        rows = {"brand": competitor.brand, "competitor": competitor, "is_main": True}
        Name.objects.create(text=competitor.name, key=spelling_key(competitor.name), **rows)
        Domain.objects.create(domain=competitor.domain, **rows)


class EngineFactory(DjangoModelFactory):
    class Meta:
        model = Engine
        django_get_or_create = ("name",)

    name = "local-search"


class RunFactory(DjangoModelFactory):
    """A finished scan."""

    class Meta:
        model = Run

    brand = factory.SubFactory(BrandFactory)
    kind = Run.Kind.VISIBILITY
    status = Run.Status.SUCCEEDED
    trigger = Run.Trigger.SCHEDULE
    created_at = factory.Sequence(lambda number: datetime(2026, 11, 1, 9, tzinfo=UTC) + timedelta(minutes=number))
    started_at = factory.LazyAttribute(lambda run: run.created_at)
    finished_at = factory.LazyAttribute(lambda run: run.created_at + timedelta(minutes=4))
    total = 150
    done = 150
    score = 41.25
    low = 33.1
    high = 49.9


class RunEngineFactory(DjangoModelFactory):
    class Meta:
        model = RunEngine

    run = factory.SubFactory(RunFactory)
    engine = factory.SubFactory(EngineFactory)
    surface = "pages"


FIGURES = {
    "panelLow": 38.0,
    "panelHigh": 44.5,
    "prompts": 50,
    "topics": 17,
    "answers": 150,
    "failed": 0,
    "shareOfVoice": 22.2,
    "shareOfVoiceLow": 18.0,
    "shareOfVoiceHigh": 27.1,
    "prominence": 30.0,
    "prominenceLow": 25.0,
    "prominenceHigh": 35.0,
    "citationRate": 12.5,
    "citationRateLow": 9.0,
    "citationRateHigh": 17.0,
    "engines": [
        {"engine": "chatgpt", "surface": "imported", "score": 41.25, "low": 33.1, "high": 49.9, "answers": 150}
    ],
}


class DailyScoreFactory(DjangoModelFactory):
    class Meta:
        model = DailyScore

    brand = factory.SubFactory(BrandFactory)
    date = factory.Sequence(lambda number: date(2026, 1, 1) + timedelta(days=number))
    score = 41.25
    low = 33.1
    high = 49.9
    figures = factory.LazyFunction(lambda: dict(FIGURES))
    comparable = True
    change = factory.LazyAttribute(
        lambda day: {
            "from": (day.date - timedelta(days=1)).isoformat(),
            "delta": 3.5,
            "low": -1.2,
            "high": 8.2,
            "verdict": "within_noise",
            "minimumDetectable": 6.7,
        }
    )
    runs = factory.LazyFunction(lambda: [uuid4()])


class RecommendationFactory(DjangoModelFactory):
    class Meta:
        model = Recommendation

    brand = factory.SubFactory(BrandFactory)
    kind = "gap"
    subject = factory.Sequence(lambda number: f"topic {number}")
    facts = factory.LazyAttribute(
        lambda row: {
            "measure": "mentions",
            "topic": row.subject,
            "rival": "Rival",
            "k": 4,
            "of": 24,
            "other_k": 20,
            "other_of": 24,
            "rival_alone": 16,
            "days": "3 Jan 2026",
            "goal": 16,
            "goal_of": 24,
        }
    )
    priority = 60
    impact = "high"
    effort = "medium"
    evidence = factory.LazyFunction(lambda: [{"kind": "answer", "text": "Rival is the usual choice."}])


class DiagnosisFactory(DjangoModelFactory):
    """Of a brand that one of 24 answers names, and a rival 20."""

    class Meta:
        model = Diagnosis

    brand = factory.SubFactory(BrandFactory)
    facts = factory.LazyFunction(
        lambda: {
            **{"k": 1, "of": 24, "days": "3 Jan 2026", "place": 2, "places": 2, "nobody": 0, "firsts": 0},
            **{"rivals": [{"name": "Rival", "k": 20}], "others_first": [], "verdict": "alike", "is_read": False},
            **{"engines": [], "reasons": [], "rival_reasons": [], "limits": [], "sources": []},
        }
    )


class ChangeRecordFactory(DjangoModelFactory):
    """A confirmed fall of the score by half on 3 January 2026."""

    class Meta:
        model = ChangeRecord

    brand = factory.SubFactory(BrandFactory)
    began = date(2026, 1, 3)
    known_by = "confirmed"
    known_on = factory.SelfAttribute("began")
    reported_until = date(2026, 2, 1)
    state_since = factory.SelfAttribute("known_on")
    before = 75
    before_days = 2
    after = 25
    after_day = factory.SelfAttribute("known_on")
    delta = factory.LazyAttribute(lambda record: record.after - record.before)
