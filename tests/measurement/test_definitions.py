"""What five common definitions make of the same answers, counted by hand, and ours as the score has it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from visibility.metrics.definitions import Definition, TrackedAnswer, holds_letters, read_by_all
from visibility.metrics.further import measure_further
from visibility.metrics.measure import measure
from visibility.metrics.types import AnswerOutcome


def answer(engine, prompt, rank=None, *, named=None, cited=False, letters=False):
    """Named where it has a rank, unless told otherwise."""
    is_named = rank is not None if named is None else named
    return TrackedAnswer(engine, prompt, is_named, rank, cited, letters)


ANSWERS = [
    # The chatty engine: the first prompt four times, the second once.
    answer("chatty", "p", 1, letters=True),
    answer("chatty", "p", 5, letters=True),
    answer("chatty", "p", 2, letters=True, cited=True),
    answer("chatty", "p"),
    answer("chatty", "q", letters=True),
    # The terse one: each prompt once.
    answer("terse", "p", cited=True),
    answer("terse", "q", 4),
]


@pytest.mark.parametrize(
    ("definition", "value", "counted", "total", "added", "dropped"),
    [
        # chatty (3/4 + 0)/2, terse (0 + 1)/2
        (Definition.OURS, 100 * (3 / 8 + 1 / 2) / 2, 4, 7, 0, 0),
        (Definition.POOLED, 100 * 4 / 7, 4, 7, 0, 0),
        # both prompts have an answer that names it, and one that does not
        (Definition.ANY_SAMPLE, 100.0, 2, 2, 2, 0),
        # chatty (2/4 + 0)/2, terse 0
        (Definition.FIRST_THREE, 100 * (1 / 4 + 0) / 2, 2, 7, 0, 2),
        # chatty as named, terse (1 + 1)/2
        (Definition.CITATIONS, 100 * (3 / 8 + 1) / 2, 5, 7, 1, 0),
        # chatty (3/4 + 1)/2, terse 0
        (Definition.LETTERS, 100 * (7 / 8 + 0) / 2, 4, 7, 1, 1),
    ],
)
def test_each_definition_by_hand(definition, value, counted, total, added, dropped):
    reading = read_by_all(ANSWERS)[definition]
    assert reading.value == pytest.approx(value)
    assert (reading.counted, reading.total, reading.added, reading.dropped) == (counted, total, added, dropped)


def test_a_mention_without_a_rank_is_among_the_first_three_as_often_as_the_others():
    answers = [answer("e", "p", 1), answer("e", "p", named=True), answer("e", "q")]
    first = read_by_all(answers)[Definition.FIRST_THREE]
    assert (first.value, first.counted, first.total, first.dropped) == (50.0, 1, 2, 0)
    late = read_by_all([*answers, answer("e", "p", 7)])[Definition.FIRST_THREE]
    assert (late.value, late.counted, late.total, late.dropped) == (pytest.approx(100 * 1.5 / 3 / 2), 1, 3, 1)
    assert read_by_all([answer("e", "p", named=True), answer("e", "q")])[Definition.FIRST_THREE].value is None
    assert read_by_all(answers)[Definition.OURS].value == 50.0


def test_without_answers_there_is_no_number():
    readings = read_by_all([])
    assert list(readings) == list(Definition)
    assert {reading.value for reading in readings.values()} == {None}


@pytest.mark.parametrize(
    ("text", "is_there"),
    [
        ("Ask ACME.", True),
        ("the pacmen", True),
        ("[x](https://acme.example/)", True),
        ("Acmé", False),
        ("the Anvil company", True),
        ("STRASSE", True),
        ("", False),
    ],
)
def test_letters_are_found_wherever_they_stand(text, is_there):
    assert holds_letters(text, ["Acme", "anvil", "Straße"]) is is_there


drawn = st.lists(
    st.builds(
        TrackedAnswer, st.sampled_from("ef"), st.sampled_from("pqr"), st.booleans(), st.integers(1, 6), st.booleans(),
        st.booleans(),
    ).map(lambda drawn: drawn if drawn.is_named else answer(drawn.engine, drawn.prompt, cited=drawn.is_cited)),
    min_size=1,
    max_size=30,
)  # fmt: skip


def outcome(row):
    return AnswerOutcome(row.prompt, row.prompt, row.engine, {"b": row.rank} if row.is_named else {})


@given(drawn)
def test_ours_is_the_score_and_the_pot_is_the_sum(answers):
    readings = read_by_all(answers)
    values = {definition: reading.value for definition, reading in readings.items()}
    outcomes = [outcome(row) for row in answers]
    score, further = measure(outcomes, ["b"])["b"], measure_further(outcomes, ["b"])["b"]
    assert values[Definition.OURS] == pytest.approx(score.overall.score.value)
    assert values[Definition.FIRST_THREE] == pytest.approx(further.overall.ranks.top_three.value)
    assert values[Definition.POOLED] == pytest.approx(100 * sum(row.is_named for row in answers) / len(answers))
    assert values[Definition.FIRST_THREE] <= values[Definition.OURS] + 1e-9
    assert values[Definition.OURS] <= values[Definition.CITATIONS] + 1e-9
    named = {row.prompt for row in answers if row.is_named}
    assert values[Definition.ANY_SAMPLE] == pytest.approx(100 * len(named) / len({row.prompt for row in answers}))


def test_all_is_the_same_where_each_prompt_is_asked_once_of_one_engine():
    answers = [answer("e", "p", 1, letters=True), answer("e", "q")]
    values = {definition: reading.value for definition, reading in read_by_all(answers).items()}
    assert set(values.values()) == {50.0}
