"""A brand with answers, a rival, and finders of hand-made evidence."""

import pytest

from apikeys.operators import system_caller
from tests.factories import CompetitorFactory, PromptFactory
from tests.scans.history import ended_run


@pytest.fixture
def brand(cast):
    return cast.brand


@pytest.fixture
def system():
    """A command, or the scheduler."""
    return system_caller("test")


@pytest.fixture
def rival(brand):
    return CompetitorFactory(brand=brand, name="Rival", domain="rival.example")


@pytest.fixture
def wordings(brand):
    """Five questions: three of one topic, one that is no buying question, one that names the brand."""
    texts = ["which anvil should I buy?", "best anvils", "top anvils", "how are anvils made?", "is Acme worth it?"]
    topics = ["anvils", "anvils", "anvils", "making", "brands"]
    return [PromptFactory(brand=brand, text=text, topic=topic) for text, topic in zip(texts, topics, strict=True)]


@pytest.fixture
def measured(brand, rival, wordings):
    return ended_run(brand, wordings)
