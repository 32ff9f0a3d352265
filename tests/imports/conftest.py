"""What the import tests share."""

import io
from datetime import UTC, datetime

import orjson
import pytest

from apikeys.operators import system_caller
from tests.factories import CompetitorFactory
from visibility.services.imports.importing import import_answers
from visibility.services.imports.reader import read_answers

NOW = datetime(2025, 6, 1, 12, tzinfo=UTC)
SYSTEM = system_caller("test")


def record(**changes):
    """The fields of one good line."""
    fields = {
        "prompt": "what is the best anvil?",
        "engine": "chatgpt",
        "sample": 1,
        "time": "2025-05-24T10:00:00Z",
        "text": "Rival makes the best anvil.",
        "citations": ["https://review.example/anvils"],
    }
    return {name: value for name, value in (fields | changes).items() if value is not ...}


def jsonl(*records):
    """A JSON Lines file."""
    return b"".join(orjson.dumps(each) + b"\n" for each in records)


def rows(content):
    """What is read from a file with this content."""
    return list(read_answers(io.BytesIO(content), NOW))


@pytest.fixture
def brand(cast):
    """A brand with a competitor named Rival."""
    CompetitorFactory(brand=cast.brand, name="Rival", domain="rival.example")
    return cast.brand


@pytest.fixture
def load(brand):
    """Import records into the brand, to the end."""

    def run(*records, into=brand, caller=SYSTEM):
        return import_answers(caller, brand=into, rows=read_answers(io.BytesIO(jsonl(*records)), NOW))

    return run
