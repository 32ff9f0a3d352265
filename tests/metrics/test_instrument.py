"""Whether an engine itself changed: the form of answers, and the tests on two days."""

import json
import random
from collections import defaultdict
from datetime import date, timedelta

import pytest

from tests.reference import reference_file
from visibility.metrics import Form, find_shift, form_of, mean_form
from visibility.metrics.instrument import LEAST_DAYS, LEAST_WORDINGS

FIRST = date(2026, 1, 1)
PLAIN = Form(800, 0, 2, 1, 0, 0, 3, None)
TEXT = """# Locks
## For bikes
1. **Kryton**: [good](https://kryton.example/a)
2. __Zentra__: https://zentra.example/
- * Nobody
| name | price |
|---|---|
| Kryton | 9 |
"""


def test_a_form_counts_what_an_answer_is_made_of():
    assert form_of(TEXT, 4, searched=True) == Form(len(TEXT), 2, 3, 2, 3, 2, 4, 1.0)
    assert form_of("Plain.") == Form(6, 0, 0, 0, 0, 0, 0, None)


def test_the_mean_of_forms_is_over_what_is_known():
    several = [PLAIN, PLAIN._replace(length=1_000, searched=1.0), PLAIN._replace(length=600)]
    assert mean_form(several) == PLAIN._replace(searched=1.0)
    assert mean_form([PLAIN]).searched is None


def spread(form, rng):
    """An answer of about this form."""
    return form._replace(length=form.length * rng.uniform(0.7, 1.4), items=rng.choice((1, 2, 3)))


def series(days, wordings=40, *, changed=(), form=None, seed=1):
    """Days of answers of one form; on those that are `changed` of another."""
    rng = random.Random(seed)
    other = form or PLAIN._replace(length=300, items=0, sources=0)
    return {
        FIRST + timedelta(day): {key: spread(other if day in changed else PLAIN, rng) for key in range(wordings)}
        for day in range(days)
    }


def on(day):
    return FIRST + timedelta(day)


def test_a_change_is_found_on_its_second_day_with_its_means():
    days = series(17, changed=(15, 16))
    assert find_shift(days, on(15)) is None
    shift = find_shift(days, on(16))
    assert (shift.began, shift.wordings) == (on(15), 40)
    before, after = shift.features["length"]
    assert before > 700 and after < 400 and shift.features["sources"] == (3, 0)


@pytest.mark.parametrize(
    ("days", "wordings", "changed"),
    [
        (17, 40, ()),
        (17, 40, (16,)),
        (17, LEAST_WORDINGS - 1, (15, 16)),
        (LEAST_DAYS + 1, 40, (LEAST_DAYS - 1, LEAST_DAYS)),
    ],
    ids=["nothing changed", "one day alone", "too few wordings", "too few days"],
)
def test_nothing_is_found_where(days, wordings, changed):
    assert find_shift(series(days, wordings, changed=changed), on(days - 1)) is None


def test_two_days_that_move_apart_are_no_change():
    days = series(16, changed=(15,))
    days |= {on(16): series(17, changed=(16,), form=PLAIN._replace(length=3_000))[on(16)]}
    shift = find_shift(days, on(16))
    assert shift is None or "length" not in shift.features


def test_a_day_that_was_not_measured_shows_nothing():
    assert find_shift(series(17, changed=(15, 16)), on(20)) is None


def test_answers_whose_search_is_not_known_are_no_evidence_of_it():
    days = series(17, changed=(15, 16), form=PLAIN._replace(searched=1.0))
    shift = find_shift(days, on(16))
    assert shift is None or "searched" not in shift.features


@pytest.fixture(scope="module")
def engines():
    """Of real answers the forms of three runs, by engine and wording."""
    forms = defaultdict(lambda: defaultdict(dict))
    for name in ("answers", "eight-topics"):
        for line in reference_file(f"real-answers/{name}.jsonl").read_text().splitlines():
            row = json.loads(line)
            form = form_of(row["text"], len(row.get("citations") or ()))
            forms[row["engine"]][name, row["prompt"]][row["sample"]] = form
    return forms


def measured_day(engine, collection, rng, luck):
    """A day's answers, each of a run by chance; a day of luck has those of one run."""
    run = rng.choice((1, 2, 3)) if rng.random() < luck else None
    return {key: runs[run or rng.choice((1, 2, 3))] for key, runs in engine.items() if key[0] == collection}


def swapped(engines, place, collection, rng, luck):
    """Whether an engine that answers as another from the sixteenth day on is named on the seventeenth."""
    names = sorted(engines)
    before, after = engines[names[place % 2]], engines[names[1 - place % 2]]
    days = {on(day): measured_day(before, collection, rng, luck) for day in range(15)}
    days |= {on(day): measured_day(after, collection, rng, luck) for day in (15, 16)}
    return find_shift(days, on(16)) is not None


def alarmed(engines, place, collection, rng, luck):
    """Whether anything is named in a month in which nothing changes."""
    engine = engines[sorted(engines)[place % 2]]
    days = {on(day): measured_day(engine, collection, rng, luck) for day in range(45)}
    return any(find_shift(days, on(day)) for day in range(15, 45))


@pytest.mark.parametrize("collection", ["answers", "eight-topics"])
def test_an_engine_that_answers_as_another_is_named_within_two_days(engines, collection):
    rng = random.Random(5)
    assert sum(swapped(engines, place, collection, rng, 0.3) for place in range(20)) >= 19


@pytest.mark.proof
@pytest.mark.parametrize("luck", [0.0, 0.3, 1.0])
@pytest.mark.parametrize("collection", ["answers", "eight-topics"])
def test_of_300_swaps_95_of_100_are_named_within_two_days(engines, collection, luck):
    rng = random.Random(5)
    assert sum(swapped(engines, place, collection, rng, luck) for place in range(300)) >= 285


@pytest.mark.proof
@pytest.mark.parametrize("luck", [0.0, 0.3, 1.0])
@pytest.mark.parametrize("collection", ["answers", "eight-topics"])
def test_at_most_one_of_a_hundred_quiet_months_raises_an_alarm(engines, collection, luck):
    rng = random.Random(5)
    assert sum(alarmed(engines, place, collection, rng, luck) for place in range(300)) <= 3
