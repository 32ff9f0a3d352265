"""What a reader is given, without a database: answers in which Kryton, Zentra, Velmora and Borealis are found; and
what it returns."""

import re
from uuid import UUID

from brands.models import Brand
from visibility.detection.visible import read
from visibility.models import Topic
from visibility.reading.lines import NamePlace
from visibility.reading.passages import Given, Material
from visibility.reading.task import VALUED

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


def row(answer="a1", subject="Kryton", facet="reason", value="light", quote="Kryton is light", heading=None):
    """A row with a heading of its own, for `replied`: the value is the heading where its facet has none."""
    if heading is None:
        heading = "the same thing" if facet in VALUED else value
    named = {"subject": subject, "facet": facet, "heading": heading}
    return {"heading": named, "answer": answer, "quote": quote, **({"value": value} if facet in VALUED else {})}


def replied(*rows):
    """A reply of these rows as a reader returns it, headings first, each of them once; what is no row is left."""
    headings = []
    for each in rows:
        if is_row(each) and each["heading"] not in headings:
            headings.append(each["heading"])
    ids = [f"h{number}" for number in range(1, len(headings) + 1)]
    return {
        "headings": [{"id": key, **heading} for key, heading in zip(ids, headings, strict=True)],
        "rows": [
            {**each, "heading": ids[headings.index(each["heading"])]} if is_row(each) else each for each in rows
        ],
    }


def is_row(made):
    """Whether it is one of `row`."""
    return isinstance(made, dict) and isinstance(made.get("heading"), dict)
