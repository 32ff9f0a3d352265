"""What tests of evidence are made of: answers without rows, pages as an audit stores them."""

import datetime
import re
from uuid import UUID

from tests.factories import RunFactory
from visibility.audit import ParsedPage, SitePage, to_json
from visibility.audit.facts import Block, Fetched, Text
from visibility.evidence.reading import AnswerText, Named
from visibility.models import Audit, AuditPage, Run

DAY = datetime.date(2026, 1, 2)
TRACKED = {"Zentra": "", "Borealis": str(UUID(int=1)), "Coltra": str(UUID(int=2))}
"""Names of the brand ("") and two competitors, with their keys."""
CALLED = {key: name for name, key in TRACKED.items()}


def answer(number, text, *, engine="chatgpt", question="Which suitcase is best?", untracked=()):
    """An answer in which all tracked names are found."""
    places = ((match, key) for name, key in TRACKED.items() for match in re.finditer(name, text))
    named = sorted(Named(*match.span(), key) for match, key in places)
    return AnswerText(number, text, engine, DAY, f"prompt {number}", question, named, untracked)


def answers(*texts, **more):
    """Answers of two engines in turn."""
    return [
        answer(number, text, engine=("chatgpt", "gemini")[number % 2], **more) for number, text in enumerate(texts)
    ]


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
