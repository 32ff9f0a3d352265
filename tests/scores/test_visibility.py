"""The visibility of a site as agents read it: a filter filters everything, and what is short says how much more."""

from datetime import date, timedelta

import pytest

from tests.factories import BrandFactory, DailyScoreFactory
from tests.scores.conftest import SYSTEM
from visibility.models import Cell, ChangeRecord, PromptVersion, Topic
from visibility.scores.change_reads import changes_of, reported_on
from visibility.scores.reads import TREND_COLUMNS, iterate_trend, read_trend, trend_row
from visibility.scores.visibility_reads import read_visibility

WEEK = date(2026, 1, 1), date(2026, 1, 7)


def record(brand, began, **fields):
    """A change of the score by -30 that began on a day of January and is reported for ten days."""
    usual = {
        "engine": "",
        "known_by": "confirmed",
        "known_on": date(2026, 1, began),
        "reported_until": date(2026, 1, began) + timedelta(10),
        "state_since": date(2026, 1, began),
        "before": 60,
        "before_days": 3,
        "after": 30,
        "after_day": date(2026, 1, began),
        "delta": -30,
    }
    return ChangeRecord.objects.create(brand=brand, began=date(2026, 1, began), **{**usual, **fields})


def test_all_of_a_site_has_its_days_its_engines_and_everybody(brand):
    found = read_visibility(SYSTEM, brand.pk, window=WEEK)
    assert (found.engine, found.topic, found.is_recounting) == (None, None, False)
    assert (found.first_day, found.last_day) == (date(2026, 1, 1), date(2026, 1, 5))
    assert [day.date.day for day in found.trend] == [1, 2, 3, 4, 5]
    assert [day.verdict is None for day in found.trend] == [True, False, False, False, False]
    assert {each.engine for each in found.by_engine} == {"chatgpt", "gemini"}
    assert {each.name for each in found.share_of_voice} == {"Kryton", "Zentra"}
    assert found.summary[0].startswith("Kryton is named in") and len(found.summary) == 3
    assert found.summary[-1] == "No change of Kryton's score is confirmed over the measured days."


@pytest.mark.parametrize("part", ["engine", "topic"])
def test_a_filter_filters_figures_engines_and_days(brand, part):
    values = {"engine": "Chat GPT"} if part == "engine" else {"topic": Topic.objects.get(name="city")}
    found, whole = read_visibility(SYSTEM, brand.pk, window=WEEK, **values), read_visibility(SYSTEM, brand.pk)
    assert found.now.answers == whole.now.answers / (2 if part == "engine" else 4)
    assert {day.answers for day in found.trend} == {12 if part == "engine" else 6}
    assert {day.verdict for day in found.trend} == {None} and len(found.trend) == 5
    assert len(found.by_engine) == (1 if part == "engine" else 2)
    assert (found.changes, found.left_out) == ([], [])
    assert found.summary[0].startswith("Kryton on chatgpt is" if part == "engine" else "Kryton in this topic is")


def test_of_a_topic_that_is_not_own_it_says_so(brand):
    topic = Topic.objects.get(name="city")
    topic.own = False
    topic.save()
    assert "no figure, gap or change counts it" in read_visibility(SYSTEM, brand.pk, topic=topic).summary[-1]


def test_while_history_is_counted_again_it_says_so(brand):
    type(brand).objects.filter(pk=brand.pk).update(names_version=9)
    found = read_visibility(SYSTEM, brand.pk)
    assert found.is_recounting and "counted again" in found.summary[-1]


def test_without_a_window_it_is_the_thirty_days_up_to_the_last_measured_one(brand):
    DailyScoreFactory(brand=brand, date=date(2025, 12, 6))
    DailyScoreFactory(brand=brand, date=date(2025, 12, 7))
    found = read_visibility(SYSTEM, brand.pk)
    assert [str(day.date) for day in found.trend][:2] == ["2025-12-07", "2026-01-01"]


def test_a_brand_that_was_never_measured_has_nothing(db):
    found = read_visibility(SYSTEM, BrandFactory(name="Kryton").pk)
    assert (found.now, found.trend, found.first_day, found.by_engine, found.left_out) == (None, [], None, [], [])
    assert found.summary == ["Kryton is not measured: no answer counts for it yet."]


def test_a_short_answer_has_eight_standings_the_brand_and_three_changes(brand):
    for number in range(12):
        brand.competitors.create(name=f"A{number:02}", domain="a.example")
    for day in (1, 2, 3, 4):
        record(brand, day)
    short = read_visibility(SYSTEM, brand.pk, window=WEEK)
    full = read_visibility(SYSTEM, brand.pk, window=WEEK, full=True)
    assert (len(short.share_of_voice), len(full.share_of_voice)) == (8, 14)
    assert (len(short.changes), len(full.changes), short.changes_total) == (3, 4, 4)
    assert [each.since.day for each in short.changes] == [4, 3, 2]
    assert not hasattr(short.trend[0], "runs") and full.trend[0].runs


