"""Questions as people ask them in four languages: what each asks for, of whom, where, when, and what it claims."""

import tomllib
from datetime import date
from pathlib import Path

import pytest

from apikeys.caller import Caller
from tests.factories import BrandFactory, CompetitorFactory, DailyScoreFactory, PromptFactory, UserFactory
from visibility.services.ask.about import about

FOLDER = Path(__file__).parent / "questions"
PROMPTS = {
    "headphones-wireless-200": ["best wireless headphones under $200", "which over-ear headphones have good ANC?"],
    "tv-55-inch-1000": ["best 55 inch TV under 1000", "which 55-inch television should I buy?"],
    "smartphone-budget-600": ["best smartphone under $600", "good budget smartphone with a great camera"],
    "laptop-general-1000": ["what's the best laptop under $1000?", "I'm looking for a laptop under $1000"],
    "running-watch-400": ["best running watch under 400", "GPS running watch below $400"],
    "printer-home-easy-setup-500": ["best simple printer below $500", "help me find an easy setup printer"],
}
MIN_QUESTIONS = 30


def sets():
    """Each file of questions with the language that it is in."""
    return [pytest.param(file, file.stem.split("-")[0], id=file.stem) for file in sorted(FOLDER.glob("*.toml"))]


def questions(file):
    return tomllib.loads(file.read_text())["questions"]


@pytest.fixture
def sony(db):
    """A brand with three competitors, six topics and two engines."""
    brand = BrandFactory(name="Sony", domain="sony.com", owner=UserFactory())
    for name in ("Samsung", "LG", "Bose"):
        CompetitorFactory(brand=brand, name=name)
    for topic, texts in PROMPTS.items():
        for text in texts:
            PromptFactory(brand=brand, text=text, topic=topic)
    engines = [
        {"engine": name, "score": 40.0, "low": 30.0, "high": 50.0, "answers": 40}
        for name in ("chatgpt", "google_ai_mode")
    ]
    DailyScoreFactory(brand=brand, date=date(2026, 3, 1), score=40.0, engines=engines)
    return brand


def reading(brand, text):
    """What is read of a question, as the files write it."""
    result = about(Caller.from_user(brand.owner), [brand], text)
    return {
        "language": result.language,
        "kinds": " ".join(result.kinds),
        "rivals": " ".join(rival.name for rival in result.rivals),
        "unknown": " ".join(name.text for name in result.unknown),
        "engines": " ".join(result.engines),
        "topics": " ".join(result.narrowing.topics) if result.narrowing else "",
        "days": result.period is not None,
        "premises": "; ".join(map(premise_words, result.premises)),
        "refusal": result.refusal.name if result.refusal else "",
    }


def premise_words(premise):
    value = "" if premise.value is None else f"{premise.value:g}"
    other = premise.other.name if premise.other else ""
    return " ".join(filter(None, [premise.claimed, premise.subject.name, other, value]))


@pytest.mark.parametrize(("file", "language"), sets())
def test_a_question_is_read_as_it_is_meant(sony, file, language, subtests):
    for question in questions(file):
        with subtests.test(question["text"]):
            result = reading(sony, question["text"])
            if "refusal" in question:
                assert result["refusal"] == question["refusal"]
                continue
            expected = dict.fromkeys(result, "") | {"days": False, "language": language} | question
            assert result == {key: expected[key] for key in result}


@pytest.mark.parametrize(("file", "language"), sets())
def test_each_language_has_questions_of_each_sort(file, language):
    if "-" in file.stem:
        return
    every = questions(file)
    assert len(every) >= MIN_QUESTIONS
    kinds = {kind for question in every for kind in question.get("kinds", "").split()}
    assert len(kinds) >= 20 and {"sure", "change", "absent_sources", "next_scan", "cost"} <= kinds
    assert {question["refusal"] for question in every if "refusal" in question} >= {
        "secrets",
        "out of scope",
        "changes",
    }
