"""The line of a brand: on each day what the headline was."""

import io
import json
from datetime import date

import pytest

from apikeys.accounts.operators import system_caller
from tests.factories import UserFactory
from visibility.counts.figures import standings_of
from visibility.counts.past import select_on
from visibility.counts.reader import select_now
from visibility.imports.services import NewBrand, import_answers
from visibility.models import DailyScore, Topic
from visibility.overview.line import Part, line_of

pytestmark = pytest.mark.django_db
SYSTEM = system_caller("command:test")


def measured(*asked):
    """A brand by engine and day, and how many of four prompts mention it then."""
    lines = [
        {
            "prompt": f"Which lock for wish {wish}?",
            "topic": "locks",
            "engine": engine,
            "text": "Kryton." if wish < mentioned else "Zentra.",
            "time": f"2026-01-{day:02}T10:00:00Z",
        }
        for engine, day, mentioned in asked
        for wish in range(4)
    ]
    new = NewBrand(UserFactory(), "Kryton", "kryton.example", competitors=[("Zentra", "zentra.example")])
    return import_answers(SYSTEM, brand=new, file=io.StringIO("\n".join(map(json.dumps, lines)))).brand


def test_a_point_is_the_window_that_ended_on_its_day_with_engines_of_the_last_two_weeks():
    brand = measured(
        ("chatgpt", 1, 4),
        ("gemini", 1, 0),
        ("chatgpt", 2, 2),
        ("gemini", 10, 1),
        ("chatgpt", 20, 3),
        ("chatgpt", 25, 1),
    )
    points = line_of(select_now(brand), date.min, date.max)
    assert [(point.day.day, point.figures["score"], point.figures["answers"]) for point in points] == [
        (1, 50.0, 8),
        (2, 37.5, 12),  # chatgpt of two days and gemini of the first
        (10, 50.0, 12),  # chatgpt of the same two days
        (20, 50.0, 8),
        (25, 50.0, 8),  # gemini was asked too long ago
    ]
    assert [point.score_of_day for point in points] == [50.0, 50.0, 25.0, 75.0, 25.0]
    assert [point.asked for point in points][1:3] == [["chatgpt"], ["gemini"]]
    assert line_of(select_now(brand), date(2026, 1, 10), date(2026, 1, 20)) == points[2:4]


def test_the_last_point_is_the_figure_of_now():
    brand = measured(("chatgpt", 1, 4), ("gemini", 1, 1), ("chatgpt", 3, 2))
    now = DailyScore.objects.get(brand=brand, competitor=None, date=None)
    last = line_of(select_now(brand), date.min, date.max)[-1]
    assert last.figures == now.every_figure and now.score == 50.0 and last.asked == ["chatgpt"]


DAYS = [
    ("chatgpt", 1, 4),
    ("gemini", 1, 0),
    ("chatgpt", 2, 2),
    ("gemini", 10, 1),
    ("chatgpt", 20, 3),
    ("chatgpt", 25, 1),
]
FIGURES = {"score": "score", "shareOfVoice": "share_of_voice"}


@pytest.mark.parametrize("figure", ["score", "shareOfVoice", "citationRate", "prominence"])
def test_the_line_that_is_computed_is_the_one_that_is_stored(figure):
    brand = measured(*DAYS)
    rivals = [brand.competitors.get().pk]
    stored, computed = (
        line_of(select_now(brand), date.min, date.max, part, figure) for part in (Part(), Part(rivals=rivals))
    )
    assert [(each.day, each.score_of_day, each.asked) for each in computed] == [
        (each.day, each.score_of_day, each.asked) for each in stored
    ]
    assert [each.figures[figure] for each in computed] == [each.figures[figure] for each in stored]


@pytest.mark.parametrize("figure", FIGURES)
@pytest.mark.parametrize("engines", [[], ["chatgpt"], ["gemini"]])
def test_a_competitor_has_on_each_day_the_figure_of_the_competitors_page_as_of_that_day(engines, figure):
    brand = measured(*DAYS)
    rival = brand.competitors.get()
    topics = [Topic.objects.get(brand=brand)]
    now = select_now(brand).narrow(topics=topics, engines=engines)
    for point in line_of(now, date.min, date.max, Part(topics, engines, [rival.pk]), figure):
        then = select_on(brand, point.day).narrow(topics=topics, engines=engines)
        [standing] = [each for each in standings_of(then) if each.competitor_id == rival.pk]
        assert point.rivals[rival.pk] == getattr(standing, FIGURES[figure]), point.day
        assert point.figures["answers"] == standing.of


def test_an_engine_has_points_on_the_days_on_which_it_was_asked():
    brand = measured(*DAYS)
    now = select_now(brand).narrow(engines=["chatgpt"])
    part = line_of(now, date(2026, 1, 2), date(2026, 1, 25), Part(engines=["chatgpt"]))
    assert [(each.day.day, each.figures["score"], each.score_of_day) for each in part] == [
        (2, 75.0, 50.0),
        (20, 75.0, 75.0),
        (25, 50.0, 25.0),
    ]


def test_before_the_first_measured_day_nothing_counts():
    assert standings_of(select_on(measured(*DAYS), date(2025, 12, 31)))[0].of is None
