"""Objects for tests. Plans are the seeded rows; everything else is made here."""

from datetime import timedelta

import factory
from django.utils import timezone
from factory.django import DjangoModelFactory

from apikeys import keyformat
from apikeys.models import ApiKey, Plan, User
from apikeys.scopes import ALL_SCOPES
from brands.models import Alias, Brand, Collaborator, Competitor
from tests.generations import tracked_names_of
from visibility.detection.types import BRAND
from visibility.measured.counts import packed
from visibility.metrics.pairs import count_day
from visibility.metrics.types import AnswerOutcome
from visibility.models import (
    Answer,
    ChangeRecord,
    DailyScore,
    DayCount,
    Page,
    Prompt,
    PromptVersion,
    Recommendation,
    Run,
)
from visibility.services.prompts.editing import prompt_digest

PASSWORD = "correct horse battery"
"""Of every account that is made here."""


def plan(tier="scale"):
    return Plan.objects.get(tier=tier)


class UserFactory(DjangoModelFactory):
    class Meta:
        model = User
        skip_postgeneration_save = True

    email = factory.Sequence(lambda n: f"person{n}@example.com")
    plan = factory.LazyFunction(plan)
    password = factory.django.Password(PASSWORD)


class BrandFactory(DjangoModelFactory):
    class Meta:
        model = Brand

    owner = factory.SubFactory(UserFactory)
    name = factory.Sequence(lambda n: f"Acme {n}")
    domain = factory.Sequence(lambda n: f"acme{n}.example")


class AliasFactory(DjangoModelFactory):
    class Meta:
        model = Alias

    brand = factory.SubFactory(BrandFactory)
    text = factory.Sequence(lambda n: f"Acme Alias {n}")


class CollaboratorFactory(DjangoModelFactory):
    class Meta:
        model = Collaborator

    brand = factory.SubFactory(BrandFactory)
    user = factory.SubFactory(UserFactory)


class CompetitorFactory(DjangoModelFactory):
    class Meta:
        model = Competitor

    brand = factory.SubFactory(BrandFactory)
    name = factory.Sequence(lambda n: f"Rival {n}")
    domain = factory.Sequence(lambda n: f"rival{n}.example")


class PromptFactory(DjangoModelFactory):
    class Meta:
        model = Prompt
        skip_postgeneration_save = True

    brand = factory.SubFactory(BrandFactory)
    text = factory.Sequence(lambda n: f"what is the best product number {n}?")
    topic = factory.LazyAttribute(lambda o: o.text[:200])
    locale = ""
    digest = factory.LazyAttribute(lambda o: prompt_digest(o.text, o.locale))

    @factory.post_generation
    def with_version(self, create, extracted, **kwargs):
        if create:
            PromptVersion.objects.create(prompt=self, number=self.version, text=self.text, locale=self.locale)


class RunFactory(DjangoModelFactory):
    class Meta:
        model = Run

    brand = factory.SubFactory(BrandFactory)
    trigger = Run.Trigger.AGENT
    status = Run.Status.SUCCEEDED
    finished_at = factory.LazyFunction(timezone.now)
    engines = ["local-search"]


class AnswerFactory(DjangoModelFactory):
    class Meta:
        model = Answer

    run = factory.SubFactory(RunFactory)
    brand = factory.SelfAttribute("run.brand")
    prompt = factory.SubFactory(PromptFactory, brand=factory.SelfAttribute("..brand"))
    version = factory.LazyAttribute(lambda o: o.prompt.versions.get(number=o.prompt.version))
    engine = "local-search"
    sample = 1
    position = factory.Sequence(int)
    state = Answer.State.ANSWERED
    text = "Acme is a good choice."
    answered_at = factory.LazyFunction(timezone.now)


