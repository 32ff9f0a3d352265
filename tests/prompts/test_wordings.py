"""Answers to an older wording say so wherever they are shown."""

import pytest

from apikeys.accounts.operators import system_caller
from tests.counts.conftest import add, asked, measured
from visibility.answers.passages import find_words
from visibility.competitors.gaps import list_gaps
from visibility.counts.reader import select_now
from visibility.models import Prompt
from visibility.prompts.reads import PromptFilter, list_prompts, read_prompt, read_prompt_results
from visibility.prompts.services import reword_prompt

pytestmark = pytest.mark.django_db
SYSTEM = system_caller("command:test")
OLDER, NEWER = "Which locks for wish 0?", "Which lock, then?"


@pytest.fixture
def prompt():
    """A prompt with an answer that names a rival alone, reworded since."""
    brand = measured(asked("chatgpt", 1, "Zentra", of=1))
    [prompt] = Prompt.objects.all()
    return reword_prompt(SYSTEM, brand_id=brand.pk, prompt_id=prompt.pk, text=NEWER)


def ask_newer(prompt):
    add(prompt.brand, [{**each, "prompt": NEWER} for each in asked("chatgpt", 2, "Zentra", of=1)])


def shown(prompt):
    """The wording that each read says its counts are to; None: the one of now."""
    brand = prompt.brand
    [row] = list_prompts(SYSTEM, brand.pk, PromptFilter(), full=False).prompts
    [gap] = list_gaps(SYSTEM, brand.pk).gaps
    detail, results = read_prompt(SYSTEM, prompt.pk, full=False), read_prompt_results(SYSTEM, prompt.pk)
    return [each.older_wording for each in (row, gap, detail.prompt, results)]


def test_counts_say_which_older_wording_they_are_to(prompt):
    assert shown(prompt) == [OLDER] * 4


def test_counts_say_nothing_of_wordings_once_the_newest_is_asked(prompt):
    ask_newer(prompt)
    assert shown(prompt) == [None] * 4


def test_the_list_says_how_many_prompts_were_not_asked_in_their_wording_of_now(prompt):
    summary = list_prompts(SYSTEM, prompt.brand_id, PromptFilter(), full=False).summary
    assert summary[-1] == "1 prompt was reworded and has only answers to an older wording."


def test_each_answer_has_the_number_of_its_wording_and_says_where_it_is_older(prompt):
    ask_newer(prompt)
    answers = read_prompt(SYSTEM, prompt.pk, full=False).answers
    assert [(each.version, each.is_older_wording) for each in answers] == [(2, False), (1, True)]


def test_an_engine_has_the_number_of_the_wording_that_its_answers_are_to(prompt):
    assert [each.version for each in read_prompt(SYSTEM, prompt.pk, full=False).prompt.engines] == [1]


def test_a_passage_of_an_answer_to_an_older_wording_says_so(prompt):
    _, [passage] = find_words(select_now(prompt.brand).answers, "Zentra", {None: "Kryton"}, {})
    assert passage.is_older_wording
