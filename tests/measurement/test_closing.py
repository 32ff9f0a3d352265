"""What an interface prints below an answer is cut; an answer that sounds like one stays whole."""

import json

import pytest

from tests.measurement.real.loading import labelled_answers
from visibility.detection.text.closing import end_of_answer
from visibility.detection.text.reading import Reading

ANSWER = "Buy an anvil. Your feedback helps us."
GOOGLE = (
    "AI responses may include mistakes. Learn moreThank youYour feedback helps Google improve. See our Privacy "
    "Policy.Share more feedbackReport a problemClose"
)


@pytest.mark.parametrize(
    "closing",
    [
        GOOGLE,
        f"\n\n{GOOGLE}",
        f"\u00a0Map data \u00a92025 GoogleTerms2 km\u00a0Click to toggle{GOOGLE}",
        f"{GOOGLE}To save your searches,\u00a0update your settings",
    ],
)
def test_closing_lines_that_were_seen_are_cut_also_behind_the_last_word(closing):
    assert end_of_answer(ANSWER + closing) == len(ANSWER)
    assert Reading(ANSWER + closing).seen.prose.text.rstrip("\0") == ANSWER


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Sony",
        "Share",
        ANSWER,
        f"{GOOGLE}\n{ANSWER}",
        "The page says: AI responses may include mistakes.\n\nSo check the price at Target.",
        "Two shops sell it.\nBuy the light one at REI and the large one at Decathlon.",
        "It is quick.\nSony can make mistakes with dates, and so can Bose.",
        "It is quick.\nThe motor is powered by Bosch.",
        "Map data \u00a92025 Google is what the app shows.",
        "Sony is good.\n\nSources\n1. RTINGS",
        "Sony \u00b7 Bose \u00b7 Sennheiser are the three to try.",
    ],
)
def test_an_answer_that_sounds_like_an_interface_stays_whole(text):
    assert end_of_answer(text) == len(text)


def test_no_real_answer_keeps_or_loses_more_than_its_interfaces_lines(reference_data):
    rows = [json.loads(line) for line in (reference_data / "real-answers/answers.jsonl").open(encoding="utf-8")]
    for row in rows:
        text = row["text"]
        end, begins = end_of_answer(text), text.find("AI responses may include mistakes.")
        assert (end < len(text)) == (row["engine"] == "google_ai_mode")
        if begins >= 0:
            assert begins - 120 < end <= begins
            assert "Google improve" not in text[:end]
            assert text[:end].rstrip() == text[:end]


def test_names_in_closing_lines_of_labelled_answers_are_behind_the_end(reference_data):
    rows = 0
    for answer in labelled_answers(reference_data):
        shown = answer.text[: end_of_answer(answer.text)]
        for label in answer.labels:
            if label.why == "boilerplate":
                rows += 1
                assert not any(f"{name} improve" in shown for name in label.aliases)
    assert rows == 53
