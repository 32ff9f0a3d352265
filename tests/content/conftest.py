"""Kryton, on which answers differ by engine, whose site was audited, and which may have been read."""

import re

import pytest

from apikeys.accounts.caller import Caller
from brands.models import Brand
from tests.evidence.making import store_audit
from tests.once import made_once
from tests.recommendations.conftest import DAY, World, world
from visibility.audit import ParsedPage
from visibility.audit.read.pages import parse_page
from visibility.content.reads import list_opportunities
from visibility.evidence.making import make_evidence
from visibility.models import Answer, Reading, Review, Statement
from visibility.recommendations.advise import recommend

HOME = (
    "<h1>Kryton</h1><p>Kryton builds e-bikes in Malmo. We have a workshop that everybody may visit on Saturdays.</p>"
)
BIKES = (
    "<h1>Which bikes would you buy for a long ride</h1><p>The battery of our bikes runs for 120 km in winter.</p>"
    "<p>We offer a guarantee of five years on the battery of all bikes.</p>"
)
ON_ZENTRA = "1. **Zentra City**: Zentra has an excellent battery and a very soft saddle.\n"
ON_KRYTON = "2. **Kryton One**: Kryton is the choice for long rides, but Kryton has few dealers.\n"


def page(path: str, body: str) -> ParsedPage:
    """A page of the site as the audit reads it."""
    html = f"<html><head><title>Kryton</title></head><body><main>{body}</main></body></html>".encode()
    url, kind = f"https://kryton.example{path}", "text/html; charset=utf-8"
    found = parse_page(html, url=url, content_type=kind, is_home=path == "/")
    assert isinstance(found, ParsedPage)
    return found


def make_advised() -> World:
    """Only one of two engines names Kryton, and its site was audited."""
    world = World()
    world.answer(DAY, lambda engine, prompt, sample: ON_ZENTRA + (ON_KRYTON if engine == "gemini" else ""))
    store_audit(world.brand, page("/", HOME), page("/bikes", BIKES))
    make_evidence(world.brand)
    recommend(world.brand)
    return world


@pytest.fixture(scope="module")
def advised_once(django_db_setup, django_db_blocker):
    """The brand before anybody has read its answers."""
    with made_once(django_db_blocker):
        yield make_advised()


@pytest.fixture(scope="module")
def read_once(django_db_setup, django_db_blocker):
    """The brand with what a reader found in the answers and in a review."""
    with made_once(django_db_blocker):
        world = make_advised()
        store_reading(world.brand)
        recommend(world.brand)
        yield world


@pytest.fixture
def advised(advised_once: World, db) -> World:
    """A brand whose answers nobody has read."""
    return advised_once.loaded()


@pytest.fixture
def read(read_once: World, db) -> World:
    """A brand whose answers and reviews were read."""
    return read_once.loaded()


def store_reading(brand: Brand) -> None:
    """Store what a reader finds in the answers, and in a review."""
    zentra = brand.competitors.get(name="Zentra")
    answers = list(Answer.objects.filter(brand=brand).order_by("pk"))
    reading = Reading.objects.create(
        brand=brand, topic=brand.topics.get(), reader="scribe", version=1, read=[each.pk for each in answers]
    )
    for facet, heading, quote, subject in (
        ("role", "long rides", "Kryton is the choice for long rides", None),
        ("limit", "few dealers", "Kryton has few dealers", None),
        ("reason", "battery", "Zentra has an excellent battery", zentra),
        ("reason", "soft saddle", "Zentra has an excellent battery and a very soft saddle", zentra),
    ):
        for answer in answers:
            if found := re.search(quote, answer.text):
                Statement.objects.create(
                    reading=reading,
                    answer=answer,
                    competitor=subject,
                    facet=facet,
                    value=heading,
                    heading=heading,
                    start=found.start(),
                    end=found.end(),
                )
    text = "The workshop mended it within a day."
    review = Review.objects.create(brand=brand, digest=b"1", text=text, stars=5)
    of_reviews = Reading.objects.create(brand=brand, topic=None, reader="scribe", version=1, read=[review.pk])
    Statement.objects.create(
        reading=of_reviews, review=review, facet="reason", value="repair", heading="repair", start=0, end=len(text)
    )


@pytest.fixture
def owner(request) -> Caller:
    """Who owns the brand of the test."""
    world = request.getfixturevalue("read" if "read" in request.fixturenames else "advised")
    return Caller.from_user(world.owner)


def opportunities(world: World):
    """What is worth writing for its brand."""
    return list_opportunities(Caller.from_user(world.owner), world.brand.pk).opportunities


__all__ = ["world"]