class DailyScoreFactory(DjangoModelFactory):
    class Meta:
        model = DailyScore

    brand = factory.SubFactory(BrandFactory)
    generation_id = factory.LazyAttribute(lambda o: tracked_names_of(o.brand).generation)
    date = factory.LazyFunction(lambda: timezone.now().date())
    score = 40.0
    low = 30.0
    high = 50.0
    prompts = 10
    topics = 5
    answers = 30
    engines = [
        {"engine": "local-search", "models": ["bm25"], "score": 40.0, "low": 30.0, "high": 50.0, "answers": 30,
         "share_of_voice": 20.0, "share_of_voice_low": 15.0, "share_of_voice_high": 25.0,
         "citation_rate": 10.0, "citation_rate_low": 5.0, "citation_rate_high": 15.0}
    ]  # fmt: skip
    detector_version = "test"


class DayCountFactory(DjangoModelFactory):
    """A day of which the engine of `DailyScoreFactory` is counted, without answers."""

    class Meta:
        model = DayCount

    brand = factory.SubFactory(BrandFactory)
    generation_id = factory.LazyAttribute(lambda o: tracked_names_of(o.brand).generation)
    date = factory.LazyFunction(lambda: timezone.now().date())
    content = factory.LazyAttribute(
        lambda o: packed(count_day(o.date, [AnswerOutcome("0", "t", "local-search", {})], [BRAND], ["local-search"]))
    )


class ChangeRecordFactory(DjangoModelFactory):
    """A fall of 37.1 points that two days in a row confirmed, and that holds. `known_on` dates it."""

    class Meta:
        model = ChangeRecord

    brand = factory.SubFactory(BrandFactory)
    generation_id = factory.LazyAttribute(lambda o: tracked_names_of(o.brand).generation)
    of = "score"
    direction = "down"
    known_by = "confirmed"
    known_on = factory.LazyFunction(lambda: timezone.now().date())
    began = factory.LazyAttribute(lambda o: o.known_on - timedelta(days=2))
    state = "holds"
    state_since = factory.SelfAttribute("began")
    before, before_days = 61.3, 7
    before_first = factory.LazyAttribute(lambda o: o.began - timedelta(days=7))
    before_last = factory.LazyAttribute(lambda o: o.began - timedelta(days=1))
    after = 24.2
    after_day = factory.SelfAttribute("known_on")
    delta, low, high = -37.1, -46.2, -28.0
    told_until = factory.LazyAttribute(lambda o: o.known_on + timedelta(days=28))


class RecommendationFactory(DjangoModelFactory):
    class Meta:
        model = Recommendation

    brand = factory.SubFactory(BrandFactory)
    kind = Recommendation.Kind.TOPIC_GAP
    subject = factory.Sequence(lambda n: f"prompt-{n}")
    title = "Answers to this question name a rival and not you"
    summary = "2 of 3 answers name Rival."
    priority = 70
    impact = "high"
    effort = "medium"
    evidence = [{"kind": "answer", "text": "Rival is the best.", "engine": "local-search"}]
    payload = {"fix_prompt": "Write a page that answers this question."}


def own_pages(brand, topic="bikes"):
    """Three pages on the brand's own domain that speak of the topic: enough for a draft."""
    for number, text in enumerate(
        (
            f"{brand.name} has made {topic} in Graz since 1974.",
            f"Each of the {topic} is tested for 40 hours before it leaves the works.",
            f"The warranty on {topic} is five years from the day of purchase.",
        ),
        start=1,
    ):
        url = f"https://{brand.domain}/{number}"
        Page.objects.create(brand=brand, url=url, title=f"Page {number}", text=text)


class ApiKeyFactory(DjangoModelFactory):
    """A key row. What the caller would send is `.raw` of the object that the factory returns."""

    class Meta:
        model = ApiKey

    raw = factory.LazyFunction(keyformat.mint)

    owner = factory.SubFactory(UserFactory)
    name = "test"
    digest = factory.LazyAttribute(lambda o: keyformat.digest(o.raw))
    prefix = keyformat.PREFIX
    last_four = factory.LazyAttribute(lambda o: o.raw[-4:])
    scopes = factory.LazyFunction(lambda: sorted(ALL_SCOPES))

    @classmethod
    def _create(cls, model_class, *args, raw, **kwargs):
        key = super()._create(model_class, *args, **kwargs)
        key.raw = raw
        return key
