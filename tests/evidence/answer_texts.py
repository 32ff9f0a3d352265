"""Answers for the tests of evidence: made by hand, and the real ones of the reference data with their brands."""

import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from datetime import date
from functools import cache
from pathlib import Path

from visibility.detection.detector import detect
from visibility.detection.names.matching import Dictionary
from visibility.detection.text.reading import Reading
from visibility.detection.types import Name
from visibility.evidence.types import AnswerText, Quote

DAY = date(2026, 1, 5)
NAMES = ("Sony", "Bose", "Jabra")
MIN_LABELLED = 3


def answer_text(text: str, number: int = 0, **given) -> AnswerText:
    """An answer to a buying question that names whom its text names, of another engine each second time."""
    places = {name: [found.span() for found in re.finditer(rf"\b{name}\b", text)] for name in NAMES}
    named = {name: spans for name, spans in places.items() if spans}
    fields = {
        "id": f"a{number}",
        "engine": ("chatgpt", "gemini")[number % 2],
        "prompt": f"p{number}",
        "topic": "headphones",
        "question": "What are the best headphones?",
        "named": named,
        "branded": False,
        "buying": True,
        "day": DAY,
    }
    return AnswerText(text=text, **(fields | given))


def answers_of(*texts: str, **given) -> list[AnswerText]:
    """One answer for each text."""
    return [answer_text(text, number, **given) for number, text in enumerate(texts)]


@cache
def real_answers(folder: Path) -> list[AnswerText]:
    """The real answers, with the brands of their topic that people's labels name at least three times."""
    lines = (folder / "real-answers/answers.jsonl").read_text(encoding="utf-8").splitlines()
    rows = [json.loads(line) for line in lines]
    dictionaries = {
        topic: Dictionary(Name(brand, brand) for brand in brands) for topic, brands in _brands(rows).items()
    }
    return [_real(number, row, dictionaries[row["topic"]]) for number, row in enumerate(rows)]


def _brands(rows: list[dict]) -> dict[str, list[str]]:
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for row in rows:
        counts[row["topic"]].update(product["brand"] for product in row["labelled_products"] if product.get("brand"))
    return {
        topic: sorted(brand for brand, count in brands.items() if count >= MIN_LABELLED)
        for topic, brands in counts.items()
    }


def _real(number: int, row: dict, dictionary: Dictionary) -> AnswerText:
    named: dict[str, list[tuple[int, int]]] = defaultdict(list)
    for mention in detect(Reading(row["text"]), row["prompt"], dictionary):
        named[mention.subject].append((mention.start, mention.end))
    return AnswerText(
        id=str(number),
        engine=row["engine"],
        prompt=f"{row['topic']}/{row['wording']}",
        topic=row["topic"],
        question=row["prompt"],
        text=row["text"],
        named=named,
        branded=False,
        buying=True,
        day=date.fromisoformat(row["time"][:10]),
    )


def untrue(quotes: Iterator[Quote], texts: dict[str, str]) -> list[Quote]:
    """The quotes whose source has other words at their place, or that say nothing."""
    return [
        quote
        for quote in quotes
        if texts[quote.answer or quote.review][quote.offset : quote.offset + len(quote.text)] != quote.text
        or not quote.text.strip()
    ]
