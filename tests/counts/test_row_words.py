"""Rows as sentences: who is named in how many answers, who is ahead, and on which topics."""

from types import SimpleNamespace

import pytest

from apikeys.text import marked
from visibility.counts.row_words import (
    against_sentence,
    rivals_sentence,
    standing_sentence,
    topics_sentence,
)


def row(subject="Zentra", mentioned=6, of=10, **fields):
    """A row of counts with these fields, else of a tracked competitor that was not compared."""
    usual = {
        "is_own": subject == "Kryton",
        "tracked": True,
        "relation": None,
        "without_brand": 4,
        "only_brand": 1,
        "chance": 0.012,
        "units": "topics",
        "first": 3,
        "recommended": 2,
        "cautioned": 0,
        "topic": None,
        "engine": None,
    }
    return SimpleNamespace(subject=subject, mentioned=mentioned, of=of, **{**usual, **fields})


OWN = row("Kryton", 3)
UNTRACKED = {"tracked": False, "first": None}


def test_a_subject_is_counted_by_engine_and_by_how_answers_speak_of_it():
    engines = [row(mentioned=2, of=5, engine="gemini"), row(mentioned=4, of=5, engine="chatgpt")]
    assert standing_sentence(row(), engines, " on locks") == (
        "Zentra is mentioned in 6 of 10 answers on locks: chatgpt 4 of 5, gemini 2 of 5. Named first of the tracked "
        "names in 3, recommended in at least 2, warned against in at least 0."
    )


def test_one_engine_is_not_counted_twice():
    words = standing_sentence(row(), [row(engine="chatgpt")], "")
    assert words.startswith("Zentra is mentioned in 6 of 10 answers. Named first of the tracked names in 3")


def test_of_a_name_that_nobody_tracks_only_mentions_are_counted():
    words = standing_sentence(row(**UNTRACKED), [], "")
    assert words == "Zentra is mentioned in 6 of 10 answers."
    assert words.marked == f"{marked('Zentra')} is mentioned in 6 of 10 answers."


COUNTS = "Zentra is mentioned in 6 of 10 answers on locks, Kryton in 3 of 10"
ALIKE = "Both are in 2 answers, the former without the latter in 4, the reverse in 1"
LUCK = "chance alone makes such a difference {} of the time (all competitors looked at together, over topics)"


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"relation": None}, f"{COUNTS}."),
        ({"relation": "ahead"}, f"{COUNTS}: the former is ahead beyond chance. {ALIKE}; {LUCK.format('1.2 %')}."),
        ({"relation": "behind"}, f"{COUNTS}: the latter is ahead beyond chance. {ALIKE}; {LUCK.format('1.2 %')}."),
        (
            {"relation": "level"},
            f"{COUNTS}: they are level, as a difference of 10 points would have shown. {ALIKE}.",
        ),
        (
            {"relation": "too_close", "chance": 0.2},
            f"{COUNTS}: too close to call. {ALIKE}; {LUCK.format('20 %')}, and a lead needs at most 5 %.",
        ),
        (
            {"relation": "ahead", "chance": 0.0},
            f"{COUNTS}: the former is ahead beyond chance. {ALIKE}; {LUCK.format('less than 0.1 %')}.",
        ),
    ],
)
def test_two_in_the_same_answers_and_who_is_ahead(fields, words):
    assert against_sentence(OWN, row(**fields), " on locks") == words


def test_an_untracked_name_is_compared_with_its_own_family():
    words = against_sentence(OWN, row(relation="ahead", **UNTRACKED), "")
    assert "looked at with the untracked names offered most" in words


def test_nobody_compared_is_no_sentence():
    assert rivals_sentence(OWN, [], "", are_asked=False) is None


def test_those_named_most_come_first_and_who_is_ahead_is_the_lead():
    others = [row("Low", 1), row("Even", 3), row("Top", 9, relation="ahead"), row("New", 5, **UNTRACKED)]
    named = "Top 9 of 10; New 5 of 10 (not tracked); Kryton 3 of 10; Even 3 of 10; Low 1 of 10"
    counts = f"Named in answers on locks: {named}."
    lead = "Ahead of Kryton beyond chance: Top."
    assert rivals_sentence(OWN, others, " on locks", are_asked=False) == f"{lead} {counts}"
    assert rivals_sentence(OWN, others, " on locks", are_asked=True) == (
        f"{counts} {lead} Others are not tested against each other."
    )


def test_eight_are_named_and_the_brand_wherever_it_is():
    others = [row(f"R{number}", 9) for number in range(9)]
    words = rivals_sentence(OWN, others, "", are_asked=False)
    assert words.startswith("Ahead of Kryton beyond chance: nobody.")
    assert words.endswith("R7 9 of 10; Kryton 3 of 10; 1 more.") and "R8" not in words
    assert "more" not in rivals_sentence(OWN, others[:7], "", are_asked=False)


def test_topics_where_the_brand_is_named_least_and_most():
    own = [row("Kryton", 4, topic="a"), row("Kryton", 2, 5, topic="b"), row("Kryton", 9, topic="c")]
    words = topics_sentence(own, [], " now")
    assert words == ("In answers now Kryton is named least on a (4 of 10; 1 more alike) and most on c (9 of 10).")
    assert words.marked.startswith(f"In answers now {marked('Kryton')} is named least on {marked('a')} (4 of 10; 1")


def test_topics_where_a_competitor_or_the_brand_is_ahead_are_counted():
    own = [row("Kryton", number, topic=topic) for number, topic in enumerate("abcd")]
    others = [
        *(row("Zentra", topic=topic, relation="ahead") for topic in "ab"),
        row("Avola", topic="a", relation="ahead"),
        *(row(name, topic="c", relation="behind") for name in ("Zentra", "Avola")),
        *(row(name, topic="d", relation=each) for name, each in (("Zentra", "behind"), ("Avola", "too_close"))),
    ]
    assert topics_sentence(own, others, "").endswith(
        "Beyond chance a competitor is ahead on 2 of 4 topics, and it on 1."
    )
