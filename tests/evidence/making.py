"""What tests of evidence are made of: answers without rows, pages as an audit stores them."""

import datetime
import re
from uuid import UUID

from tests.factories import RunFactory
from visibility.answers.text import AnswerText, Named
from visibility.audit import ParsedPage, SitePage, to_json
from visibility.audit.facts import Block, Fetched, Text
from visibility.evidence.labels import TopicAnswer
from visibility.models import Answer, Audit, AuditPage, Reading, Review, Run, Statement

DAY = datetime.date(2026, 1, 2)
TRACKED = {"Zentra": "", "Borealis": str(UUID(int=1)), "Coltra": str(UUID(int=2))}
"""Names of the brand ("") and two competitors, with their keys."""


def answer(number, text, *, engine="chatgpt", question="Which suitcase is best?", untracked=()):
    """An answer in which all tracked names are found."""
    places = ((match, key) for name, key in TRACKED.items() for match in re.finditer(name, text))
    named = sorted(Named(*match.span(), key) for match, key in places)
    return TopicAnswer(number, engine, f"prompt {number}", question, AnswerText(text, named), untracked)


def answers(*texts, **more):
    """Answers of two engines in turn."""
    return [
        answer(number, text, engine=("chatgpt", "gemini")[number % 2], **more) for number, text in enumerate(texts)
    ]


def read_answers(brand, topic, *rows):
    """A reading of all answers on a topic, with a row (subject, facet, heading, value, quote) for each of so many of
    the answers with that quote as `number` says."""
    answers = list(Answer.objects.filter(brand=brand, prompt__topic=topic).order_by("pk"))
    reading = Reading.objects.create(brand=brand, topic=topic, version=1, read=[each.pk for each in answers])
    for competitor, facet, heading, value, quote, number in rows:
        holding = [each for each in answers if quote in each.text][:number]
        given = {"competitor": competitor, "facet": facet, "heading": heading, "value": value}
        for each in holding:
            _state(reading, each.text, quote, answer=each, **given)
    return reading


def read_reviews(brand, *rows):
    """A reading of all reviews, with a row (facet, heading, quote) for each review with that quote."""
    reviews = list(Review.objects.filter(brand=brand).order_by("pk"))
    reading = Reading.objects.create(brand=brand, version=1, read=[each.pk for each in reviews])
    for facet, heading, quote in rows:
        for each in reviews:
            if quote in each.text:
                _state(reading, each.text, quote, review=each, facet=facet, heading=heading, value=heading)
    return reading


def _state(reading, text, quote, **given):
    start = text.index(quote)
    Statement.objects.create(reading=reading, start=start, end=start + len(quote), **given)


def page(*paragraphs, path="/", kind="home", **more):
    """A page of the site with these paragraphs as its main text."""
    text = "\n".join(paragraphs)
    places = [sum(len(before) + 1 for before in paragraphs[:number]) for number in range(len(paragraphs))]
    blocks = tuple(Block("paragraph", each, place) for each, place in zip(paragraphs, places, strict=True))
    words = len(text.split())
    facts = {"visible_text": text, "blocks": blocks, "titles": (Text("Zentra", 1),), **more}
    return ParsedPage(f"https://zentra.example{path}", kind, words=words, visible_words=words, **facts)


def store_audit(brand, *pages):
    """An audit that has ended and has read these pages."""
    run = RunFactory(brand=brand, kind=Run.Kind.AUDIT)
    Audit.objects.create(run=run, max_pages=50, unused_path="x", report={})
    for position, parsed in enumerate(pages):
        stored = SitePage(Fetched(parsed.url, status=200), depth=0, parsed=parsed)
        AuditPage.objects.create(run=run, position=position, url=parsed.url, reader=1, page=to_json(stored))
    return run
