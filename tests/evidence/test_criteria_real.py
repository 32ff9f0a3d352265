"""Criteria of 408 real answers: each quote is where it says, and what was judged by hand is what comes out."""

import re
from functools import cache
from pathlib import Path

import pytest

from tests.amounts import PROOFS, some
from tests.evidence.answer_texts import real_answers, untrue
from visibility.evidence.criteria import MAX_QUOTES, MAX_WINNERS, find_criteria

JUDGED = Path(__file__).parents[2] / "docs/evidence-criteria.md"
_ROW = re.compile(
    r"^\| (?P<topic>[a-z0-9-]+) \| (?P<label>[^|]+) \| (?P<part>\d+ of \d+) \| (?P<judged>right|wrong)"
    r" \| (?P<winner>[^|]+) \| (?P<winner_judged>right|wrong|\u2013) \|$",
    re.MULTILINE,
)
MAX_QUOTE = 400
MIN_CRITERIA = 60
SAMPLE = 5
"""Each so-manieth topic is read, but for proofs."""
MIN_PRECISION = 0.9


@pytest.fixture
def answers(reference_data):
    return _sample(reference_data)


@pytest.fixture
def criteria(reference_data):
    return _criteria(reference_data)


@cache
def _sample(folder):
    answers = real_answers(folder)
    topics = some(sorted({answer.topic for answer in answers}), SAMPLE)
    return [answer for answer in answers if answer.topic in topics]


@cache
def _criteria(folder):
    return find_criteria(_sample(folder), [])


def judged():
    """The rows that a person judged."""
    return list(_ROW.finditer(JUDGED.read_text(encoding="utf-8")))


def test_what_was_judged_is_what_comes_out(answers):
    topics = sorted({answer.topic for answer in answers})
    rows = [
        (topic, row.label, f"{row.answers} of {row.of_answers}", _winner(row))
        for topic in topics
        for row in find_criteria([answer for answer in answers if answer.topic == topic], [])
    ]
    assert rows == [row.group("topic", "label", "part", "winner") for row in judged() if row["topic"] in topics]


def _winner(row):
    return f"{row.winners[0].subject}, {row.winners[0].answers}" if row.winners else "\u2013"


def test_nine_of_ten_labels_and_winners_were_judged_right():
    rows = judged()
    assert len(rows) >= MIN_CRITERIA
    for verdicts in ([row["judged"] for row in rows], [row["winner_judged"] for row in rows]):
        told = [verdict for verdict in verdicts if verdict != "\u2013"]
        assert told.count("right") >= MIN_PRECISION * len(told)


def test_every_quote_is_verbatim_and_short(answers, criteria):
    texts = {answer.id: answer.text for answer in answers}
    assert len(criteria) >= (MIN_CRITERIA if PROOFS else 8)
    quotes = [quote for row in criteria for quote in (*row.quotes, *(winner.quote for winner in row.winners))]
    assert not untrue(iter(quotes), texts)
    assert all(len(quote.text) <= MAX_QUOTE for quote in quotes)
    assert all(1 <= len(row.quotes) <= MAX_QUOTES and len(row.winners) <= MAX_WINNERS for row in criteria)


def test_every_figure_agrees_with_its_parts(answers, criteria):
    for row in criteria:
        assert row.answers == sum(count for _, count in row.topics) <= row.of_answers == len(answers)
        assert [count for _, count in row.topics] == sorted((count for _, count in row.topics), reverse=True)
        assert set(row.engines) <= {"chatgpt", "google_ai_mode"}
        assert all(winner.answers <= len(answers) for winner in row.winners)


def test_the_order_of_answers_changes_no_figure(answers):
    some = [answer for answer in answers if answer.topic in ("running-watch-400", "mesh-wifi-home")]
    figures = [(row.label, row.answers, row.prompts) for row in find_criteria(some, [])]
    assert figures == [(row.label, row.answers, row.prompts) for row in find_criteria(some[::-1], [])]
