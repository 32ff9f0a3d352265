"""What else changed over the days of a change: only what chance would not bring, the largest first."""

import json
from datetime import date

import pytest

from tests.scores.conftest import imported
from visibility.models import Topic
from visibility.scores.context import context_of

pytestmark = pytest.mark.django_db
BEFORE, SINCE = date(2026, 1, 1), date(2026, 1, 2)


def day(number, cited, *, of=6, engine="chatgpt", text="Nobody.", topic="bikes"):
    """The answers of a day to `of` prompts; a domain is cited in as many of them as `cited` says."""
    for prompt in range(of):
        yield json.dumps(
            {
                "prompt": f"Which {topic} for wish {prompt}?",
                "topic": topic,
                "engine": engine,
                "time": f"2026-01-{number:02}T10:00:00Z",
                "text": f"{text} {number} {prompt}",
                "citations": [f"https://{name}.example/a" for name, times in cited.items() if prompt < times],
            }
        )


def sources(brand, engine=""):
    return {
        row["domain"].removesuffix(".example"): (row["before"], row["ofBefore"], row["after"], row["ofAfter"])
        for row in context_of(brand, [BEFORE], [SINCE], engine)["sources"]
    }


def test_a_source_has_appeared_or_vanished_where_chance_would_not_hide_it():
    before, since = {"rare": 2, "gone": 3, "stays": 6, "less": 6}, {"few": 2, "new": 3, "stays": 6, "less": 1}
    brand = imported([*day(1, before), *day(2, since)])
    assert sources(brand) == {"gone": (3, 6, 0, 6), "new": (0, 6, 3, 6)}


def test_the_largest_five_sources_are_named_the_largest_first():
    since = {"a": 3, "b": 4, "c": 5, "d": 6, "e": 3, "f": 6}
    assert list(sources(imported([*day(1, {}), *day(2, since)]))) == ["d", "f", "c", "b", "a"]


def test_only_prompts_that_both_sides_asked_are_looked_at():
    brand = imported([*day(1, {}, of=3), *day(2, {"new": 3})])
    assert sources(brand) == {"new": (0, 3, 3, 3)}
    brand = imported([*day(1, {}), *day(2, {}), *day(2, {"new": 6}, topic="cars")])
    assert sources(brand) == {}


def test_sources_are_of_the_engine_of_the_change():
    answers = [*day(1, {}), *day(2, {"new": 6}), *day(1, {}, engine="gemini"), *day(2, {}, engine="gemini")]
    brand = imported(answers)
    assert sources(brand) == {"new": (0, 12, 6, 12)}
    assert (sources(brand, "chatgpt imported"), sources(brand, "gemini imported")) == ({"new": (0, 6, 6, 6)}, {})


def test_topics_that_are_not_own_and_other_days_are_left_out():
    brand = imported([*day(1, {}), *day(2, {"new": 6}), *day(3, {"later": 6})])
    assert list(sources(brand)) == ["new"]
    Topic.objects.update(own=False)
    assert sources(brand) == {}


def test_a_competitor_that_moved_is_named_with_both_scores():
    def days(number, text):
        return (line for topic in "abcdefgh" for line in day(number, {}, text=text, topic=topic, of=2))

    brand = imported([*days(1, "Kryton."), *days(2, "Kryton and Zentra.")])
    [competitor] = context_of(brand, [BEFORE], [SINCE], "")["competitors"]
    assert competitor["key"] == str(brand.competitors.get().pk), "the brand itself is no competitor"
    assert (competitor["before"], competitor["after"], competitor["delta"]) == (0.0, 100.0, 100.0)
    [of_engine] = context_of(brand, [BEFORE], [SINCE], "chatgpt imported")["competitors"]
    assert (of_engine["before"], of_engine["after"]) == (0.0, 100.0)


def test_a_competitor_that_did_not_move_is_not_named():
    brand = imported([*day(1, {}, text="Zentra."), *day(2, {}, text="Zentra.")])
    assert context_of(brand, [BEFORE], [SINCE], "")["competitors"] == []
