"""The detector beside labels of real answers that other hands made: what was reached is kept."""

import pytest

from tests.amounts import PROOFS, some
from tests.measurement.real.loading import JUDGING, TUNING, labelled_answers
from tests.measurement.real.score import FIGURES, MIN_ROWS, figures, plain, score

SAMPLE = 8
"""Each so-manieth answer is looked at, but for proofs."""
FLOORS = {
    TUNING: {"all": 0.9940, "plain_sense": 0.9963, "precision": 0.9965, "places": 0.9962, "easy": 0.9967},
    JUDGING: {"all": 0.9787, "plain_sense": 0.9953, "precision": 0.9664, "places": 0.9725, "easy": 0.9912},
}
"""What version 7 reached: F1 over all rows, without homonyms, precision on complete answers, F1 of places, and the
share of rows right that are not hard."""


OF_SAMPLE = {
    TUNING: {"all": 1.0, "plain_sense": 1.0, "precision": 1.0, "places": 0.9896, "easy": 1.0},
    JUDGING: {"all": 0.9928, "plain_sense": 1.0, "precision": 0.9820, "places": 0.9907, "easy": 1.0},
}


@pytest.fixture
def answers(reference_data):
    return list(labelled_answers(reference_data))


@pytest.fixture
def half_of(answers):
    """The answers of a half, or the sample of them."""
    return lambda half: some((answer for answer in answers if answer.half == half), SAMPLE)


@pytest.mark.parametrize("half", [TUNING, JUDGING])
def test_what_was_reached_on_real_answers_is_kept(half_of, half):
    total = score(half_of(half))
    reached = {
        "all": total.every.f1,
        "plain_sense": total.plain_sense.f1,
        "precision": total.complete.precision,
        "places": total.spans.f1,
        "easy": total.easy.accuracy,
    }
    print(half, {name: round(value, 4) for name, value in reached.items()})
    floors = (FLOORS if PROOFS else OF_SAMPLE)[half]
    assert {name for name, floor in floors.items() if reached[name] < floor} == set()


@pytest.mark.parametrize("half", [TUNING, JUDGING])
def test_no_kind_of_rows_is_more_than_a_point_below_plain_matching(half_of, half):
    chosen = half_of(half)
    found, plainly = score(chosen).kinds, score(chosen, plain).kinds
    below = {
        kind
        for kind, tally in found.items()
        if tally.rows >= MIN_ROWS and tally.accuracy < plainly[kind].accuracy - 0.01
    }
    assert below == set()


def test_the_figures_in_the_document_are_those_of_the_detector(answers):
    """After a change of the rules: `python -m tests.measurement.real.score --write`."""
    assert FIGURES.read_text(encoding="utf-8") == figures(answers)
