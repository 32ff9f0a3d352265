"""The detector on real answers that other hands labelled: floors a little below what it reaches."""

import pytest

from tests.measurement.labels import JUDGE, LabelledAnswer, labelled_answers
from tests.measurement.score import scores
from tests.reference import reference_file


@pytest.fixture(scope="module")
def answers() -> list[LabelledAnswer]:
    return list(labelled_answers(reference_file("labels").parent))


def test_names_ranks_and_recommendations_are_right_on_topics_that_no_rule_has_seen(
    answers: list[LabelledAnswer],
) -> None:
    by_name = scores(answer for answer in answers if answer.topic in JUDGE)
    judge = by_name["judge"]
    assert judge.f1 >= 0.965 and judge.plain_f1 >= 0.985
    assert by_name["chatgpt"].rank_share >= 0.9 and by_name["google_ai_mode"].rank_share >= 0.9
    right, called = judge.recommended
    assert right >= 0.95 * called and called >= 290


@pytest.mark.proof
def test_they_are_right_on_all_labelled_answers(answers: list[LabelledAnswer]) -> None:
    every = scores(answers)["all"]
    assert every.f1 >= 0.97 and every.plain_f1 >= 0.99
    right, called = every.recommended
    assert right >= 0.96 * called and called >= 850
