"""Questions over real answers: what `ask` says of numbers and subjects is true, and it says what was asked for."""

from collections import Counter

import pytest

from apikeys.caller import Caller
from tests.amounts import some
from tests.asking.asking import ask_all, questions_in
from tests.asking.judging import Outcome
from tests.asking.world import BRANDS, imported, with_decisions, with_evidence
from tests.factories import UserFactory

MIN_RIGHT = 0.9
MIN_QUESTIONS, MIN_KINDS = 120, 20


def test_there_are_enough_questions_of_enough_kinds():
    questions = questions_in()
    assert len(questions) >= MIN_QUESTIONS
    assert len({question.kind for question in questions}) >= MIN_KINDS
    assert {question.lang for question in questions} == {"en", "de", "fr", "es"}
    assert len({(question.brand, question.text) for question in questions}) == len(questions)


@pytest.mark.django_db
def test_the_embedded_way_answers_nine_of_ten_fully_and_none_wrongly(reference_data):
    owner = UserFactory(email="you@example.com")
    names = some(BRANDS, len(BRANDS))
    brands = imported(reference_data / "real-answers" / "answers.jsonl", owner, names)
    with_evidence(brands.values())
    with_decisions(brands.values())
    asked = [question for question in questions_in() if question.brand in names]
    judged = ask_all(Caller.from_user(owner), brands, asked)
    assert len(judged) == len(asked) >= MIN_QUESTIONS * len(names) / len(BRANDS) / 2
    outcomes = Counter(row.verdict.outcome for row in judged)
    wrong = [(row.question.text, row.verdict.reasons) for row in judged if row.verdict.outcome == Outcome.WRONG]
    assert not wrong
    assert outcomes[Outcome.RIGHT] >= MIN_RIGHT * len(judged), outcomes
