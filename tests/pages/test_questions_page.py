"""The page of the documentation that shows where questions are answered is the one that `make picture` writes."""

from tests.browser.questions import FOLDER, PAGE, QUESTIONS, described
from tests.live import ROOT

MAX_BYTES = 60_000


def test_the_page_is_written_from_the_questions():
    assert (ROOT / PAGE).read_text() == described(), "run `make picture`"


def test_each_question_has_a_picture_of_its_own_and_none_is_left_over():
    pictures = {path.stem: path.stat().st_size for path in (ROOT / FOLDER).iterdir()}
    assert pictures.keys() == {question.name for question in QUESTIONS}
    assert max(pictures.values()) <= MAX_BYTES


def test_people_of_four_roles_ask_ten_questions():
    assert len({question.asks for question in QUESTIONS}) == 10
    assert {question.who for question in QUESTIONS} == {"owner", "marketer", "analyst", "operator"}