def test_the_brand_is_shown_however_many_are_ahead_of_it(brand):
    own = list(brand.cells.filter(competitor=None))
    for number in range(10):
        rival = brand.competitors.create(name=f"Rival {number}", domain="rival.example")
        for cell in own:
            cell.pk, cell.competitor, cell.mentioned = None, rival, cell.answers
        Cell.objects.bulk_create(own)
    shown = [each.name for each in read_visibility(SYSTEM, brand.pk).share_of_voice]
    assert (len(shown), shown.count("Kryton")) == (9, 1)


def test_a_change_is_reported_while_its_days_touch_the_window(db):
    brand = BrandFactory()
    record(brand, 5)
    reported = {
        day: len(changes_of(brand, date(2026, 1, day), date(2026, 1, day), full=False)) for day in (4, 5, 15, 16)
    }
    assert reported == {4: 0, 5: 1, 15: 1, 16: 0}


def test_the_change_of_a_day_is_the_latest_of_the_whole_score_that_has_not_recovered(db):
    brand = BrandFactory()
    day = date(2026, 1, 12)
    assert reported_on(brand.change_records.all(), day) is None
    first = record(brand, 3)
    second = record(brand, 4)
    record(brand, 5, state="recovered")
    record(brand, 6, engine="chatgpt api")
    record(BrandFactory(), 7)
    assert reported_on(brand.change_records.all(), day) == second
    assert reported_on(brand.change_records.all(), date(2026, 1, 14)) == second
    second.delete()
    assert reported_on(brand.change_records.all(), date(2026, 1, 13)) == first
    assert reported_on(brand.change_records.all(), date(2026, 1, 14)) is None


def test_the_parts_and_neighbours_of_a_change_have_names_and_the_rest_is_one(brand):
    topics = list(Topic.objects.order_by("name"))
    wording = PromptVersion.objects.order_by("pk").first()
    rival = brand.competitors.get()
    parts = {
        "topics": [{"key": str(topic.pk), "points": -10.004 * number} for number, topic in enumerate(topics, 1)],
        "engines": [{"key": "chatgpt imported", "points": -30.0}, {"key": None, "points": 1.0}],
        "wordings": [{"key": str(wording.pk), "points": -30.0}],
    }
    moved = [{"key": key, "before": 10.0, "after": 20.0} for key in ("gone", str(rival.pk))]
    sources = [
        {"domain": f"{name}.example", "before": 1, "after": 3, "ofBefore": 3, "ofAfter": 8}
        for name in ("a", "b", "c")
    ]
    record(brand, 5, parts=parts, context={"competitors": moved, "sources": sources}, engine="chatgpt imported")
    [short], [full] = (changes_of(brand, *WEEK, full=full) for full in (False, True))
    assert [(part.name, part.points) for part in short.parts.topics] == [
        (topics[0].name, -10.004),
        (topics[1].name, -20.008),
        (None, -70.03),
    ]
    assert [part.name for part in full.parts.topics] == [topic.name for topic in topics]
    assert [part.name for part in short.parts.engines] == ["chatgpt imported", None]
    assert short.parts.wordings is None and [part.name for part in full.parts.wordings] == [wording.text]
    assert [(each.name, each.before, each.after) for each in short.beside.competitors] == [("Zentra", 10.0, 20.0)]
    assert [(each.before, each.after) for each in short.beside.sources] == [(33.33, 37.5)] * 2
    assert (len(full.beside.sources), short.subject, short.engine) == (3, "Kryton", "chatgpt imported")
    assert (short.from_.value, short.from_.days, short.to.value, short.to.day) == (60, 3, 30, date(2026, 1, 5))


def test_days_are_read_within_a_window_or_all_of_them(brand):
    items = read_trend(SYSTEM, brand.pk, date(2026, 1, 2), date(2026, 1, 4)).trend
    assert [item.date.day for item in items] == [2, 3, 4]
    every = list(iterate_trend(SYSTEM, brand.pk))
    assert [item.date.day for item in every] == [1, 2, 3, 4, 5]
    rows = [dict(zip(TREND_COLUMNS, trend_row(item), strict=True)) for item in every]
    assert rows[0]["change.verdict"] is None and rows[1]["change.from"] == "2026-01-01"
    assert [row["score"] for row in rows] == [item.score for item in every]
