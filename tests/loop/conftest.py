"""A brand with a queue of recommendations, a clock, and engines that follow a script."""

from datetime import UTC, datetime, timedelta
from functools import partial
from types import SimpleNamespace

import pytest
from django.utils import timezone

from apikeys.caller import Caller
from tests import worlds
from tests.casting import new_cast, stored_cast
from tests.factories import CompetitorFactory, PromptFactory, RecommendationFactory
from tests.loop.engines import PATH, Script
from visibility.insights.proofs import planning
from visibility.insights.recommendations.kind import ProvenBy
from visibility.metrics.proof import planning as sizes
from visibility.models import Prompt, Run
from visibility.pipeline.runner import execute
from visibility.services.recommendations.deciding import set_status
from visibility.services.scans.starting import start_scan

FIRST = datetime(2026, 11, 2, 9, tzinfo=UTC)
"""A Monday, at the beginning of a month."""
TOPICS = ("wireless earbuds", "headphones", "cameras", "televisions", "speakers", "soundbars", "consoles")
OWN = TOPICS[0]
QUESTIONS = {f"which {topic} are good, number {number}?": topic for topic in TOPICS for number in range(4)}
MEASURED = {"opened": 4, "fresh": 1}
"""The days that are measured before a test which asks for one of these."""


class World:
    """One brand over days. `rates` is how often engines name it by topic; `scan` measures a day through the door."""

    samples = 1

    def __init__(self, brand, owner, clock, prompts):
        self.brand, self.owner, self.clock, self.prompts = brand, owner, clock, prompts
        self.rates = {**dict.fromkeys(TOPICS, 0.6), OWN: 0.2}
        self.seed = 1

    def at(self, day, hour=9):
        """Let it be that day."""
        self.clock(FIRST + timedelta(days=day, hours=hour - 9))

    def date(self, day):
        return (FIRST + timedelta(days=day)).date()

    def answer(self, run, day):
        """Have a run that was started asked and analysed, as its worker does."""
        Script.play(seed=self.seed, day=day, rates=self.rates)
        execute(run.pk, f"worker-{run.pk}")
        run.refresh_from_db()
        assert run.status == "succeeded", run.error_message
        return run

    def scan(self, *days):
        """Start and carry out a scan on each of these days."""
        for day in days:
            self.at(day)
            started = start_scan(self.owner, brand_id=self.brand.pk, trigger=Run.Trigger.WEB, samples=self.samples)
            assert started.started, started.reason
            self.answer(started.run, day)

    def gap(self, day, *, topic=OWN, kind="criterion", **more):
        """A recommendation that is planted: the answers of that day have opened its gap."""
        moment = FIRST + timedelta(days=day, hours=1)
        fields = {"subject": topic, "topic": topic, "opened_on": moment.date(), "opened_at": moment}
        return RecommendationFactory(brand=self.brand, kind=kind, **{**fields, **more})


@pytest.fixture
def clock(monkeypatch):
    """Say what time it is."""

    def set_to(moment):
        monkeypatch.setattr(timezone, "now", lambda: moment)

    set_to(FIRST)
    return set_to


@pytest.fixture
def engines(settings):
    """The engines of every brand."""
    settings.EXTRA_ENGINES = [f"{PATH}.Chat", f"{PATH}.Search"]


@pytest.fixture
def cast(request, db):
    """The people and their brand; where a test asks for measured days, they come with these, which are made once."""
    days = next((days for name, days in MEASURED.items() if name in request.fixturenames), 0)
    if not days:
        return new_cast()
    request.getfixturevalue("engines")
    samples = getattr(request.module, "SAMPLES", World.samples)
    make = partial(_measure, request.getfixturevalue("clock"), days, samples)
    worlds.world(("loop", days, samples), make)
    return stored_cast()


def _measure(clock, days, samples):
    cast = new_cast()
    world = World(cast.brand, Caller.from_user(cast.owner), clock, _asked(cast.brand))
    world.samples = samples
    world.scan(*range(days))


def _asked(brand):
    CompetitorFactory(brand=brand, name="Zentrix", domain="zentrix.example")
    return [PromptFactory(brand=brand, text=text, topic=topic) for text, topic in QUESTIONS.items()]


@pytest.fixture
def world(cast, owner, clock, engines):
    stored = {prompt.text: prompt for prompt in Prompt.objects.filter(brand=cast.brand)}
    prompts = [stored[text] for text in QUESTIONS] if stored else _asked(cast.brand)
    return World(cast.brand, owner, clock, prompts)


KINDS = {
    "criterion": ProvenBy.SCORE,
    "search": ProvenBy.SCORE,
    "own_page_lost": ProvenBy.CITATION_RATE,
    "audit_finding": ProvenBy.AUDIT,
    "review_theme": ProvenBy.NOTHING,
}


@pytest.fixture
def planted(monkeypatch):
    """Kinds by what proves them, whatever these kinds themselves say; and plans of at most two scans: what counts is
    which, not how much they show."""
    kinds = [SimpleNamespace(id=kind, proven_by=proof) for kind, proof in KINDS.items()]
    monkeypatch.setattr(planning, "KINDS", kinds)
    monkeypatch.setattr(sizes, "MAX_SCANS", 2)


@pytest.fixture
def opened(world):
    """Four measured days; the answers of the second opened the gap."""
    world.at(3)
    return world.gap(1)


@pytest.fixture
def fresh(world):
    """A gap that the answers of the only measured day have opened."""
    world.at(0)
    return world.gap(0)


def done(world, row, day, hour=12):
    """The recommendation after the owner has marked it as done at that time."""
    world.at(day, hour)
    return set_status(world.owner, recommendation=row, status="done")


def judged(proof):
    """The proof as it is stored, which has a verdict."""
    proof.refresh_from_db()
    assert proof.state == "judged", proof.state
    return proof
