"""The line of a brand: on each day what the headline was."""

import io
import json

import pytest

from apikeys.operators import system_caller
from tests.factories import UserFactory
from visibility.imports.services import NewBrand, import_answers
from visibility.models import DailyScore
from visibility.overview.line import line_of

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
    new = NewBrand(UserFactory(), "Kryton", "kryton.example")
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
    points = line_of(brand, None)
    assert [(point.day.day, point.figures["score"], point.figures["answers"]) for point in points] == [
        (1, 50.0, 8),
        (2, 37.5, 12),  # chatgpt of two days and gemini of the first
        (10, 50.0, 12),  # chatgpt of the same two days
        (20, 50.0, 8),
        (25, 50.0, 8),  # gemini was asked too long ago
    ]
    assert [point.score_of_day for point in points] == [50.0, 50.0, 25.0, 75.0, 25.0]
    assert [point.asked for point in points][1:3] == [["chatgpt"], ["gemini"]]
    assert [point.day.day for point in line_of(brand, 6)] == [20, 25]
    assert line_of(brand, 6)[0] == points[3]


def test_the_last_point_is_the_figure_of_now():
    brand = measured(("chatgpt", 1, 4), ("gemini", 1, 1), ("chatgpt", 3, 2))
    now = DailyScore.objects.get(brand=brand, competitor=None, date=None)
    last = line_of(brand, 42)[-1]
    assert last.figures == now.every_figure and now.score == 50.0 and last.asked == ["chatgpt"]
