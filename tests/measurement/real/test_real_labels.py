"""The detector beside labels of real answers that other hands made: what was reached is kept."""

import pytest

from tests.amounts import PROOFS, some
from tests.measurement.real.loading import labelled_answers
from tests.measurement.real.score import FIGURES, MIN_ROWS, figures, plain, score

SAMPLE = 8
"""Each so-manieth answer is looked at, but for proofs."""
FLOORS = {"all": 0.97, "plain_sense": 0.985, "places": 0.97, "ranks": 0.88, "recommended": 0.95}
"""F1 over all rows, without homonyms, and of places; ranks that are met; what is told as recommended and is so."""
OF_SAMPLE = {"all": 0.96, "plain_sense": 0.985, "places": 0.93, "ranks": 0.85, "recommended": 0.95}


@pytest.fixture
def answers(reference_data):
    return list(labelled_answers(reference_data))


def test_what_was_reached_on_real_answers_is_kept(answers):
    total = score(some(answers, SAMPLE))
    right, told = total.recommended
    reached = {
        "all": total.every.f1,
        "plain_sense": total.plain_sense.f1,
        "places": total.spans.f1,
        "ranks": total.ranks["equal"] / total.ranked,
        "recommended": right / told,
    }
    print({name: round(value, 4) for name, value in reached.items()})
    assert {name for name, floor in (FLOORS if PROOFS else OF_SAMPLE).items() if reached[name] < floor} == set()


def test_no_kind_of_rows_is_more_than_a_point_below_plain_matching(answers):
    chosen = some(answers, SAMPLE)
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
