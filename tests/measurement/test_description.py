"""A line about what a brand sells helps to tell its name from other meanings."""

import re
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.measurement.real.loading import labelled_answers
from visibility.detection.names.description import MIN_AROUND, Described, sold_words, speaks_of
from visibility.detection.text.words import word_set

SHOES = "Running shoes and sportswear"
ELSEWHERE = sorted(
    word_set(
        """
        minister parliament election government treaty border senate council vote speech debate law reform budget
        province district village river mountain forest valley harbour bridge tower museum painting sculpture opera
        violin piano orchestra symphony poem novel
        """
    )
)


class TestSpeaking:
    @pytest.mark.parametrize("around", ["shoe", "Running", "runners", "SPORTSWEAR", "trailrunning"])
    def test_a_word_of_the_trade_says_yes_whatever_its_ending(self, around):
        assert speaks_of(SHOES, [around]) is True

    def test_compounds_hold_their_parts(self):
        assert speaks_of("phones", ["smartphones"]) is True
        assert speaks_of("phones", ["smart"]) is None

    def test_many_words_of_something_else_say_no(self):
        assert speaks_of(SHOES, ELSEWHERE) is False
        assert speaks_of(SHOES, ELSEWHERE[: MIN_AROUND - 5]) is None

    @pytest.mark.parametrize("description", ["", "The best products for people", "Shoes"])
    def test_a_description_that_says_little_denies_nothing(self, description):
        assert speaks_of(description, ELSEWHERE) is None

    def test_words_that_any_trade_has_say_nothing(self):
        assert sold_words("The world's leading company for quality services") == frozenset()
        assert speaks_of("Quality products", ["quality", "products"]) is None

    @given(st.text(), st.lists(st.text()))
    def test_any_words_are_taken(self, description, words):
        assert speaks_of(description, words) in (True, False, None)


def told_by_description(description, name, around, answer):
    return Described({"s": description}, answer).tells("s", name, around)


class TestTelling:
    def test_the_line_decides_before_the_answer(self):
        assert told_by_description(SHOES, "On", "On makes shoes.", " ".join(ELSEWHERE)) is True
        assert told_by_description(SHOES, "On", "On the moon.", " ".join(ELSEWHERE)) is False
        assert told_by_description(SHOES, "On", "On the moon.", "shoes") is True
        assert told_by_description("", "On", "On makes shoes.", "shoes") is None

    def test_the_name_itself_says_nothing(self):
        assert told_by_description("Dragon dictation", "Dragon", "A dragon breathes fire.", "dragon") is None


SOLD = {
    "on.com": SHOES,
    "x.com": "social network for short posts",
    "keepersecurity.com": "password manager and vault",
    "libertymutual.com": "car and home insurance",
    "express.com": "clothing and fashion for men and women",
    "target.com": "department store for groceries, clothes and household goods",
    "crucial.com": "memory and SSD storage for computers",
    "coach.com": "leather handbags and accessories",
    "vortexoptics.com": "binoculars, rifle scopes and optics",
    "max.com": "streaming service for films and series",
    "java.com": "programming language and software platform",
    "leonardo.com": "aerospace and defence company: helicopters and electronics",
    "intel.com": "processors and chips for computers",
    "spirit.com": "low-cost airline with cheap flights",
    "instantpot.com": "electric pressure cookers and air fryers",
    "peakdesign.com": "camera bags, backpacks and tripods",
    "boostmobile.com": "prepaid mobile phone plans",
    "microsoft.com/edge": "web browser",
    "nothing.tech": "smartphones and earbuds",
    "purple.com": "mattresses and pillows",
    "polar.com": "heart rate monitors and sports watches",
    "ninjakitchen.com": "blenders, air fryers and kitchen appliances",
    "orange.com": "mobile and broadband network operator",
    "ford.com": "cars and trucks",
    "shell.com": "oil, gas and petrol stations",
    "thalesgroup.com": "defence, aerospace and cybersecurity",
    "brave.com": "private web browser with ad blocking",
    "opera.com": "web browser with a free VPN",
}
"""What owners of names with several meanings sell, as they would put it."""


def test_it_tells_other_senses_on_real_answers(reference_data):
    """Each place of such a name: what its line says, and what the whole answer does."""
    lines, answers = Counter(), Counter()
    for answer in labelled_answers(reference_data):
        for label in answer.labels if answer.labels[0].occurrences is not None else ():
            if label.domain in SOLD and (label.rule == "homonym" or label.why == "other_sense"):
                for name, start, line in _places(answer.text, label.aliases):
                    is_meant = label.is_mentioned and any(first <= start < last for first, last in label.occurrences)
                    lines[is_meant, told_by_description(SOLD[label.domain], name, line, "")] += 1
                    whole = f"{answer.text} {answer.prompt}"
                    answers[is_meant, told_by_description(SOLD[label.domain], name, "", whole)] += 1
    assert lines[True, True] >= 0.85 * (lines[True, True] + lines[False, True]) > 15, lines
    assert answers[False, False] >= 0.85 * (answers[False, False] + answers[True, False]) > 15, answers


def _places(text, names):
    for name in names:
        for match in re.finditer(rf"(?<!\w){re.escape(name)}(?!\w)", text):
            begin = max(text.rfind("\n", 0, match.start()) + 1, match.start() - 200)
            end = text.find("\n", match.end())
            yield name, match.start(), text[begin : min(end if end >= 0 else len(text), match.end() + 200)]
