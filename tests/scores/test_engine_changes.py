"""The instrument watched: an engine that changes is named, and a change of a score at that time is called its."""

import json
import random
from datetime import date
from types import SimpleNamespace

import pytest

from tests.once import made_once
from tests.scores.conftest import imported
from visibility.models import ChangeRecord, EngineChange, OutsideEvent
from visibility.overview.lead import lead_words
from visibility.overview.notes import events_of
from visibility.recommendations.advise import recommend
from visibility.recommendations.work import work_of
from visibility.scores.change_reads import changes_of
from visibility.scores.engine_changes import watch_engines
from visibility.scores.history import write_history
from visibility.scores.words import change_words, feature_words

pytestmark = pytest.mark.django_db
LAST, MORNING = 18, date(2026, 1, 19)
TOPICS = ("locks", "bells", "lamps", "pumps")


def answer(engine, day, place, rng, began=17):
    """A list that names the brand; from the day on which it changes one engine writes a line that names nobody."""
    if engine == "chatgpt" and day >= began:
        return f"Ask a dealer, {rng.random()}."
    points = [f"- point {rng.random()}" for _ in range(rng.choice((3, 4, 5)))]
    name = "Kryton" if (place + rng.random()) % 4 > 0.2 else "Nobody"
    return "\n".join([f"## Our pick\n**{name}** is good.", *points])


def lines(**more):
    """Eleven days of two engines: twenty wordings each."""
    for engine in ("chatgpt", "gemini"):
        for day in range(LAST - 10, LAST + 1):
            for place in range(20):
                rng = random.Random(f"{engine} {day} {place}")
                yield json.dumps(
                    {
                        "prompt": f"Which {TOPICS[place % 4]} for wish {place}?",
                        "topic": TOPICS[place % 4],
                        "engine": engine,
                        "time": f"2026-01-{day:02}T10:00:00Z",
                        "text": answer(engine, day, place, rng, **more),
                    }
                )


@pytest.fixture(scope="module")
def brand_key(django_db_setup, django_db_blocker):
    with made_once(django_db_blocker):
        yield imported(lines()).pk


def test_an_engine_that_changed_is_found_once(brand):
    [change] = watch_engines(MORNING)
    assert (change.engine.name, change.surface, change.market) == ("chatgpt", "imported", "")
    assert (change.began, change.wordings) == (date(2026, 1, 17), 20)
    assert change.features["headings"] == [1.0, 0.0] and change.features["length"][1] < 40
    assert watch_engines(MORNING) == [] and EngineChange.objects.count() == 1


def test_a_change_that_is_long_past_is_not_looked_for(brand):
    assert watch_engines(date(2026, 2, 19)) == []


def test_a_fall_with_an_engine_that_changed_is_called_its(brand):
    record = ChangeRecord.objects.get(brand=brand, engine="")
    assert record.began == date(2026, 1, 17) and not record.is_of_engine
    recommend(brand)
    assert [each.subject for each in work_of(brand).rows if each.kind == "fall"] == ["2026-01-17"]
    watch_engines(MORNING)
    record.refresh_from_db()
    assert record.is_of_engine and record.instrument["points"] == pytest.approx(record.delta, abs=3)
    own = brand.change_records.get(engine="chatgpt imported")
    assert own.is_of_engine and own.instrument["othersBefore"] is None
    recommend(brand)
    assert not [each for each in work_of(brand).advice if each.kind == "fall"]
    lead = lead_words(work_of(brand), record, [], SimpleNamespace(score=50.0))
    assert "points when ChatGPT changed on 17 January. On the other AI engines it is" in lead
    changes = changes_of(brand, date(2026, 1, 1), MORNING, full=True)
    words = change_words("Kryton", changes, 11)
    assert "It moved when the engine changed: the answers of ChatGPT have another form since 2026-01-17" in words
    assert changes[-1].instrument.is_most
    assert brand.daily_scores.get(competitor=None, date="2026-01-18").comparable, "a true fall must not be hidden"
    write_history(brand)
    assert ChangeRecord.objects.get(brand=brand, engine="").is_of_engine


def test_a_fall_on_all_engines_stays_the_brands(brand):
    EngineChange.objects.create(
        engine=brand.runs.first().engines.get(engine__name="gemini").engine,
        surface="imported",
        began="2026-01-17",
        features={"length": [900.0, 500.0]},
        wordings=20,
    )
    write_history(brand)
    record = ChangeRecord.objects.get(brand=brand, engine="")
    assert record.instrument["changes"][0]["engine"] == "gemini" and not record.is_of_engine


def test_days_of_engines_and_of_the_world_are_in_the_chart_and_beside_the_change(brand):
    watch_engines(MORNING)
    gemini = brand.runs.first().engines.get(engine__name="gemini").engine
    OutsideEvent.objects.create(day="2026-01-16", text="Links moved into the text")
    OutsideEvent.objects.create(day="2026-01-16", text="Of an app", engine=gemini, surface="app")
    events = events_of(brand, work_of(brand), date(2026, 1, 10), MORNING)
    assert [each.words for each in events if each.kind == "outside"] == ["Links moved into the text"]
    [engine] = [each for each in events if each.kind == "engine"]
    assert engine.words.startswith("ChatGPT changed: ") and "characters" in engine.words and engine.is_measured
    change = next(each for each in changes_of(brand, date(2026, 1, 1), MORNING, full=True) if each.engine is None)
    assert [each.text for each in change.events] == ["Links moved into the text"]
    assert "At the same time, on 2026-01-16: Links moved into the text." in change_words("Kryton", [change], 11)


def test_the_largest_changes_of_form_are_named_first():
    features = {"length": [2_000, 900], "headings": [7.5, 0.0], "searched": [0.1, 0.2], "links": [1.0, 3.0]}
    assert feature_words(features) == "7.5 → 0.0 headings, 2000 → 900 characters, 1.0 → 3.0 links"
