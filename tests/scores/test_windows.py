"""The days that callers ask for, and the engine that they mean."""

from datetime import UTC, date, datetime

import pytest
from django.utils import timezone

from apikeys.errors import ServiceError
from tests.factories import BrandFactory, EngineFactory, RunEngineFactory, RunFactory
from visibility.scores.engines import asked_engine, engines_like
from visibility.scores.windows import MAX_EPOCH_MS, days_between, window

TODAY = date(2026, 3, 31)
JANUARY = date(2026, 1, 2), date(2026, 1, 9)


@pytest.fixture(autouse=True)
def today(monkeypatch):
    monkeypatch.setattr(timezone, "now", lambda: datetime(2026, 3, 31, 12, tzinfo=UTC))


def ms(*moment):
    return int(datetime(*moment, tzinfo=UTC).timestamp() * 1000)


@pytest.mark.parametrize(
    ("asked", "days"),
    [
        ((None, None), (date(2026, 3, 2), TODAY)),
        (JANUARY, JANUARY),
        ((date(2026, 1, 2), None), (date(2026, 1, 2), TODAY)),
        ((None, date(2026, 1, 30)), (date(2026, 1, 1), date(2026, 1, 30))),
        ((TODAY, TODAY), (TODAY, TODAY)),
    ],
)
def test_a_window_ends_today_and_has_thirty_days_by_default(asked, days):
    assert window(*asked) == days


@pytest.mark.parametrize(
    "asked", [(date(2026, 1, 9), date(2026, 1, 8)), (date(2026, 4, 1), None)], ids=["ends before", "begins tomorrow"]
)
def test_a_window_that_begins_later_than_it_ends_is_refused(asked):
    with pytest.raises(ValueError, match="Give an earlier from"):
        window(*asked)


@pytest.mark.parametrize(
    ("begin", "end", "days"),
    [
        (None, None, (date(2026, 3, 2), TODAY)),
        (ms(2026, 1, 2, 23, 59), ms(2026, 1, 3), (date(2026, 1, 2), date(2026, 1, 3))),
        (ms(2026, 1, 2, 9), ms(2026, 1, 2, 9), (date(2026, 1, 2), date(2026, 1, 2))),
        (None, ms(2026, 1, 30, 1), (date(2026, 1, 1), date(2026, 1, 30))),
        (ms(2026, 3, 31, 12), None, (TODAY, TODAY)),
        (0, MAX_EPOCH_MS, (date(1970, 1, 1), date(2100, 12, 31))),
    ],
)
def test_two_moments_touch_the_days_that_they_are_on(begin, end, days):
    assert days_between(begin, end) == days


@pytest.mark.parametrize(
    ("begin", "end"), [(ms(2026, 1, 2, 10), ms(2026, 1, 2, 9)), (ms(2026, 3, 31, 13), None)], ids=["end", "now"]
)
def test_a_moment_later_than_the_end_is_refused_also_on_the_same_day(begin, end):
    with pytest.raises(ValueError, match="Give an earlier from"):
        days_between(begin, end)


ENGINES = ["chatgpt", "google_ai_mode", "google_ai_overview"]


@pytest.mark.parametrize(
    ("given", "meant"),
    [
        ("ChatGPT", ["chatgpt"]),
        ("Google AI Mode", ["google_ai_mode"]),
        ("chat", ["chatgpt"]),
        ("gpt", ["chatgpt"]),
        ("google", ["google_ai_mode", "google_ai_overview"]),
        ("ai", []),
        ("", []),
        ("grok", []),
    ],
)
def test_an_engine_is_meant_by_its_name_or_three_letters_of_it(given, meant):
    assert engines_like(ENGINES, given) == meant


def test_a_whole_name_is_not_the_part_of_another():
    assert engines_like(["gemini", "gemini_app"], "Gemini") == ["gemini"]


@pytest.fixture
def brand(db):
    """A brand whose engines were asked, some more than once."""
    brand = BrandFactory(name="Kryton")
    for name in (*ENGINES, *ENGINES[:1]):
        RunEngineFactory(run=RunFactory(brand=brand), engine=EngineFactory(name=name), surface="api")
    RunEngineFactory(run=RunFactory(), engine=EngineFactory(name="grok"))
    return brand


def test_the_engine_that_was_asked_is_recognised(brand):
    assert asked_engine(brand, "Chat GPT") == "chatgpt"


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (
            "grok",
            "This engine was not asked about this brand. Asked were: chatgpt, google_ai_mode, google_ai_overview.",
        ),
        ("google", "More than one engine has this name. Asked were: google_ai_mode, google_ai_overview."),
    ],
)
def test_a_name_that_means_no_engine_or_several_is_refused_with_those_that_there_are(brand, given, words):
    with pytest.raises(ServiceError, match=words) as refused:
        asked_engine(brand, given)
    assert refused.value.details == {"argument": "engine"}


def test_where_nothing_was_asked_there_is_no_engine(db):
    with pytest.raises(ServiceError, match="Asked were: none yet"):
        asked_engine(BrandFactory(), "chatgpt")
