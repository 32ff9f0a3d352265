"""The headline: a true sentence for every relation, also on few answers, and short."""

import re
from types import SimpleNamespace

import pytest

from visibility.counts import resources
from visibility.overview.lead import lead_words

NOTHING = dict.fromkeys(resources.TestedStanding.model_fields)
COMPETITOR = "00000000-0000-0000-0000-000000000001"


def standing(name, mentioned, relation=None, units="prompts", of=60):
    competitor = COMPETITOR if relation else None
    counts = {"mentioned": mentioned, "of": of, "relation": relation, "units": units if relation else None}
    return resources.TestedStanding(**{**NOTHING, "name": name, "competitor_id": competitor, **counts})


def lead(own, *rivals, prompts=20):
    standings = [standing("Kryton", own), *rivals]
    return lead_words(None, None, standings, SimpleNamespace(score=50.0, prompts=prompts))


@pytest.mark.parametrize(
    ("own", "rivals", "expected"),
    [
        (0, [("Zentra", 60, "ahead")], "On these 20 questions Zentra is always there, you never."),
        (
            20,
            [("Zentra", 50, "ahead", "topics")],
            "Zentra is in 50 of 60 answers, you in 20 of 60. It is ahead of you on questions like these.",
        ),
        (
            20,
            [("Zentra", 50, "ahead", "answers")],
            "Zentra is in 50 of 60 answers, you in 20 of 60. It is ahead of you on these questions.",
        ),
        (60, [("Zentra", 0, "behind")], "You are ahead of Zentra on these questions."),
        (
            60,
            [("Zentra", 0, "behind", "topics"), ("Velmora", 5, "behind", "topics")],
            "You are ahead of all 2 competitors on questions like these.",
        ),
        (
            60,
            [("Zentra", 0, "behind", "topics"), ("Velmora", 5, "behind", "answers")],
            "You are ahead of all 2 competitors on these questions.",
        ),
        (
            60,
            [("Zentra", 58, "too_close"), ("Velmora", 5, "behind")],
            "You are ahead of Velmora on these questions. Nobody is ahead of you beyond chance.",
        ),
        (
            60,
            [("Zentra", 60, "level")],
            "You are level with Zentra on these questions: a difference of 10 points would have shown.",
        ),
        (
            2,
            [("Zentra", 1, "too_close")],
            "How you compare with Zentra is too close to call on what is measured so far.",
        ),
        (2, [], "Add a competitor to see how you compare."),
    ],
)
def test_the_lead_says_how_the_brand_compares_and_on_which_questions(own, rivals, expected):
    words = lead(own, *(standing(*rival) for rival in rivals))
    assert words == expected
    assert all(len(sentence.split()) <= 20 for sentence in re.split(r"(?<=[.?!]) ", words))


def test_always_and_never_on_one_question_are_of_that_question():
    rival = standing("Zentra", 12, "ahead", "answers", of=12)
    standings = [standing("Kryton", 0, of=12), rival]
    words = lead_words(None, None, standings, SimpleNamespace(score=0.0, prompts=1))
    assert words == "On this question Zentra is always there, you never."
