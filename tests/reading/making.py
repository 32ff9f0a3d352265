"""What a reader is given, without a database: answers in which Kryton, Zentra, Velmora and Borealis are found."""

import re
from uuid import UUID

from brands.models import Brand
from visibility.detection.visible import read
from visibility.models import Topic
from visibility.reading.passages import Given, Material, NamePlace

ZENTRA, VELMORA = UUID(int=1), UUID(int=2)
SUBJECTS = {"Kryton": None, "Zentra": ZENTRA, "Velmora": VELMORA}
NAMES = re.compile("Kryton|Zentra|Velmora|Borealis")


def given(number: int, text: str, *, letter: str = "a") -> Given:
    """A text of which all is given. Borealis is nobody who is tracked."""
    seen = read(text)
    places = [NamePlace(*found.span(), found[0], found[0] in SUBJECTS) for found in NAMES.finditer(seen.text)]
    return Given(f"{letter}{number}", 100 + number, "Which bike?", seen, [(0, len(seen.text))], places)


def material(*texts: str) -> Material:
    """Answers on bikes."""
    found = [given(number, text) for number, text in enumerate(texts, 1)]
    return Material(Brand(name="Kryton"), Topic(name="bikes"), SUBJECTS, found)


def reviews(*texts: str) -> Material:
    """Reviews of Kryton."""
    found = [given(number, text, letter="r") for number, text in enumerate(texts, 1)]
    return Material(Brand(name="Kryton"), None, {"Kryton": None}, found)


def row(answer="a1", subject="Kryton", facet="reason", value="light", quote="Kryton is light"):
    """A row as a reader returns it."""
    return {"answer": answer, "subject": subject, "facet": facet, "value": value, "quote": quote}
