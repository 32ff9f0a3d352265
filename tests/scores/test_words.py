"""Changes of scores as sentences."""

from datetime import date
from types import SimpleNamespace

import pytest

from visibility.scores.words import change_words, difference_words


def change(delta, *, engine=None, state="holds"):
    """A reported change of the score from 60 %, since 4 January."""
    before, after = SimpleNamespace(value=60.0), SimpleNamespace(value=60.0 + delta)
    ends = {"from_": before, "to": after, "since": date(2026, 1, 4)}
    return SimpleNamespace(engine=engine, state=state, delta=delta, instrument=None, events=[], **ends)


NO_CHANGE = "No change of Kryton's score is confirmed over the measured days."
FELL = "Kryton's score fell by 20 points: from 60 to 40 % since 2026-01-04."


@pytest.mark.parametrize(
    ("changes", "days", "words"),
    [
        ([change(-20.0)], 9, FELL),
        ([change(-20.0), change(15.0)], 9, FELL),
        ([change(15.0, engine="chatgpt api"), change(15.0, state="recovered"), change(-20.0)], 9, FELL),
        ([change(15.0)], 9, "Kryton's score rose by 15 points: from 60 to 75 % since 2026-01-04."),
        ([change(15.0, engine="chatgpt api")], 9, NO_CHANGE),
        ([change(15.0, state="recovered")], 2, NO_CHANGE),
        ([], 1, "Nothing can be said of changes here: that needs at least two measured days."),
    ],
)
def test_the_sentence_names_the_latest_open_change_or_none(changes, days, words):
    assert change_words("Kryton", changes, days) == words


@pytest.mark.parametrize(
    ("verdict", "delta", "words"),
    [
        ("moved", 4.0, "On 2026-01-05 the score of Kryton is 4 points more than on 2026-01-04, beyond chance."),
        ("moved", -4.0, "On 2026-01-05 the score of Kryton is 4 points less than on 2026-01-04, beyond chance."),
        ("within_noise", -1.0, "no change of the score of Kryton is seen beyond chance (-1)."),
        ("cannot_detect", 1.0, "Too little was measured to tell a change of the score of Kryton"),
        ("not_comparable", None, "The scores of Kryton on 2026-01-04 and 2026-01-05 are not comparable"),
    ],
)
def test_a_difference_of_two_days_is_worded_by_its_verdict(verdict, delta, words):
    difference = SimpleNamespace(verdict=verdict, delta=delta, from_=date(2026, 1, 4))
    assert words in difference_words("Kryton", date(2026, 1, 5), difference)
