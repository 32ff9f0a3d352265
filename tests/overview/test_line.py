"""The line of a brand: each day as the headline of that day was."""

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


def test_an_engine_that_was_not_asked_on_a_day_counts_with_its_last_answers_for_two_weeks():
    brand = measured(
        ("chatgpt", 1, 4),
        ("gemini", 1, 0),
        ("chatgpt", 2, 2),
        ("gemini", 10, 1),
        ("chatgpt", 20, 3),
        ("chatgpt", 25, 1),
    )
    points = line_of(brand, None)
    assert [(point.day.day, point.figures["score"], point.is_carried) for point in points] == [
        (1, 50.0, False),
        (2, 25.0, True),
        (10, 37.5, True),
        (20, 50.0, True),
        (25, 25.0, False),
    ]
    assert points[0].figures["answers"] == 8 and points[1].figures == {"score": 25.0}
    assert [point.day.day for point in line_of(brand, 6)] == [20, 25]
    assert line_of(brand, 6)[0].figures["score"] == 50.0


def test_the_last_point_is_the_figure_of_now():
    brand = measured(("chatgpt", 1, 4), ("gemini", 1, 1), ("chatgpt", 3, 2))
    now = DailyScore.objects.get(brand=brand, competitor=None, date=None)
    last = line_of(brand, 42)[-1]
    assert (last.figures, last.is_carried) == (now.every_figure, True)
    assert now.score == 37.5 and last.asked == ["chatgpt"]
