"""A measured brand with a rival, for the tests of what is read of it."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from apikeys.caller import Caller
from tests.factories import ApiKeyFactory, CompetitorFactory, PromptFactory
from tests.rest.conftest import scopes_without
from tests.scans.history import ended_run


@pytest.fixture
def rival(cast):
    return CompetitorFactory(brand=cast.brand, name="Rival", domain="rival.example")


@pytest.fixture
def wordings(cast):
    """Five questions: two of one topic, three of topics of their own."""
    topics = ["bikes", "bikes", "t2", "t3", "t4"]
    return [
        PromptFactory(brand=cast.brand, text=f"which one is good, number {n}?", topic=topic, stage="decision")
        for n, topic in enumerate(topics)
    ]


@pytest.fixture
def measured(cast, rival, wordings):
    """Two measured days, the same answers on both."""
    return [ended_run(cast.brand, wordings, day=day) for day in range(2)]


@pytest.fixture
def lacking(cast):
    """A caller with every scope but these."""

    def caller(*scopes):
        kept = set.intersection(*(set(scopes_without(scope)) for scope in scopes))
        return Caller.from_key(ApiKeyFactory(owner=cast.owner, scopes=sorted(kept)))

    return caller


@pytest.fixture
def statements():
    """How many statements a call costs."""

    def count(function, *args, **more):
        with CaptureQueriesContext(connection) as captured:
            function(*args, **more)
        return len(captured)

    return count
