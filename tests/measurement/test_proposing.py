"""What is proposed for names that also mean something else."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from visibility.detection.names.proposing import propose_policy, seen_names
from visibility.detection.types import Policy


def seen(*texts, name="Prime"):
    """The places in each text; those written as "Prime!" counted."""
    found = []
    for text in texts:
        counted = {at for at in range(len(text)) if text.startswith(f"{name}!", at)}
        found += seen_names(text, name, counted)
    return found


def test_each_place_knows_its_line_and_its_neighbours():
    (place, other) = seen_names("one\nThe prime Minister said\nPRIME-time", "Prime", {})
    assert place.line == {"the", "minister", "said"}
    assert place.beside == {"the", "minister"}
    assert (other.line, other.beside) == ({"-time"}, {"-time"})
    assert list(seen_names("primed subprime Prime2", "Prime", {})) == []


def test_counted_are_the_places_of_mentions():
    text = "Prime is Prime"
    assert [each.counted for each in seen_names(text, "Prime", [9])] == [False, True]


def test_without_answers_capitals_are_proposed_where_they_tell():
    assert propose_policy("Prime", "word", []) == Policy(case_sensitive=True)
    assert propose_policy("notion", "word", []) is None
    assert propose_policy("Max", "proper", []) is None


def test_what_stands_beside_the_other_meaning_only_is_forbidden():
    places = seen(*["the Prime Minister"] * 3, "Prime Rib", "Prime! Video", "a Prime! offer")
    assert propose_policy("Prime", "word", places).forbidden_near == ("minister",)
    assert propose_policy("Prime", "word", [*places, *seen("Prime! Minister")]).forbidden_near == ()


def test_neighbours_are_required_where_they_cover_nearly_all_lines():
    meant = [*["Prime! streams video"] * 6, *["Prime! ships parcels of Amazon"] * 4]
    other = ["a prime example"] * 5
    assert propose_policy("Prime", "word", seen(*meant, *other)).required_near == ("streams", "amazon")
    assert propose_policy("Prime", "word", seen(*meant, *other[:4])).required_near == (), (
        "too few of the other meaning"
    )
    scattered = [f"Prime! {word} alone" for word in ("alpha", "bravo", "charlie", "delta", "echoes", "fox", "golf")]
    scattered += [f"Prime! {word} alone" for word in ("hotel", "india", "juliet")]
    other = ["a prime example alone"] * 5
    assert propose_policy("Prime", "word", seen(*scattered, *other)).required_near == (), (
        "eight words cover too little"
    )


@pytest.mark.parametrize("name", ["Prime", "C++", "3M", "\u5c0f\u7c73", ".", "(", "a b"])
@given(texts=st.lists(st.text(max_size=40), max_size=5))
def test_any_name_and_text_is_taken(name, texts):
    places = [each for text in [*texts, name] for each in seen_names(text, name, range(5))]
    policy = propose_policy(name, "word", places)
    assert policy is None or len(policy.required_near) <= 8


@given(st.lists(st.sampled_from(["Prime! streams video", "a prime example", "Prime Minister"]), max_size=20))
def test_the_order_of_answers_does_not_matter(texts):
    assert propose_policy("Prime", "word", seen(*texts)) == propose_policy("Prime", "word", seen(*reversed(texts)))
