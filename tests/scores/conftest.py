"""A brand with a week of imported answers."""

import io
import json
import random

import pytest

from apikeys.accounts.operators import system_caller
from tests.factories import UserFactory
from tests.once import made_once
from visibility.imports.services import NewBrand, import_answers

SYSTEM = system_caller("command:test")
TEXTS = (
    "1. **Kryton** is a fine bike.",
    "Zentra is a solid bike.",
    "Kryton or Zentra.",
    "Ask a dealer about Krytonite.",
)


def answers(days, topics=("city", "trail", "folding", "cargo"), texts=TEXTS):
    """Lines of a file: three wordings a topic, asked of two engines on each day; texts come by chance."""
    for day in days:
        for topic in topics:
            for wording in range(3):
                for engine in ("chatgpt", "gemini"):
                    chance = random.Random(f"{day} {topic} {wording} {engine}")
                    yield json.dumps(
                        {
                            "prompt": f"Best {topic} bike {wording}?",
                            "topic": topic,
                            "engine": engine,
                            "time": f"2026-01-{day:02}T10:00:00Z",
                            "text": chance.choice(texts),
                        }
                    )


def imported(lines, **options):
    new = NewBrand(UserFactory(), "Kryton", "kryton.example", competitors=[("Zentra", "zentra.example")])
    return import_answers(SYSTEM, brand=new, file=io.StringIO("\n".join(lines)), **options).brand


def world(*texts, prompt="Which bike is good?", **more):
    """A brand with these answers to one prompt on one day."""
    lines = [
        {"prompt": prompt, "topic": "bikes", "engine": "chatgpt", "sample": number, "text": text, **more}
        for number, text in enumerate(texts, 1)
    ]
    return imported(json.dumps({**line, "time": "2026-01-05T10:00:00Z"}) for line in lines)


@pytest.fixture(scope="module")
def brand_key(django_db_setup, django_db_blocker):
    with made_once(django_db_blocker):
        yield imported(answers(range(1, 6))).pk
