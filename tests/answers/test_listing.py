"""The read of answers one by one: a bounded number of statements."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests.counts.conftest import asked, measured
from visibility.answers.listing import AnswerFilter, every_answer, list_answers
from visibility.models import Answer

pytestmark = pytest.mark.django_db
MOST_STATEMENTS = 6


@pytest.mark.parametrize(
    "chosen",
    [
        AnswerFilter(),
        AnswerFilter(says="mentioned", site="tests.example"),
        AnswerFilter(says="absent", text="Nobody makes it"),
    ],
)
@pytest.mark.parametrize("prompts", [2, 40])
def test_a_page_takes_few_statements(chosen, prompts):
    brand = measured(asked("chatgpt", 1, *["Kryton"] * (prompts // 2), of=prompts))
    with CaptureQueriesContext(connection) as statements:
        list_answers(brand, Answer.objects.filter(brand=brand), chosen)
    assert len(statements) <= MOST_STATEMENTS


def test_all_answers_are_those_of_the_pages_in_their_order():
    brand = measured(asked("chatgpt", 1, "Kryton", of=30), asked("chatgpt", 2, "Zentra", of=30))
    answers, chosen = Answer.objects.filter(brand=brand), AnswerFilter()
    paged = [row.answer.pk for number in "123" for row in list_answers(brand, answers, chosen, number).rows]
    assert paged == [row.answer.pk for row in every_answer(brand, answers, chosen)]


def test_words_of_another_brand_are_not_searched():
    brand, other = measured(asked("chatgpt", 1, "Kryton")), measured(asked("chatgpt", 1, "Kryton with a bell"))
    assert list_answers(other, Answer.objects.filter(brand=other), AnswerFilter(text="bell")).total == 1
    assert list_answers(brand, Answer.objects.filter(brand=brand), AnswerFilter(text="bell")).total == 0
